import { sumOf } from '../kit/lists.js'

/**
 * @typedef {object} Estimate - of a run
 * @property {number} estimateMs - about how long it takes in all
 * @property {number} fixedMs - of that, what it takes on any machine
 * @property {boolean} goesOn - it goes on with what the run before has left up
 */

/**
 * estimateOf estimates how long a run takes.
 *
 * @param {Pick<import('../scenarios/scenario.js').Scenario, 'estimateMs' | 'fixedMs'>} scenario
 * @param {import('./plan.js').AnyPlan} plan
 * @param {boolean} [goesOn]
 * @returns {Estimate}
 */
export const estimateOf = ({ estimateMs, fixedMs = () => 0 }, plan, goesOn = false) => ({
  estimateMs: estimateMs(plan, goesOn),
  fixedMs: fixedMs(plan, goesOn),
  goesOn
})

/** @param {Estimate} estimate */
const varies = ({ estimateMs, fixedMs }) => estimateMs - fixedMs

/**
 * remainingMs says how long what is left takes, going by how long runs like it have taken here: beside their estimates, and beyond what
 * they take anywhere.
 *
 * @param {readonly (Estimate & { tookMs: number })[]} done
 * @param {readonly Estimate[]} left
 * @returns {number} ms
 */
export function remainingMs(done, left) {
  const paceOf = (/** @type {boolean} */ goesOn) => {
    const alike = done.filter(run => run.goesOn === goesOn)
    const took = sumOf(alike, ({ tookMs, fixedMs }) => Math.max(0, tookMs - fixedMs))
    return alike.length === 0 ? 1 : took / sumOf(alike, varies)
  }
  const paces = { anew: paceOf(false), on: paceOf(true) }
  return sumOf(left, run => run.fixedMs + varies(run) * (run.goesOn ? paces.on : paces.anew))
}
