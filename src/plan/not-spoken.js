/** ADDRESS_EXAMPLE is one that is. */
export const ADDRESS_EXAMPLE = 'such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'

/** Parts of addresses that nothing here speaks, by what is said of them. What stands on another one comes before it. */
const NOT_SPOKEN = Object.entries({
  'p2p-circuit': 'Relays are not used',
  webtransport: 'WebTransport is not spoken',
  'webrtc-direct': 'WebRTC is not spoken',
  webrtc: 'WebRTC is not spoken',
  wss: 'WebSocket is not spoken',
  ws: 'WebSocket is not spoken',
  'quic-v1': 'QUIC is not spoken',
  quic: 'QUIC is not spoken',
  udp: 'UDP is not spoken',
  unix: 'Unix sockets are not spoken',
  dnsaddr: 'Names that stand for other addresses are not looked up'
})

/**
 * notSpoken says what there is in an address that is not spoken.
 *
 * @param {unknown} address - as typed
 * @returns {string | undefined} undefined: nothing
 */
export function notSpoken(address) {
  const parts = String(address).trim().split('/')
  const [, said] = parts[0] === '' ? (NOT_SPOKEN.find(([part]) => parts.includes(part)) ?? []) : []
  return said && `${said}: give the server's TCP address with its id, ${ADDRESS_EXAMPLE}`
}
