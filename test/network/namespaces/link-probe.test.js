import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { LinkProbe } from '../../../src/network/namespaces/link-probe.js'

const HOST = '127.0.0.1'
const WITHIN_MS = 60_000

/** What sends bytes back when it has had time for another one to come, and counts how many were there at once. @param {import('node:test').TestContext} t */
async function slowEcho(t) {
  const seen = { now: 0, most: 0, all: 0 }
  const server = createServer(socket =>
    socket.on('data', bytes => {
      seen.now += bytes.length
      seen.all += bytes.length
      seen.most = Math.max(seen.most, seen.now)
      setTimeout(() => {
        seen.now -= bytes.length
        socket.write(bytes)
      }, 5)
    })
  )
  await new Promise(resolve => server.listen(0, HOST, () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const probe = new LinkProbe({ address: HOST, port })
  t.after(async () => {
    await probe.close()
    server.close()
  })
  return { seen, probe }
}

for (const connections of [1, 3])
  test(`a round trip is that of one byte at a time, on ${connections} of many connections`, async t => {
    const { seen, probe } = await slowEcho(t)
    assert.equal(await probe.connect(HOST, 20, WITHIN_MS), 20)
    const times = await probe.roundTrips({ connections, each: 4, apartMs: 0 }, WITHIN_MS)
    assert.deepEqual([times.length, seen.all], [4 * connections, 4 * connections])
    assert.ok(seen.most <= connections, `${seen.most} at once`)
  })
