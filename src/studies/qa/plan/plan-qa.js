import { problemWords } from '../../../kit/problem-words.js'
import { camelCase } from '../../../plan/option-text.js'
import { objectiveOf } from '../../saturation/objective.js'
import { planGrid, scenarioProblems } from '../../saturation/plan/plan-saturate.js'
import { planTrials } from '../../saturation/plan/plan-trials.js'
import { SATURATED } from '../../saturation/saturated.js'
import { newHead } from '../../study-document.js'
import { QA_DOCUMENT } from '../result/qa-document.js'
import { churnOptions, churnPlan } from './churn-plan.js'
import { FULL, QUICK, qaOptions } from './qa-options.js'

/**
 * @typedef {import('../result/qa-document.js').QaDocument} QaDocument
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 */

/** Those that were given hide what is usual. @param {Readonly<Record<string, string>>} usual @param {Record<string, unknown>} given */
function unlessGiven(usual, given) {
  const names = new Set(Object.keys(given).map(camelCase))
  return { ...Object.fromEntries(Object.entries(usual).filter(([key]) => !names.has(key))), ...given }
}

/**
 * @param {string} scenario
 * @param {{ own: Record<string, any>, options: Record<string, unknown>, churn: Record<string, unknown> }} asked
 * @param {Date} now
 */
function newDocument(scenario, { own, options: typed, churn }, now) {
  const { qa, ratesFlag, sizesGiven, fixedSizes, scenario: loaded } = SATURATED[scenario]
  const { quick } = own
  const [usual, lengths] = quick ? [qa.quick, QUICK] : [qa.full, FULL]
  const options = quick ? unlessGiven(qa.quickOptions, typed) : typed
  const seconds = own.duration ?? usual.seconds
  const rates = own[ratesFlag]
  const sizes = sizesGiven(own) ?? fixedSizes(options, loaded) ?? usual.sizes
  const gridOwn = { ...own, [ratesFlag]: rates ?? usual.rates, duration: seconds }
  const { sizeName } = SATURATED[scenario]
  const { grid, seed, problems } = planGrid(scenario, { ...gridOwn, [sizeName]: sizes }, options)
  const its = churnOptions(loaded, {
    usual: quick ? qa.quickChurnOptions : qa.churnOptions,
    ofLoads: options,
    own: { ...churn, duration: `${own.rotation ?? lengths.rotation}s` }
  })
  const rotation = churnPlan(loaded, its, qa.churnPerSecond)
  const isOwn = ({ flag = '' }) => flag === '--churn' && churn.churn !== undefined
  /** @type {QaDocument} */
  const document = {
    ...newHead('', now),
    scenario,
    quick,
    options,
    seconds,
    steadySeconds: own.steady ?? lengths.steady,
    objective: objectiveOf(scenario, own.slo),
    ...(own.inTime !== undefined && { inTimeMs: own.inTime }),
    watched: null,
    on: null,
    grid,
    growth: rates === undefined ? { factor: usual.factor, rows: usual.rows } : null,
    examined: { wanted: null, cell: null, runs: own.runs, trials: [], machine: {} },
    steady: null,
    rotation: {
      options: its,
      plan: rotation.plan,
      why: rotation.plan === null ? problemWords(rotation.problems) : null,
      ...{ status: 'pending', reason: null, run: null, tookMs: null, figures: {}, came: null, slope: null }
    },
    baseline: null,
    held: null
  }
  return { document, seed, problems: [...problems, ...rotation.problems.filter(isOwn)] }
}

/**
 * Reads the baseline that is named, and what is to be examined so that it can be held against it.
 *
 * @param {QaDocument} document
 * @param {string} baseline
 * @returns {Promise<Problem[]>}
 */
async function withBaseline(document, baseline) {
  const before = await QA_DOCUMENT.read(baseline)
  const refuse = (/** @type {string} */ allowed) => [{ flag: '--baseline', value: baseline, allowed }]
  if (before === null) return refuse(`holds no ${QA_DOCUMENT.file} that can be read: name a folder of qa`)
  if (before.scenario !== document.scenario)
    return refuse(`is of ${before.scenario}, and this one of ${document.scenario}`)
  document.baseline = baseline
  document.examined.wanted = before.examined.cell
  return []
}

/**
 * planQa makes the document of a quality report from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} surroundings
 * @returns {Promise<import('../../study-door.js').MadeStudy<QaDocument>>}
 */
export async function planQa({ options: { churn: spec, ...others }, words }, { now, findScenario }) {
  const scenario = Object.hasOwn(SATURATED, words[0]) ? words[0] : Object.keys(SATURATED)[0]
  const { notHere } = SATURATED[scenario]
  const { own: table } = qaOptions(scenario)
  const churn = spec === undefined ? {} : { churn: spec }
  const late = Object.hasOwn(others, 'resume') ? Object.entries(churn) : []
  const misread = [
    ...scenarioProblems(words, 'qa'),
    ...late.map(([name, value]) => ({
      flag: `--${name}`,
      value: String(value),
      allowed: 'cannot be given with --resume: the folder has what was asked for'
    }))
  ]
  /** @type {Record<string, any>} */
  let own = {}
  const made = await planTrials(others, {
    findScenario,
    scenario,
    own: table,
    notHere: Object.fromEntries(Object.entries(notHere).filter(([key]) => !Object.hasOwn(table, key))),
    misread,
    name: `qa-${scenario}`,
    file: QA_DOCUMENT,
    fits: document => document.scenario === scenario,
    newDocument(given, ofPlans) {
      own = given
      return newDocument(scenario, { own, options: ofPlans, churn }, now())
    },
    onResumed: given => {
      own = given
    }
  })
  if ('problems' in made && made.problems !== undefined) return made
  const { planned } = /** @type {{ planned: import('../../study-door.js').PlannedStudy<QaDocument> }} */ (
    made
  )
  const { baseline = planned.document.baseline, allowUndecided } = own
  const problems = baseline === null ? [] : await withBaseline(planned.document, baseline)
  if (problems.length > 0) return { problems }
  return { planned: { ...planned, output: { ...planned.output, allowUndecided } } }
}
