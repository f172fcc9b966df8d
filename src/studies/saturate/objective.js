// The objective (--slo, such as "p99 < 50ms") that a load must meet to count as sustained: its defaults, checks and
// texts.
import { isDeepStrictEqual } from 'node:util'
import { countNeededSamples } from '../../measure/figure.js'
import { parseCondition } from '../../plan/threshold.js'
import { judgeThresholds } from '../../report/checks.js'
import { findSaturation, SATURATION_SCENARIOS } from './trials.js'

/**
 * An objective is what a load must meet to be sustained: conditions on figures of its trial, and on nothing else. No trial is judged by
 * another one.
 *
 * @typedef {readonly string[]} Objective - conditions as text, such as `p99 < 50ms`
 *
 * @typedef {object} MissedCondition - a condition that a trial did not meet
 * @property {'OBJECTIVE'} code
 * @property {string} text - the condition
 * @property {number | null} actual - null: there is no such figure
 * @property {number} limit - in the same unit
 * @property {string} unit
 * @property {string} [reason] - what else there is to say of the figure
 *
 * @typedef {import('../../plan/threshold.js').Threshold} Threshold
 * @typedef {import('../../plan/threshold.js').Condition} Condition
 */

/** A trial that needs more than this many times its duration is refused. */
const LONGEST = 10
/** Independent arrivals are fewer than expected by more than this many standard deviations in one of a thousand trials. */
const DEVIATIONS = 3
/** A figure barely misses its limit if it is within this share of it. */
const BARELY = 0.1

/** @param {Objective} objective */
const asThresholds = objective => objective.map(text => ({ text }))

/** @param {string} scenario @param {Objective} objective @returns {(Condition & { text: string })[]} */
const conditionsOf = (scenario, objective) =>
  asThresholds(objective).map(threshold => ({
    text: threshold.text,
    ...parseCondition(threshold, SATURATION_SCENARIOS[scenario].objective.figures)
  }))

/**
 * makeObjective is the objective of a study: the conditions that were given, and those of the default on other figures. Any condition on a
 * time takes the place of the default's time.
 *
 * @param {string} scenario
 * @param {readonly Threshold[]} [thresholds] - `--slo`
 * @returns {string[]}
 */
export function makeObjective(scenario, thresholds = []) {
  const own = conditionsOf(
    scenario,
    thresholds.map(({ text }) => text)
  )
  const isReplaced = (/** @type {Condition} */ { figure }) =>
    own.some(
      other =>
        other.figure.name === figure.name || (figure.quantity === 'time' && other.figure.quantity === 'time')
    )
  const usual = conditionsOf(scenario, SATURATION_SCENARIOS[scenario].objective.usual).filter(
    condition => !isReplaced(condition)
  )
  return [...own, ...usual].map(({ text }) => text)
}

/**
 * makeObjectiveFlags are the flags of an objective on a command line.
 *
 * @param {string} scenario
 * @param {Objective | null} objective - null: of a version that had none
 */
export const makeObjectiveFlags = (scenario, objective) =>
  objective === null || isDeepStrictEqual(objective, makeObjective(scenario))
    ? []
    : objective.map(text => `--slo "${text}"`)

/** formatObjective is an objective in a sentence. @param {Objective} objective */
export const formatObjective = objective => objective.join(', ')

/**
 * findMissedConditions says which conditions of an objective a trial did not meet. A figure that was not measured does not meet one.
 *
 * @param {string} scenario
 * @param {Objective} objective
 * @param {{ point: object, outcome?: object }} trial - `outcome`: of its result; without it figures of the point alone are known
 * @returns {MissedCondition[]}
 */
export const findMissedConditions = (scenario, objective, { point, outcome = {} }) =>
  judgeThresholds(
    asThresholds(objective),
    /** @type {any} */ ({ operations: {}, ...outcome, point }),
    SATURATION_SCENARIOS[scenario].objective.figures
  ).flatMap(({ passed, text, actual, limit, unit, reason }) =>
    passed
      ? []
      : [{ code: /** @type {const} */ ('OBJECTIVE'), text, actual, limit, unit, ...(reason && { reason }) }]
  )

/**
 * isBarelyMissed says whether figures are all within a tenth of the limits they missed.
 *
 * @param {readonly { code: string }[]} reasons - why a load was not sustained
 */
export const isBarelyMissed = reasons =>
  reasons.every(reason => {
    if (reason.code !== 'OBJECTIVE') return false
    const { actual, limit } = /** @type {MissedCondition} */ (reason)
    return actual !== null && Math.abs(actual - limit) <= BARELY * limit
  })

/**
 * findObjectiveProblem says why runs of a plan can never meet an objective.
 *
 * @param {Objective} objective
 * @param {any} plan
 * @returns {string | null} null: they can
 */
export const findObjectiveProblem = (objective, plan) =>
  findSaturation(plan).objective.lack(asThresholds(objective), plan)

/** How many samples a percentile needs. @param {import('../../measure/figure.js').Figure} figure @returns {number | null} null: it is none */
function samplesFor({ name }) {
  const [, digits] = /(?:^|\.)p(\d+(?:\.\d+)?)$/.exec(name) ?? []
  if (digits === undefined) return null
  return countNeededSamples(digits === '999' ? 'p999' : Number(digits) / 100)
}

/**
 * The number of samples that each percentile of an objective needs, and the samples per second of a trial.
 *
 * @param {Objective} objective
 * @param {any} plan
 * @returns {{ text: string, samples: number, perSecond: number }[]}
 */
const samplesNeeded = (objective, plan) =>
  conditionsOf(plan.scenario, objective).flatMap(({ text, figure }) => {
    const samples = samplesFor(figure)
    const perSecond = findSaturation(plan).objective.samplesPerSecond(figure, plan)
    if (samples === null || perSecond === null) return []
    const more = plan.arrivals === 'poisson' ? DEVIATIONS * Math.sqrt(samples) : 0
    return [{ text, samples: samples + more, perSecond }]
  })

/**
 * computeSecondsNeeded is the time in which a trial has the samples that the percentiles of the objective need.
 *
 * @param {Objective} objective
 * @param {any} plan - of the trial, as long as was asked for
 * @returns {{ seconds: number, problem: string | null }} `problem`: the time is much longer than the duration of the plan
 */
export function computeSecondsNeeded(objective, plan) {
  const trialSeconds = plan.durationMs / 1000
  const needed = samplesNeeded(objective, plan).map(({ text, samples, perSecond }) => ({
    text,
    samples,
    perSecond,
    seconds: Math.ceil(samples / perSecond - 1e-9)
  }))
  const [longest] = needed.sort((a, b) => b.seconds - a.seconds)
  if (longest === undefined || longest.seconds <= trialSeconds)
    return { seconds: trialSeconds, problem: null }
  const { text, samples, perSecond, seconds } = longest
  if (seconds <= LONGEST * trialSeconds) return { seconds, problem: null }
  return {
    seconds,
    problem: `${text} needs ${Math.ceil(samples)} samples, and ${trialSeconds} s at ${perSecond}/s have ${Math.floor(trialSeconds * perSecond)}: give a higher rate, a --duration of ${Math.ceil(seconds / LONGEST)}s or more, or a lower percentile with --slo`
  }
}

/**
 * computeLowestRate is the lowest rate at which trials are long enough for an objective.
 *
 * @param {Objective} objective
 * @param {any} plan - of a trial
 * @returns {number} per second; 0: any
 */
export const computeLowestRate = (objective, plan) =>
  Math.max(
    0,
    ...samplesNeeded(objective, plan).map(
      ({ samples, perSecond }) =>
        (samples / ((LONGEST * plan.durationMs) / 1000)) * (plan.ratePerSecond / perSecond)
    )
  )
