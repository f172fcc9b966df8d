import { camelCase } from '../../../plan/camel-case.js'
import { readCommandOptions, splitOptions, withoutMisplaced } from '../../../plan/command-options.js'
import { readConfig } from '../../../plan/config-file.js'
import { once } from '../../../plan/once.js'
import { optionsIn, refusedOf } from '../../../plan/option.js'
import { readOptionText } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'
import { AUTO } from '../../../scenarios/gossip/plan/auto-rate.js'
import { simulatedOptions } from '../../../scenarios/gossip/plan/simulated-options.js'
import { GOSSIP } from '../../../scenarios/gossip/scenario.js'
import { findResumed } from '../../resumed.js'
import { newHead } from '../../study-document.js'
import { LATENCY_FACTOR } from '../result/counter-checks.js'
import { VALIDATION_DOCUMENT } from '../result/validation-document.js'
import { USUAL } from './usual.js'
import { VALIDATION_OPTIONS } from './validation-options.js'

/**
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../plan/plan.js').Output} Output
 * @typedef {import('../../../plan/plan.js').Problem} Problem
 * @typedef {import('../result/validation-document.js').SideName} SideName
 *
 * @typedef {Record<string, unknown>} Options
 *
 * @typedef {object} Sources - of the options of both networks
 * @property {Options} flags
 * @property {{ file: string, options: Options }} config - what the flags win over
 */

/** What is usual gives way to what cannot stand beside it. @type {Readonly<Record<string, readonly string[]>>} */
const GIVES_WAY = {
  messages: ['duration', 'publishers', 'arrivals'],
  rate: ['publishers', 'arrivals'],
  nodes: ['topology']
}

const refused = refusedOf(optionsIn('validation', GOSSIP.options), 'has no use with --validate')

/** @param {Options} options */
const keysOf = options => new Set(Object.keys(options).map(camelCase))

/** @param {Options} options @param {readonly string[]} keys */
const without = (options, keys) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !keys.includes(camelCase(name))))

/** @param {Options} given - of flags and configuration file */
function usualBeside(given) {
  const keys = keysOf(given)
  const inForce = Object.entries(USUAL).filter(
    ([key]) =>
      !keys.has(key) &&
      !(GIVES_WAY[key] ?? []).some(rival => keys.has(rival)) &&
      !(key === 'messages' && given.rate === AUTO)
  )
  return Object.fromEntries(inForce)
}

/** @param {string | undefined} text @returns {Promise<{ options: Options, problems: Problem[] }>} */
async function readWith(text) {
  if (text === undefined) return { options: {}, problems: [] }
  const { options, words } = await readOptionText(text, { ...GOSSIP.options, ...VALIDATION_OPTIONS })
  const problems = words.map(word => ({
    flag: '--validateWith',
    value: word,
    allowed: 'is neither an option nor the value of one'
  }))
  return { options, problems }
}

/** What each of the networks has no option for. @type {Readonly<Record<SideName, readonly string[]>>} */
const FOREIGN = {
  real: Object.keys(simulatedOptions('')),
  simulated: ['workers'],
  slower: ['workers']
}

const NETWORKS = { real: 'loopback', simulated: 'simulated', slower: 'simulated' }

/** @param {GossipPlan} plan @returns {Problem[]} */
const unfit = ({ linkLatencyMs, autoRate }) => [
  ...(linkLatencyMs > 0
    ? []
    : [
        {
          flag: '--linkLatency',
          value: '0',
          allowed: 'must be above 0 with --validate: times are counted in it'
        }
      ]),
  ...(autoRate
    ? [
        {
          flag: '--rate',
          value: 'auto',
          allowed: 'must be a rate with --validate: both networks are given the same'
        }
      ]
    : [])
]

/**
 * plansOf makes the plans of one side, a seed after the other.
 *
 * @param {SideName} side
 * @param {Sources} sources
 * @param {number} seeds
 * @returns {{ plans: Readonly<GossipPlan>[], problems: Problem[], output: Readonly<Output> }}
 */
function plansOf(side, { flags, config: { file, options } }, seeds) {
  const own = { ...without(flags, FOREIGN[side]), network: NETWORKS[side] }
  const config = { file, options: without(options, [...FOREIGN[side], 'network']) }
  const first = makePlan(GOSSIP, own, { config })
  if (first.plan === undefined) return { plans: [], problems: first.problems, output: first.output }
  const plan = /** @type {Readonly<GossipPlan>} */ (first.plan)
  const later = Array.from({ length: seeds - 1 }, (_, i) =>
    makePlan(GOSSIP, { ...without(own, ['seed']), seed: plan.seed + i + 1 }, { config })
  )
  return {
    plans: [plan, ...later.flatMap(made => /** @type {Readonly<GossipPlan>} */ (made.plan) ?? [])],
    problems: [...unfit(plan), ...later.flatMap(({ problems = [] }) => problems)],
    output: first.output
  }
}

/**
 * planValidation makes the plans of a validation from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} around
 * @returns {Promise<import('../../study-door.js').MadeStudy<import('../result/validation-document.js').ValidationDocument>>}
 */
export async function planValidation({ options: typed, words }, { now }) {
  const { kept, problems: misplaced } = withoutMisplaced(refused, typed)
  const { mine, others } = splitOptions(VALIDATION_OPTIONS, kept)
  const { own, problems: misread } = readCommandOptions(VALIDATION_OPTIONS, mine)
  const early = [
    ...words.map(word => ({
      flag: word,
      value: '',
      allowed: 'is neither a command nor the value of an option'
    })),
    ...(own.validate ? [] : [{ flag: `--${Object.keys(mine)[0]}`, value: '', allowed: 'needs --validate' }]),
    ...misplaced,
    ...misread
  ]
  if (own.resume !== undefined) return resumed(own.resume, kept, early)
  const { config: path, ...flags } = others
  const { config, problem } = typeof path === 'string' ? await readConfig(path) : {}
  const { options: onlySimulated, problems: badWith } = await readWith(own.validateWith)
  const { file = 'the default of --validate', options = {} } = config ?? {}
  const usual = usualBeside({ ...options, ...flags })
  const sources = { flags, config: { file, options: { ...usual, ...options } } }
  const simulatedFlags = { ...without(flags, [...keysOf(onlySimulated)]), ...onlySimulated }
  const real = plansOf('real', sources, own.validateSeeds)
  const simulated = plansOf('simulated', { ...sources, flags: simulatedFlags }, own.validateSeeds)
  const first = simulated.plans[0]?.linkLatencyMs
  const slowerFlags = { ...simulatedFlags, ...(first && { linkLatency: `${first * LATENCY_FACTOR}ms` }) }
  const slower = plansOf(
    'slower',
    { ...sources, flags: { ...without(simulatedFlags, ['linkLatency']), ...slowerFlags } },
    own.validateSeeds
  )
  const problems = once([
    ...early,
    ...(problem === undefined ? [] : [problem]),
    ...badWith,
    ...real.problems,
    ...simulated.problems
  ])
  if (problems.length > 0) return { problems }
  const document = {
    ...newHead('', now()),
    simulatedWith: own.validateWith?.trim() ?? null,
    runs: { real: pending(real.plans), simulated: pending(simulated.plans), slower: pending(slower.plans) },
    verdict: null
  }
  const name = `validate-gossip-${real.plans[0].seed}`
  return { planned: { document, folder: null, name, output: real.output } }
}

/** @param {Readonly<GossipPlan>[]} plans @returns {import('../result/validation-document.js').ValidationRun[]} */
const pending = plans => plans.map(plan => ({ plan, status: 'pending', run: null, tookMs: null }))

/**
 * @param {string | true} resume
 * @param {Options} options - as typed
 * @param {Problem[]} early
 * @returns {ReturnType<typeof planValidation>}
 */
async function resumed(resume, { validate, ...options }, early) {
  const { output } = makePlan(GOSSIP, options)
  const found = await findResumed(resume, {
    outputDir: output.outputDir,
    name: 'validate-gossip-',
    file: VALIDATION_DOCUMENT,
    fixed: { options, table: GOSSIP.options }
  })
  const problems = [...early, ...found.problems]
  if (problems.length > 0 || !('document' in found)) return { problems }
  const { document, folder } = found
  return { planned: { document, folder, name: 'validate-gossip', output } }
}
