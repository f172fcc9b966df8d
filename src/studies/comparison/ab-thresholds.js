/**
 * @typedef {import('./comparison.js').Result} Result
 * @typedef {import('./ab-folder.js').Arm} Arm
 *
 * @typedef {object} ArmThreshold - what became of a threshold in the runs of one plan
 * @property {Arm} arm
 * @property {string} text - `DISCOVER.p99 < 50ms`
 * @property {number} runs - that it was judged in
 * @property {number} passed - of them
 */

/** @param {Arm} arm @param {readonly Result[]} results @returns {ArmThreshold[]} */
function ofArm(arm, results) {
  const judged = results.flatMap(({ outcome }) => outcome.thresholds ?? [])
  const texts = [...new Set(judged.map(({ text }) => text))]
  return texts.map(text => {
    const own = judged.filter(threshold => threshold.text === text)
    return { arm, text, runs: own.length, passed: own.filter(({ passed }) => passed).length }
  })
}

/**
 * armThresholds count in how many runs of each plan its thresholds held.
 *
 * @param {Record<Arm, readonly Result[]>} results
 * @returns {ArmThreshold[]}
 */
export const armThresholds = ({ a, b }) => [...ofArm('a', a), ...ofArm('b', b)]

/**
 * isMissed says whether a threshold did not hold in a run.
 *
 * @param {ArmThreshold} threshold
 */
export const isMissed = ({ runs, passed }) => passed < runs
