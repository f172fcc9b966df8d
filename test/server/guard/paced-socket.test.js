import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { PacedSocket } from '../../../src/server/http.js'

/**
 * Both ends of a connection, of which one is paced.
 *
 * @param {import('node:test').TestContext} t
 * @param {Partial<import('../../../src/server/admission/connection-guard.js').Pace>} [pace]
 */
async function connected(t, pace = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const far = connect(port, '127.0.0.1').on('error', () => {})
  const [near] = await once(server, 'connection')
  t.after(() => {
    far.destroy()
    near.destroy()
    server.close()
  })
  const turns = { began: 0, done: 0 }
  const paced = new PacedSocket(near, {
    turn: () => undefined,
    began: () => void turns.began++,
    done: () => void turns.done++,
    stallTimeoutMs: 1000,
    ...pace
  })
  return { far, near, paced, turns }
}

describe('a socket that is read in pieces', () => {
  test('hands all of it on, each piece in a turn that is given back', async t => {
    const { far, paced, turns } = await connected(t)
    far.end(Buffer.alloc(10_000, 'x'))
    let bytes = 0
    for await (const piece of paced) {
      assert.ok(piece.length <= 1024)
      bytes += piece.length
    }
    assert.equal(bytes, 10_000)
    assert.ok(turns.began >= 10 && turns.began === turns.done)
  })

  test('is ended with the reason when it may have no turn any more', async t => {
    const error = new Error('it takes too much')
    const { far, near, paced } = await connected(t, { turn: () => Promise.reject(error) })
    const failed = once(paced, 'error')
    paced.resume()
    far.write('x')
    assert.deepEqual(await failed, [error])
    assert.ok(near.destroyed)
  })

  test('ends behind what was written, without waiting for the other side', async t => {
    const { far, near, paced } = await connected(t)
    paced.resume()
    paced.write('answer')
    paced.destroySoon()
    const [data] = await once(far, 'data')
    assert.equal(String(data), 'answer')
    if (!near.destroyed) await once(near, 'close')
  })

  test('tells when nothing has come for too long', async t => {
    const { paced } = await connected(t)
    assert.equal(paced.setTimeout(1), paced)
    await once(paced, 'timeout')
  })
})
