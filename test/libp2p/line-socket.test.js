import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as http2 from 'node:http2'
import * as https from 'node:https'
import * as net from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as tls from 'node:tls'
import { delayServer, delaySocket, dialDelayed } from '../../src/libp2p/line-socket.js'

/** @typedef {import('../../src/libp2p/line.js').LineSpec} LineSpec */

const LATENCY_MS = 30
const LINE = { latencyMs: LATENCY_MS, bytesPerSecond: null }
/** So long that a busy machine is not taken for the end of it. */
const LONG = { latencyMs: 400, bytesPerSecond: null }
// timers may come a millisecond too soon
const WHOLE_MS = LONG.latencyMs - 2
const HOST = '127.0.0.1'
const CERTIFICATE = {
  key: readFileSync(new URL('../../fixtures/tls/localhost.key.pem', import.meta.url)),
  cert: readFileSync(new URL('../../fixtures/tls/localhost.cert.pem', import.meta.url))
}

/** @type {(() => unknown)[]} */
const cleanUps = []
afterEach(() => Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp())))

/** @template {net.Server} T @param {T} server @param {LineSpec | null} line @returns {Promise<number>} its port */
async function listening(server, line) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  delayServer(server, line).prependListener('connection', socket => sockets.add(socket))
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, HOST), 'listening')
  return /** @type {net.AddressInfo} */ (server.address()).port
}

/** @param {number} port @param {LineSpec | null} line @returns {Promise<net.Socket>} */
function dialled(port, line) {
  return new Promise((resolve, reject) =>
    dialDelayed({ host: HOST, port }, line, (error, socket) => {
      if (error !== null) return reject(error)
      cleanUps.push(() => socket.destroy())
      resolve(socket)
    })
  )
}

/** Both ends of a connection. @param {LineSpec | null} near @param {LineSpec | null} [far] @param {net.ServerOpts} [options] */
async function connected(near, far = near, options = {}) {
  const server = net.createServer(options)
  /** @type {Promise<net.Socket>} */
  const accepted = new Promise(resolve => server.on('connection', resolve))
  const port = await listening(server, far)
  return { near: await dialled(port, near), far: await accepted }
}

/** What arrives at a socket, and when. @param {net.Socket} socket */
function arrivalsAt(socket) {
  const arrivals = {
    text: '',
    firstMs: Number.NaN,
    ended: false,
    /** @type {string[]} */ errors: [],
    closed: false,
    closedMs: Number.NaN
  }
  socket.on('data', data => {
    if (arrivals.text === '') arrivals.firstMs = performance.now()
    arrivals.text += data
  })
  socket.on('end', () => {
    arrivals.ended = true
  })
  socket.on('error', error => arrivals.errors.push(/** @type {NodeJS.ErrnoException} */ (error).code ?? ''))
  socket.on('close', () => {
    arrivals.closed = true
    arrivals.closedMs = performance.now()
  })
  return arrivals
}

/** @param {() => boolean} condition */
async function until(condition) {
  const giveUpMs = performance.now() + 5000
  while (!condition()) {
    if (performance.now() > giveUpMs) throw new Error('it did not happen within 5 s')
    await sleep(1)
  }
}

/** Reads to the end, and leaves the socket open. @param {net.Socket} socket */
async function digest(socket) {
  const hash = createHash('sha256')
  socket.on('data', chunk => hash.update(chunk)).resume()
  await once(socket, 'end', { signal: AbortSignal.timeout(120_000) })
  return hash.digest('hex')
}

describe('a socket with a line', () => {
  it('tells of its ends, and of what it carried, as the socket itself does', async () => {
    const { near, far } = await connected(LINE)
    for (const [one, other] of [
      [near, far],
      [far, near]
    ]) {
      assert.deepEqual([one.remoteAddress, one.localAddress, one.remoteFamily], [HOST, HOST, 'IPv4'])
      assert.deepEqual([one.remotePort, one.localPort], [other.localPort, other.remotePort])
      assert.deepEqual(one.address(), { address: HOST, family: 'IPv4', port: one.localPort })
    }
    const arrivals = arrivalsAt(far)
    near.write('abcd')
    await until(() => arrivals.text === 'abcd')
    assert.deepEqual([near.bytesWritten, far.bytesRead, far.bytesWritten], [4, 4, 0])
    for (const it of [near.setNoDelay(true), near.setKeepAlive(true), near.unref(), near.ref()])
      assert.equal(it, near)
  })

  it('tells when nothing has come for too long, to who asked and who listens', async () => {
    const { near } = await connected(LINE)
    let told = 0
    near.on('timeout', () => told++)
    const found = near.setTimeout(20, () => told++)
    assert.equal(found, near)
    assert.equal(near.timeout, 20)
    await until(() => told >= 2)
  })

  it('is destroyed soon: when what was written has gone', async () => {
    for (const ended of [false, true]) {
      const { near, far } = await connected(LINE)
      const arrivals = arrivalsAt(far)
      near.write('last words')
      if (ended) near.end()
      near.destroySoon()
      await until(() => arrivals.ended && near.destroyed)
      assert.equal(arrivals.text, 'last words')
    }
  })

  it('is the socket itself without one', () => {
    const socket = new net.Socket()
    assert.equal(delaySocket(socket, null), socket)
  })

  for (const [name, near, far] of /** @type {[string, LineSpec, LineSpec | null][]} */ ([
    ['at both ends', LINE, LINE],
    ['at one end for both ways, before a peer that has none', { ...LINE, both: true }, null]
  ])) {
    it(`brings bytes late, in both directions, ${name}`, async () => {
      const ends = await connected(near, far)
      for (const [from, to] of [
        [ends.near, ends.far],
        [ends.far, ends.near]
      ]) {
        const arrivals = arrivalsAt(to)
        const sentMs = performance.now()
        from.write('ab')
        from.write('cd')
        await until(() => arrivals.text === 'abcd')
        assert.ok(arrivals.firstMs - sentMs >= LATENCY_MS, `${arrivals.firstMs - sentMs} ms`)
      }
    })

    it(`brings 8 MiB unchanged, and the other end's answer after the end, ${name}`, async () => {
      const ends = await connected(near, far, { allowHalfOpen: true })
      const payload = randomBytes(8 << 20)
      const received = digest(ends.far)
      ends.near.end(payload)
      assert.equal(await received, createHash('sha256').update(payload).digest('hex'))
      const answer = digest(ends.near)
      ends.far.end('done')
      assert.equal(await answer, createHash('sha256').update('done').digest('hex'))
    })
  }

  it('has its end under way for the latency, behind what was written', async () => {
    const { near, far } = await connected(LONG)
    const arrivals = arrivalsAt(far)
    const sinceMs = performance.now()
    near.end('last words')
    await until(() => arrivals.closed)
    for (const atMs of [arrivals.firstMs, arrivals.closedMs]) assert.ok(atMs - sinceMs >= WHOLE_MS)
    assert.deepEqual([arrivals.text, arrivals.ended, arrivals.errors], ['last words', true, []])
    near.resume()
    await until(() => near.closed)
  })

  it('has its reset under way for the latency', async () => {
    const { near, far } = await connected(LONG)
    const [here, there] = [arrivalsAt(near), arrivalsAt(far)]
    const sinceMs = performance.now()
    near.resetAndDestroy()
    await until(() => here.closed && there.closed)
    assert.ok(there.closedMs - sinceMs >= WHOLE_MS)
    assert.ok(here.closedMs < there.closedMs)
    assert.deepEqual(there.errors, ['ECONNRESET'])
  })

  it('that is destroyed is gone here at once, there when the latency is over', async () => {
    const { near, far } = await connected(LONG)
    const [here, there] = [arrivalsAt(near), arrivalsAt(far)]
    far.write('too late')
    const sinceMs = performance.now()
    near.destroy(new TypeError('broken'))
    await until(() => here.closed && there.closed)
    assert.ok(there.closedMs - sinceMs >= WHOLE_MS)
    assert.ok(here.closedMs < there.closedMs)
    assert.equal(here.text, '')
  })

  it('never goes faster than its rate', async () => {
    const { near, far } = await connected({ latencyMs: 0, bytesPerSecond: 1_000_000 })
    const startMs = performance.now()
    const received = digest(far)
    near.end(Buffer.alloc(150_000))
    await received
    assert.ok(performance.now() - startMs >= 150, `${performance.now() - startMs} ms`)
  })

  it('whose reader is slow takes a bounded amount, and all of it when it reads', async () => {
    for (const [near, far] of /** @type {[LineSpec, LineSpec | null][]} */ ([
      [{ latencyMs: 1, bytesPerSecond: null }, null],
      [{ latencyMs: 1, bytesPerSecond: null, both: true }, null]
    ])) {
      const ends = await connected(near, far)
      ends.far.pause()
      let sent = 0
      const write = () => {
        while (ends.near.write(Buffer.alloc(1 << 20))) sent++
        sent++
      }
      ends.near.on('drain', write)
      write()
      await sleep(300)
      const before = sent
      await sleep(100)
      assert.equal(sent, before)
      assert.ok(sent < 200, `${sent} MiB`)
      ends.near.removeListener('drain', write)
      let received = 0
      ends.far.on('data', chunk => {
        received += chunk.length
      })
      ends.far.resume()
      ends.near.end()
      await once(ends.far, 'end', { signal: AbortSignal.timeout(120_000) })
      assert.equal(received, sent << 20)
    }
  })

  it('that cannot be dialled tells so', async () => {
    const port = await listening(net.createServer(), null)
    await Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp()))
    await assert.rejects(dialled(port, LINE), { code: 'ECONNREFUSED' })
  })
})

const BODY = randomBytes(300_000)

/** @param {http.IncomingMessage} response */
const bodyOf = async response => Buffer.concat(await response.toArray())

/** A request, and how long until its response began. @param {() => http.ClientRequest} request */
async function requested(request) {
  const startMs = performance.now()
  const [response] = await once(request().end(), 'response')
  const beganMs = performance.now() - startMs
  return { beganMs, body: await bodyOf(response) }
}

describe('over a line, behind the socket', () => {
  /** @type {http.RequestListener} */
  const respond = (_, response) => void response.end(BODY)

  it('node:http takes a round trip before the first byte, on a new connection and on one kept alive', async () => {
    const port = await listening(http.createServer(respond), LINE)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    Object.assign(agent, {
      createConnection: (/** @type {any} */ options, /** @type {any} */ done) =>
        dialDelayed(options, LINE, done)
    })
    cleanUps.push(() => agent.destroy())
    for (let i = 0; i < 2; i++) {
      const { beganMs, body } = await requested(() => http.get({ host: HOST, port, path: '/x', agent }))
      assert.ok(beganMs >= 2 * LATENCY_MS, `${beganMs} ms`)
      assert.ok(body.equals(BODY))
    }
  })

  it('node:https takes two: one for the handshake of TLS 1.3', async () => {
    const port = await listening(https.createServer(CERTIFICATE, respond), LINE)
    const agent = new https.Agent({ rejectUnauthorized: false })
    Object.assign(agent, {
      createConnection: (/** @type {any} */ options, /** @type {any} */ done) =>
        dialDelayed(options, LINE, (error, socket) =>
          done(error, error === null ? tls.connect({ ...options, socket }) : undefined)
        )
    })
    cleanUps.push(() => agent.destroy())
    const { beganMs, body } = await requested(() => https.get({ host: HOST, port, agent }))
    assert.ok(beganMs >= 4 * LATENCY_MS, `${beganMs} ms`)
    assert.ok(body.equals(BODY))
  })

  it('node:http2 takes one', async () => {
    const port = await listening(
      /** @type {any} */ (http2.createServer().on('stream', stream => void stream.end(BODY))),
      LINE
    )
    const socket = await dialled(port, LINE)
    const session = http2.connect(`http://${HOST}:${port}`, { createConnection: () => socket })
    cleanUps.push(() => session.destroy())
    const startMs = performance.now()
    const stream = session.request({ ':path': '/' })
    await once(stream, 'response')
    assert.ok(performance.now() - startMs >= 2 * LATENCY_MS)
    assert.ok(Buffer.concat(await stream.toArray()).equals(BODY))
  })

  it('node:tls says so much later that it is secure', async () => {
    const port = await listening(
      tls.createServer(CERTIFICATE, socket => void socket.on('error', () => {}).end(BODY)),
      LINE
    )
    const startMs = performance.now()
    const secured = tls.connect({ socket: await dialled(port, LINE), rejectUnauthorized: false })
    await once(secured, 'secureConnect')
    assert.ok(performance.now() - startMs >= 2 * LATENCY_MS)
    assert.ok(Buffer.concat(await secured.toArray()).equals(BODY))
  })
})
