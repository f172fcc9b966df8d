/**
 * @typedef {import('./open-message.js').OpenMessage} OpenMessage
 *
 * @typedef {object} Overhead - of a delivery, or of a message
 * @property {number} us - from the publish call
 * @property {number} overheadUs - of that: its bytes waited for processes that held other nodes too, or for a core
 */

/** From when a message was with the one before on its way. @param {OpenMessage} message @param {number} node */
function hopUs(message, node) {
  const from = message.from(node)
  const sentUs = message.has(from) ? message.receivedUs(from) : message.publishedUs
  return Math.max(0, message.receivedUs(node) - sentUs)
}

/**
 * overheadOnTheWay is what was added to each delivery of a message: what its receipt waited, and the receipts of all nodes that it came by,
 * never longer than a hop took. Of a way that does not lead to the publisher it is what is known.
 *
 * @param {OpenMessage} message
 * @returns {Map<number, number>} µs, by node that has it
 */
function overheadOnTheWay(message) {
  const overheads = new Map([[message.publisher, 0]])
  for (let node = 0; node < message.nodes; node++) {
    const way = []
    let at = node
    // a circle ends where it began
    for (; message.has(at) && !overheads.has(at); at = message.from(at)) {
      way.push(at)
      overheads.set(at, 0)
    }
    let before = overheads.get(at) ?? 0
    for (const each of way.reverse()) {
      before += Math.min(hopUs(message, each), message.waitedUs(each))
      overheads.set(each, before)
    }
  }
  return overheads
}

/**
 * overheadsOf gives the client overhead of each delivery of a message, and of its dissemination: without it another delivery may have been
 * the last.
 *
 * @param {OpenMessage} message
 * @returns {{ deliveries: Overhead[], dissemination: Overhead } | null} null: not known
 */
export function overheadsOf(message) {
  if (!message.knowsWaits) return null
  const overheads = overheadOnTheWay(message)
  /** @type {Overhead[]} */
  const deliveries = []
  for (let node = 0; node < message.nodes; node++) {
    const us = message.receivedUs(node) - message.publishedUs
    if (!message.has(node) || us < 0) continue
    deliveries.push({ us, overheadUs: Math.min(us, overheads.get(node) ?? 0) })
  }
  const last = deliveries.reduce((most, { us }) => Math.max(most, us), 0)
  const lastWithout = deliveries.reduce((most, { us, overheadUs }) => Math.max(most, us - overheadUs), 0)
  return { deliveries, dissemination: { us: last, overheadUs: last - lastWithout } }
}
