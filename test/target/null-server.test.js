import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { createClientNode } from '../../src/client/node.js'
import { openSession } from '../../src/client/session.js'
import { encodeDiscover, encodeRegister, encodeUnregister, Status } from '../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { startNullServer } from '../../src/target/null-server.js'

/** @param {number} pid */
const isAlive = pid => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('null server', { timeout: 60_000 }, () => {
  test('a client registers and discovers: the replies are OK, and nothing is kept', async () => {
    const server = await startNullServer()
    const privateKey = await generateKeyPair('Ed25519')
    const node = await createClientNode({ privateKey })
    await node.start()
    try {
      const connection = await node.dial(multiaddr(server.address))
      const session = await openSession(connection)
      const addresses = [multiaddr('/ip4/127.0.0.1/tcp/4001')]
      const signedPeerRecord = await sealPeerRecord({ privateKey, addresses, seq: 1 })
      const register = encodeRegister({ ns: 'a', signedPeerRecord, ttl: 7200 })
      const registered = await Promise.all([session.request(register), session.request(register)])
      for (const { message } of registered)
        assert.deepEqual(message.registerResponse, { status: Status.OK, ttl: 7200 })
      // UNREGISTER has no reply: that to the DISCOVER behind it is the next one
      const unregister = encodeUnregister({ ns: 'a' })
      const { message } = await session.requestBehind([unregister], encodeDiscover({ ns: 'a', limit: 1 }))
      assert.deepEqual([message.discoverResponse?.status, message.discoverResponse?.registrations], [0, []])
      await session.close()
      assert.notEqual(server.pid, process.pid)
    } finally {
      await node.stop()
      await server.stop()
    }
    assert.equal(isAlive(server.pid), false)
  })

  test('it serves more streams than libp2p lets a peer have by default, one after the other', async () => {
    const server = await startNullServer()
    const node = await createClientNode({ privateKey: await generateKeyPair('Ed25519') })
    await node.start()
    try {
      const connection = await node.dial(multiaddr(server.address))
      for (let i = 0; i < 100; i++) {
        const session = await openSession(connection)
        await session.request(encodeDiscover({ ns: 'a', limit: 1 }))
        await session.close()
      }
      assert.ok(connection.streams.length < 100, `${connection.streams.length} streams are still open`)
    } finally {
      await node.stop()
      await server.stop()
    }
  })

  test('it takes more clients at once than libp2p does by default, without asking which are strangers', async () => {
    const server = await startNullServer()
    const nodes = await Promise.all(
      Array.from({ length: 40 }, async () =>
        createClientNode({ privateKey: await generateKeyPair('Ed25519') })
      )
    )
    await Promise.all(nodes.map(node => node.start()))
    try {
      const connections = await Promise.all(nodes.map(node => node.dial(multiaddr(server.address))))
      assert.ok(connections.every(({ status }) => status === 'open'))
    } finally {
      await Promise.all(nodes.map(node => node.stop()))
      await server.stop()
    }
  })

  test('one whose start is broken off is gone', async () => {
    const stopping = new AbortController()
    const starting = startNullServer({ signal: stopping.signal })
    stopping.abort()
    await assert.rejects(starting, { code: 'SERVER_NOT_STARTED' })
    await assert.rejects(startNullServer({ signal: stopping.signal }), { name: 'AbortError' })
  })
})
