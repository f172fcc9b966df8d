import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { AddressError, openProbePort, probeAddress } from '../../src/agents/reachability.js'

const HOST = '127.0.0.1'

/** @param {import('node:test').TestContext} t @param {(socket: import('node:net').Socket) => void} onConnection */
async function somebodyElse(t, onConnection) {
  const server = createServer(onConnection).listen(0, HOST)
  await once(server, 'listening')
  t.after(() => server.close())
  return { host: HOST, port: /** @type {import('node:net').AddressInfo} */ (server.address()).port }
}

describe('a door', () => {
  test('knows who came with the word, and from where', async t => {
    const door = await openProbePort(HOST, 'sesame')
    t.after(door.close)
    const where = { host: HOST, port: door.port }
    assert.equal(await probeAddress(where, { word: 'sesame', name: 'a1' }), null)
    assert.deepEqual([...door.callers], [['a1', HOST]])
  })

  test('lets nobody else in', async t => {
    const door = await openProbePort(HOST, 'sesame')
    t.after(door.close)
    const where = { host: HOST, port: door.port }
    assert.equal(await probeAddress(where, { word: 'other', name: 'a1' }), 'something else answers there')
    assert.equal(door.callers.size, 0)
  })

  test('is not taken for what else listens there, whether it speaks or hangs up', async t => {
    const loud = await somebodyElse(t, socket => socket.on('error', () => {}).end('HTTP/1.1 400'))
    const mute = await somebodyElse(t, socket => socket.on('error', () => {}).destroy())
    for (const where of [loud, mute])
      assert.match(
        (await probeAddress(where, { word: 'sesame', name: 'a1' })) ?? '',
        /something else|ECONNRESET/
      )
  })

  test('is not asked for where only the way to something matters', async t => {
    assert.equal(await probeAddress(await somebodyElse(t, socket => socket.destroy())), null)
  })

  test('that is shut is said to be, with what the system says', async () => {
    const door = await openProbePort(HOST, 'sesame')
    door.close()
    assert.equal(await probeAddress({ host: HOST, port: door.port }), 'ECONNREFUSED')
  })

  test('is on an address of this machine', async () => {
    await assert.rejects(openProbePort('203.0.113.9', 'sesame'), error => {
      assert.ok(error instanceof AddressError)
      assert.equal(error.message, 'nothing can listen on 203.0.113.9 of this machine (EADDRNOTAVAIL)')
      return true
    })
  })
})
