import { gateOptions } from '../../../plan/gate-options.js'
import { optionsIn } from '../../../plan/option.js'
import { GROUP } from '../../../plan/shared-options.js'
import { thresholds } from '../../../plan/threshold.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { ON_REAL_TCP, SIMULATED } from '../../gossip/plan/conditions.js'
import { GOSSIP_OPTIONS } from '../../gossip/plan/gossip-options.js'
import { PROFILE_COMPARED } from '../figures.js'

/**
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {'cpu' | 'heap'} Profilable
 *
 * @typedef {object} Sampling - of a run of the profile scenario; without messages and durationMs it publishes until its user ends it
 * @property {'profile'} scenario
 * @property {readonly Profilable[]} profiled - what is sampled
 *
 * @typedef {import('../../gossip/plan/gossip-plan.js').GossipPlan & Sampling} ProfilePlan
 */

const SAMPLING = 'What is sampled:'

/** SAMPLING_INTERVAL_MICROS is the time between two samples of the CPU of a process: more often costs more than it shows. */
export const SAMPLING_INTERVAL_MICROS = 1000

const PROFILABLE = /** @type {const} */ (['cpu', 'heap'])

/** @param {unknown} value - `cpu,heap`, or a list in YAML @returns {Profilable[] | undefined} undefined: not allowed */
function parseProfiled(value) {
  const words = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map(word => word.trim())
  if (!words.every(word => PROFILABLE.some(each => each === word))) return undefined
  return PROFILABLE.filter(each => words.includes(each))
}

/** @returns {import('../../../plan/values.js').Kind & { write: (profiled: readonly Profilable[]) => string }} */
const profilable = () => ({
  allowed: 'must be cpu, heap or cpu,heap',
  choices: ['cpu', 'heap', 'cpu,heap'],
  schema: z => z.preprocess(parseProfiled, z.array(z.enum(PROFILABLE)).min(1)),
  write: profiled => profiled.join(',')
})

/** The study's topics and degrees, in a network that works and leaves a machine half of its time. @type {Readonly<Record<string, Partial<Option>>>} */
const CHANGES = {
  nodes: { default: 30 },
  network: ON_REAL_TCP,
  // a delay is work of its own, and where the time goes is what is asked here
  linkLatency: { default: '0' },
  topology: { default: 'random-degree:k=10' },
  topics: { default: 'foo=0.7,bar=0.4,quix=0.8' },
  messages: { default: undefined, describe: 'with --publishers random, messages published in all' },
  duration: { describe: 'publish for this long; without it, until Ctrl-C' },
  publishers: { default: 'every' },
  interval: {
    default: undefined,
    defaultText: '100ms-300ms, scaled to the machine',
    describe:
      'with --publishers every, time between the messages of a node: by default what the study had, so many times as long as this machine has fewer cores than such a network takes (800ms-2400ms for 30 nodes on 2 cores)'
  },
  loadModel: { default: 'closed', ofCase: true },
  messageBytes: { default: '10' },
  maxBacklog: { default: '16KiB' },
  cooldown: { default: '10s' },
  threshold: { ...thresholds(GOSSIP_FIGURES) },
  failOn: gateOptions(PROFILE_COMPARED).failOn
}

/** What is asked of a network, and not of its processes. */
const LEFT = [
  ...['arrivals', 'churn', 'congestionControl', 'dialOrder', 'downBandwidth', 'linkBandwidth', 'linkJitter'],
  ...['linkLoss', 'loadModel', 'maxBacklog', 'memoryCeiling', 'nodeCpus', 'nodeMemory', 'nodesPerContainer'],
  ...['partition', 'pubsub', 'topicScoreParams', 'traces', 'upBandwidth', 'validation', 'validationDelay'],
  ...['warmupTimeout']
]

const SAMPLED = {
  profile: {
    group: SAMPLING,
    default: 'cpu',
    ...profilable(),
    planKey: 'profiled',
    added: ['cpu'],
    describe: 'what is sampled: cpu, heap (who allocates how much), or cpu,heap'
  }
}

/** What is profiled are nodes on real TCP, under a load that is known. */
const gossip = Object.entries(
  optionsIn('profile', GOSSIP_OPTIONS, {
    never: [SIMULATED],
    changes: CHANGES,
    left: { owner: 'gossip', keys: LEFT }
  })
)
const measuredFrom = gossip.findIndex(([, { group }]) => group === GROUP.MEASURE)

/**
 * PROFILE_OPTIONS is the table of the profile options: those of gossip with defaults of their own, and what is sampled.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const PROFILE_OPTIONS = {
  ...Object.fromEntries(gossip.slice(0, measuredFrom)),
  ...SAMPLED,
  ...Object.fromEntries(gossip.slice(measuredFrom))
}
