import { whyNoTarget } from './not-spoken.js'

/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * targetAddresses is the kind of --targets.
 *
 * @returns {import('./values.js').Kind & { write: (addresses: readonly string[]) => string }}
 */
export const targetAddresses = () => ({
  allowed:
    'must be the TCP addresses of two peers or more, each with its id and each once, with commas between them, such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…,/ip4/192.168.1.6/tcp/8000/p2p/12D3KooX…',
  why: value =>
    parts(value)
      .map(whyNoTarget)
      .find(said => said !== undefined),
  write: addresses => addresses.join(','),
  schema: (z, { isTcpPeerAddress }) =>
    z.preprocess(
      parts,
      z
        .array(z.string().refine(isTcpPeerAddress))
        .min(2)
        .refine(addresses => new Set(addresses).size === addresses.length)
    )
})
