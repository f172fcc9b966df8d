import { present } from '../../../kit/lists.js'
import { grouped } from '../../../kit/numbers.js'
import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { schemaOf } from '../../../plan/schema-of.js'
import { NOT_IN_A_TRIAL, TRIAL_OPTIONS } from '../../../scenarios/rendezvous/saturation/trial-options.js'
import { MOST_PER_SECOND } from '../../../scenarios/saturation-options.js'
import { loadPlan } from '../../saturation/plan/load-plan.js'
import { HEADROOM, meanRate, peakFactorOf } from '../../saturation/plan/network-load.js'
import { MOST_HELD, tooFast, twoPeaks } from '../../saturation/plan/network-problems.js'
import { planTrials } from '../../saturation/plan/plan-trials.js'
import { serverSearch } from '../../saturation/plan/server-search.js'
import { newTrial } from '../../saturation/result/trial.js'
import { newHead } from '../../study-document.js'
import { CLUSTER_DOCUMENT } from '../result/cluster-document.js'
import { newStage } from '../result/stage.js'
import { CLUSTER_OPTIONS } from './cluster-options.js'
import { byPreset, PRESETS } from './cluster-presets.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('./cluster-presets.js').Preset} Preset
 *
 * @typedef {Record<string, unknown>} Typed - options of the plans
 * @typedef {{ name: import('../result/stage.js').Stage['name'], perSecond: number, more?: Typed }} Held - a rate; `more`: options of its own
 */

/** Ours, joined by this machine alone. */
const options = optionsIn('capacity --run', TRIAL_OPTIONS, { never: ['--target', 'a network of namespaces'] })

const NOT_HERE = { ...NOT_IN_A_TRIAL, ...refusedOf(options) }

const { connectionPerOperation, nClients, servers, store, ...others } = takenOf(options)

const planOptions = Object.fromEntries(
  Object.entries(others).filter(([key]) => !Object.hasOwn(CLUSTER_OPTIONS, key))
)

/** As many as the source says, over the database that it asks for. */
const SERVERS = 3
const STORE = 'postgres'

/** CLUSTER_COMMAND_OPTIONS are those of the command with those of its runs. */
export const CLUSTER_COMMAND_OPTIONS = {
  ...CLUSTER_OPTIONS,
  servers: { ...servers, default: SERVERS },
  store: { ...store, default: STORE },
  ...planOptions,
  nClients: { ...nClients, default: undefined, defaultText: byPreset(preset => preset.clients) },
  connectionPerOperation: {
    ...connectionPerOperation,
    default: undefined,
    defaultText: byPreset(preset => preset.connectionPerOperation)
  }
}

const DIGITS = 3
/** A search begins at a rate that any servers sustain. */
const SEARCH_FROM = 100
/** Which server is killed, and at which part of the time: before it there is enough to hold the rest against. */
const KILLED = { server: 2, after: 1 / 3 }

/** @param {number} rate */
const rounded = rate => Number(rate.toPrecision(DIGITS))

/** @param {Record<string, any>} own @param {Preset} preset @returns {ClusterDocument['network']} */
function networkOf({ peers, requestsPerDay, peakFactor, peakHourShare }, preset) {
  const factor = peakHourShare === undefined ? (peakFactor ?? preset.peakFactor) : peakFactorOf(peakHourShare)
  return { peers, requestsPerDay: requestsPerDay ?? preset.requestsPerDay, peakFactor: factor }
}

/** @param {Record<string, any>} own @param {ClusterDocument['load']} load @param {Preset} preset @returns {Problem[]} */
const networkProblems = ({ peers, registrations, ...own }, { peakPerSecond }, { rates }) =>
  present([
    twoPeaks(own),
    registrations === undefined &&
      peers > MOST_HELD && {
        flag: '--peers',
        value: grouped(peers),
        allowed: `have more registrations than the ${grouped(MOST_HELD)} that servers are given at most: use --registrations, and the answer is extrapolated`
      },
    rates === 'held' && tooFast(peers, peakPerSecond)
  ])

/**
 * @param {Typed} typed
 * @param {{ preset: Preset, mix: Record<string, number>, registrations: number }} of
 * @returns {Typed}
 */
function planOptionsOf(typed, { preset, mix, registrations }) {
  const asked = { servers: SERVERS, store: STORE, ...typed }
  const registers = Number((mix.register + mix.refresh).toPrecision(12))
  return {
    connectionPerOperation: preset.connectionPerOperation,
    ...asked,
    ...(Number(asked.servers) > 1 && { failover: true }),
    benchmarkType: 'MIXED',
    mix: `register=${registers},discover=${mix.discover}`,
    initialRegistrations: registrations
  }
}

/** @param {ClusterDocument['load']} load @param {Typed} options @param {number} seconds @returns {Held[]} */
function heldRates({ meanPerSecond, peakPerSecond }, { servers }, seconds) {
  const peak = rounded(peakPerSecond)
  const fault = `server=${KILLED.server} at=${Math.round(1000 * seconds * KILLED.after)}ms kill`
  return [
    { name: 'mean', perSecond: rounded(meanPerSecond) },
    { name: 'peak', perSecond: peak },
    ...(Number(servers) > 1
      ? [{ name: /** @type {const} */ ('killed'), perSecond: peak, more: { fault } }]
      : [])
  ]
}

/**
 * @typedef {object} Asked - of the servers
 * @property {Typed} options - of the plans
 * @property {any} size - clients, as typed
 * @property {ClusterDocument['load']} load
 * @property {Record<string, any>} own
 *
 * @typedef {Pick<ClusterDocument, 'stages' | 'search'> & { plan: any, problems: Problem[] }} Runs - `plan`: of one of them
 */

/** Rates that are held. @param {Asked} asked @returns {Runs} */
function planHeld({ options, size, load, own: { duration: seconds } }) {
  const planned = heldRates(load, options, seconds).map(({ name, perSecond, more }) => ({
    name,
    ...loadPlan('rendezvous', { ...options, ...more }, { perSecond, size, seconds })
  }))
  return {
    stages: planned.flatMap(({ name, plan }) =>
      plan === undefined
        ? []
        : [
            newStage(
              name,
              /** @type {import('../../saturation/result/trial.js').Trial} */ (newTrial({ name, plan }))
            )
          ]
    ),
    search: null,
    plan: planned[0].plan,
    problems: planned.flatMap(({ problems }) => problems)
  }
}

/** A rate that is searched for, no farther than it takes for one cluster to do. @param {Asked} asked @returns {Runs} */
function planSearched({ options, size, load, own: { searchDuration: seconds, repeats } }) {
  const most = Math.min(MOST_PER_SECOND, rounded(load.peakPerSecond / HEADROOM))
  const from = Math.min(SEARCH_FROM, most)
  const { plan, problems } = loadPlan('rendezvous', options, { perSecond: from, size, seconds })
  return { stages: [], search: serverSearch({ from, most, repeats }), plan, problems }
}

/**
 * @param {Record<string, any>} own
 * @param {Typed} given - options of the plans
 * @param {Date} now
 * @returns {{ document: ClusterDocument, seed: number, problems: Problem[] }}
 */
function newDocument(own, given, now) {
  const { nClients: camel, 'n-clients': kebab, ...typed } = given
  const preset = PRESETS[own.preset]
  const network = networkOf(own, preset)
  const mix = own.mix ?? schemaOf(CLUSTER_OPTIONS.mix).parse(preset.mix)
  const registrations = own.registrations ?? network.peers
  const options = planOptionsOf(typed, { preset, mix, registrations })
  const meanPerSecond = meanRate(network)
  const load = { meanPerSecond, peakPerSecond: meanPerSecond * network.peakFactor }
  const planRuns = preset.rates === 'held' ? planHeld : planSearched
  const size = camel ?? kebab ?? preset.clients
  const { stages, search, plan, problems } = planRuns({ options, size, load, own })
  const refused = networkProblems(own, load, preset)
  return {
    problems: refused.length > 0 ? refused : problems,
    seed: plan?.seed ?? 0,
    document: {
      ...newHead('', now),
      options,
      preset: own.preset,
      network,
      mix,
      load,
      registrations,
      servers: plan?.servers ?? 0,
      store: plan?.store ?? '',
      connections: plan?.nClients ?? 0,
      seconds: own.duration,
      searchSeconds: own.searchDuration,
      stages,
      search,
      clusters: null
    }
  }
}

/** isClusterRun says whether the options of `capacity` ask for a run. @param {Record<string, unknown>} options - as typed */
export const isClusterRun = ({ run }) => run === true || run === 'true'

/**
 * planCluster makes the document of `capacity --run` from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} surroundings
 * @returns {Promise<import('../../study-door.js').MadeStudy<ClusterDocument>>}
 */
export function planCluster({ options: { run, ...options }, words }, { now, findScenario }) {
  return planTrials(options, {
    findScenario,
    scenario: 'rendezvous',
    own: CLUSTER_OPTIONS,
    notHere: NOT_HERE,
    misread: words.map(flag => ({ flag, value: '', allowed: 'is not the value of an option' })),
    name: 'cluster',
    file: CLUSTER_DOCUMENT,
    newDocument: (own, given) => newDocument(own, given, now())
  })
}
