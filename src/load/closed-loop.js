/**
 * runClosedLoop keeps `lanes` operations of one client going: each lane sends its next operation when its last one ended.
 *
 * @param {object} options
 * @param {number} options.lanes - operations the client has in flight at most
 * @param {number} options.operations - in all; Infinity with a duration
 * @param {() => boolean} options.stopped - true: begin no further operation
 * @param {() => Promise<void>} options.perform - one operation, measured; never rejects
 * @returns {Promise<void>} when the last operation has ended
 */
export async function runClosedLoop({ lanes, operations, stopped, perform }) {
  let left = operations
  const lane = async () => {
    while (left > 0 && !stopped()) {
      left--
      await perform()
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, operations) }, lane))
}
