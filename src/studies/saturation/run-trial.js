import { missedBy } from './objective.js'
import { saturatedBy } from './saturated.js'

/**
 * @typedef {import('./result/trial.js').AnyTrial} Trial
 *
 * @typedef {object} TrialParts - what a trial has beside its plan
 * @property {string} label
 * @property {import('./objective.js').Objective} objective - that it is judged by
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {() => void} [judge] - what the trial shows, beside its figures
 */

/** RUNS is the folder of the runs, in that of their document. */
const RUNS = 'runs'

/**
 * trialTurn is a trial as a run of its study, on a server of its own where the server is ours. The trial says what became of it.
 *
 * @param {Trial} trial - is filled
 * @param {TrialParts} parts
 * @returns {import('../study.js').TurnOf}
 */
export const trialTurn = (trial, { label, objective, inTimeMs, judge }) => ({
  label,
  plan: trial.plan,
  part: RUNS,
  name: trial.name,
  isDone: () => trial.status === 'complete',
  keep({ status, reason, tookMs, result }, inside) {
    Object.assign(trial, { status, reason, tookMs, run: result === null ? null : inside })
    // what was measured of a run that was broken off is no measure of its load
    if (result?.status === 'complete') {
      trial.point = saturatedBy(trial.plan).pointOf(result, { inTimeMs })
      const { point, plan } = trial
      trial.reasons = missedBy(plan.scenario, objective, {
        point: /** @type {object} */ (point),
        outcome: result.outcome
      })
      trial.sustained = trial.reasons.length === 0
    } else Object.assign(trial, { point: null, sustained: null, reasons: [] })
    judge?.()
  }
})

/**
 * blameless says why a study ends at a run that did not come to its end where nothing of its load is to blame.
 *
 * @param {Pick<Trial, 'name'>} trial
 * @param {Pick<Trial, 'reason'>} ended
 * @returns {import('../../result/types.js').Reason}
 */
export const blameless = ({ name }, { reason }) => ({
  code: reason?.code ?? 'NO_RESULT',
  message: `${name}: ${reason?.message ?? 'it ended without a result'}`
})
