import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, test } from 'node:test'
import pino from 'pino'
import { makeJsonAnswer, PacedSocket, startHttp } from '../../src/server/http.js'
import { readServerOptions } from '../../src/server/options.js'
import { readBody } from '../../src/server/process/routes.js'
import { runServer } from '../../src/server/process/run-server.js'
import { until } from '../until.js'
import { shortTurns } from './turn-watch.js'

/** @typedef {{ url: string }} Http */

const ROUTES = {
  'GET /metrics': () => ({ body: 'some 1\n' }),
  'GET /control/state': () => makeJsonAnswer({}),
  'POST /control/registrations': async (/** @type {import('node:http').IncomingMessage} */ request) => {
    let bytes = 0
    for await (const chunk of readBody(request, 1000)) bytes += chunk.length
    return makeJsonAnswer({ bytes })
  },
  'GET /broken': () => {
    throw new Error('broken\r\nX-Evil: 1')
  }
}

/**
 * Sends bytes as they are, as no HTTP client would.
 *
 * @param {Http} http
 * @param {string} bytes
 * @returns {Promise<string>} all that came back until the server closed the connection
 */
async function raw(http, bytes) {
  const { hostname, port } = new URL(http.url)
  const socket = net.connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket).catch(error => `broken off: ${error.code}`)
}

/** @param {Http} http @param {string} localAddress @param {string} [bytes] */
async function connectFrom(http, localAddress, bytes = '') {
  const { hostname, port } = new URL(http.url)
  const socket = net.connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** @param {string} answer */
const statusOf = answer => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/** @param {string} target @param {string} [headers] */
const get = (target, headers = 'Host: 127.0.0.1\r\n') =>
  `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

describe('the second port', () => {
  /** @type {Awaited<ReturnType<typeof startHttp>>} */
  let http
  before(async () => {
    http = await startHttp({ host: '127.0.0.1', port: 0 }, ROUTES)
  })
  after(() => http.stop())

  /** @type {Array<[target: string, status: number]>} */
  const targets = [
    ['//', 404],
    ['http://[', 404],
    ['//:99999/', 404],
    ['http://:99999/metrics', 404],
    ['*', 404],
    ['/%', 404],
    ['/\u00ff', 400],
    [`/${'a'.repeat(4000)}`, 404],
    ['/metrics', 200],
    ['/metrics?x=//', 200],
    // the absolute form, which every server must accept (RFC 9112, 3.2.2)
    ['http://127.0.0.1/metrics', 200],
    ['/__proto__', 404],
    ['/broken', 400]
  ]
  for (const [target, status] of targets) {
    it(`answers GET ${target.slice(0, 40)} with ${status}, and goes on`, async () => {
      assert.equal(statusOf(await raw(http, get(target))), status)
      assert.equal((await fetch(`${http.url}/metrics`)).status, 200)
    })
  }

  for (const [name, bytes] of [
    ['noise', '\x00\x01\x02\r\n\r\n'],
    ['a method that is none', 'constructor / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\n${'X-A: b\r\n'.repeat(3000)}`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n']
  ]) {
    it(`survives ${name}`, async () => {
      const answer = await raw(http, bytes)
      assert.ok(statusOf(answer) >= 400 || answer.startsWith('broken off'), answer)
      assert.equal((await fetch(`${http.url}/metrics`)).status, 200)
    })
  }

  it('is left alone by who asks and goes', async () => {
    const { hostname, port } = new URL(http.url)
    for (let i = 0; i < 20; i++) {
      const socket = net.connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(get('/metrics'))
      socket.resetAndDestroy()
    }
    assert.equal((await fetch(`${http.url}/metrics`)).status, 200)
  })

  it('takes no body where none is used, and not too much of one elsewhere', async () => {
    const body = 'x'.repeat(1001)
    const post = (/** @type {string} */ path) => fetch(http.url + path, { method: 'POST', body })
    assert.equal((await post('/metrics')).status, 404)
    assert.match(await (await post('/control/registrations')).text(), /at most 1000 bytes/)
    const lengthy = `GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n`
    assert.equal(statusOf(await raw(http, lengthy)), 413)
    const chunked = `GET /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`
    assert.equal(statusOf(await raw(http, chunked)), 413)
  })

  it('bounds the time of a request, and connections', async t => {
    const hasty = await startHttp({ host: '127.0.0.1', port: 0 }, ROUTES, {
      headersTimeoutMs: 50,
      requestTimeoutMs: 100,
      maxConnections: 3
    })
    t.after(() => hasty.stop())
    const { hostname, port } = new URL(hasty.url)
    const idle = Array.from({ length: 3 }, () => net.connect(Number(port), hostname))
    await Promise.all(idle.map(socket => once(socket, 'connect')))
    for (const socket of idle) socket.write('GET /met')
    const answers = Promise.all(idle.map(socket => text(socket)))
    assert.match(
      await raw(hasty, get('/metrics')),
      /^$|^broken off/,
      'the fourth connection is closed at once'
    )
    assert.deepEqual((await answers).map(statusOf), [408, 408, 408])
    const body = 'POST /control/registrations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nx'
    assert.ok([400, 408].includes(statusOf(await raw(hasty, body))), 'a body that does not come')
  })
})

describe('strangers at the second port', () => {
  it('leave room for others, however many connections they hold', async t => {
    const http = await startHttp({ host: '127.0.0.1', port: 0 }, ROUTES, { maxConnections: 6 })
    t.after(() => http.stop())
    /** @type {net.Socket[]} */
    const held = []
    for (let i = 0; i < 6; i++) held.push(await connectFrom(http, `127.0.0.${2 + (i % 2)}`, 'GET /met'))
    assert.equal((await fetch(`${http.url}/metrics`)).status, 200)
    await until(() => held.filter(({ destroyed }) => destroyed).length === 1)
    for (const socket of held) socket.destroy()
  })

  it('who ask without end, in pieces of any size, let others come between, and are all answered', async t => {
    const server = await runServer(
      readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' }),
      { log: pino({ level: 'silent' }) }
    )
    t.after(() => server.stop())
    const second = { url: server.http }
    for (const { path, count } of [
      { path: '/metrics', count: 300 },
      { path: '/', count: 2000 }
    ]) {
      let answers = 0
      const longest = await shortTurns(t, 50, async () => {
        const flood = await connectFrom(second, '127.0.0.9')
        t.after(() => flood.destroy())
        flood.on('data', bytes => {
          answers += String(bytes).split('HTTP/1.1 ').length - 1
        })
        const before = answers
        flood.write(`GET ${path} HTTP/1.1\r\nHost:\r\n\r\n`.repeat(count))
        const honest = await connectFrom(second, '127.0.1.1', get('/healthz'))
        assert.equal(statusOf(await text(honest)), 200)
        assert.ok(answers - before < count, 'before the flood is over')
        if (path === '/metrics') await until(() => answers - before === count)
        flood.destroy()
      })
      assert.ok(Math.min(...longest) <= 50, `${path}: turns of ${longest} ms`)
    }
  })

  it('send bodies as large as may be, and keep a connection for many requests', async t => {
    const shareOf = () => ({ begin() {}, wait: () => undefined })
    const http = await startHttp({ host: '127.0.0.1', port: 0 }, ROUTES, { shareOf })
    t.after(() => http.stop())
    const post = (/** @type {number} */ bytes) =>
      fetch(`${http.url}/control/registrations`, { method: 'POST', body: new Uint8Array(bytes) })
    assert.deepEqual(await (await post(1000)).json(), { bytes: 1000 })
    assert.match(await (await post(100_000)).text(), /at most 1000 bytes/)
    const socket = await connectFrom(http, '127.0.0.2')
    for (let i = 0; i < 3; i++) {
      socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.equal(statusOf(String((await once(socket, 'data'))[0])), 200)
    }
    socket.end()
    await once(socket, 'close')
  })
})

describe('what changes something, or is for a load tester', () => {
  /** @type {Awaited<ReturnType<typeof startHttp>>} */
  let http
  before(async () => {
    http = await startHttp({ host: '127.0.0.1', port: 0 }, ROUTES)
  })
  after(() => http.stop())

  /** @type {Array<[what: string, headers: string, status: number]>} */
  const cases = [
    ['an address', 'Host: 127.0.0.1:8003\r\n', 200],
    ['another address, as of a container', 'Host: 172.17.0.2\r\n', 200],
    ['an IPv6 address', 'Host: [::1]:8003\r\n', 200],
    ['localhost', 'Host: localhost:8003\r\n', 200],
    ['localhost in capitals', 'Host: LOCALHOST\r\n', 200],
    ['a name that was made to point here', 'Host: rebound.example\r\n', 403],
    ['a name that looks like an address', 'Host: 127.0.0.1.example:8003\r\n', 403],
    ['nothing', 'Host:\r\n', 403],
    ['a page elsewhere', 'Host: 127.0.0.1\r\nOrigin: http://evil.example\r\n', 403],
    ['a page without origin', 'Host: 127.0.0.1\r\nOrigin: null\r\n', 403],
    ['a page that only loads it', 'Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n', 403],
    ['a page on another port', 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\n', 403],
    ['a person who types the address', 'Host: 127.0.0.1\r\nSec-Fetch-Site: none\r\n', 200]
  ]
  for (const [what, headers, status] of cases) {
    it(`is ${status === 200 ? 'served to' : 'refused to'} ${what}`, async () => {
      assert.equal(statusOf(await raw(http, get('/control/state', headers))), status)
      assert.equal(statusOf(await raw(http, get('/metrics', headers))), 200, 'the rest is for all')
    })
  }

  it('is refused in the absolute form too, and a form of a page cannot post', async () => {
    const absolute = 'http://rebound.example/control/state'
    assert.equal(statusOf(await raw(http, get(absolute, 'Host: 127.0.0.1\r\n'))), 403)
    const headers = 'Host: 127.0.0.1\r\nOrigin: http://evil.example\r\nContent-Type: text/plain\r\n'
    const post = `POST /control/registrations HTTP/1.1\r\n${headers}Content-Length: 1\r\n\r\nx`
    assert.equal(statusOf(await raw(http, post)), 403)
  })

  it('is served under the name that the server was told to listen on', async t => {
    const named = await startHttp({ host: 'localhost', port: 0 }, ROUTES)
    t.after(() => named.stop())
    assert.equal((await fetch(`${named.url}/control/state`)).status, 200)
  })
})

/**
 * Both ends of a connection, of which one is paced.
 *
 * @param {import('node:test').TestContext} t
 * @param {Partial<import('../../src/server/admission/connection-guard.js').StreamPacing>} [pace]
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
