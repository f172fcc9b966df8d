import { largestBlock } from './block-sizes.js'

/**
 * @typedef {object} Share - of the provider's limits, of each requestor alike
 * @property {number} requests - answered at once
 * @property {number} blocks - held at once
 */

/** Wants that bitswap's provider keeps for a peer (@helia/bitswap 4, constants.js: 1,024). */
const MOST_WANTS = 1000

/**
 * requestorShare is what a requestor may have the provider do at once, where nothing bounds that at the provider.
 *
 * @param {Pick<import('../transfer-plan.js').TransferPlan, 'requestors' | 'maxInProgressRequests' | 'maxMemoryPerPeerBytes' |
 *   'maxMemoryTotalBytes' | 'chunkBytes' | 'linksPerLevel'>} plan
 * @returns {Share}
 */
export function requestorShare({
  requestors,
  maxInProgressRequests,
  maxMemoryPerPeerBytes,
  maxMemoryTotalBytes,
  ...shape
}) {
  const bytes = Math.min(maxMemoryPerPeerBytes, maxMemoryTotalBytes / requestors)
  return {
    requests: Math.floor(maxInProgressRequests / requestors),
    blocks: Math.min(MOST_WANTS, Math.floor(bytes / largestBlock(shape)))
  }
}
