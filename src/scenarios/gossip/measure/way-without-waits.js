/**
 * @typedef {import('./open-message.js').OpenMessage} OpenMessage
 *
 * @typedef {object} Added - to a delivery, in µs
 * @property {number} us - by the processes that held the nodes of its way, and by their machine
 * @property {number} machineUs - of that: for want of a core
 */

const NOTHING = Object.freeze({ us: 0, machineUs: 0 })

/** From when a message was with the one before on its way. @param {OpenMessage} message @param {number} node */
function hopUs(message, node) {
  const from = message.from(node)
  const sentUs = message.has(from) ? message.receivedUs(from) : message.publishedUs
  return Math.max(0, message.receivedUs(node) - sentUs)
}

/** Nobody has waited for longer. @param {number} us @param {Added} waited @returns {Added} */
const atMost = (us, waited) => ({ us: Math.min(us, waited.us), machineUs: Math.min(us, waited.machineUs) })

/**
 * addedOnTheWay is what was added to each delivery of a message: what its receipt waited, and the receipts of all nodes that it came by.
 * Of a way that does not lead to the publisher it is what is known.
 *
 * @param {OpenMessage} message
 * @returns {Map<number, Added>} by node that has it
 */
function addedOnTheWay(message) {
  /** @type {Map<number, Added>} */
  const added = new Map([[message.publisher, NOTHING]])
  for (let node = 0; node < message.nodes; node++) {
    const way = []
    let at = node
    // a circle ends where it began
    for (; message.has(at) && !added.has(at); at = message.from(at)) {
      way.push(at)
      added.set(at, NOTHING)
    }
    let before = added.get(at) ?? NOTHING
    for (const each of way.reverse()) {
      const { us, machineUs } = atMost(hopUs(message, each), message.waited(each))
      before = { us: before.us + us, machineUs: before.machineUs + machineUs }
      added.set(each, before)
    }
  }
  return added
}

/**
 * withoutWaits gives the times of a message without what was added to each of its deliveries.
 *
 * @param {OpenMessage} message
 * @returns {{ deliveries: import('../../../measure/distribution.js').Without[], last: import('../../../measure/distribution.js').Without } | null}
 *   µs; `last`: of the delivery that would have been the last one; null: not known
 */
export function withoutWaits(message) {
  if (!message.knowsWaits) return null
  const added = addedOnTheWay(message)
  const deliveries = []
  for (let node = 0; node < message.nodes; node++) {
    const us = message.receivedUs(node) - message.publishedUs
    if (!message.has(node) || us < 0) continue
    const { us: all, machineUs } = added.get(node) ?? NOTHING
    deliveries.push({ leastUs: Math.max(0, us - all), lessMachineUs: Math.max(0, us - machineUs) })
  }
  const last = {
    leastUs: deliveries.reduce((most, { leastUs }) => Math.max(most, leastUs), 0),
    lessMachineUs: deliveries.reduce((most, { lessMachineUs }) => Math.max(most, lessMachineUs), 0)
  }
  return { deliveries, last }
}
