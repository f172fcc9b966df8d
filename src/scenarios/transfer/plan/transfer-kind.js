import { grouped } from '../../../kit/numbers.js'
import { sizeText } from '../../../kit/units.js'
import { agentRules, noUseWithAgents } from '../../../plan/agents-option.js'
import { conditionRules } from '../../../plan/option.js'
import { ofThePlan } from '../../../plan/threshold-samples.js'
import { linkRules } from '../../namespaces/link-rules.js'
import { TRANSFER_FIGURES } from '../figures.js'
import { estimateMs, largestBlock, roundsOf, usualRepeats } from './rounds.js'
import { TRANSFER_OPTIONS } from './transfer-options.js'
import { CORE_WAYS, packageLacks, quicLacks, WAYS, wayLacks } from './ways.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** Each transfer has a row in the result. */
const MOST_TRANSFERS = 20_000
const MOST_BLOCKS = 1_000_000

/** @param {Record<string, any>} values */
const overLibp2p = ({ ways }) =>
  ways === undefined || ways.some((/** @type {import('./ways.js').Way} */ way) => WAYS[way].libp2p)

/** @param {Record<string, any>} values @returns {string | false} */
const linedQuic = ({ network, latencies, bandwidths }) =>
  network === 'loopback' &&
  latencies.length + bandwidths.length > 0 &&
  'cannot have a latency or bandwidth outside namespaces, for its socket is native: say --latencies none --bandwidths none, or use tcp or websocket'

/** @type {readonly Rule[]} */
const OF_THE_NETWORK = Object.freeze([
  {
    flag: 'transport',
    needs: ['network', 'latencies', 'bandwidths'],
    refuse: values => values.transport === 'quic' && (quicLacks(process.versions.node) ?? linedQuic(values))
  },
  {
    flag: 'security',
    needs: ['transport'],
    refuse: ({ transport }, given) =>
      transport === 'quic' && given.has('security') && 'has no use by quic, which has TLS of its own'
  },
  ...['transport', 'security'].map(flag => ({
    flag,
    needs: ['ways'],
    refuse: (/** @type {Record<string, any>} */ values, /** @type {Map<string, unknown>} */ given) =>
      given.has(flag) && !overLibp2p(values) && 'has no use: none of --ways goes over libp2p'
  })),
  {
    flag: 'latencies',
    needs: ['noLatencyCase'],
    refuse: ({ latencies, noLatencyCase }) =>
      latencies.length === 0 &&
      !noLatencyCase &&
      'leaves no round: give a latency, or leave out --no-noLatencyCase'
  },
  {
    flag: 'bandwidths',
    needs: ['unlimitedBandwidthCase'],
    refuse: ({ bandwidths, unlimitedBandwidthCase }) =>
      bandwidths.length === 0 &&
      !unlimitedBandwidthCase &&
      'leaves no round: give a bandwidth, or leave out --no-unlimitedBandwidthCase'
  }
])

/** @type {readonly Rule[]} */
const OF_THE_WAYS = Object.freeze(
  ['compareHttp', 'compareLibp2pHttp'].map(flag => ({
    flag,
    needs: ['ways'],
    refuse: (/** @type {unknown} */ _, /** @type {Map<string, unknown>} */ given) =>
      given.has(flag) && given.has('ways') && 'has no use beside --ways, which names them all'
  }))
)

/** @type {readonly Rule[]} */
const OF_THE_FILES = Object.freeze([
  {
    flag: 'chunkSize',
    needs: ['size'],
    refuse: ({ chunkSize, size }) =>
      size / chunkSize > MOST_BLOCKS &&
      `makes more than ${grouped(MOST_BLOCKS)} blocks of --size: use larger ones`
  },
  {
    flag: 'maxMemoryPerPeer',
    needs: ['chunkSize', 'linksPerLevel'],
    refuse({ maxMemoryPerPeer, chunkSize, linksPerLevel }) {
      const least = largestBlock({ chunkBytes: chunkSize, linksPerLevel })
      return (
        maxMemoryPerPeer < least &&
        `must be at least ${sizeText(least)}: a block of --chunkSize and --linksPerLevel can be as large, and one has to fit`
      )
    }
  },
  {
    flag: 'maxMemoryTotal',
    needs: ['maxMemoryPerPeer'],
    refuse: ({ maxMemoryTotal, maxMemoryPerPeer }) =>
      maxMemoryTotal < maxMemoryPerPeer &&
      `must be at least --maxMemoryPerPeer, ${sizeText(maxMemoryPerPeer)}`
  }
])

/** Requestors on other machines have clocks of their own, and an agent writes no files. @type {readonly Rule[]} */
const OVER_AGENTS = [
  ...agentRules('requestors'),
  noUseWithAgents('network', 'loopback'),
  noUseWithAgents('store', 'memory'),
  noUseWithAgents('blockDiagnostics'),
  noUseWithAgents('traces'),
  noUseWithAgents('otlpEndpoint')
]

/** @param {(values: Record<string, any>) => readonly string[]} waysOf - that are taken @returns {readonly Rule[]} */
const ofTheRepeats = waysOf => [
  {
    flag: 'repeats',
    needs: ['ways', 'compareHttp', 'compareLibp2pHttp'],
    refuse(values) {
      const ways = waysOf(values).length
      return (
        values.repeats !== undefined &&
        values.repeats % ways !== 0 &&
        `must be a multiple of the ${ways} ways, so that each stands in each place of the order as often`
      )
    }
  },
  {
    flag: 'repeats',
    needs: ['ways', 'latencies', 'bandwidths', 'concurrency', 'requestors'],
    refuse(values) {
      const { latencies, concurrency, requestors, repeats = usualRepeats(waysOf(values).length) } = values
      const rounds = roundsOf(/** @type {any} */ ({ ...values, latenciesMs: latencies })).length
      const transfers = rounds * waysOf(values).length * repeats * concurrency * requestors
      return (
        transfers > MOST_TRANSFERS &&
        `makes ${grouped(transfers)} transfers, and ${grouped(MOST_TRANSFERS)} are the most: fewer rounds, ways, repeats, requestors or files`
      )
    }
  }
]

/** What makes spans is optional. @type {readonly Rule[]} */
const OF_TRACES = Object.freeze(
  ['traces', 'otlpEndpoint'].map(flag => ({
    flag,
    refuse: (/** @type {Record<string, any>} */ values) => {
      const why = values[flag]
        ? packageLacks(['@opentelemetry/sdk-trace'], { node: process.versions.node })
        : []
      return why.length > 0 && `cannot be used here: ${why.join('; ')}`
    }
  }))
)

/** What figures go by. */
const LOOKED_AT = ['ways', 'compareHttp', 'compareLibp2pHttp', 'requestors', 'transport']

/**
 * transferRules refuse what cannot be.
 *
 * @param {(values: Record<string, any>) => readonly string[]} waysOf - the ways that are taken, of values of options
 * @returns {readonly Rule[]}
 */
export const transferRules = waysOf => [
  ...conditionRules(TRANSFER_OPTIONS),
  ...linkRules(['requestors'], ({ requestors }) => 1 + requestors),
  ...OF_THE_NETWORK,
  ...OF_THE_WAYS,
  ...OF_THE_FILES,
  ...ofTheRepeats(waysOf),
  ...OF_TRACES,
  ...OVER_AGENTS,
  ...ofThePlan(TRANSFER_FIGURES, values => ({ ...values, ways: waysOf(values) }), LOOKED_AT)
]

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./ways.js').Way} Way
 */

/** @param {Record<string, any>} values @returns {Way[]} that would be taken if all could */
const wantedWays = ({ compareHttp, compareLibp2pHttp }) =>
  CORE_WAYS.filter(way => (way !== 'http' || compareHttp) && (way !== 'libp2p-http' || compareLibp2pHttp))

/** @param {Record<string, any>} values @returns {readonly Way[]} */
const waysOf = values => values.ways ?? wantedWays(values).filter(way => wayLacks(way) === null)

/** @param {Record<string, any>} values @returns {TransferPlan['leftOut']} */
const leftOutOf = values =>
  values.ways === undefined
    ? wantedWays(values).flatMap(way => {
        const why = wayLacks(way)
        return why === null ? [] : [{ way, why }]
      })
    : []

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 */
function toPlan({ compareHttp: _, compareLibp2pHttp: __, ...picked }, values) {
  const ways = Object.freeze(waysOf(values))
  return {
    scenario: 'transfer',
    ...picked,
    ways,
    leftOut: Object.freeze(leftOutOf(values)),
    repeats: values.repeats ?? usualRepeats(ways.length),
    thresholds: Object.freeze(values.threshold ?? [])
  }
}

/** TRANSFER_KIND makes plans of transfers. @type {Readonly<import('../../scenario.js').Kind & { estimateMs: any }>} */
export const TRANSFER_KIND = {
  options: TRANSFER_OPTIONS,
  combinations: transferRules(waysOf),
  rivals: [],
  toPlan,
  // they say which ways there are, which the plan names
  flat: plan => ({ ...plan, compareHttp: true, compareLibp2pHttp: true }),
  unsaid: () => [],
  estimateMs
}
