/**
 * targetAddress is the kind of --target.
 *
 * @returns {import('./values.js').Kind}
 */
export const targetAddress = () => ({
  allowed: 'must be the TCP address of one peer with its id, such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…',
  schema: (z, { isTcpPeerAddress }) => z.string().trim().refine(isTcpPeerAddress)
})
