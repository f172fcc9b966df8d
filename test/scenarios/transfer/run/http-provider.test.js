import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { provideHttp } from '../../../../src/scenarios/transfer/run/socket-protocols.js'

test('a connection that a requestor has not used for a while is still there, and zeros are counted', async t => {
  // Node closes it after five seconds when it is not told otherwise, and from 24 on a second later than it says
  const server = createServer({ keepAliveTimeout: 10 })
  const counted = { receivedBytes: 0, sentBytes: 0 }
  const served = /** @type {any} */ ({
    onReceived: (/** @type {number} */ bytes) => {
      counted.receivedBytes += bytes
    },
    onSent: (/** @type {number} */ bytes) => {
      counted.sentBytes += bytes
    }
  })
  const provided = await provideHttp(server, served, { line: null, host: '127.0.0.1' })
  const { host, port } = provided.address
  const url = `http://${host}:${port}`
  const agent = new Agent({ keepAlive: true })
  t.after(async () => {
    agent.destroy()
    await provided.close()
  })
  const roundTrip = async () => {
    const request = get(url, { agent })
    const [response] = await once(request, 'response')
    await once(response.resume(), 'end')
    return request.reusedSocket
  }
  assert.equal(await roundTrip(), false)
  await sleep(1500)
  assert.equal(await roundTrip(), true)
  const reply = await fetch(`${url}/100000`, { method: 'POST', body: 'a'.repeat(5000) })
  assert.equal((await reply.arrayBuffer()).byteLength, 100_000)
  assert.deepEqual(counted, { receivedBytes: 5000, sentBytes: 100_000 })
  // it does not announce that it closes idle connections
  assert.equal(reply.headers.get('keep-alive'), null)
})
