/** PEER_EXAMPLE is the address of a server. */
export const PEER_EXAMPLE = 'such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'

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
  return said
}

/**
 * whyNoTarget says of an address that is none of a server's why it is not.
 *
 * @param {unknown} address - as typed
 * @returns {string | undefined} undefined: there is nothing special about it
 */
export function whyNoTarget(address) {
  const said = notSpoken(address)
  return said && `${said}: give the server's TCP address with its id, ${PEER_EXAMPLE}`
}
