// Entry of the transfer scenario: the object through which commands, studies and reports make its plans, run them and
// read its results.
import { findPackageProblems } from '../../kit/files.js'
import { formatSize, formatWhole } from '../../kit/numbers.js'
import { describeMissingPackages } from '../../libp2p/stacks.js'
import { PUBLIC_TARGET } from '../../plan/addresses.js'
import { countWantedAgents, makeAgentConflictRule, makeAgentRules, makeBusRules } from '../../plan/agents.js'
import { listAddedValues, makeConditionRules } from '../../plan/options.js'
import { makeThresholdRules } from '../../plan/threshold.js'
import { limitToNamespaces, makeLinkRules } from '../network-options.js'
import { COMMAND } from './command.js'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from './figures.js'
import { TRANSFER_OPTIONS } from './options.js'
import {
  asTransferPlan,
  CORE_PROTOCOLS,
  chooseMeasures,
  computeDefaultRepeats,
  computeMaxBlockBytes,
  estimateTransferMs,
  findProtocolProblem,
  findQuicProblem,
  listRounds,
  movesFiles,
  PROTOCOLS,
  ZEROS_PROTOCOLS
} from './plan/transfer-plan.js'

/**
 * @typedef {import('../../plan/options.js').Rule} Rule
 * @typedef {import('./plan/transfer-plan.js').Protocol} Protocol
 * @typedef {Record<string, any>} Values - of options
 */

/** The result has a row for each transfer. */
const MAX_TRANSFERS = 20_000
const MAX_BLOCKS = 1_000_000
/** One machine cannot open more connections a second. */
const MAX_HANDSHAKES_PER_SECOND = 5000
/** The times of more handshakes are not stored for one repeat. */
const MAX_HANDSHAKES = 100_000
/** Enough for a confidence interval. */
const DEFAULT_ZEROS_REPEATS = 6

/** The default protocols of zeros. @type {readonly Protocol[]} */
const DEFAULT_ZEROS_PROTOCOLS = ['perf', 'tcp', 'tls', 'http', 'http2']

/** @param {Values} values */
const isOfFiles = values => movesFiles({ measures: chooseMeasures(values) })

/** @param {Values} values @returns {Protocol[]} the default protocols of files, whether this machine can use them or not */
const listWantedProtocols = ({ compareHttp, compareLibp2pHttp }) =>
  CORE_PROTOCOLS.filter(
    name => (name !== 'http' || compareHttp) && (name !== 'libp2p-http' || compareLibp2pHttp)
  )

/** @param {Values} values @returns {readonly Protocol[]} that are measured */
function chooseProtocols(values) {
  const { protocols, target } = values
  if (isOfFiles(values))
    return protocols ?? listWantedProtocols(values).filter(name => findProtocolProblem(name) === null)
  const named = protocols ?? (target === undefined ? DEFAULT_ZEROS_PROTOCOLS : ['perf'])
  return ZEROS_PROTOCOLS.filter(name => named.includes(name))
}

/** @param {Values} values @returns {import('./plan/transfer-plan.js').TransferPlan['leftOut']} */
const listOmittedProtocols = values =>
  values.protocols === undefined && isOfFiles(values)
    ? listWantedProtocols(values).flatMap(way => {
        const why = findProtocolProblem(way)
        return why === null ? [] : [{ way, why }]
      })
    : []

/** @param {Values} values @returns {number} */
const chooseRepeats = values =>
  values.repeats ??
  (isOfFiles(values) ? computeDefaultRepeats(chooseProtocols(values).length) : DEFAULT_ZEROS_REPEATS)

/** Without latencies there is the case of no latency; the same holds for bandwidths. @param {Values} values */
const chooseRounds = ({ latencies, noLatencyCase, bandwidths, unlimitedBandwidthCase }) => ({
  latenciesMs: latencies,
  noLatencyCase: noLatencyCase || latencies.length === 0,
  bandwidths,
  unlimitedBandwidthCase: unlimitedBandwidthCase || bandwidths.length === 0
})

/** @param {Values} values */
const usesLibp2p = values => chooseProtocols(values).some(name => PROTOCOLS[name].libp2p)

/** limitRule limits a rule to plans of files, or to plans of zeros. @param {'files' | 'zeros'} payload @returns {(rule: Rule) => Rule} */
const limitRule =
  payload =>
  ({ needs = [], refuse, ...rule }) => ({
    ...rule,
    needs: ['measures', 'protocols', ...needs],
    refuse: (values, explicit) => isOfFiles(values) === (payload === 'files') && refuse(values, explicit)
  })
const limitToFiles = limitRule('files')
const limitToZeros = limitRule('zeros')

/** @param {string} flag @returns {Rule} */
const makeRoundRule = flag => {
  const [list, one] = flag === 'noLatencyCase' ? ['latencies', 'latency'] : ['bandwidths', 'bandwidth']
  return {
    flag: list,
    needs: [flag],
    refuse: (values, explicit) =>
      values[list].length === 0 &&
      !values[flag] &&
      explicit.has(flag) &&
      `leaves no round: give a ${one}, or leave out --no-${flag}`
  }
}

/** @type {readonly Rule[]} */
const NETWORK_RULES = [
  {
    flag: 'transport',
    needs: ['network', 'latencies', 'bandwidths'],
    refuse: ({ transport, network, latencies, bandwidths }) =>
      transport === 'quic' &&
      (findQuicProblem(process.versions.node) ??
        (network === 'loopback' &&
          latencies.length + bandwidths.length > 0 &&
          'cannot have a latency or bandwidth outside namespaces, because its socket is native: use --latencies none --bandwidths none, or use tcp or websocket'))
  },
  {
    flag: 'security',
    needs: ['transport'],
    refuse: ({ transport }, explicit) =>
      transport === 'quic' && explicit.has('security') && 'does not apply to quic, which has its own TLS'
  },
  limitToFiles({
    flag: 'security',
    refuse: ({ security }) =>
      security.length > 1 && 'must be one value: several need --measures without files'
  }),
  ...['transport', 'security'].map(flag => ({
    flag,
    needs: ['protocols', 'measures', 'target'],
    refuse: (/** @type {Values} */ values, /** @type {Map<string, unknown>} */ explicit) =>
      explicit.has(flag) && !usesLibp2p(values) && 'does not apply: none of --protocols uses libp2p'
  })),
  ...['noLatencyCase', 'unlimitedBandwidthCase'].map(makeRoundRule)
]

/** @type {readonly Rule[]} */
const PROTOCOL_RULES = [
  {
    flag: 'measures',
    refuse: ({ measures = [] }) =>
      measures.includes('files') && measures.length > 1 && 'must be files alone, or none of them'
  },
  {
    flag: 'protocols',
    needs: ['measures'],
    refuse({ protocols = [], measures }) {
      const files = isOfFiles({ protocols, measures })
      const others = protocols.filter((/** @type {Protocol} */ name) =>
        files ? !PROTOCOLS[name].files : PROTOCOLS[name].zeros === undefined
      )
      return (
        others.length > 0 &&
        (files
          ? `cannot have ${others.join(', ')} with --measures files: no support for files`
          : `cannot have ${others.join(', ')} ${measures === undefined ? `with ${protocols.find((/** @type {Protocol} */ name) => !PROTOCOLS[name].files)}, which moves zeros` : 'without --measures files'}: no support for zeros`)
      )
    }
  },
  limitToZeros({
    flag: 'protocols',
    needs: ['target'],
    refuse: ({ target, protocols = ['perf'] }) =>
      target !== undefined &&
      protocols.some((/** @type {Protocol} */ name) => name !== 'perf') &&
      'must be perf with --target: no other protocol reaches it'
  }),
  ...['compareHttp', 'compareLibp2pHttp'].map(flag => ({
    flag,
    needs: ['protocols'],
    refuse: (/** @type {unknown} */ _, /** @type {Map<string, unknown>} */ explicit) =>
      explicit.has(flag) &&
      explicit.has('protocols') &&
      'does not apply with --protocols, which lists all of them'
  }))
]

const FILE_RULES = /** @type {Rule[]} */ ([
  {
    flag: 'chunkSize',
    needs: ['size'],
    refuse: ({ chunkSize, size }) =>
      size / chunkSize > MAX_BLOCKS &&
      `makes more than ${formatWhole(MAX_BLOCKS)} blocks of --size: use larger ones`
  },
  {
    flag: 'maxMemoryPerPeer',
    needs: ['chunkSize', 'linksPerLevel'],
    refuse({ maxMemoryPerPeer, chunkSize, linksPerLevel }) {
      const least = computeMaxBlockBytes({ chunkBytes: chunkSize, linksPerLevel })
      return (
        maxMemoryPerPeer < least &&
        `must be at least ${formatSize(least)}: a block of --unixfs chunkSize and linksPerLevel can be as large, and one has to fit`
      )
    }
  },
  {
    flag: 'maxMemoryTotal',
    needs: ['maxMemoryPerPeer'],
    refuse: ({ maxMemoryTotal, maxMemoryPerPeer }) =>
      maxMemoryTotal < maxMemoryPerPeer &&
      `must be at least maxMemoryPerPeer, ${formatSize(maxMemoryPerPeer)}`
  },
  {
    flag: 'repeats',
    needs: ['protocols', 'compareHttp', 'compareLibp2pHttp'],
    refuse(values) {
      const protocols = chooseProtocols(values).length
      return (
        values.repeats !== undefined &&
        values.repeats % protocols !== 0 &&
        `must be a multiple of the ${protocols} protocols, so that each takes each place in the order equally often`
      )
    }
  },
  ...['traces', 'otlpEndpoint'].map(flag => ({
    flag,
    refuse: (/** @type {Values} */ values) => {
      // the packages of OpenTelemetry are optional
      const why = values[flag]
        ? findPackageProblems(['@opentelemetry/sdk-trace'], { node: process.versions.node })
        : []
      return why.length > 0 && `cannot be used here: ${why.join('; ')}`
    }
  })),
  makeAgentConflictRule('store', 'memory'),
  makeAgentConflictRule('blockDiagnostics'),
  makeAgentConflictRule('traces'),
  makeAgentConflictRule('otlpEndpoint')
]).map(limitToFiles)

const ZEROS_RULES = /** @type {Rule[]} */ ([
  {
    flag: 'agents',
    refuse: ({ agents }) =>
      agents != null &&
      countWantedAgents(agents) !== 1 &&
      'must be 1: it runs the client, and the other end runs here'
  },
  limitToNamespaces({
    flag: 'target',
    refuse: ({ target }) =>
      target !== undefined && 'cannot be given with --network namespaces: it is outside of them'
  }),
  PUBLIC_TARGET,
  {
    flag: 'transport',
    needs: ['target', 'stack'],
    refuse({ transport, target, stack }) {
      if (transport === 'tcp') return null
      if (target !== undefined) return 'must be tcp with --target'
      return stack.includes('libp2p-2') && 'must be tcp on libp2p-2'
    }
  },
  {
    flag: 'stack',
    refuse: ({ stack }) =>
      stack
        .map((/** @type {string} */ name) => describeMissingPackages(name))
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
    refuse: ({ size, streams, connections, ...values }) =>
      chooseMeasures(values).some(name => /load$/.test(name)) &&
      size < Math.max(...streams) * connections &&
      `must be at least ${Math.max(...streams) * connections}: each stream moves a byte at least`
  },
  {
    flag: 'handshakeRate',
    needs: ['clients', 'handshakeFor'],
    refuse: ({ handshakeRate, clients, handshakeFor }) => {
      const perSecond = handshakeRate * clients
      const due = (perSecond * handshakeFor) / 1000
      if (perSecond > MAX_HANDSHAKES_PER_SECOND)
        return `with --clients ${clients} makes ${formatWhole(perSecond)} connections a second: at most ${formatWhole(MAX_HANDSHAKES_PER_SECOND)}`
      if (due > MAX_HANDSHAKES)
        return `makes ${formatWhole(due)} connections in --handshakes for: at most ${formatWhole(MAX_HANDSHAKES)}`
      return due < 1 && 'makes no connection in --handshakes for: use a higher rate or a longer time'
    }
  },
  {
    flag: 'timeout',
    needs: ['latencies'],
    refuse({ timeout, latencies }) {
      const least = 8 * Math.max(0, ...latencies)
      return (
        timeout <= least && `must be above ${least}ms: --latencies alone makes a handshake as long as that`
      )
    }
  }
]).map(limitToZeros)

/** @type {Rule} */
const TRANSFER_COUNT_RULE = {
  flag: 'repeats',
  needs: ['protocols', 'measures', 'latencies', 'bandwidths', 'concurrency', 'requestors', 'streams'],
  refuse(values) {
    const { concurrency, requestors, streams } = values
    const measures = chooseMeasures(values)
    const directions = measures.filter(name => /load$/.test(name)).length
    const each = measures.includes('files') ? concurrency * requestors : directions * streams.length
    const networks = listRounds(chooseRounds(values)).length
    const transfers = networks * chooseProtocols(values).length * chooseRepeats(values) * each
    return (
      transfers > MAX_TRANSFERS &&
      `makes ${formatWhole(transfers)} transfers, and ${formatWhole(MAX_TRANSFERS)} are the most: fewer rounds, protocols, repeats, requestors, files or streams`
    )
  }
}

/** Options that decide which figures a plan has. */
const FIGURE_OPTIONS = [
  ...['measures', 'protocols', 'compareHttp', 'compareLibp2pHttp'],
  ...['requestors', 'transport', 'target']
]

/** @type {readonly Rule[]} */
const RULES = [
  ...makeConditionRules(TRANSFER_OPTIONS),
  ...makeLinkRules(['requestors'], ({ requestors }) => 1 + requestors),
  ...makeBusRules(),
  ...makeAgentRules('requestors').slice(-1).map(limitToFiles),
  makeAgentConflictRule('network', 'loopback'),
  ...NETWORK_RULES,
  ...PROTOCOL_RULES,
  ...FILE_RULES,
  ...ZEROS_RULES,
  TRANSFER_COUNT_RULE,
  ...makeThresholdRules(
    TRANSFER_FIGURES,
    values => ({ ...values, measures: chooseMeasures(values), ways: chooseProtocols(values) }),
    FIGURE_OPTIONS
  )
]

/** TRANSFER_KIND makes plans of transfers. @type {Readonly<import('../index.js').PlanKind & { estimateMs: any }>} */
const TRANSFER_KIND = {
  options: TRANSFER_OPTIONS,
  combinations: RULES,
  rivals: [],
  toPlan: ({ compareHttp: _, compareLibp2pHttp: __, ...picked }, values) => ({
    scenario: 'transfer',
    ...picked,
    measures: chooseMeasures(values),
    ...chooseRounds(values),
    ways: Object.freeze([...chooseProtocols(values)]),
    leftOut: Object.freeze(listOmittedProtocols(values)),
    repeats: chooseRepeats(values),
    thresholds: Object.freeze(values.threshold ?? [])
  }),
  // the plan names the protocols instead
  flat: plan => ({ ...plan, compareHttp: true, compareLibp2pHttp: true }),
  unsaid: plan => (asTransferPlan(plan).target == null ? [] : ['ways']),
  estimateMs: estimateTransferMs
}

/** Keys that were added to the plan since its first release, with the behaviour before. */
const { linkLossShare, network, transport, ...ADDED_TO_FILES } = listAddedValues(TRANSFER_KIND.options)

/** @param {Record<string, any>} document */
const fillFormerKeys = ({ plan, ...document }) => ({
  ...document,
  plan: plan && {
    ...{ linkLossShare, network, transport },
    ...((plan.measures === undefined || movesFiles(plan)) && ADDED_TO_FILES),
    ...plan
  }
})

/** TRANSFER moves files or zeros between libp2p peers, and over the protocols that they are compared with. @type {import('../index.js').Scenario} */
export const TRANSFER = {
  name: 'transfer',
  command: COMMAND,
  ...TRANSFER_KIND,
  naming: {
    short: new Set(['size', 'streams']),
    inShort(plan, own) {
      const { sizeBytes, streams = [], measures } = asTransferPlan(plan)
      if (measures.includes('files')) return own.has('size') ? [`size=${sizeBytes}`] : []
      return [`size${sizeBytes}`, `s${streams.join('_')}`]
    }
  },
  rowFigures: { columns: { size: 'File MB' } },
  schemas: () => import('./schema.js'),
  filled: fillFormerKeys,
  figures: TRANSFER_FIGURES,
  compared: TRANSFER_COMPARED,
  run: async () => (await import('./run/transfer-run.js')).runTransfer,
  describe: () => import('./describe.js')
}
