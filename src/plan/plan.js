import { availableParallelism } from 'node:os'
import { COMBINATIONS } from './combinations.js'
import { OPTIONS } from './options.js'
import { readOptions } from './read-options.js'

/**
 * @typedef {object} Plan - the complete, validated, frozen parameters of one run. Keys are the flags' names, with the unit
 *   where a value has one
 * @property {'rendezvous'} scenario
 * @property {number} seed
 * @property {number} nClients
 * @property {number} nNamespaces
 * @property {number} initialRegistrations
 * @property {number | null} benchmarkRuns - total operations of a round; null: --duration was given
 * @property {number | null} durationMs
 * @property {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'MIXED'} benchmarkType
 * @property {{ register: number, discover: number, unregister: number } | null} mix - shares that add up to 1; null unless MIXED
 * @property {number} discoverLimit
 * @property {boolean} discoverInexistentNamespaces
 * @property {'auto' | 'process' | 'docker'} server - where our server runs; of no meaning with a target
 * @property {number | null} cpus - cores our server may use; null: all
 * @property {number | null} memoryBytes - our server may use; null: all
 * @property {string | null} target - multiaddr; null: our server is started
 * @property {number | null} targetPid
 * @property {string | null} targetContainer - name or id
 * @property {boolean} iOwnTheTarget
 * @property {number} workers - at most nClients
 * @property {number | null} ratePerSecond - null: closed model
 * @property {'constant' | 'poisson'} arrivals
 * @property {number} maxInFlight
 * @property {number} timeoutMs
 * @property {boolean} connectionPerOperation
 * @property {boolean} streamPerOperation
 * @property {number} inFlight - on one long-lived stream; 1 with streamPerOperation
 * @property {'new' | 'refresh'} registerMode
 * @property {number} ttlSeconds
 * @property {'libp2p-peer-record' | 'libp2p-routing-state'} recordDomain
 * @property {number} minDurationMs - rounds are repeated until this was measured; 0: one round, so with --duration
 * @property {number} warmupMs
 * @property {number} probeRatePerSecond - 0: no probe
 * @property {boolean} samples
 * @property {number} maxPeerRegistrations - cap of our server
 * @property {number} maxDiscoverLimit - cap of our server
 * @property {readonly import('./threshold.js').Threshold[]} thresholds - what figures of the result must be
 *
 * @typedef {object} Output - what is made of the result; nothing of it changes the run
 * @property {string | null} outputFile
 * @property {string} outputDir
 * @property {string | null} baseline - folder of earlier runs
 * @property {readonly import('../result/comparison/fail-rule.js').FailRule[] | null} failOn - what fails against it; null: as
 *   is usual
 * @property {boolean} csv - the figures are also written as CSV
 * @property {boolean} json
 * @property {boolean} quiet
 * @property {boolean} strict - a doubtful result is no success
 * @property {number | null} prometheusPort - where the run's own metrics are served; 0: any that is free; null: nowhere
 *
 * @typedef {import('./read-options.js').Problem} Problem
 * @typedef {import('./read-options.js').Given} Given
 *
 * @typedef {{ plan: Readonly<Plan>, output: Readonly<Output>, problems?: undefined }} Planned
 * @typedef {{ problems: Problem[], plan?: undefined, output: Readonly<Output> }} Refused - `output` as far as it was
 *   allowed, so that its paths can be checked in the same breath
 */

/** Options of which the first puts the second one, given with less weight, out of force. */
const RIVALS = /** @type {const} */ ([
  ['duration', 'benchmarkRuns'],
  ['benchmarkRuns', 'duration'],
  ['duration', 'minDuration']
])

/**
 * overlay lays options over others by their keys: they win, and put out of force what cannot stand beside them.
 *
 * @template T
 * @param {Map<string, T>} under
 * @param {Map<string, T>} over
 * @returns {Map<string, T>}
 */
export function overlay(under, over) {
  const given = new Map([...under, ...over])
  for (const [flag, rival] of RIVALS) {
    if (over.has(flag) && !over.has(rival)) given.delete(rival)
  }
  return given
}

/**
 * @param {Map<string, Given>} given
 * @returns {Record<string, any>} every option that was given or has a default, by key
 */
function withDefaults(given) {
  /** @param {string} key */
  const optionValue = key => given.get(key)?.value ?? OPTIONS[key].schema.safeParse(OPTIONS[key].default).data
  return Object.fromEntries(Object.keys(OPTIONS).map(key => [key, optionValue(key)]))
}

/**
 * @param {Record<string, any>} values
 * @param {Map<string, Given>} given
 * @param {Set<string>} bad
 * @returns {Problem[]}
 */
function impossible(values, given, bad) {
  return COMBINATIONS.flatMap(({ flag, needs = [], refuse }) => {
    if ([flag, ...needs].some(key => bad.has(key))) return []
    const allowed = refuse(values, given)
    const place = given.get(flag) ?? { flag: `--${flag}`, text: String(OPTIONS[flag].default) }
    return allowed ? [{ flag: place.flag, value: place.text, allowed }] : []
  })
}

/**
 * @param {Record<string, any>} values
 * @param {'plan' | 'output'} part
 */
function pick(values, part) {
  const entries = Object.entries(OPTIONS).filter(([, option]) => (option.part ?? 'plan') === part)
  return Object.fromEntries(entries.map(([key, { planKey = key }]) => [planKey, values[key] ?? null]))
}

/**
 * @param {Record<string, any>} values
 * @param {number} cores
 * @returns {Readonly<Plan>}
 */
function toPlan(values, cores) {
  const { nClients, duration, benchmarkType, inFlight, streamPerOperation } = values
  const timed = duration !== undefined
  return Object.freeze(
    /** @type {Plan} */ ({
      scenario: 'rendezvous',
      ...pick(values, 'plan'),
      benchmarkRuns: timed ? null : values.benchmarkRuns,
      minDurationMs: timed ? 0 : values.minDuration,
      mix: benchmarkType === 'MIXED' ? Object.freeze(values.mix) : null,
      thresholds: Object.freeze(values.threshold ?? []),
      streamPerOperation: streamPerOperation && inFlight === 1,
      workers: values.workers ?? Math.max(1, Math.min(cores - 1, nClients))
    })
  )
}

/**
 * makePlan validates options and makes the plan of a run from them, or names every problem at once.
 *
 * @param {Record<string, unknown>} options - by flag name, in camelCase or kebab-case, values as typed or as in YAML
 * @param {object} [more]
 * @param {{ file: string, options: Record<string, unknown> }} [more.config] - options of a configuration file; `options`
 *   win over them
 * @param {number} [more.cores] - of this machine
 * @returns {Planned | Refused}
 */
export function makePlan(options, { config, cores = availableParallelism() } = {}) {
  const file = readOptions(config ?? { file: '', options: {} })
  const flags = readOptions({ file: null, options })
  const given = overlay(file.given, flags.given)
  const values = withDefaults(given)
  const bad = new Set([...file.bad, ...flags.bad])
  const problems = [...file.problems, ...flags.problems, ...impossible(values, given, bad)]
  const output = Object.freeze(/** @type {Output} */ (pick(values, 'output')))
  return problems.length > 0 ? { problems, output } : { plan: toPlan(values, cores), output }
}
