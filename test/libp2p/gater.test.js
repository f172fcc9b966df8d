import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { makeConnectionGater } from '../../src/libp2p/node-components.js'
import { STACKS } from '../../src/libp2p/stacks.js'

/** @type {import('@libp2p/interface').Libp2p<any>[]} */
const started = []
after(() => Promise.all(started.map(node => node.stop())))

/** @param {import('../../src/libp2p/layers/node-parts.js').NamedStack} stack @param {object} [more] */
async function node(stack, more) {
  const privateKey = await generateKeyPair('Ed25519')
  const made = await stack.createNode({
    privateKey,
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    ...more
  })
  await made.start()
  started.push(made)
  return made
}

for (const [name, stack] of STACKS)
  describe(`nodes of ${name} take connections`, () => {
    it('of some addresses alone', async () => {
      const dialler = await node(stack)
      /** @type {string[]} */
      const asked = []
      const open = await node(stack, {
        connectionGater: makeConnectionGater({ isAddress: address => asked.push(address) > 0 })
      })
      await dialler.dial(open.getMultiaddrs()[0])
      assert.deepEqual(asked, ['127.0.0.1'])
      const shut = await node(stack, { connectionGater: makeConnectionGater({ isAddress: () => false }) })
      await assert.rejects(dialler.dial(shut.getMultiaddrs()[0]))
      assert.deepEqual(shut.getConnections(), [])
    })

    it('of some peers alone', async () => {
      const [dialler, stranger] = [await node(stack), await node(stack)]
      const friends = new Set([dialler.peerId.toString()])
      const choosy = await node(stack, {
        connectionGater: makeConnectionGater({ isPeer: id => friends.has(id) })
      })
      await dialler.dial(choosy.getMultiaddrs()[0])
      await stranger.dial(choosy.getMultiaddrs()[0]).catch(() => {})
      const found = choosy.getConnections().map(({ remotePeer }) => remotePeer.toString())
      assert.deepEqual(found, [...friends])
    })
  })

describe('a gater that was told nothing', () => {
  it('takes connections from everywhere, of everybody', () => {
    const { denyInboundConnection, denyInboundEncryptedConnection } = makeConnectionGater({})
    assert.equal(denyInboundConnection({ remoteAddr: '/ip4/203.0.113.9/tcp/1' }), false)
    assert.equal(denyInboundEncryptedConnection('a peer'), false)
  })

  it('asks about no address where a connection has none', () => {
    /** @type {string[]} */
    const asked = []
    const { denyInboundConnection } = makeConnectionGater({ isAddress: address => asked.push(address) === 0 })
    assert.equal(denyInboundConnection({ remoteAddr: '' }), true)
    assert.deepEqual(asked, [''])
  })
})
