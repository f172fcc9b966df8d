// Turns the command line of `qa` into the document of a quality report: a grid of loads, a long run, a run with churn.
// Lists all problems.
import { formatProblems } from '../../kit/option-problems.js'
import { ALLOW_UNDECIDED } from '../../plan/fail-rules.js'
import { toCamelCase } from '../../plan/options.js'
import { makePlan } from '../../plan/plan.js'
import { folderOrLatest, path, seconds, wholeNumber, yesOrNo } from '../../plan/values.js'
import { mergeTypedOptions } from '../matrix/plan.js'
import { makeObjective } from '../saturate/objective.js'
import { findScenarioProblems, planGrid, planTrials } from '../saturate/plan.js'
import { SATURATION_SCENARIOS } from '../saturate/trials.js'
import { makeStudyHead } from '../study.js'
import { QA_DOCUMENT } from './qa-document.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('../../plan/plan.js').Problem} Problem
 */

/**
 * @param {string} scenario
 * @param {{ own: Record<string, any>, options: Record<string, unknown>, churn: Record<string, unknown> }} asked
 * @param {Date} now
 */
function newDocument(scenario, { own, options: typed, churn }, now) {
  const {
    qa,
    ratesFlag,
    sizeName,
    explicitSizes,
    fixedSizes,
    scenario: loaded
  } = SATURATION_SCENARIOS[scenario]
  const { quick } = own
  const [usual, lengths] = quick ? [qa.quick, QUICK_LENGTHS] : [qa.full, FULL]
  const options = quick ? mergeTypedOptions(qa.quickOptions, typed) : typed
  const seconds = own.duration ?? usual.seconds
  const rates = own[ratesFlag]
  const sizes = explicitSizes(own) ?? fixedSizes(options, loaded) ?? usual.sizes
  const gridOwn = { ...own, [ratesFlag]: rates ?? usual.rates, [sizeName]: sizes, duration: seconds }
  const { grid, seed, problems } = planGrid(scenario, gridOwn, options)
  const its = makeChurnOptions(loaded, {
    usual: quick ? qa.quickChurnOptions : qa.churnOptions,
    ofLoads: options,
    own: { ...churn, duration: `${own.rotation ?? lengths.rotation}s` }
  })
  const rotation = planChurnRun(loaded, its, qa.churnPerSecond)
  const isOwn = ({ flag = '' }) => flag === '--churn' && churn.churn !== undefined
  /** @type {QaDocument} */
  const document = {
    ...makeStudyHead('', now),
    scenario,
    quick,
    options,
    seconds,
    steadySeconds: own.steady ?? lengths.steady,
    objective: makeObjective(scenario, own.slo),
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
      why: rotation.plan === null ? formatProblems(rotation.problems) : null,
      ...{ status: 'pending', reason: null, run: null, tookMs: null, figures: {}, came: null, slope: null }
    },
    baseline: null,
    held: null
  }
  return { document, seed, problems: [...problems, ...rotation.problems.filter(isOwn)] }
}

/**
 * Reads the baseline: the report must examine the same cell to be compared with it.
 *
 * @param {QaDocument} document
 * @param {string} baseline
 * @returns {Promise<Problem[]>}
 */
async function withBaseline(document, baseline) {
  const before = await QA_DOCUMENT.read(baseline)
  const refuse = (/** @type {string} */ allowed) => [{ flag: '--baseline', value: baseline, allowed }]
  if (before === null) return refuse(`contains no ${QA_DOCUMENT.file} that can be read: name a folder of qa`)
  if (before.scenario !== document.scenario)
    return refuse(`is of ${before.scenario}, and this one of ${document.scenario}`)
  document.baseline = baseline
  document.examined.wanted = before.examined.cell
  return []
}

/**
 * planQa makes the document of a quality report from the command line, or finds all problems.
 *
 * @param {import('../study-views.js').StudyArguments} args
 * @param {import('../study-views.js').PlanningContext} context
 * @returns {Promise<import('../study-views.js').StudyOrProblems<QaDocument>>}
 */
export async function planQa({ options: { churn: spec, ...others }, words }, { now, findScenario }) {
  const scenario = Object.hasOwn(SATURATION_SCENARIOS, words[0])
    ? words[0]
    : Object.keys(SATURATION_SCENARIOS)[0]
  const { notHere } = SATURATION_SCENARIOS[scenario]
  const { own: table } = listQaOptions(scenario)
  const churn = spec === undefined ? {} : { churn: spec }
  const late = Object.hasOwn(others, 'resume') ? Object.entries(churn) : []
  const misread = [
    ...findScenarioProblems(words, 'qa'),
    ...late.map(([name, value]) => ({
      flag: `--${name}`,
      value: String(value),
      allowed: 'cannot be given with --resume: the folder has the original options'
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
    newDocument(input, ofPlans) {
      own = input
      return newDocument(scenario, { own, options: ofPlans, churn }, now())
    },
    onResumed: input => {
      own = input
    }
  })
  if ('problems' in made && made.problems !== undefined) return made
  const { planned } = /** @type {{ planned: import('../study-views.js').PlannedStudy<QaDocument> }} */ (made)
  const { baseline = planned.document.baseline, allowUndecided } = own
  const problems = baseline === null ? [] : await withBaseline(planned.document, baseline)
  if (problems.length > 0) return { problems }
  return { planned: { ...planned, output: { ...planned.output, allowUndecided } } }
}

/** @typedef {import('../../plan/options.js').Option} Option */

const PARTS = 'The parts:'
const VERDICT = 'The verdict:'

const MAX_RUNS = 20

/** Options of `saturate` that `qa` does not have, or has in another form. */
const NOT_OURS = new Set([
  ...['search', 'from', 'most', 'repeats', 'blocks'],
  ...['peers', 'requestsPerDay', 'peakFactor']
])

/** QUICK_LENGTHS has the lengths of the parts of a quick report, FULL those of a full report, in seconds. */
export const QUICK_LENGTHS = { steady: 8, rotation: 12, watchMs: 3000 }
const FULL = { steady: 600, rotation: 300 }

/** @param {import('../../scenarios/saturation.js').QaRuns} qa @returns {Record<string, Option>} */
const commandOptions = ({ full, quick }) => ({
  quick: {
    common: true,
    group: PARTS,
    default: false,
    ...yesOrNo(),
    describe: 'run all parts in about two minutes; to see that it works, not to compare releases'
  },
  duration: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${full.seconds}s; ${quick.seconds}s with --quick`,
    describe: 'duration of each cell and each chosen-cell run; in whole seconds'
  },
  runs: {
    group: PARTS,
    default: 3,
    ...wholeNumber(1, MAX_RUNS),
    describe: 'runs of the chosen cell'
  },
  steady: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${FULL.steady / 60}m; ${QUICK_LENGTHS.steady}s with --quick`,
    describe: 'duration of half the chosen load, in whole seconds'
  },
  rotation: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${FULL.rotation / 60}m; ${QUICK_LENGTHS.rotation}s with --quick`,
    describe: 'duration of the churn run, in whole seconds'
  },
  baseline: {
    common: true,
    group: VERDICT,
    part: 'output',
    ...path(),
    describe:
      'folder of an earlier qa to compare with; parts pass, fail or stay undecided. Also with --resume'
  },
  allowUndecided: { ...ALLOW_UNDECIDED, group: VERDICT },
  resume: {
    common: true,
    group: VERDICT,
    part: 'output',
    ...folderOrLatest(),
    describe: 'continue in this folder or the latest; complete runs are not repeated'
  }
})

/** @param {Readonly<Record<string, string>>} options */
const amountOf = ({ nodes, nClients }) => nodes ?? nClients

/**
 * listQaOptions are the options of `qa` for a scenario: `own` of the command, `all` with those of its runs.
 *
 * @param {string} scenario
 * @returns {{ own: Record<string, Option>, all: Record<string, Option> }}
 */
export function listQaOptions(scenario) {
  const {
    own: ofGrid,
    options,
    ratesFlag,
    sizeName,
    qa,
    view,
    scenario: loaded
  } = SATURATION_SCENARIOS[scenario]
  const command = commandOptions(qa)
  const size = sizeName === 'nodes' ? 'nodes' : 'connections'
  const joinNumbers = (/** @type {readonly number[]} */ numbers) => numbers.join(',')
  const grid = {
    ...Object.fromEntries(Object.entries(ofGrid).filter(([key]) => !NOT_OURS.has(key) && !(key in command))),
    [ratesFlag]: {
      ...ofGrid[ratesFlag],
      common: true,
      defaultText: `${joinNumbers(qa.full.rates)}, and on until some are not carried`
    },
    [size]: {
      ...ofGrid[size],
      common: true,
      describe: ofGrid[size].describe.replace('; with --search, one number', ''),
      defaultText: `${joinNumbers(qa.full.sizes)}; ${joinNumbers(qa.quick.sizes)} with --quick`
    }
  }
  const own = { ...grid, ...command }
  const others = Object.entries(options).filter(([key]) => !NOT_OURS.has(key) && !(key in own))
  /** @type {Option} */
  const churn = {
    ...loaded.options.churn,
    group: PARTS,
    defaultText: `${qa.churnOptions.churn}; ${qa.quickChurnOptions.churn} with --quick`,
    describe: `who leaves in the churn run; of ${amountOf(qa.churnOptions)} ${view({}).many}, ${amountOf(qa.quickChurnOptions)} with --quick`
  }
  return { own, all: { ...own, churn, ...Object.fromEntries(others.filter(([key]) => key !== 'churn')) } }
}

/**
 * @typedef {import('../../scenarios/index.js').Scenario} Scenario
 */

/** Options that the run with churn sets itself, or does not have. */
const CHURN_RUN_OPTIONS = new Set([
  ...['rate', 'duration', 'warmup', 'nClients', 'nodes', 'benchmarkType', 'mix', 'registerMode', 'arrivals'],
  ...['initialRegistrations', 'messages', 'publishers', 'discoverLimit', 'ttl', 'nNamespaces', 'churn']
])

/**
 * makeChurnOptions are the options of the run with churn: defaults, then options typed for the loads that also apply to it, then its own.
 *
 * @param {Scenario} scenario
 * @param {object} options - as typed
 * @param {Readonly<Record<string, string>>} options.usual
 * @param {Record<string, unknown>} options.ofLoads
 * @param {Record<string, unknown>} options.own
 * @returns {Record<string, unknown>}
 */
export function makeChurnOptions({ options: table }, { usual, ofLoads, own }) {
  const shared = Object.entries(ofLoads)
    .map(([name, value]) => /** @type {const} */ ([toCamelCase(name), value]))
    .filter(([key]) => (table[key]?.part ?? 'plan') === 'plan' && !CHURN_RUN_OPTIONS.has(key))
    // a topology from a file fixes the number of nodes
    .filter(([key, value]) => key !== 'topology' || !String(value).startsWith('file:'))
  return { ...usual, ...Object.fromEntries(shared), ...churnAmount(usual, own), ...own }
}

/** How many ephemeral peers a churn has: `10,every=5s`. @param {unknown} churn */
const ephemeralIn = churn => Number(/^\s*(\d+)\s*,/.exec(String(churn))?.[1] ?? 0)

/** The number of peers, so that the usual number stays however many leave. @param {Readonly<Record<string, string>>} usual @param {Record<string, unknown>} own */
function churnAmount(usual, own) {
  const amount = Object.hasOwn(usual, 'nodes') ? 'nodes' : 'nClients'
  const ephemeral = ephemeralIn(own.churn)
  if (ephemeral === 0) return {}
  return { [amount]: String(Number(usual[amount]) - ephemeralIn(usual.churn) + ephemeral) }
}

/**
 * planChurnRun makes the plan of the run with churn.
 *
 * @param {Scenario} scenario
 * @param {Record<string, unknown>} options - as typed, without the rate
 * @param {number} perSecond
 * @returns {{ plan: any, problems: Problem[] }} `plan`: null where it cannot be run
 */
export function planChurnRun(scenario, options, perSecond) {
  const { plan = null, problems = [] } = makePlan(scenario, { ...options, rate: `${perSecond}/s` })
  return { plan, problems }
}
