/**
 * @typedef {import('./transfer-log.js').Place} Place
 * @typedef {import('./sides.js').Moved} Moved
 * @typedef {NonNullable<import('../transfer-types.js').TransferOutcome['blockTimes']>[number]} BlockTime
 */

/** Of more blocks of a way in a round nobody looks at each. */
const MOST_BLOCKS = 2000

/**
 * blockTimesOf puts together when each block was queued, sent, received and stored. Both sides read the same clock of the host.
 *
 * @param {Place} place
 * @param {Moved['provision']} provision
 * @param {Moved['fetchings']} fetchings
 * @returns {BlockTime[]} in the order they were queued
 */
export function blockTimesOf({ way, latencyMs, bytesPerSecond }, provision, fetchings) {
  /** @type {Map<string, BlockTime>} */
  const blocks = new Map()
  const events = [...provision.blockEvents, ...fetchings.flatMap(({ blockEvents }) => blockEvents)]
  for (const { transfer, cid, event, atNs } of events) {
    const key = `${transfer} ${cid}`
    const known = blocks.get(key)
    if (known === undefined && blocks.size >= MOST_BLOCKS) continue
    const none = { queuedMs: null, sentMs: null, receivedMs: null, storedMs: null }
    const block = known ?? { way, latencyMs, bytesPerSecond, transfer, cid, ...none }
    block[/** @type {'queuedMs'} */ (`${event}Ms`)] = Number(atNs - provision.beganNs) / 1e6
    blocks.set(key, block)
  }
  return [...blocks.values()]
}
