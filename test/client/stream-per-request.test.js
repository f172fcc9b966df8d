import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StreamPerRequest } from '../../src/client/session.js'
import { encodeDiscover, encodeDiscoverResponse, encodeUnregister } from '../../src/protocol/rendezvous.js'
import { framed, onePerStream, scriptedConnection } from './scripted-peer.js'

const NS = ['a', 'b', 'c']
const inTime = () => ({ signal: AbortSignal.timeout(120_000) })

/** A server that serves one request on each stream and keeps what it was asked. */
function strictServer() {
  /** @type {string[]} */
  const served = []
  const connection = scriptedConnection(
    onePerStream(({ unregister, discover }, far) => {
      served.push(unregister === undefined ? `DISCOVER ${discover?.ns}` : `UNREGISTER ${unregister.ns}`)
      if (discover !== undefined)
        far.send(framed(encodeDiscoverResponse({ status: 0, statusText: discover.ns })))
    })
  )
  return { connection, served }
}

describe('requests to a server that serves one on each stream', () => {
  it('are all answered, at once or one after another', async () => {
    const requests = new StreamPerRequest(strictServer().connection)
    const ask = async (/** @type {string} */ ns) =>
      (await requests.request(encodeDiscover({ ns }), inTime())).message.discoverResponse?.statusText
    assert.deepEqual(await Promise.all(NS.map(ask)), NS)
    assert.equal(await ask('d'), 'd')
  })

  it('come behind what has no reply: that was served when the reply is there', async () => {
    const { connection, served } = strictServer()
    const silent = NS.map(ns => encodeUnregister({ ns }))
    await new StreamPerRequest(connection).requestBehind(silent, encodeDiscover({ ns: 'a' }), inTime())
    assert.deepEqual(served.slice(0, 3).sort(), ['UNREGISTER a', 'UNREGISTER b', 'UNREGISTER c'])
    assert.deepEqual(served.slice(3), ['DISCOVER a'])
  })
})

it('a client of such a server has nothing to close, and can go on asking', async () => {
  const requests = new StreamPerRequest(strictServer().connection)
  await requests.close()
  const { message } = await requests.request(encodeDiscover({ ns: 'a' }), inTime())
  assert.equal(message.discoverResponse?.statusText, 'a')
})
