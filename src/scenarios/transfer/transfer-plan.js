/**
 * @typedef {object} Always - what every plan has
 * @property {'transfer'} scenario
 * @property {readonly import('./plan/ways.js').Measure[]} measures - files alone, or some of the others
 * @property {readonly import('./plan/ways.js').Protocol[]} ways
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
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
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
 * @typedef {Always & OfFiles & OfZeros & import('../namespaces/network-plan.js').LinksAsked} TransferPlan - with the one payload, the keys of the
 *   other are absent
 *
 * @typedef {{ way: import('./plan/ways.js').Protocol, why: string }} LeftOut
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
 * @typedef {import('../../result/types.js').Shape<typeof import('./transfer-schema.js').filesOutcome>} FilesOutcome
 * @typedef {FilesOutcome['cases'][number]} Case
 * @typedef {FilesOutcome['transfers'][number]} Transfer
 * @typedef {FilesOutcome['batches'][number]} Batch
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./transfer-schema.js').zerosOutcome>} ZerosOutcome
 * @typedef {ZerosOutcome['transfers'][number]} ZerosTransfer
 * @typedef {ZerosOutcome['rows'][number]} ZerosRow
 * @typedef {ZerosOutcome['handshakes'][number]} HandshakeRow
 *
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> &
 *   { scenario: 'transfer', plan: TransferPlan }} AnyTransfer
 * @typedef {AnyTransfer & { outcome: FilesOutcome }} FilesResult
 * @typedef {AnyTransfer & { outcome: ZerosOutcome }} ZerosResult
 */
