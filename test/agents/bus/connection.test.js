import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import {
  BusError,
  connectBus,
  openPresenceBucket,
  openReportStream
} from '../../../src/agents/bus-connection.js'
import { startPresence } from '../../../src/agents/presence.js'
import { findOwnAddress } from '../../../src/agents/reachability.js'
import { parseBusAddress } from '../../../src/plan/agents.js'

/** What answers as a NATS server does, and keeps what it is told first. @param {import('node:test').TestContext} t */
async function listening(t) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const { promise: said, resolve } = Promise.withResolvers()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    socket.write(
      'INFO {"server_id":"s","version":"2.9.0","proto":1,"max_payload":1048576,"headers":true}\r\n'
    )
    socket.on('data', data => {
      const [, connect] = /^CONNECT (.*)\r$/m.exec(String(data)) ?? []
      if (connect !== undefined) resolve(JSON.parse(connect))
      if (/^PING/m.test(String(data))) socket.write('PONG\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { said, at: `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}` }
}

/** Where nothing listens. */
async function nowhere() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return parseBusAddress(`nats://127.0.0.1:${port}`)
}

describe('a bus', () => {
  for (const [login, expected] of /** @type {[string, object][]} */ ([
    ['', { user: undefined, pass: undefined, auth_token: undefined }],
    ['me:secret@', { user: 'me', pass: 'secret', auth_token: undefined }],
    ['word@', { user: undefined, pass: undefined, auth_token: 'word' }]
  ]))
    test(`is told who connects by ${login || 'nothing'}`, async t => {
      const { at, said } = await listening(t)
      const connection = await connectBus(parseBusAddress(`nats://${login}${at}`), 'a test')
      const { name, user, pass, auth_token } = await said
      assert.deepEqual({ name, user, pass, auth_token }, { name: 'a test', ...expected })
      await connection.close()
    })

  test('that is not there is named, by all who look for it', async () => {
    const address = await nowhere()
    const named = (/** @type {Error} */ error) =>
      error instanceof BusError && error.message.includes(address.url)
    await assert.rejects(connectBus(address, 'a test'), named)
    await assert.rejects(findOwnAddress(address), named)
    const presence = {
      address,
      key: 'agent.a',
      value: {},
      clockOf: null,
      watched: 'run.*',
      onEntry() {},
      onLost() {}
    }
    await assert.rejects(startPresence(presence), named)
  })

  test('cannot be used with credentials that cannot be read', async () => {
    const address = { ...(await nowhere()), credentials: '/nowhere/user.creds' }
    await assert.rejects(connectBus(address, 'a test'), error => {
      assert.ok(error instanceof BusError)
      assert.match(error.message, /ENOENT.*\/nowhere\/user\.creds/)
      return true
    })
  })

  test('on this machine is reached from this machine', async t => {
    const { at } = await listening(t)
    assert.equal(await findOwnAddress({ url: `nats://${at}` }), '127.0.0.1')
  })

  test('that keeps nothing is named, with what to start it with', async () => {
    const connection = /** @type {any} */ ({
      options: {},
      isClosed: () => false,
      getServer: () => 'bus:4222',
      request: async () => {
        throw new Error('no responders')
      }
    })
    for (const open of [openPresenceBucket, openReportStream])
      await assert.rejects(open(connection), error => {
        assert.ok(error instanceof BusError)
        assert.match(
          error.message,
          /^the bus at bus:4222 has no JetStream \(.+\): start it with nats-server -js$/
        )
        return true
      })
  })
})
