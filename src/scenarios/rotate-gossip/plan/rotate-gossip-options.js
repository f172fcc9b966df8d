import { gateOptions } from '../../../plan/gate-options.js'
import { thresholds } from '../../../plan/threshold.js'
import { duration, rate, wholeNumber } from '../../../plan/values.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { ON_REAL_TCP, OWN_INTERVALS, SIMULATED } from '../../gossip/plan/conditions.js'
import { GOSSIP_OPTIONS } from '../../gossip/plan/gossip-options.js'
import { ROTATION, rotateTable, rotatingRows } from '../../rotate/plan/rotate-table.js'
import { ROTATE_GOSSIP_COMPARED } from '../figures.js'

/**
 * @typedef {import('../../../plan/option.js').Option} Option
 *
 * @typedef {object} Rotating - of a run of rotate gossip; `nodes` are those of the beginning, `durationMs` is not null
 * @property {'rotation'} scenario
 * @property {number} stable - nodes that stay, and publish: they have the first numbers
 * @property {number} ephemeral - nodes that are killed in turn and replaced by new ones
 * @property {number} rotateEveryMs - from one kill to the next
 * @property {number} downForMs - from a kill to the start of the node that takes the place
 * @property {number} dials - stable nodes that a node dials when it starts; at most `stable`
 * @property {number} settleMs - after its start a node is not expected to receive messages yet
 *
 * @typedef {import('../../gossip/plan/gossip-plan.js').GossipPlan & Rotating} RotateGossipPlan
 */

/** @type {Readonly<Record<string, Partial<Option>>>} */
const CHANGES = {
  network: ON_REAL_TCP,
  topology: {
    default: 'random-degree:k=6',
    describe:
      'who dials whom at the beginning, among stable and ephemeral nodes: random-degree:k=6, barabasi-albert:m=6, full, regular:k=6, ring, line, star, small-world:k=4,p=0.1'
  },
  duration: { default: '5m', describe: 'publish, and rotate nodes, for this long' },
  rate: {
    default: '2/s',
    ...rate({ max: 1_000_000 }),
    describe: 'messages of the stable nodes together; to be below what the network carries'
  },
  threshold: { ...thresholds(GOSSIP_FIGURES) },
  failOn: gateOptions(ROTATE_GOSSIP_COMPARED).failOn
}

/** What is asked of a network that stays. */
const LEFT = [
  ...['congestionControl', 'dialOrder', 'downBandwidth', 'fastMsgId', 'linkBandwidth'],
  ...['linkJitter', 'maxBacklog', 'memoryCeiling', 'topicScoreParams', 'validation', 'validationDelay'],
  ...['warmupTimeout']
]

const ROTATING = {
  ...rotatingRows({
    one: 'node',
    least: 2,
    stay: '; they publish',
    go: '',
    every: { default: '15s', least: '1s' },
    down: '5s'
  }),
  dials: {
    group: ROTATION,
    default: 6,
    ...wholeNumber(1, 1000),
    ofCase: true,
    describe: 'stable nodes, chosen at random, that a node dials when it starts'
  },
  settle: {
    group: ROTATION,
    default: '5s',
    ...duration({ min: '100ms', max: '1h' }),
    planKey: 'settleMs',
    ofCase: true,
    describe: 'after its start a node is not yet expected to receive messages; what it gets counts apart'
  }
}

/**
 * ROTATE_GOSSIP_OPTIONS is the table of the options of rotating nodes: those of gossip with defaults of their own, and what rotates. They are
 * on real TCP, stable ones publish, and it goes on for a time.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const ROTATE_GOSSIP_OPTIONS = rotateTable('rotate gossip', ROTATING, GOSSIP_OPTIONS, {
  never: [SIMULATED, OWN_INTERVALS],
  changes: CHANGES,
  left: { owner: 'gossip', keys: LEFT }
})
