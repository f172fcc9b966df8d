/**
 * @typedef {import('./types.js').CpuProfile} CpuProfile
 *
 * @typedef {object} Sampled - of one node of a profile
 * @property {number} samples
 * @property {number} micros - µs
 */

/**
 * sampleTimes sums up how long each node of a profile was on top. A sample stands for the time until the next one, the
 * last for the time until the end, as in the browser's developer tools: samples come at uneven intervals, so that
 * counting them would be wrong. V8 may note samples out of order; they are put in order.
 *
 * @param {CpuProfile} profile
 * @returns {Map<number, Sampled>} by the node's id, those that were never on top left out
 */
export function sampleTimes({ samples = [], timeDeltas = [], startTime, endTime }) {
  let time = startTime
  const taken = samples.map((id, i) => {
    time += timeDeltas[i] ?? 0
    return { id, time }
  })
  taken.sort((a, b) => a.time - b.time)

  /** @type {Map<number, Sampled>} */
  const sums = new Map()
  for (const [i, { id, time }] of taken.entries()) {
    const micros = Math.max(0, (taken[i + 1]?.time ?? endTime) - time)
    const sum = sums.get(id)
    if (sum === undefined) sums.set(id, { samples: 1, micros })
    else {
      sum.samples++
      sum.micros += micros
    }
  }
  return sums
}
