import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { httpProvider } from '../../../../src/scenarios/transfer/run/ways/http.js'

test('a connection that a requestor has not used for a while is still there', async t => {
  // Node closes it after five seconds when it is not told otherwise, and from 24 on a second later than it says
  const server = createServer({ keepAliveTimeout: 10 })
  const settings = /** @type {any} */ ({ line: null, host: '127.0.0.1' })
  const serve = /** @type {any} */ (() => {})
  const provided = await httpProvider(server, serve, { settings, scheme: 'http' })
  const agent = new Agent({ keepAlive: true })
  t.after(async () => {
    agent.destroy()
    await provided.close()
  })
  const roundTrip = async () => {
    const request = get(provided.address, { agent })
    const [response] = await once(request, 'response')
    await once(response.resume(), 'end')
    return request.reusedSocket
  }
  assert.equal(await roundTrip(), false)
  await sleep(1500)
  assert.equal(await roundTrip(), true)
})
