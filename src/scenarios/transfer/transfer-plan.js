/**
 * @typedef {object} OwnPlan
 * @property {'transfer'} scenario
 * @property {number} sizeBytes - of a file
 * @property {number} chunkBytes - of a leaf
 * @property {number} linksPerLevel
 * @property {boolean} rawLeaves
 * @property {number} concurrency - files that a requestor fetches at once
 * @property {number} requestors
 * @property {'memory' | 'car' | 'disk'} store
 * @property {'loopback' | 'namespaces'} network
 * @property {'noise' | 'plaintext' | 'tls'} security
 * @property {'tcp' | 'websocket' | 'quic'} transport
 * @property {readonly number[]} latenciesMs - one way
 * @property {boolean} noLatencyCase
 * @property {readonly number[]} bandwidths - bytes per second
 * @property {boolean} unlimitedBandwidthCase
 * @property {readonly import('./plan/ways.js').Way[]} ways
 * @property {readonly LeftOut[]} leftOut - ways of the default that cannot be used here
 * @property {number} maxMemoryPerPeerBytes
 * @property {number} maxMemoryTotalBytes
 * @property {number} maxInProgressRequests
 * @property {number} repeats - of each way in each round
 * @property {number} timeoutMs - of a transfer
 * @property {'none' | 'simple' | 'detailed'} memorySnapshots
 * @property {boolean} blockDiagnostics
 * @property {boolean} traces - of every transfer, into the run's folder
 * @property {string | null} otlpEndpoint - where the same spans are sent, a URL; null: nowhere
 * @property {number} seed
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 *
 * @typedef {OwnPlan & import('../namespaces/network-plan.js').LinksAsked} TransferPlan
 *
 * @typedef {{ way: import('./plan/ways.js').Way, why: string }} LeftOut
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

/**
 * Shapes of what was measured of transfers. Only types live here.
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./transfer-schema.js').transferOutcome>} TransferOutcome
 * @typedef {TransferOutcome['cases'][number]} Case
 * @typedef {TransferOutcome['transfers'][number]} Transfer
 * @typedef {TransferOutcome['batches'][number]} Batch
 *
 * @typedef {object} TransferResult
 * @property {string} id
 * @property {'complete' | 'partial'} status
 * @property {import('../../result/types.js').Reason | null} reason
 * @property {'transfer'} scenario
 * @property {TransferPlan} plan
 * @property {TransferOutcome} outcome
 * @property {import('../../result/types.js').Result['run']} run
 */
