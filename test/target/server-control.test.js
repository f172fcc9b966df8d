import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { ServerControl, TargetError } from '../../src/target/target.js'

const NEVER = new AbortController().signal
const LIVING = () => /** @type {Promise<TargetError>} */ (new Promise(() => {}))

/** @type {import('node:http').Server[]} */
const servers = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** @param {import('node:http').RequestListener} listener */
async function serving(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}

describe('the control port', () => {
  test('takes registrations in bulk and gives their number', async () => {
    const base = await serving(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      response.end(JSON.stringify({ added: bytes }))
    })
    const bodies = [new Uint8Array(3), new Uint8Array(4)]
    assert.equal(await new ServerControl(base, LIVING).preload(bodies, NEVER), 7)
  })

  test('takes many registrations in several requests, none of which takes long', async () => {
    /** @type {number[]} */
    const requests = []
    const base = await serving(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      requests.push(bytes)
      response.end(JSON.stringify({ added: bytes }))
    })
    const bodies = Array.from({ length: 600 }, () => new Uint8Array(10))
    assert.equal(await new ServerControl(base, LIVING).preload(bodies, NEVER), 6000)
    assert.deepEqual(requests, [2560, 2560, 880])
  })

  test('that refuses says why', async () => {
    const base = await serving((_, response) => void response.writeHead(400).end('too many'))
    await assert.rejects(new ServerControl(base, LIVING).state(), {
      code: 'CONTROL_FAILED',
      message: "the server's control port did not serve /control/state: 400 too many"
    })
  })

  test('of a server that dies says that it died', async () => {
    const { promise: exited, resolve } = Promise.withResolvers()
    const base = await serving((_, response) => {
      response.destroy()
      setTimeout(() => resolve(new TargetError('SERVER_DIED', 'killed')), 50)
    })
    await assert.rejects(
      new ServerControl(base, () => /** @type {Promise<TargetError>} */ (exited)).state(),
      { code: 'SERVER_DIED', message: 'killed' }
    )
  })

  test('that breaks the connection is not served', async () => {
    const base = await serving((_, response) => void response.destroy())
    await assert.rejects(new ServerControl(base, LIVING).state(), { code: 'CONTROL_FAILED' })
  })

  test('that answers nothing is given up', async () => {
    const base = await serving(() => {})
    await assert.rejects(new ServerControl(base, LIVING, { hungMs: 100 }).state(), {
      code: 'SERVER_HUNG',
      message: "the server's control port has not answered for 0.1 s"
    })
  })

  test('that stops taking registrations is given up', async () => {
    const base = await serving(() => {})
    const endless = (function* () {
      for (;;) yield new Uint8Array(65_536)
    })()
    const control = new ServerControl(base, LIVING, { hungMs: 200 })
    await assert.rejects(control.preload(endless, NEVER), { code: 'SERVER_HUNG' })
  })

  test('that goes on taking registrations is not given up, however long it takes for all', async () => {
    const base = await serving(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      response.end(JSON.stringify({ added: bytes }))
    })
    const clock = new Int32Array(new SharedArrayBuffer(4))
    const slow = (function* () {
      for (let i = 0; i < 15; i++) {
        Atomics.wait(clock, 0, 0, 100)
        yield new Uint8Array(3)
      }
    })()
    const control = new ServerControl(base, LIVING, { hungMs: 1000 })
    assert.equal(await control.preload(slow, NEVER), 45)
  })

  test('is left when the run is interrupted', async () => {
    const base = await serving(() => {})
    const reason = new Error('interrupted')
    await assert.rejects(new ServerControl(base, LIVING).state(AbortSignal.abort(reason)), reason)
  })
})
