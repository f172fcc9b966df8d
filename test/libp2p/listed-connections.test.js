import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { PeerMap } from '@libp2p/peer-collections'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { listedConnections } from '../../src/libp2p/listed-connections.js'

const newPeer = async () => peerIdFromPrivateKey(await generateKeyPair('Ed25519'))

it('connections are listed as libp2p lists them: of all peers, of one, of one that has none', async () => {
  const [one, two, none] = [await newPeer(), await newPeer(), await newPeer()]
  const [a, b, c] = ['a', 'b', 'c'].map(id => /** @type {any} */ ({ id }))
  const map = new PeerMap()
  map.set(one, [a, b])
  map.set(two, [c])
  const own = {
    getConnectionsMap: () => map,
    getConnections: (/** @type {any} */ peer) => (peer == null ? [] : (map.get(peer) ?? []))
  }
  const listed = listedConnections()({ connectionManager: /** @type {any} */ (own) })
  assert.equal(listed, own)
  assert.deepEqual(listed.getConnections(), [a, b, c])
  assert.deepEqual(listed.getConnections(one), [a, b])
  assert.deepEqual(listed.getConnections(none), [])
})
