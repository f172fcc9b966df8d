import { gateOptions } from '../../../plan/gate-options.js'
import { optionsIn } from '../../../plan/option.js'
import { GROUP } from '../../../plan/shared-options.js'
import { thresholds } from '../../../plan/threshold.js'
import { milliseconds } from '../../../plan/values.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { AUTO_RATE, ON_REAL_TCP, SIMULATED } from '../../gossip/plan/conditions.js'
import { GOSSIP_OPTIONS } from '../../gossip/plan/gossip-options.js'
import { PROFILE_COMPARED } from '../figures.js'

/**
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {'cpu' | 'heap'} Profilable
 * @typedef {'all' | readonly number[]} ProfileWorkers - places of workers, ascending
 *
 * @typedef {object} Sampling - of a run of the profile scenario; without messages and durationMs it publishes until its user ends it
 * @property {'profile'} scenario
 * @property {readonly Profilable[]} profiled - what is sampled
 * @property {ProfileWorkers} profileWorkers - of whom
 * @property {number} samplingIntervalMicros
 *
 * @typedef {import('../../gossip/plan/gossip-plan.js').GossipPlan & Sampling} ProfilePlan
 */

const SAMPLING = 'What is sampled:'

/** Sampling more often than this costs more than it shows. */
const LEAST_MICROS = 100
const MOST_MICROS = 1_000_000

/** @param {unknown} value - `all`, `0,2`, or a list in YAML @returns {ProfileWorkers | undefined} undefined: not allowed */
function parseWorkers(value) {
  if (value === 'all') return 'all'
  const words = Array.isArray(value) ? value.map(String) : String(value).split(',')
  if (!words.every(word => /^\d+$/.test(word.trim()))) return undefined
  return [...new Set(words.map(Number))].sort((a, b) => a - b)
}

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

/** @returns {import('../../../plan/values.js').Kind & { write: (workers: ProfileWorkers) => string }} */
const workerChoice = () => ({
  allowed: 'must be all, or places of worker processes from 0, such as 0 or 0,2',
  schema: z => z.preprocess(parseWorkers, z.union([z.literal('all'), z.array(z.int().min(0)).min(1)])),
  write: workers => (workers === 'all' ? workers : workers.join(','))
})

/** @returns {import('../../../plan/values.js').Kind & { write: (micros: number) => string }} */
const samplingInterval = () => ({
  allowed: 'must be a time with its unit from 0.1ms to 1s, such as 1ms',
  schema: z =>
    z.preprocess(
      value => Math.round(milliseconds(String(value).trim()) * 1000),
      z.int().min(LEAST_MICROS).max(MOST_MICROS)
    ),
  write: micros => `${micros / 1000}ms`
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

const SAMPLED = {
  profile: {
    group: SAMPLING,
    default: 'cpu',
    ...profilable(),
    planKey: 'profiled',
    added: ['cpu'],
    describe: 'what is sampled: cpu, heap (who allocates how much), or cpu,heap'
  },
  profileWorkers: {
    group: SAMPLING,
    default: 'all',
    ...workerChoice(),
    describe: 'worker processes that are sampled while messages are published: all, or 0,2'
  },
  samplingInterval: {
    group: SAMPLING,
    default: '1ms',
    ...samplingInterval(),
    planKey: 'samplingIntervalMicros',
    describe: 'time between two samples of the CPU of a process'
  }
}

/** What is profiled are nodes on real TCP, under a load that is known. */
const gossip = Object.entries(
  optionsIn('profile', GOSSIP_OPTIONS, { never: [SIMULATED, AUTO_RATE], changes: CHANGES })
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
