import { present } from '../../../kit/lists.js'
import { grouped } from '../../../kit/numbers.js'
import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { defaultOf, schemaOf } from '../../../plan/schema-of.js'
import { NOT_IN_A_TRIAL, TRIAL_OPTIONS } from '../../../scenarios/rendezvous/saturation/trial-options.js'
import { MOST_PER_SECOND } from '../../../scenarios/saturation-options.js'
import { newHead } from '../../study-document.js'
import { CAPACITY_DOCUMENT } from '../result/saturation-document.js'
import { newTrial } from '../result/trial.js'
import { CAPACITY_OPTIONS } from './capacity-options.js'
import { loadPlan } from './load-plan.js'
import { networkLoad, PEAK_FACTOR, peakFactorOf } from './network-load.js'
import { MOST_HELD, tooFast, twoPeaks } from './network-problems.js'
import { planTrials } from './plan-trials.js'
import { serverSearch } from './server-search.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('../result/saturation-document.js').NetworkDescription} NetworkDescription
 */

/** What follows from the network, beside what a trial has no use for. */
const options = optionsIn('capacity', TRIAL_OPTIONS)

const NOT_HERE = { ...NOT_IN_A_TRIAL, ...refusedOf(options) }

/** Peers of their own, as far as one machine can stand for many. */
const CLIENTS = 50
const { connectionPerOperation, nClients, ...others } = takenOf(options)

const planOptions = Object.fromEntries(
  Object.entries(others).filter(([key]) => !Object.hasOwn(CAPACITY_OPTIONS, key))
)

/** CAPACITY_COMMAND_OPTIONS are those of the command with those of its trials. */
export const CAPACITY_COMMAND_OPTIONS = {
  ...CAPACITY_OPTIONS,
  ...planOptions,
  nClients: { ...nClients, default: CLIENTS },
  connectionPerOperation: { ...connectionPerOperation, default: true }
}

const DIGITS = 3

const LOADS = /** @type {const} */ ([
  ['mean', 'meanPerSecond'],
  ['peak', 'peakPerSecond'],
  ['burst', 'burstPerSecond']
])

/**
 * @param {Record<string, any>} own
 * @param {number} ttlSeconds
 * @returns {NetworkDescription}
 */
function networkOf({ peers, requestsPerDay, topics, mix, peakFactor, peakHourShare }, ttlSeconds) {
  const factor = peakHourShare === undefined ? (peakFactor ?? PEAK_FACTOR) : peakFactorOf(peakHourShare)
  return { peers, requestsPerDay, peakFactor: factor, topics, ttlSeconds, registerShare: registers(mix) }
}

/** @param {Record<string, number>} mix */
const registers = ({ register, refresh }) => Number((register + refresh).toPrecision(12))

/** @param {Record<string, any>} own @param {number} held @param {number} perSecond @returns {Problem[]} */
function networkProblems({ peers, scale, ...own }, held, perSecond) {
  return present([
    twoPeaks(own),
    held * scale > MOST_HELD && {
      flag: '--peers',
      value: grouped(peers),
      allowed: `make ${grouped(held)} registrations, above the ${grouped(MOST_HELD)} that one server is given at most: use a --scale of ${Number((MOST_HELD / held).toPrecision(1))}, and mind what it says`
    },
    tooFast(peers, perSecond)
  ])
}

/** @param {Record<string, any>} own @param {Record<string, unknown>} options @param {number} held */
const planOptionsOf = ({ mix, scale }, options, held) => ({
  connectionPerOperation: true,
  ...options,
  benchmarkType: 'MIXED',
  mix: `register=${registers(mix)},discover=${mix.discover}`,
  initialRegistrations: Math.round(held * scale)
})

/**
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} given - options of the plans
 * @param {Date} now
 * @returns {{ document: CapacityDocument, seed: number, problems: Problem[] }}
 */
function newDocument(own, given, now) {
  const { clients, options: typed } = withoutClients(given)
  const network = networkOf(own, ttlOf(typed))
  const load = networkLoad(network)
  const options = planOptionsOf(own, typed, load.heldRegistrations)
  const refused = networkProblems(own, load.heldRegistrations, load.burstPerSecond)
  const planned = LOADS.map(([name, key]) => ({
    name,
    ...loadPlan('rendezvous', options, {
      perSecond: Number(load[key].toPrecision(DIGITS)),
      size: clients,
      seconds: own.duration
    })
  }))
  const loads = planned.flatMap(({ name, plan }) =>
    plan === undefined ? [] : [/** @type {import('../result/trial.js').Trial} */ (newTrial({ name, plan }))]
  )
  return {
    problems: refused.length > 0 ? refused : planned.flatMap(({ problems }) => problems),
    seed: loads[0]?.plan.seed ?? 0,
    document: {
      ...newHead('', now),
      options,
      network,
      mix: own.mix,
      load,
      scale: own.scale,
      seconds: own.duration,
      searchSeconds: own.searchDuration,
      loads,
      search: serverSearch({
        from: Number(load.meanPerSecond.toPrecision(DIGITS)),
        most: MOST_PER_SECOND,
        repeats: own.repeats
      }),
      servers: null
    }
  }
}

/** @param {Record<string, unknown>} given as typed */
function withoutClients({ nClients: camel, 'n-clients': kebab, ...options }) {
  return { clients: /** @type {any} */ (camel ?? kebab ?? CLIENTS), options }
}

/** In seconds, as it is by default where the value is refused anyway. @param {Record<string, unknown>} options */
function ttlOf({ ttl }) {
  const option = TRIAL_OPTIONS.ttl
  return /** @type {number} */ (schemaOf(option).safeParse(ttl).data ?? defaultOf(option))
}

/**
 * planCapacity makes the document of a capacity from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} surroundings
 * @returns {Promise<import('../../study-door.js').MadeStudy<CapacityDocument>>}
 */
export const planCapacity = ({ options, words }, { now, findScenario }) =>
  planTrials(options, {
    findScenario,
    scenario: 'rendezvous',
    own: CAPACITY_OPTIONS,
    notHere: NOT_HERE,
    misread: words.map(flag => ({ flag, value: '', allowed: 'is not the value of an option' })),
    name: 'capacity',
    file: CAPACITY_DOCUMENT,
    newDocument: (own, given) => newDocument(own, given, now())
  })
