/**
 * runClosedLoop keeps `lanes` operations of one client going: each lane sends its next operation when its last one ended, or
 * after it has thought.
 *
 * @param {object} options
 * @param {number} options.lanes - operations the client has in flight at most
 * @param {number} options.operations - in all; Infinity with a duration
 * @param {() => boolean} options.stopped - true: begin no further operation
 * @param {() => Promise<void>} options.perform - one operation, measured; never rejects
 * @param {import('./think-time.js').Think | null} [options.think] - waits before each operation; null: there is no time to think
 * @returns {Promise<void>} when the last operation has ended
 */
export async function runClosedLoop({ lanes, operations, stopped, perform, think = null }) {
  let left = operations
  const lane = async () => {
    for (let first = true; left > 0 && !stopped(); first = false) {
      left--
      if (think !== null) await think(first)
      if (stopped()) return
      await perform()
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, operations) }, lane))
}
