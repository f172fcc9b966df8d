import { once } from '../../../plan/once.js'
import { camelCase, readOptionText } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'
import { AUTO } from '../../../scenarios/gossip/plan/auto-rate.js'
import { NAMESPACES } from '../../../scenarios/gossip/plan/conditions.js'
import { namespaceOptions } from '../../../scenarios/gossip/plan/namespace-options.js'
import { simulatedOptions } from '../../../scenarios/gossip/plan/simulated-options.js'
import { GOSSIP } from '../../../scenarios/gossip/scenario.js'
import { LATENCY_FACTOR } from '../result/counter-checks.js'
import { SIMULATED_CONGESTION_CONTROL, USUAL } from './usual.js'
import { VALIDATION_OPTIONS } from './validation-options.js'

/**
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../plan/plan.js').Output} Output
 * @typedef {import('../../../plan/plan.js').Problem} Problem
 * @typedef {import('../result/validation-document.js').SideName} SideName
 * @typedef {import('../result/validation-document.js').ValidationParts} ValidationParts
 *
 * @typedef {Record<string, unknown>} Options
 *
 * @typedef {object} Sources - of the options of both networks
 * @property {Options} flags
 * @property {{ file: string, options: Options }} config - what the flags win over
 *
 * @typedef {object} How
 * @property {number} validateSeeds - runs of each side
 * @property {string} [validateWith] - options that only the simulated runs have
 */

/** What is usual gives way to what cannot stand beside it. @type {Readonly<Record<string, readonly string[]>>} */
const GIVES_WAY = { messages: ['duration'], nodes: ['topology'] }

/** Arrivals that are at one rate, as many as are asked for. */
const AT_A_RATE = ['constant', 'poisson']

/** @param {Options} options @returns {Options} by key */
const byKey = options =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), value]))

/** @param {Options} options @param {readonly string[]} keys */
const without = (options, keys) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !keys.includes(camelCase(name))))

/** @param {Options} given - of flags and configuration file @returns {Options} */
function usualBeside(given) {
  const said = byKey(given)
  const { publishers, arrivals = 'constant', rate, network } = said
  const ownTimes = publishers === 'every' || !AT_A_RATE.includes(String(arrivals))
  const inForce = Object.entries(USUAL).filter(
    ([key]) =>
      !(key in said) &&
      !(GIVES_WAY[key] ?? []).some(rival => rival in said) &&
      !(ownTimes && ['messages', 'rate'].includes(key)) &&
      !(key === 'messages' && rate === AUTO)
  )
  const likeSimulated = network === NAMESPACES && { congestionControl: SIMULATED_CONGESTION_CONTROL }
  return { ...likeSimulated, ...Object.fromEntries(inForce) }
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

/** Networks that can be the real one. */
const REAL = ['loopback', NAMESPACES]

const OF_SIMULATION = Object.keys(simulatedOptions(''))
const OF_NAMESPACES = Object.keys(namespaceOptions(''))

/** What a network has no option for. @type {Readonly<Record<string, readonly string[]>>} */
const FOREIGN = {
  loopback: OF_SIMULATION,
  [NAMESPACES]: OF_SIMULATION.filter(key => key !== 'linkJitter'),
  simulated: ['workers', ...OF_NAMESPACES]
}

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
 * @param {string} network
 * @param {Sources} sources
 * @param {number} seeds
 * @returns {{ plans: Readonly<GossipPlan>[], problems: Problem[], output: Readonly<Output> }}
 */
function plansOf(network, { flags, config: { file, options } }, seeds) {
  const foreign = FOREIGN[network] ?? []
  const own = { ...without(flags, foreign), network }
  const config = { file, options: without(options, [...foreign, 'network']) }
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

/** @param {unknown} network @returns {Problem[]} */
const notReal = network =>
  REAL.includes(String(network))
    ? []
    : [
        {
          flag: '--network',
          value: String(network),
          allowed: `must be ${REAL.join(' or ')} with --validate: the same plan is run simulated beside it`
        }
      ]

/** @param {Readonly<GossipPlan>[]} plans @returns {import('../result/validation-document.js').ValidationRun[]} */
const pending = plans => plans.map(plan => ({ plan, status: 'pending', run: null, tookMs: null }))

/**
 * planSides makes the plans of a validation, of its real runs, of the simulated ones, and of those with slower links.
 *
 * @param {Sources} sources - of what is asked for
 * @param {How} how
 * @returns {Promise<{ problems: Problem[], output: Readonly<Output>, parts: ValidationParts }>} without problems the parts are whole
 */
export async function planSides({ flags, config }, { validateSeeds: seeds, validateWith }) {
  const { options: onlySimulated, problems: badWith } = await readWith(validateWith)
  const said = byKey({ ...config.options, ...flags })
  const { network = 'loopback' } = said
  const unreal = notReal(network)
  const usual = { file: config.file, options: { ...usualBeside(said), ...config.options } }
  const simulatedFlags = { ...without(flags, Object.keys(byKey(onlySimulated))), ...onlySimulated }
  const real = plansOf(unreal.length > 0 ? 'loopback' : String(network), { flags, config: usual }, seeds)
  const simulated = plansOf('simulated', { flags: simulatedFlags, config: usual }, seeds)
  const first = simulated.plans[0]?.linkLatencyMs
  const slowerLinks = first ? { linkLatency: `${Number((first * LATENCY_FACTOR).toPrecision(12))}ms` } : {}
  const slowerFlags = { ...without(simulatedFlags, Object.keys(slowerLinks)), ...slowerLinks }
  const slower = plansOf('simulated', { flags: slowerFlags, config: usual }, seeds)
  const runs = {
    real: pending(real.plans),
    simulated: pending(simulated.plans),
    slower: pending(slower.plans)
  }
  return {
    problems: once([...unreal, ...badWith, ...real.problems, ...simulated.problems]),
    output: real.output,
    parts: { simulatedWith: validateWith?.trim() ?? null, runs, verdict: null }
  }
}
