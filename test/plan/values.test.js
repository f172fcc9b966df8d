import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../src/plan/plan.js'
import { targetAddress, targetAddresses } from '../../src/plan/values.js'

const PEER = '12D3KooWEhd6mxH4X3R8LMu9d5GXrFBgP3JZijRy8AC2E3J2yb4c'
const SPOKEN = `/ip4/192.168.1.5/tcp/8000/p2p/${PEER}`
const TABLE = /** @type {any} */ ({ target: targetAddress(), targets: targetAddresses() })

/** @param {Record<string, unknown>} options */
const allowedFor = options =>
  parseOptions({ file: null, options }, TABLE).problems.map(({ allowed }) => allowed)

describe('the address of a server', () => {
  /** @type {[string, string][]} */
  const rows = [
    [`/ip4/1.2.3.4/tcp/80/ws/p2p/${PEER}`, 'WebSocket is not supported'],
    [`/dns4/example.org/tcp/443/tls/ws/p2p/${PEER}`, 'WebSocket is not supported'],
    [`/dns4/example.org/tcp/443/wss/p2p/${PEER}`, 'WebSocket is not supported'],
    [`/ip4/1.2.3.4/udp/4001/quic-v1/p2p/${PEER}`, 'QUIC is not supported'],
    [`/ip4/1.2.3.4/udp/4001/quic-v1/webtransport/certhash/uEiA/p2p/${PEER}`, 'WebTransport is not supported'],
    [`/ip4/1.2.3.4/udp/4001/webrtc-direct/certhash/uEiA/p2p/${PEER}`, 'WebRTC is not supported'],
    [`/ip4/1.2.3.4/tcp/4001/p2p/${PEER}/p2p-circuit/p2p/${PEER}`, 'Relays are not supported'],
    [`/unix/%2Ftmp%2Fsocket/p2p/${PEER}`, 'Unix sockets are not supported'],
    [`/dnsaddr/bootstrap.libp2p.io/p2p/${PEER}`, 'Names of other multiaddrs (dnsaddr) are not resolved']
  ]
  for (const [address, said] of rows)
    test(`${address} is refused by what is not spoken`, () => {
      const allowed = `${said}: give the server's TCP address with its id, such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…`
      assert.deepEqual(allowedFor({ target: address }), [allowed])
      assert.deepEqual(allowedFor({ targets: `${SPOKEN},${address}` }), [allowed])
    })

  test('is taken where it is TCP, and refused as such where it is none', () => {
    assert.deepEqual(allowedFor({ target: SPOKEN }), [])
    for (const address of ['127.0.0.1:8000', '/ip4/1.2.3.4/tcp/8000', 'ws', 7])
      assert.match(allowedFor({ target: address })[0], /^must be the TCP address of one peer with its id/)
  })
})
