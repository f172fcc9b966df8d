/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').PhaseRecord} PhaseRecord
 */

/**
 * phaseTimes remembers when phases began, to say how long they took.
 *
 * @returns {(record: PhaseRecord) => number} ms since the phase began
 */
export function phaseTimes() {
  /** @type {Map<string, number>} */
  const began = new Map()
  return ({ name, state, atMs }) => {
    if (state === 'begin') began.set(name, atMs)
    return atMs - (began.get(name) ?? atMs)
  }
}
