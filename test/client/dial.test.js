import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import pino from 'pino'
import {
  chooseClientAddress,
  dial,
  dialAny,
  dialSeparately,
  makeClientAddress,
  makeDialError
} from '../../src/client/dial.js'
import { createClientNode } from '../../src/client/node.js'
import { makeTimeLimit } from '../../src/kit/time.js'
import { readServerOptions } from '../../src/server/options.js'
import { runServer } from '../../src/server/process/run-server.js'

const STACKS = ['libp2p-3', 'libp2p-2']
const somewhere = multiaddr('/ip4/127.0.0.1/tcp/1')

/** @type {(cause: object, options?: object) => Error} */
const systemError = (fields, options) => Object.assign(new Error('no', options), fields)

describe('source addresses of clients', () => {
  it('are distinct, on the loopback network and outside 127.0.x.y', () => {
    const addresses = Array.from({ length: 200_000 }, (_, i) => makeClientAddress(i))
    assert.equal(new Set(addresses).size, 200_000)
    assert.equal(addresses[0], '127.1.0.1')
    assert.equal(addresses[1], '127.1.1.1', 'in a /24 of its own')
    assert.equal(addresses[256 * 255], '127.1.0.2')
    for (const address of addresses) assert.match(address, /^127\.[1-9]\d*\.\d+\.[1-9]\d*$/)
  })

  it('stay valid for any index', () => {
    assert.equal(makeClientAddress(256 * 255 * 254 - 1), '127.255.255.254')
    assert.equal(makeClientAddress(256 * 255 * 254), '127.1.0.1')
  })

  for (const [target, platform, expected] of /** @type {const} */ ([
    ['/ip4/127.0.0.1/tcp/1', 'linux', '127.1.3.1'],
    ['/ip4/127.0.0.1/tcp/1', 'darwin', undefined],
    ['/ip4/10.0.0.1/tcp/1', 'linux', undefined],
    ['/ip6/::1/tcp/1', 'linux', undefined],
    ['/dns4/localhost/tcp/1', 'linux', undefined]
  ])) {
    it(`are ${expected ?? "the system's choice"} for ${target} on ${platform}`, () => {
      assert.equal(chooseClientAddress(multiaddr(target), 3, platform), expected)
    })
  }
})

describe('a connection that cannot be opened', () => {
  for (const [expected, cause] of /** @type {[string, Error][]} */ ([
    ['LOCAL_PORTS_EXHAUSTED', systemError({ code: 'EADDRNOTAVAIL', syscall: 'connect' })],
    ['LOCAL_PORTS_EXHAUSTED', systemError({ code: 'EADDRINUSE', syscall: 'connect' })],
    ['LOCAL_ADDRESS_UNAVAILABLE', systemError({ code: 'EADDRNOTAVAIL', syscall: 'bind' })],
    ['REFUSED', systemError({ code: 'ECONNREFUSED', syscall: 'connect' })],
    ['REFUSED', new AggregateError([new Error('other'), systemError({ code: 'ECONNREFUSED' })])],
    ['CONNECTION_DROPPED', systemError({ code: 'ECONNRESET', syscall: 'connect' })],
    ['CONNECTION_DROPPED', systemError({ code: 'ERR', name: 'EncryptionFailedError' })],
    [
      'WRONG_PEER',
      systemError({
        name: 'EncryptionFailedError',
        message: 'Payload identity key 12D3A does not match expected remote identity key 12D3B'
      })
    ],
    ['CONNECT_FAILED', systemError({ code: 'EHOSTUNREACH', syscall: 'connect' })]
  ])) {
    it(`is ${expected} when the system says ${cause.message} ${/** @type {any} */ (cause).code ?? 'several times'}`, () => {
      const error = makeDialError(cause, somewhere)
      assert.equal(error.code, expected)
      assert.equal(error.cause, cause)
    })
  }

  it('is a TIMEOUT when the signal timed out', () => {
    const signal = AbortSignal.abort(new DOMException('too late', 'TimeoutError'))
    assert.equal(makeDialError(new Error('x'), somewhere, signal).code, 'TIMEOUT')
  })
})

/** @param {import('node:net').Server} server */
async function listen(server) {
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return multiaddr(`/ip4/127.0.0.1/tcp/${port}`)
}

describe('a client node on real sockets', () => {
  /** @type {string[]} */
  const seen = []
  const server = createServer(socket => {
    seen.push(`${socket.remoteAddress}`)
    socket.destroy()
  })
  /** @type {import('@multiformats/multiaddr').Multiaddr} */
  let address

  before(async () => {
    address = await listen(server)
  })
  after(() => server.close())

  /** @param {string} [localAddress] @param {import('@multiformats/multiaddr').Multiaddr} [target] */
  async function failureFrom(localAddress, target = address) {
    const node = await createClientNode({ privateKey: await generateKeyPair('Ed25519'), localAddress })
    await node.start()
    try {
      await dial(node, target)
    } catch (error) {
      return /** @type {import('../../src/client/errors.js').ClientError} */ (error)
    } finally {
      await node.stop()
    }
    throw new Error('connected')
  }

  it('connects from the address it is given', { skip: process.platform === 'darwin' }, async () => {
    await failureFrom('127.44.5.6')
    assert.deepEqual(seen, ['127.44.5.6'])
  })

  it('names a local address that is none of this host', async () => {
    assert.equal((await failureFrom('203.0.113.9')).code, 'LOCAL_ADDRESS_UNAVAILABLE')
  })

  it('says so when nothing listens', async () => {
    const closed = createServer()
    const free = await listen(closed)
    await new Promise(resolve => closed.close(resolve))
    assert.equal((await failureFrom(undefined, free)).code, 'REFUSED')
  })
})

/** A server, and a client of it. @param {import('node:test').TestContext} t @param {string} [stack] - of the client */
async function startPair(t, stack) {
  const server = await runServer(
    readServerOptions({
      listen: '/ip4/127.0.0.1/tcp/0',
      httpPort: 0,
      unlimitedFrom: '/ip4/127.0.0.0/ipcidr/8'
    }),
    { log: pino({ level: 'silent' }) }
  )
  t.after(() => server.stop())
  const node = await createClientNode({ privateKey: await generateKeyPair('Ed25519'), stack })
  await node.start()
  t.after(() => node.stop())
  return { node, address: multiaddr(server.multiaddrs[0]) }
}

describe('connections of one client that are dialled at once', () => {
  for (const stack of STACKS)
    it(`are one each: what closes first takes none from another (${stack})`, async t => {
      const { node, address } = await startPair(t, stack)
      const connections = await Promise.all(
        Array.from({ length: 5 }, () => dialSeparately(node, address, { signal: makeTimeLimit(30_000) }))
      )
      assert.equal(new Set(connections.map(({ id }) => id)).size, 5)
      assert.equal(node.getConnections().length, 5)
      await connections[0].close()
      const statuses = connections.map(({ status }) => status)
      assert.deepEqual(statuses, ['closed', 'open', 'open', 'open', 'open'])
    })

  it('stay when the time is over that their dials had', async t => {
    const { node, address } = await startPair(t)
    const limit = new AbortController()
    const connection = await dialSeparately(node, address, { signal: limit.signal })
    limit.abort()
    await sleep(50)
    assert.equal(connection.status, 'open')
  })

  it('are given up when the time is over', async t => {
    const { node, address } = await startPair(t)
    const limit = new AbortController()
    const dialling = dialSeparately(node, address, { signal: limit.signal })
    limit.abort()
    await assert.rejects(dialling, { code: 'ABORTED' })
  })

  it('fail by the same codes as any other', async t => {
    const node = await createClientNode({ privateKey: await generateKeyPair('Ed25519') })
    await node.start()
    t.after(() => node.stop())
    const nobody = multiaddr('/ip4/127.0.0.1/tcp/1/p2p/12D3KooWFC9myXn5xKp8w4k4vt5eAgyGXSJBPdb44mw8Rvz1k4r1')
    await assert.rejects(dialSeparately(node, nobody, { signal: makeTimeLimit(30_000) }), { code: 'REFUSED' })
    const signal = AbortSignal.abort()
    await assert.rejects(dialSeparately(node, nobody, { signal }), { code: 'ABORTED' })
  })
})

describe('a connection to one of several servers', () => {
  const servers = [1, 2, 3].map(port => multiaddr(`/ip4/127.0.0.1/tcp/${port}`))

  /** @param {(port: string) => void} onDial */
  function dialling(onDial) {
    /** @type {string[]} */
    const dialled = []
    const node = /** @type {any} */ ({
      async dial(/** @type {unknown} */ address) {
        const port = String(address).split('/')[4]
        dialled.push(port)
        onDial(port)
        return `connection to ${port}`
      }
    })
    return { node, dialled }
  }

  it('is to the first that can be reached', async () => {
    const { node, dialled } = dialling(port => {
      if (port === '1') throw systemError({ code: 'ECONNREFUSED' })
    })
    assert.equal(/** @type {unknown} */ (await dialAny(node, servers, {})), 'connection to 2')
    assert.deepEqual(dialled, ['1', '2'])
  })

  it('fails as the last one does', async () => {
    const { node, dialled } = dialling(port => {
      throw systemError({ code: port === '3' ? 'ECONNREFUSED' : 'ECONNRESET' })
    })
    await assert.rejects(dialAny(node, servers, {}), { code: 'REFUSED', message: /tcp\/3: nothing listens/ })
    assert.equal(dialled.length, 3)
  })

  it('is not tried for any longer than its signal says', async () => {
    const stop = new AbortController()
    const { node, dialled } = dialling(() => {
      stop.abort()
      throw systemError({ code: 'ECONNREFUSED' })
    })
    await assert.rejects(dialAny(node, servers, { signal: stop.signal }), { code: 'ABORTED' })
    assert.deepEqual(dialled, ['1'])
  })
})
