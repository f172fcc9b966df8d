import { saturatedBy } from '../../saturation/saturated.js'

/**
 * @typedef {import('../../saturation/result/trial.js').Trial} Trial
 * @typedef {import('../../saturation/result/trial.js').Reason} Reason
 * @typedef {import('../../../result/types.js').Result} Result
 *
 * @typedef {object} Seen - of servers under a load, beside what operations came to
 * @property {number | null} held - registrations when the run began; null: not counted
 * @property {import('../../../result/types.js').FaultResult | null} fault - a server was killed
 * @property {number | null} failovers - how often clients went to another server; null: there is none
 * @property {{ lookedUp: number, missing: number } | null} lookUp - what was acknowledged, at the end; null: not made
 * @property {number | null} stalestMs - until what one server had acknowledged was seen at another, at most; null: not measured
 *
 * @typedef {object} Judged
 * @property {'mean' | 'peak' | 'killed'} name
 * @property {boolean | null} carried - null: not known yet
 * @property {Reason[]} reasons - why it was not
 * @property {Seen | null} seen - null: nothing
 *
 * @typedef {Trial & Judged} Stage - a rate of the network, held
 */

/**
 * newStage is a rate that was not held yet.
 *
 * @param {Stage['name']} name
 * @param {Trial} trial
 * @returns {Stage}
 */
export const newStage = (name, trial) => ({ ...trial, name, carried: null, reasons: [], seen: null })

/**
 * seenIn reads from the result of a run what became of its servers.
 *
 * @param {Result} result
 * @returns {Seen}
 */
export const seenIn = ({ outcome: { registrations, faults, dialled, lookUp, staleness } }) => ({
  held: registrations.before,
  fault: faults[0] ?? null,
  failovers: dialled?.failovers ?? null,
  lookUp: lookUp && { lookedUp: lookUp.lookedUp, missing: lookUp.missing },
  stalestMs: staleness?.max?.ms ?? null
})

/**
 * judgeStage says whether a rate was carried: as a search would have it, beside the first rate, and with nothing lost that was acknowledged.
 *
 * @param {Stage} stage - is filled
 * @param {readonly Stage[]} stages - in their order
 */
export function judgeStage(stage, [first]) {
  const { plan, point, seen, name } = stage
  // what was to happen to a server, and did not, was not measured
  if (point === null || (name === 'killed' && seen?.fault == null)) return
  stage.reasons = saturatedBy(plan).notSustained(point, first === stage ? null : first.point)
  stage.carried = stage.reasons.length === 0 && (seen?.lookUp?.missing ?? 0) === 0
}
