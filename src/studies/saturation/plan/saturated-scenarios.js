import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { makePlan } from '../../../plan/plan.js'
import { GOSSIP_OPTIONS } from '../../../scenarios/gossip/plan/gossip-options.js'
import { GOSSIP as GOSSIP_DOOR } from '../../../scenarios/gossip/scenario.js'
import { bandwidthOf, LINES } from '../result/gossip-point.js'
import { GOSSIP_SATURATION_OPTIONS } from './gossip-saturation-options.js'
import { SATURATION_OPTIONS } from './saturation-options.js'
import { NOT_IN_A_TRIAL, TRIAL_OPTIONS } from './trial-options.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('../../../plan/read-options.js').OptionTable} OptionTable
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 *
 * @typedef {object} SaturatedScenario - what `saturate` does with a scenario
 * @property {OptionTable} own - options of the command
 * @property {OptionTable} options - those, and what its runs have a use for
 * @property {Readonly<Record<string, string>>} notHere - options of a run that have no use, and what to do instead
 * @property {string} ratesFlag - of the rates of a grid
 * @property {readonly number[]} rates - of a grid, unless others are given
 * @property {readonly number[]} sizes - connections, or nodes, of a grid
 * @property {number} searchSize
 * @property {number} from - first rate of a search
 * @property {(ratePerSecond: number, size: number) => number} loadOf - operations or messages a second
 * @property {(own: Record<string, any>) => number[] | undefined} sizesGiven
 * @property {(options: Record<string, unknown>) => number[] | null} fixedSizes - that follow from other options
 * @property {(plan: any, own: Record<string, any>) => Problem[]} searchProblems - why no rate can be searched for
 */

/** Registrations that are new grow with the rate, up to the cap of a peer. @param {Plan} plan */
const growing = plan =>
  plan.target === null &&
  (plan.benchmarkType === 'UNREGISTER' ||
    (plan.benchmarkType !== 'DISCOVER' && plan.registerMode === 'new') ||
    (plan.mix?.unregister ?? 0) > 0)

/** @param {Plan} plan @returns {Problem[]} */
const growthProblems = plan =>
  growing(plan)
    ? [
        {
          flag: '--search',
          value: '',
          allowed:
            'needs operations that leave the number of registrations as it is, because its rates are not known beforehand: --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
        }
      ]
    : []

const { nClients, duration, ...operationOptions } = TRIAL_OPTIONS

/** @type {SaturatedScenario} */
const RENDEZVOUS = Object.freeze({
  own: SATURATION_OPTIONS,
  options: Object.freeze({
    ...SATURATION_OPTIONS,
    ...operationOptions,
    registerMode: { ...operationOptions.registerMode, default: 'refresh' }
  }),
  notHere: Object.freeze({ ...NOT_IN_A_TRIAL, nClients: 'has no use here: use --connections' }),
  ratesFlag: 'rates',
  // the grid of the source
  rates: Object.freeze([25, 50, 100, 200]),
  sizes: Object.freeze([1, 2, 4]),
  searchSize: 4,
  from: 100,
  loadOf: (ratePerSecond, size) => ratePerSecond * size,
  sizesGiven: ({ connections }) => connections,
  fixedSizes: () => null,
  searchProblems: growthProblems
})

/** Loads are rates of the whole network, found out with --search. */
const gossipOptions = optionsIn('trial', GOSSIP_OPTIONS)

/** A file says how many nodes its topology has. @param {Record<string, unknown>} options */
function nodesOfFile(options) {
  if (!String(options.topology ?? '').startsWith('file:')) return null
  const { plan } = makePlan(GOSSIP_DOOR, options)
  return plan === undefined ? null : [/** @type {GossipPlan} */ (plan).nodes]
}

/** @param {GossipPlan} plan @param {Record<string, any>} own @returns {Problem[]} */
const endlessProblems = (plan, { most }) =>
  plan.network === 'simulated' &&
  plan.ideal &&
  LINES.every(line => bandwidthOf(plan, line) === null) &&
  most === undefined
    ? [
        {
          flag: '--search',
          value: '',
          allowed:
            'would not end: nothing of this network is ever used up. Give --upBandwidth, leave --ideal out, or say with --most where it ends'
        }
      ]
    : []

/** @type {SaturatedScenario} */
const GOSSIP = Object.freeze({
  own: GOSSIP_SATURATION_OPTIONS,
  options: Object.freeze({
    ...GOSSIP_SATURATION_OPTIONS,
    ...takenOf(gossipOptions),
    ...GOSSIP_SATURATION_OPTIONS
  }),
  notHere: Object.freeze(refusedOf(gossipOptions)),
  ratesFlag: 'rate',
  rates: Object.freeze([5, 10, 20, 40]),
  sizes: Object.freeze([20, 50]),
  searchSize: 50,
  from: 5,
  loadOf: ratePerSecond => ratePerSecond,
  sizesGiven: ({ nodes }) => nodes,
  fixedSizes: nodesOfFile,
  searchProblems: endlessProblems
})

/** SATURATED are the scenarios whose load `saturate` finds out. @type {Readonly<Record<import('./load-plan.js').Loaded, SaturatedScenario>>} */
export const SATURATED = Object.freeze({ rendezvous: RENDEZVOUS, gossip: GOSSIP })
