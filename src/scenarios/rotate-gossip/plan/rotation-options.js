import { thresholds } from '../../../plan/threshold.js'
import { duration, rate, wholeNumber } from '../../../plan/values.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { GOSSIP_OPTIONS } from '../../gossip/plan/gossip-options.js'

/** @typedef {import('../../rendezvous/plan/options.js').Option} Option */

const ROTATION = 'What rotates:'

/** What a network whose nodes rotate has no choice of: its nodes are on real TCP, stable ones publish, and it goes on for a time. */
const FIXED = Object.freeze([
  'nodes',
  'network',
  'fidelity',
  'linkJitter',
  'ideal',
  'linkLoss',
  'linkBandwidth',
  'upBandwidth',
  'downBandwidth',
  'partition',
  'churn',
  'sendQueue',
  'messages',
  'autoFrom',
  'autoDuration',
  'publishers',
  'interval',
  'loadModel',
  'traces'
])

/** @type {Readonly<Record<string, Partial<Option>>>} */
const OTHERWISE = Object.freeze({
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
  threshold: { ...thresholds(GOSSIP_FIGURES) }
})

const OWN = Object.freeze({
  stable: {
    group: ROTATION,
    default: 20,
    ...wholeNumber(2, 10_000),
    describe: 'nodes that stay; they publish'
  },
  ephemeral: {
    group: ROTATION,
    default: 10,
    ...wholeNumber(1, 10_000),
    describe: 'nodes that are killed in turn; each time a new one, with a new identity, takes the place'
  },
  rotateEvery: {
    group: ROTATION,
    default: '15s',
    ...duration({ min: '1s', max: '24h' }),
    planKey: 'rotateEveryMs',
    describe: 'time from one kill to the next'
  },
  downFor: {
    group: ROTATION,
    default: '5s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'downForMs',
    describe: 'time from a kill to the start of the node that takes the place'
  },
  dials: {
    group: ROTATION,
    default: 6,
    ...wholeNumber(1, 1000),
    describe: 'stable nodes, chosen at random, that a node dials when it starts'
  },
  settle: {
    group: ROTATION,
    default: '5s',
    ...duration({ min: '100ms', max: '1h' }),
    planKey: 'settleMs',
    describe: 'after its start a node is not yet expected to receive messages; what it gets counts apart'
  }
})

const entries = Object.entries(GOSSIP_OPTIONS)

/**
 * ROTATION_OPTIONS is the table of the options of rotating nodes: those of gossip with defaults of their own, and what rotates.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const ROTATION_OPTIONS = Object.freeze({
  ...OWN,
  ...Object.fromEntries(
    entries.flatMap(([key, option]) =>
      FIXED.includes(key) ? [] : [[key, Object.freeze({ ...option, ...OTHERWISE[key] })]]
    )
  )
})

/** FIXED_OPTIONS are the gossip options that a network whose nodes rotate has no choice of. */
export const FIXED_OPTIONS = Object.freeze(Object.fromEntries(entries.filter(([key]) => FIXED.includes(key))))
