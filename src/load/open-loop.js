import { setImmediate as nextTurn } from 'node:timers/promises'

/** After so many late operations sent in a row, replies get a turn. */
const LATE_BURST = 16

/**
 * runOpenLoop sends operations when they are due, whatever became of the ones before. What is late is sent at once and still
 * counts from when it was due, so that a stalled server cannot hide (coordinated omission).
 *
 * @template [A=number]
 * @param {object} options
 * @param {Iterable<A>} options.arrivals - in the order in which they are due
 * @param {(arrival: A) => number} [options.offsetOf] - in ns; default: an arrival is its offset
 * @param {bigint} options.startNs
 * @param {number} options.maxInFlight - what is due beyond it is dropped, and told
 * @param {AbortSignal} options.signal - aborted: begin no further operation
 * @param {(dueNs: bigint, index: number, arrival: A) => Promise<void>} options.perform - never rejects
 * @param {(dueNs: bigint, index: number, arrival: A) => void} options.drop
 * @param {{ until: (dueNs: bigint, signal: AbortSignal) => Promise<void> }} options.pacer
 * @param {() => bigint} [options.clock]
 * @returns {Promise<void>} when the last operation has ended
 */
export async function runOpenLoop({
  arrivals,
  offsetOf = Number,
  startNs,
  maxInFlight,
  signal,
  perform,
  drop,
  pacer,
  clock = process.hrtime.bigint
}) {
  /** @type {Set<Promise<void>>} */
  const inFlight = new Set()
  let index = 0
  let burst = 0
  for (const arrival of arrivals) {
    const dueNs = startNs + BigInt(offsetOf(arrival))
    const late = dueNs <= clock()
    burst = late ? burst + 1 : 0
    if (!late) await pacer.until(dueNs, signal)
    else if (burst % LATE_BURST === 0) await nextTurn()
    if (signal.aborted) break
    if (inFlight.size >= maxInFlight) drop(dueNs, index, arrival)
    else {
      const operation = perform(dueNs, index, arrival).finally(() => inFlight.delete(operation))
      inFlight.add(operation)
    }
    index++
  }
  await Promise.all(inFlight)
}
