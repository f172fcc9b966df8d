// The plan of a transfer: which protocols are compared, on which networks, in which balanced order. Also tells which
// protocols can be used here.
import { computeSum } from '../../../kit/collections.js'
import { findPackageProblems } from '../../../kit/files.js'
import { makeSubStream } from '../../../kit/random.js'
import { countBalancedRows, makeBalancedOrders } from '../../../load/trials.js'

/**
 * @typedef {object} CommonPlan - keys of every plan
 * @property {'transfer'} scenario
 * @property {readonly Measure[]} measures - files alone, or some of the others
 * @property {readonly Protocol[]} ways
 * @property {readonly OmittedProtocol[]} leftOut - protocols of the default that cannot be used here
 * @property {number} sizeBytes - of a file; of zeros in all streams together
 * @property {'loopback' | 'namespaces'} network
 * @property {readonly ('noise' | 'plaintext' | 'tls')[]} security
 * @property {'tcp' | 'websocket' | 'quic'} transport
 * @property {readonly number[]} latenciesMs - one way
 * @property {boolean} noLatencyCase
 * @property {readonly number[]} bandwidths - bytes per second
 * @property {boolean} unlimitedBandwidthCase
 * @property {number} repeats - of each protocol in each round
 * @property {number} timeoutMs - of a transfer
 * @property {number} seed
 * @property {readonly import('../../../plan/threshold.js').Threshold[]} thresholds
 *
 * @typedef {object} FilesPlan
 * @property {number} chunkBytes - of a leaf
 * @property {number} linksPerLevel
 * @property {boolean} rawLeaves - leaves are bytes alone; else each is wrapped in a node of UnixFS
 * @property {number} concurrency - files that a requestor fetches at once
 * @property {number} requestors
 * @property {'memory' | 'car' | 'disk'} store
 * @property {number} maxMemoryPerPeerBytes
 * @property {number} maxMemoryTotalBytes
 * @property {number} maxInProgressRequests
 * @property {'none' | 'simple' | 'detailed'} memorySnapshots
 * @property {boolean} blockDiagnostics
 * @property {boolean} traces - of every transfer, into the run's folder
 * @property {string | null} otlpEndpoint - where the same spans are sent, a URL; null: nowhere
 *
 * @typedef {object} ZerosPlan
 * @property {readonly number[]} streams - on each connection
 * @property {number} connections
 * @property {number} exchanges - of one byte, in each repeat
 * @property {number} clients - that open connections
 * @property {number} handshakeRatePerSecond - of each of them
 * @property {number} handshakeForMs
 * @property {readonly string[]} stack
 * @property {readonly ('yamux' | 'mplex')[]} muxer
 * @property {number | null} windowBytes - null: as libp2p has it
 * @property {string | null} target
 * @property {boolean} iOwnTheTarget
 * @property {number | null} targetPid
 *
 * @typedef {CommonPlan & FilesPlan & ZerosPlan & import('../../namespace-run.js').NamespaceLinkPlan} TransferPlan - the keys of the other
 *   payload are absent
 *
 * @typedef {{ way: Protocol, why: string }} OmittedProtocol
 *
 * @typedef {ZerosTransfer['round']} Round - the network between the sides
 */

/**
 * asTransferPlan casts a plan of any scenario to a plan of a transfer.
 *
 * @param {unknown} plan
 * @returns {TransferPlan}
 */
export const asTransferPlan = plan => /** @type {TransferPlan} */ (plan)

/** isTraced says whether spans of OpenTelemetry are made. @param {TransferPlan} plan */
export const isTraced = ({ traces, otlpEndpoint }) => traces || otlpEndpoint !== null

/** recordsBlocks says whether times of single blocks are recorded. @param {TransferPlan} plan */
export const recordsBlocks = plan => plan.blockDiagnostics || isTraced(plan)

/** TransferError is the failure of a transfer. */
export class TransferError extends Error {
  name = 'TransferError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * Shapes of results.
 *
 * @typedef {import('../../../report/schema.js').Shape<typeof import('../schema.js').filesOutcomeSchema>} FilesOutcome
 * @typedef {FilesOutcome['cases'][number]} Case
 * @typedef {FilesOutcome['transfers'][number]} Transfer
 * @typedef {FilesOutcome['batches'][number]} Batch
 *
 * @typedef {import('../../../report/schema.js').Shape<typeof import('../schema.js').zerosOutcomeSchema>} ZerosOutcome
 * @typedef {ZerosOutcome['transfers'][number]} ZerosTransfer
 * @typedef {ZerosOutcome['rows'][number]} ZerosRow
 * @typedef {ZerosOutcome['handshakes'][number]} HandshakeRow
 *
 * @typedef {Omit<import('../../../report/schema.js').Result, 'scenario' | 'plan' | 'outcome'> &
 *   { scenario: 'transfer', plan: TransferPlan }} AnyTransfer
 * @typedef {AnyTransfer & { outcome: FilesOutcome }} FilesResult
 * @typedef {AnyTransfer & { outcome: ZerosOutcome }} ZerosResult
 */

const PACKAGE = '@chainsafe/libp2p-quic'
/** Its module is only installed on this version of Node and later ones. */
const MIN_NODE = 22

/**
 * findQuicProblem says why transport quic cannot be used here.
 *
 * @param {string} node - version of Node
 * @returns {string | null} null: it can
 */
export function findQuicProblem(node) {
  if (Number(node.split('.')[0]) < MIN_NODE)
    return `wants Node ${MIN_NODE} or later (${PACKAGE} 2); this is ${node}: use tcp or websocket`
  const why = findPackageProblems([PACKAGE], { node, install: `npm install ${PACKAGE}@2` })
  return why.length === 0 ? null : `cannot be used here: ${why.join('; ')}`
}

/**
 * @typedef {'blocks' | 'http' | 'https' | 'libp2p-http' | 'stream' | 'perf' | 'tcp' | 'tls' | 'http2'} Protocol - how the bytes move
 * @typedef {'files' | 'upload' | 'download' | 'latency' | 'handshakes'} Measure
 *
 * @typedef {object} ProtocolTraits - of a protocol
 * @property {string} describe
 * @property {boolean} libp2p - it goes over a connection of libp2p
 * @property {boolean} files - it moves files
 * @property {string} [zeros] - its name in results of zeros; none: it moves no zeros
 * @property {boolean} [handshake] - its handshakes can be measured
 * @property {string} [wants] - version of Node; on others, npm leaves out packages that it needs
 * @property {readonly (readonly string[])[]} [needs] - packages beside those of every node; each chain leads to its last package
 */

/** PROTOCOLS in the order of all views. @type {Readonly<Record<Protocol, ProtocolTraits>>} */
export const PROTOCOLS = Object.freeze({
  blocks: {
    describe: 'blocks in the order of a depth-first walk, each requested by its root',
    libp2p: true,
    files: true
  },
  http: {
    describe: 'HTTP/1.1 of Node, a file as a CAR',
    libp2p: false,
    files: true,
    zeros: 'HTTP/1.1'
  },
  https: { describe: 'the same over TLS', libp2p: false, files: true, zeros: 'HTTPS' },
  'libp2p-http': {
    describe: '@libp2p/http, the blocks as a CAR',
    libp2p: true,
    files: true,
    needs: [['@libp2p/http'], ['@libp2p/http', 'undici']],
    wants: '>=22.19.0'
  },
  stream: { describe: 'one raw libp2p stream, the blocks as a CAR', libp2p: true, files: true },
  perf: { describe: '/perf/1.0.0', libp2p: true, files: false, zeros: 'libp2p', handshake: true },
  tcp: { describe: 'a plain socket', libp2p: false, files: false, zeros: 'TCP', handshake: true },
  tls: { describe: 'the same over TLS 1.3', libp2p: false, files: false, zeros: 'TLS', handshake: true },
  http2: { describe: 'HTTP/2 without TLS', libp2p: false, files: false, zeros: 'HTTP/2' }
})

/** PROTOCOL_NAMES in the order of all views. */
export const PROTOCOL_NAMES = Object.freeze(/** @type {Protocol[]} */ (Object.keys(PROTOCOLS)))

/** FILE_PROTOCOLS can move files. */
export const FILE_PROTOCOLS = Object.freeze(PROTOCOL_NAMES.filter(name => PROTOCOLS[name].files))

/** CORE_PROTOCOLS are the default protocols of files. */
export const CORE_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['blocks', 'http', 'libp2p-http', 'stream'])
)

/** ZEROS_PROTOCOLS can move zeros, in the order of their rows. The others are baselines of perf. */
export const ZEROS_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['perf', 'tcp', 'tls', 'http', 'https', 'http2'])
)

/** MEASURES in the order in which they are made. */
export const MEASURES = Object.freeze(
  /** @type {Measure[]} */ (['files', 'upload', 'download', 'latency', 'handshakes'])
)

/**
 * chooseMeasures gives the measures of a plan. The default is files, or all others for protocols that move no files.
 *
 * @param {{ measures?: readonly Measure[], protocols?: readonly Protocol[] }} values
 * @returns {readonly Measure[]}
 */
export const chooseMeasures = ({ measures, protocols = [] }) =>
  measures ??
  MEASURES.filter(name => (name === 'files') === protocols.every(protocol => PROTOCOLS[protocol].files))

/** movesFiles says whether a plan moves files. Otherwise it moves zeros, which are not stored. @param {{ measures: readonly string[] }} values */
export const movesFiles = ({ measures }) => measures.includes('files')

/**
 * @typedef {object} ProtocolSetup - a protocol with the parts of its libp2p node
 * @property {string} name - in results
 * @property {Protocol} protocol
 * @property {string} [stack] - generation of libp2p; default: the present one
 * @property {'noise' | 'plaintext' | 'tls'} [security]
 * @property {'yamux' | 'mplex'} [muxer]
 */

/**
 * listProtocols lists the protocols that a plan compares.
 *
 * @param {TransferPlan} plan
 * @returns {ProtocolSetup[]}
 */
export const listProtocols = plan =>
  plan.ways.flatMap(protocol => {
    if (movesFiles(plan)) return [{ name: protocol, protocol, security: plan.security[0] }]
    return protocol === 'perf'
      ? listPerfProtocols(plan)
      : [{ name: String(PROTOCOLS[protocol].zeros), protocol }]
  })

/** Every stack with every security and muxer. QUIC brings its own. @param {TransferPlan} plan @returns {ProtocolSetup[]} */
const listPerfProtocols = ({ stack, security, muxer, transport }) =>
  transport === 'quic'
    ? stack.map(stack => ({ name: `${stack} quic`, protocol: 'perf', stack }))
    : stack.flatMap(stack =>
        security.flatMap(security =>
          muxer.map(muxer => ({
            name: [stack, security, muxer, ...(transport === 'tcp' ? [] : [transport])].join(' '),
            protocol: /** @type {const} */ ('perf'),
            ...{ stack, security, muxer }
          }))
        )
      )

/**
 * findProtocolProblem says why a protocol cannot be used here.
 *
 * @param {Protocol} protocol
 * @param {string} [node] - version of Node
 * @returns {string | null} null: it can
 */
export function findProtocolProblem(protocol, node = process.versions.node) {
  const { needs = [], wants } = PROTOCOLS[protocol]
  const why = needs.flatMap(chain => findPackageProblems(chain, { node, wants }))
  return why.length === 0 ? null : `${protocol} cannot be used here: ${why.join('; ')}`
}

/** UnixFS adds these bytes to a leaf that is not raw. */
const WRAPPING_BYTES = 64
/** A link of a node: CID, size, size of the linked tree. */
const LINK_BYTES = 96

/**
 * computeMaxBlockBytes is the maximum size of a block of a file.
 *
 * @param {{ chunkBytes: number, linksPerLevel: number }} shape
 * @returns {number} bytes
 */
export const computeMaxBlockBytes = ({ chunkBytes, linksPerLevel }) =>
  Math.max(chunkBytes + WRAPPING_BYTES, linksPerLevel * LINK_BYTES + WRAPPING_BYTES)

/**
 * @typedef {'latenciesMs' | 'noLatencyCase' | 'bandwidths' | 'unlimitedBandwidthCase'} LineKey
 * @typedef {Pick<TransferPlan, LineKey>} LinePlan
 */

/**
 * listRounds gives a round for each pair of a latency and a bandwidth, the fastest network first.
 *
 * @param {LinePlan} plan
 * @returns {Round[]}
 */
export function listRounds({ latenciesMs, noLatencyCase, bandwidths, unlimitedBandwidthCase }) {
  const latencies = [...(noLatencyCase ? [0] : []), ...latenciesMs]
  const limits = [...(unlimitedBandwidthCase ? [null] : []), ...bandwidths]
  return latencies.flatMap(latencyMs => limits.map(bytesPerSecond => ({ latencyMs, bytesPerSecond })))
}

/** Minimum of the default number of repeats. */
const MIN_REPEATS = 4

/**
 * computeDefaultRepeats is the default number of repeats, for which the orders of the protocols are balanced.
 *
 * @param {number} protocols
 */
export const computeDefaultRepeats = protocols =>
  countBalancedRows(protocols) * Math.ceil(MIN_REPEATS / countBalancedRows(protocols))

/**
 * makeOrder gives the orders in which the protocols of files take turns in a round. They are complete Latin squares, so that no protocol always
 * follows the same other. With an odd number of protocols, every second square is the mirror image of the one before.
 *
 * @template W
 * @param {readonly W[]} protocols
 * @param {Pick<TransferPlan, 'repeats' | 'seed'>} plan
 * @param {number} round - its number
 * @returns {W[][]} a row for each repeat
 */
export function makeOrder(protocols, { repeats, seed }, round) {
  const random = makeSubStream(seed, 'order of ways', round)
  const sets = Math.ceil(repeats / countBalancedRows(protocols.length))
  return Array.from({ length: sets }, () => makeBalancedOrders(protocols, random))
    .flat()
    .slice(0, repeats)
}

/**
 * makeTurn gives the order in which the protocols of zeros take turns in a repeat. Over as many repeats as there are protocols, each has every
 * position once.
 *
 * @template W
 * @param {readonly W[]} protocols
 * @param {number} seed
 * @param {number} repeat
 * @returns {W[]}
 */
export function makeTurn(protocols, seed, repeat) {
  const rows = countBalancedRows(protocols.length)
  return makeBalancedOrders(protocols, makeSubStream(seed, 'order', Math.floor(repeat / rows)))[repeat % rows]
}

/** Time to start the processes. */
const START_MS = 1500
/** Time to open nodes, servers and connections of a protocol, in each repeat. */
const OPEN_MS = 150
/** Round trips until a connection is open and measured, and the window of a stream has grown. */
const ROUND_TRIPS = 10
/** Bytes that two processes make, move, check and store in a ms, on two cores. */
const BYTES_PER_MS = 40_000

/**
 * estimateTransferMs estimates the duration of a run.
 *
 * @param {unknown} asked
 * @returns {number}
 */
export function estimateTransferMs(asked) {
  const plan = asTransferPlan(asked)
  return movesFiles(plan) ? estimateFilesMs(plan) : estimateZerosMs(plan)
}

/** @param {TransferPlan} plan */
function estimateFilesMs(plan) {
  const bytes = plan.sizeBytes * plan.concurrency * plan.requestors
  const moveMs = bytes / BYTES_PER_MS
  const perRound = listRounds(plan).map(
    ({ latencyMs, bytesPerSecond }) =>
      OPEN_MS +
      2 * latencyMs * ROUND_TRIPS +
      Math.max(moveMs, bytesPerSecond === null ? 0 : (bytes / bytesPerSecond) * 1000)
  )
  const warmUpMs = plan.ways.length * (OPEN_MS + moveMs)
  return START_MS + moveMs + warmUpMs + plan.ways.length * plan.repeats * computeSum(perRound)
}

/** @param {TransferPlan} plan */
function estimateZerosMs(plan) {
  const { measures, sizeBytes, streams = [], repeats, exchanges = 0, handshakeForMs = 0, windowBytes } = plan
  const protocols = listProtocols(plan)
  /** @param {Round} round */
  const inRound = ({ latencyMs, bytesPerSecond }) => {
    const perMs = Math.min(
      BYTES_PER_MS,
      bytesPerSecond === null ? Number.POSITIVE_INFINITY : bytesPerSecond / 1000,
      latencyMs === 0 || windowBytes === null ? Number.POSITIVE_INFINITY : windowBytes / (2 * latencyMs)
    )
    const transferMs = sizeBytes / perMs + 4 * latencyMs
    /** @type {Record<string, number>} */
    const once = {
      upload: protocols.length * streams.length * transferMs,
      download: protocols.length * streams.length * transferMs,
      latency: protocols.length * exchanges * (1 + 4 * latencyMs),
      handshakes: protocols.filter(({ protocol }) => PROTOCOLS[protocol].handshake).length * handshakeForMs
    }
    return repeats * computeSum(measures, measure => once[measure])
  }
  return 2 * START_MS + computeSum(listRounds(plan), inRound)
}
