import { numberList } from '../../../plan/number-list.js'
import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { makePlan } from '../../../plan/plan.js'
import { duration, rate, wholeNumber } from '../../../plan/values.js'
import { GRID, MOST_PER_SECOND, SATURATION_OPTIONS, sloOption } from '../../saturation-options.js'
import { IN_TIME_MS } from '../measure/limited-network.js'
import { GOSSIP_OPTIONS } from '../plan/gossip-options.js'
import { GOSSIP_FACE, SIMULATED_FACE } from './faces.js'
import { gossipPointOf } from './gossip-point.js'
import { MESSAGES_OBJECTIVE } from './objective.js'
import { GOSSIP_QA } from './qa.js'

const { search, from, most, repeats, blocks, duration: held, resume } = SATURATION_OPTIONS

/**
 * GOSSIP_SATURATION_OPTIONS are those of `saturate gossip` that are not of its runs.
 *
 * @type {Readonly<Record<string, import('../../../plan/option.js').Option>>}
 */
const GOSSIP_SATURATION_OPTIONS = {
  rate: {
    group: GRID,
    ...numberList(
      rate({ max: MOST_PER_SECOND }),
      'must be rates per second above 0 with commas between them, such as 5/s,10/s,20/s'
    ),
    defaultText: '5/s,10/s,20/s,40/s',
    describe: 'messages per second of the whole network; every rate is run with every number of nodes'
  },
  nodes: {
    group: GRID,
    ...numberList(
      wholeNumber(2, 60_000),
      'must be whole numbers from 2 to 60,000 with commas between them, such as 20,50'
    ),
    defaultText: '20,50; 50 for a search',
    describe: `${GOSSIP_OPTIONS.nodes.describe}; with --search, one number`
  },
  search,
  from: { ...from, defaultText: '5/s', describe: 'with --search, the first rate' },
  most,
  repeats,
  blocks,
  duration: {
    ...held,
    default: '30s',
    describe: 'how long each load is held, in whole seconds; the source took 90s'
  },
  inTime: {
    group: held.group,
    default: '1s',
    ...duration({ min: '1ms', max: '1h' }),
    describe: 'a message is achieved when it reached everyone within this time of its publish call'
  },
  slo: sloOption(MESSAGES_OBJECTIVE),
  resume
}

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 */

/** Loads are rates of the whole network, found out with --search. */
const gossipOptions = optionsIn('trial', GOSSIP_OPTIONS)

/** A file says how many nodes its topology has. @param {Record<string, unknown>} options @param {import('../../scenario.js').Scenario} scenario */
function nodesOfFile(options, scenario) {
  if (!String(options.topology ?? '').startsWith('file:')) return null
  const { plan } = makePlan(scenario, options)
  return plan === undefined ? null : [/** @type {GossipPlan} */ (plan).nodes]
}

/**
 * A topology with a seed of its own stays as it is.
 *
 * @param {import('../plan/gossip-plan.js').GossipPlan} plan
 * @param {Record<string, unknown>} options - as typed
 */
function sameTopology({ topology }, options) {
  const { topology: typed = topology.kind } = options
  if (!('seed' in topology) || String(typed).includes('seed=')) return {}
  return { topology: `${typed}${String(typed).includes(':') ? ',' : ':'}seed=${topology.seed}` }
}

/** SATURATION is how the load of a gossip network is found out. @type {import('../../saturation.js').Saturation} */
export const SATURATION = {
  help: {
    examples: /** @type {[string, string][]} */ ([
      ['4 rates to 20 and to 50 nodes, 30 s each: about 7 minutes', 'saturate gossip'],
      [
        'as long as in the source, with rates and nodes of your own',
        'saturate gossip --rate 5/s,10/s,20/s --nodes 20,50 --duration 90s'
      ],
      [
        'search for the highest rate that 50 nodes on this machine carry',
        'saturate gossip --search --nodes 50 --topology random-degree:k=10'
      ],
      [
        'of a network, not of this machine: simulated, with lines of 200 kB/s',
        'saturate gossip --network simulated --upBandwidth 200KB/s --linkLatency 50ms --duration 10s --search --nodes 20'
      ],
      ['go on where the latest one was broken off', 'saturate gossip --resume']
    ]),
    epilogue:
      'on a fresh network, kept in the folder. On real TCP nodes and load generator share the processes: the answer is what this machine carries, not what the network would.'
  },
  own: GOSSIP_SATURATION_OPTIONS,
  options: {
    ...GOSSIP_SATURATION_OPTIONS,
    ...takenOf(gossipOptions),
    ...GOSSIP_SATURATION_OPTIONS
  },
  notHere: refusedOf(gossipOptions),
  ratesFlag: 'rate',
  rates: [5, 10, 20, 40],
  sizes: [20, 50],
  searchSize: 50,
  from: 5,
  loadOf: ratePerSecond => ratePerSecond,
  sizesGiven: ({ nodes }) => nodes,
  fixedSizes: nodesOfFile,
  searchProblems: () => [],
  sizeName: 'nodes',
  sized: (options, nodes) => ({ ...options, ...(nodes !== undefined && { nodes }) }),
  // with the same seed a simulated network does the same again: repeats of it have other ones
  again: (plan, options, repeat) =>
    plan.network === 'simulated'
      ? { ...options, seed: plan.seed + repeat, ...sameTopology(plan, options) }
      : null,
  qa: GOSSIP_QA,
  sizeOf: ({ nodes }) => nodes,
  rateOf: ({ perSecond }) => perSecond,
  pointOf: (result, { inTimeMs = IN_TIME_MS }) => gossipPointOf(result, { inTimeMs }),
  objective: MESSAGES_OBJECTIVE,
  cellOf: (_trial, /** @type {GossipPoint} */ { due, achieved, dueDeliveries, ...point }) => ({
    expected: due,
    achieved,
    load: (dueDeliveries * 1000) / point.durationMs,
    avgMs: point.rt.avg?.ms ?? null
  }),
  face: ({ network }) => (network === 'simulated' ? SIMULATED_FACE : GOSSIP_FACE)
}
