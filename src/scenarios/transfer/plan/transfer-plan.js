// The plan of a transfer: protocols, rounds, networks.

import { sumOf } from '../../../kit/collections.js'
import { packageLacks } from '../../../kit/files.js'
import { subStream } from '../../../kit/random.js'
import { balancedOrders, balancedRows } from '../../../load/trials.js'

/**
 * @typedef {object} Always - what every plan has
 * @property {'transfer'} scenario
 * @property {readonly Measure[]} measures - files alone, or some of the others
 * @property {readonly Protocol[]} ways
 * @property {readonly LeftOut[]} leftOut - protocols of the default that cannot be used here
 * @property {number} sizeBytes - of a file; of zeros in all streams together
 * @property {'loopback' | 'namespaces'} network
 * @property {readonly ('noise' | 'plaintext' | 'tls')[]} security
 * @property {'tcp' | 'websocket' | 'quic'} transport
 * @property {readonly number[]} latenciesMs - one way
 * @property {boolean} noLatencyCase
 * @property {readonly number[]} bandwidths - bytes per second
 * @property {boolean} unlimitedBandwidthCase
 * @property {number} repeats - of each way in each round
 * @property {number} timeoutMs - of a transfer
 * @property {number} seed
 * @property {readonly import('../../../plan/threshold.js').Threshold[]} thresholds
 *
 * @typedef {object} OfFiles
 * @property {number} chunkBytes - of a leaf
 * @property {number} linksPerLevel
 * @property {boolean} rawLeaves
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
 * @typedef {object} OfZeros
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
 * @typedef {Always & OfFiles & OfZeros & import('../../namespace-run.js').LinksAsked} TransferPlan - with the one payload, the keys of the
 *   other are absent
 *
 * @typedef {{ way: Protocol, why: string }} LeftOut
 *
 * @typedef {object} Round - what is between the sides
 * @property {number} latencyMs - one way
 * @property {number | null} bytesPerSecond - each way; null: unlimited
 */

/**
 * transferPlan is a plan of a transfer, which other code is handed as a plan of any scenario.
 *
 * @param {unknown} plan
 * @returns {TransferPlan}
 */
export const transferPlan = plan => /** @type {TransferPlan} */ (plan)

/** isTraced says whether spans are made. @param {TransferPlan} plan */
export const isTraced = ({ traces, otlpEndpoint }) => traces || otlpEndpoint !== null

/** looksAtBlocks says whether times of single blocks are noted. @param {TransferPlan} plan */
export const looksAtBlocks = plan => plan.blockDiagnostics || isTraced(plan)

/** TransferError says what a peer did that it must not, or did not that it should. */
export class TransferError extends Error {
  name = 'TransferError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * Shapes of what was measured. Only types live here.
 *
 * @typedef {import('../../../report/schema.js').Shape<typeof import('../schema.js').filesOutcome>} FilesOutcome
 * @typedef {FilesOutcome['cases'][number]} Case
 * @typedef {FilesOutcome['transfers'][number]} Transfer
 * @typedef {FilesOutcome['batches'][number]} Batch
 *
 * @typedef {import('../../../report/schema.js').Shape<typeof import('../schema.js').zerosOutcome>} ZerosOutcome
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
/** Its module is made for this Node and later ones, and is not installed on others. */
const LEAST_NODE = 22

/**
 * quicLacks says why transport quic cannot be used here.
 *
 * @param {string} node - version of Node
 * @returns {string | null} null: it can
 */
export function quicLacks(node) {
  if (Number(node.split('.')[0]) < LEAST_NODE)
    return `wants Node ${LEAST_NODE} or later (${PACKAGE} 2); this is ${node}: use tcp or websocket`
  const why = packageLacks([PACKAGE], { node, install: `npm install ${PACKAGE}@2` })
  return why.length === 0 ? null : `cannot be used here: ${why.join('; ')}`
}

/**
 * @typedef {'blocks' | 'http' | 'https' | 'libp2p-http' | 'stream' | 'perf' | 'tcp' | 'tls' | 'http2'} Protocol - how the bytes move
 * @typedef {'files' | 'upload' | 'download' | 'latency' | 'handshakes'} Measure
 *
 * @typedef {object} Traits - of a protocol
 * @property {string} describe
 * @property {boolean} libp2p - it goes over a connection of libp2p
 * @property {boolean} files - it moves files
 * @property {string} [zeros] - what it is called where it moves bytes that nobody keeps; none: it does not
 * @property {boolean} [handshake] - setting up a connection is more than that of TCP
 * @property {string} [wants] - of Node, by packages that its own bring along: npm leaves them out where that is not so
 * @property {readonly (readonly string[])[]} [needs] - packages beside those that every node has; the first of each by which the next is found
 */

/** PROTOCOLS there are, in the order of all views. @type {Readonly<Record<Protocol, Traits>>} */
export const PROTOCOLS = Object.freeze({
  blocks: {
    describe: 'blocks in the order of a depth-first walk, each asked for by its root',
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

/** FILE_PROTOCOLS move files. */
export const FILE_PROTOCOLS = Object.freeze(PROTOCOL_NAMES.filter(name => PROTOCOLS[name].files))

/** CORE_PROTOCOLS are taken for files where none are named. */
export const CORE_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['blocks', 'http', 'libp2p-http', 'stream'])
)

/** ZEROS_PROTOCOLS move bytes that nobody keeps, in the order of their rows; perf goes before what it is compared with. */
export const ZEROS_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['perf', 'tcp', 'tls', 'http', 'https', 'http2'])
)

/** MEASURES there are, in the order in which they are taken. */
export const MEASURES = Object.freeze(
  /** @type {Measure[]} */ (['files', 'upload', 'download', 'latency', 'handshakes'])
)

/**
 * measuresOf is what is measured: where nothing is said files, unless by a protocol that moves none.
 *
 * @param {{ measures?: readonly Measure[], protocols?: readonly Protocol[] }} values
 * @returns {readonly Measure[]}
 */
export const measuresOf = ({ measures, protocols = [] }) =>
  measures ??
  MEASURES.filter(name => (name === 'files') === protocols.every(protocol => PROTOCOLS[protocol].files))

/** movesFiles says what is moved: files that are kept and checked, or else zeros that are thrown away. @param {{ measures: readonly string[] }} values */
export const movesFiles = ({ measures }) => measures.includes('files')

/**
 * @typedef {object} Way - one of those that take turns: a protocol, and what a node of libp2p is made of
 * @property {string} name - in results
 * @property {Protocol} protocol
 * @property {string} [stack] - generation of libp2p; default: the present one
 * @property {'noise' | 'plaintext' | 'tls'} [security]
 * @property {'yamux' | 'mplex'} [muxer]
 */

/**
 * waysOf are the ways that a plan compares.
 *
 * @param {TransferPlan} plan
 * @returns {Way[]}
 */
export const waysOf = plan =>
  plan.ways.flatMap(protocol => {
    if (movesFiles(plan)) return [{ name: protocol, protocol, security: plan.security[0] }]
    return protocol === 'perf' ? nodesOf(plan) : [{ name: String(PROTOCOLS[protocol].zeros), protocol }]
  })

/** Every stack with every security and muxer; QUIC has its own. @param {TransferPlan} plan @returns {Way[]} */
const nodesOf = ({ stack, security, muxer, transport }) =>
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
 * protocolLacks says why a protocol cannot be used here.
 *
 * @param {Protocol} protocol
 * @param {string} [node] - version of Node
 * @returns {string | null} null: it can
 */
export function protocolLacks(protocol, node = process.versions.node) {
  const { needs = [], wants } = PROTOCOLS[protocol]
  const why = needs.flatMap(chain => packageLacks(chain, { node, wants }))
  return why.length === 0 ? null : `${protocol} cannot be used here: ${why.join('; ')}`
}

/** What UnixFS puts around a leaf that is not raw. */
const WRAPPING_BYTES = 64
/** A link of a node: CID, size, and the size of what it leads to. */
const LINK_BYTES = 96

/**
 * largestBlock is how large a block of a file is at most.
 *
 * @param {{ chunkBytes: number, linksPerLevel: number }} shape
 * @returns {number} bytes
 */
export const largestBlock = ({ chunkBytes, linksPerLevel }) =>
  Math.max(chunkBytes + WRAPPING_BYTES, linksPerLevel * LINK_BYTES + WRAPPING_BYTES)

/**
 * @typedef {'latenciesMs' | 'noLatencyCase' | 'bandwidths' | 'unlimitedBandwidthCase'} LineKey
 * @typedef {Pick<TransferPlan, LineKey>} Lines
 */

/**
 * roundsOf gives a round for each pair of a latency and a bandwidth, the easiest line first.
 *
 * @param {Lines} plan
 * @returns {Round[]}
 */
export function roundsOf({ latenciesMs, noLatencyCase, bandwidths, unlimitedBandwidthCase }) {
  const latencies = [...(noLatencyCase ? [0] : []), ...latenciesMs]
  const limits = [...(unlimitedBandwidthCase ? [null] : []), ...bandwidths]
  return latencies.flatMap(latencyMs => limits.map(bytesPerSecond => ({ latencyMs, bytesPerSecond })))
}

/** So many repeats at least, where nobody says how many. */
const FEW_REPEATS = 4

/**
 * usualRepeats is how many repeats there are where nobody says how many: the orders of the ways are balanced.
 *
 * @param {number} ways
 */
export const usualRepeats = ways => balancedRows(ways) * Math.ceil(FEW_REPEATS / balancedRows(ways))

/**
 * orderOf says in which order the ways of a round take turns with files: complete Latin squares, so that none always finds what another
 * has warmed up; with an odd number of ways every second square is the one before it, mirrored.
 *
 * @template W
 * @param {readonly W[]} ways
 * @param {Pick<TransferPlan, 'repeats' | 'seed'>} plan
 * @param {number} round - its number
 * @returns {W[][]} a row for each repeat
 */
export function orderOf(ways, { repeats, seed }, round) {
  const random = subStream(seed, 'order of ways', round)
  const sets = Math.ceil(repeats / balancedRows(ways.length))
  return Array.from({ length: sets }, () => balancedOrders(ways, random))
    .flat()
    .slice(0, repeats)
}

/**
 * turnOf says in which order ways take turns in a repeat of what is measured with zeros: over as many repeats as there are ways, each is
 * once in every place.
 *
 * @template W
 * @param {readonly W[]} ways
 * @param {number} seed
 * @param {number} repeat
 * @returns {W[]}
 */
export function turnOf(ways, seed, repeat) {
  const rows = balancedRows(ways.length)
  return balancedOrders(ways, subStream(seed, 'order', Math.floor(repeat / rows)))[repeat % rows]
}

/** Starting the processes. */
const START_MS = 1500
/** Nodes, servers and connections of a way, made for each repeat. */
const OPEN_MS = 150
/** Round trips until a connection stands and is measured, and until the window of a stream has grown. */
const ROUND_TRIPS = 10
/** What two processes make of a file, or of zeros, and move in a ms, checked and stored, on two cores. */
const BYTES_PER_MS = 40_000

/**
 * estimateMs is about how long a run takes.
 *
 * @param {unknown} asked
 * @returns {number}
 */
export function estimateMs(asked) {
  const plan = transferPlan(asked)
  return movesFiles(plan) ? filesMs(plan) : zerosMs(plan)
}

/** @param {TransferPlan} plan */
function filesMs(plan) {
  const bytes = plan.sizeBytes * plan.concurrency * plan.requestors
  const moveMs = bytes / BYTES_PER_MS
  const perRound = roundsOf(plan).map(
    ({ latencyMs, bytesPerSecond }) =>
      OPEN_MS +
      2 * latencyMs * ROUND_TRIPS +
      Math.max(moveMs, bytesPerSecond === null ? 0 : (bytes / bytesPerSecond) * 1000)
  )
  const perSquare = perRound.reduce((sum, ms) => sum + ms, 0)
  const warmUpMs = plan.ways.length * (OPEN_MS + moveMs)
  return START_MS + moveMs + warmUpMs + plan.ways.length * plan.repeats * perSquare
}

/** @param {TransferPlan} plan */
function zerosMs(plan) {
  const { measures, sizeBytes, streams = [], repeats, exchanges = 0, handshakeForMs = 0, windowBytes } = plan
  const ways = waysOf(plan)
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
      upload: ways.length * streams.length * transferMs,
      download: ways.length * streams.length * transferMs,
      latency: ways.length * exchanges * (1 + 4 * latencyMs),
      handshakes: ways.filter(({ protocol }) => PROTOCOLS[protocol].handshake).length * handshakeForMs
    }
    return repeats * sumOf(measures, measure => once[measure])
  }
  return 2 * START_MS + sumOf(roundsOf(plan), inRound)
}
