import { grouped } from '../../../kit/numbers.js'
import { notInstalled } from '../../../libp2p/missing-packages.js'
import { agentsIn, busRules, noUseWithAgents } from '../../../plan/agents-option.js'
import { conditionRules } from '../../../plan/option.js'
import { PUBLIC_TARGET } from '../../../plan/public-target.js'
import { ofThePlan } from '../../../plan/threshold-samples.js'
import { inNamespaces } from '../../gossip/plan/namespace-rules.js'
import { linkRules } from '../../namespaces/link-rules.js'
import { PERF_FIGURES } from '../figures.js'
import { perfPlan } from '../perf-plan.js'
import { PERF_OPTIONS } from './perf-options.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** More connections than this a second are no load of one machine. */
const MOST_HANDSHAKES_PER_SECOND = 5000
/** And more are not kept of one repeat. */
const MOST_HANDSHAKES = 100_000

/** @type {readonly Rule[]} */
const RULES = [
  ...linkRules([], () => 2),
  ...busRules(),
  {
    flag: 'agents',
    refuse: ({ agents }) =>
      agents != null && agentsIn(agents) !== 1 && 'must be 1: it holds the client, and the other end is here'
  },
  noUseWithAgents('network', 'loopback'),
  inNamespaces({
    flag: 'target',
    refuse: ({ target }) =>
      target !== undefined && 'cannot be given with --network namespaces: it is outside of them'
  }),
  PUBLIC_TARGET,
  {
    flag: 'baselines',
    needs: ['target'],
    refuse: ({ target, baselines }, given) =>
      target !== undefined &&
      given.has('baselines') &&
      baselines.length > 0 &&
      'must be none with --target: it speaks perf alone'
  },
  {
    flag: 'stack',
    refuse: ({ stack }) =>
      stack
        .map((/** @type {string} */ name) => notInstalled(name))
        .filter((/** @type {string | null} */ why) => why !== null)
        .join('; ')
  },
  {
    flag: 'security',
    needs: ['stack'],
    refuse: ({ security, stack }) =>
      security.includes('tls') &&
      stack.includes('libp2p-2') &&
      'cannot have tls on libp2p-2: its package is of the generation after'
  },
  {
    flag: 'window',
    needs: ['muxer'],
    refuse: ({ window, muxer }) =>
      window !== undefined && !muxer.includes('yamux') && 'is of yamux: mplex has no window'
  },
  {
    flag: 'size',
    needs: ['streams', 'connections'],
    refuse: ({ size, streams, connections }) =>
      size < Math.max(...streams) * connections * 1024 &&
      `must be at least ${Math.max(...streams) * connections}KiB: each stream moves 1KiB at least`
  },
  {
    flag: 'handshakeRate',
    needs: ['clients', 'handshakeFor'],
    refuse: ({ handshakeRate, clients, handshakeFor }) => {
      const perSecond = handshakeRate * clients
      const due = (perSecond * handshakeFor) / 1000
      if (perSecond > MOST_HANDSHAKES_PER_SECOND)
        return `with --clients ${clients} makes ${grouped(perSecond)} connections a second: at most ${grouped(MOST_HANDSHAKES_PER_SECOND)}`
      if (due > MOST_HANDSHAKES)
        return `makes ${grouped(due)} connections in --handshakeFor: at most ${grouped(MOST_HANDSHAKES)}`
      return due < 1 && 'makes no connection in --handshakeFor: use a higher rate or a longer time'
    }
  },
  {
    flag: 'timeout',
    needs: ['latency'],
    refuse: ({ timeout, latency }) =>
      timeout <= 8 * latency &&
      `must be above ${8 * latency}ms: --latency alone makes a handshake as long as that`
  },
  ...ofThePlan(
    PERF_FIGURES,
    ({ target, baselines, ...values }) => ({ ...values, baselines: target === undefined ? baselines : [] }),
    ['measures', 'baselines', 'target']
  )
]

/** PERF_KIND makes the plans of runs that move bytes. @type {Readonly<import('../../scenario.js').Kind>} */
export const PERF_KIND = {
  options: PERF_OPTIONS,
  combinations: [...conditionRules(PERF_OPTIONS), ...RULES],
  rivals: [],
  toPlan: (/** @type {Record<string, any>} */ picked) => ({
    scenario: 'perf',
    ...picked,
    bandwidthBytesPerSecond: picked.bandwidthBytesPerSecond || null,
    baselines: picked.target === null ? picked.baselines : [],
    thresholds: Object.freeze(picked.thresholds ?? [])
  }),
  flat: plan => ({ ...plan, bandwidthBytesPerSecond: perfPlan(plan).bandwidthBytesPerSecond ?? 0 }),
  unsaid: plan => (perfPlan(plan).target === null ? [] : ['baselines'])
}

/** What a transfer moves in a second where nothing limits it, on a slow machine. */
const USUAL_BYTES_PER_SECOND = 40e6
const START_MS = 3000

/**
 * estimateMs is about how long a run takes.
 *
 * @param {unknown} plan
 */
export function estimateMs(plan) {
  const { measures, sizeBytes, streams, stack, security, muxer, baselines, repeats, ...rest } = perfPlan(plan)
  const { bandwidthBytesPerSecond, latencyMs, exchanges, handshakeForMs, windowBytes } = rest
  const libp2p = stack.length * security.length * muxer.length
  const ways = libp2p + baselines.length
  const perSecond = Math.min(
    USUAL_BYTES_PER_SECOND,
    bandwidthBytesPerSecond ?? Number.POSITIVE_INFINITY,
    latencyMs === 0 || windowBytes === null ? Number.POSITIVE_INFINITY : (windowBytes * 500) / latencyMs
  )
  const transferMs = (1000 * sizeBytes) / perSecond + 4 * latencyMs
  /** @type {Record<string, number>} */
  const once = {
    upload: ways * streams.length * transferMs,
    download: ways * streams.length * transferMs,
    latency: ways * exchanges * (1 + 4 * latencyMs),
    handshakes: (libp2p + baselines.filter(kind => kind === 'tcp' || kind === 'tls').length) * handshakeForMs
  }
  return START_MS + repeats * measures.reduce((sum, measure) => sum + once[measure], 0)
}
