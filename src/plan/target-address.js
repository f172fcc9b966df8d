import { PEER_EXAMPLE, whyNoTarget } from './not-spoken.js'

/**
 * targetAddress is the kind of --target.
 *
 * @returns {import('./values.js').Kind}
 */
export const targetAddress = () => ({
  allowed: `must be the TCP address of one peer with its id, ${PEER_EXAMPLE}`,
  why: whyNoTarget,
  schema: (z, { isTcpPeerAddress }) => z.string().trim().refine(isTcpPeerAddress)
})
