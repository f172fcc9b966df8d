import { thresholds } from '../../../plan/threshold.js'
import { duration, rate, wholeNumber } from '../../../plan/values.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { OWN_INTERVALS, SIMULATED } from '../../gossip/plan/conditions.js'
import { GOSSIP_OPTIONS } from '../../gossip/plan/gossip-options.js'
import { rotationTable } from '../../rotation/rotation-table.js'

/** @typedef {import('../../../plan/option.js').Option} Option */

const ROTATION = 'What rotates:'

/** @type {Readonly<Record<string, Partial<Option>>>} */
const CHANGES = Object.freeze({
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

const ROTATING = Object.freeze({
  stable: {
    group: ROTATION,
    default: 20,
    ...wholeNumber(2, 10_000),
    ofCase: true,
    describe: 'nodes that stay; they publish'
  },
  ephemeral: {
    group: ROTATION,
    default: 10,
    ...wholeNumber(1, 10_000),
    ofCase: true,
    describe: 'nodes that are killed in turn; each time a new one, with a new identity, takes the place'
  },
  rotateEvery: {
    group: ROTATION,
    default: '15s',
    ...duration({ min: '1s', max: '24h' }),
    planKey: 'rotateEveryMs',
    ofCase: true,
    describe: 'time from one kill to the next'
  },
  downFor: {
    group: ROTATION,
    default: '5s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'downForMs',
    ofCase: true,
    describe: 'time from a kill to the start of the node that takes the place'
  },
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
})

/**
 * ROTATION_OPTIONS is the table of the options of rotating nodes: those of gossip with defaults of their own, and what rotates. They are
 * on real TCP, stable ones publish, and it goes on for a time.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const ROTATION_OPTIONS = rotationTable('rotate gossip', ROTATING, GOSSIP_OPTIONS, {
  never: [SIMULATED, OWN_INTERVALS],
  changes: CHANGES
})
