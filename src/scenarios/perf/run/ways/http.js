import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import { lineConnection, lineServer } from '../../../../line/line-socket.js'
import { dialled, listening } from './sockets.js'

/**
 * @typedef {import('./way.js').Amounts} Amounts
 * @typedef {import('./way.js').Exchanged} Exchanged
 * @typedef {import('./way.js').Served} Served
 * @typedef {import('./way.js').Ends} Ends
 * @typedef {import('node:stream').Readable} Readable
 * @typedef {import('node:stream').Writable} Writable
 */

const BLOCK = Buffer.alloc(64 << 10)

/** @param {Writable} writable @param {number} count */
async function sendZeros(writable, count) {
  for (let left = count; left > 0; left -= BLOCK.length)
    if (!writable.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(writable, 'drain')
  writable.end()
}

/** The server reads a request to its end, and then sends what its path asks for. @param {Served} served */
const answering =
  ({ onReceived, onSent }) =>
  (/** @type {any} */ request, /** @type {any} */ response) => {
    const wanted = Number(request.url.slice(1))
    request.on('data', (/** @type {Buffer} */ { length }) => onReceived(length))
    request.on('end', async () => {
      response.writeHead(200, { 'content-length': wanted })
      await sendZeros(response, wanted).then(
        () => onSent(wanted),
        () => {}
      )
    })
  }

/**
 * @param {Readable & Writable | Writable} sending
 * @param {Promise<Readable>} replying
 * @param {Amounts} amounts
 * @returns {Promise<Exchanged>}
 */
async function exchange(sending, replying, { uploadBytes, signal, onReceived = () => {} }) {
  let receivedBytes = 0
  /** @type {bigint | null} */
  let firstByteNs = null
  const onAbort = () => sending.destroy(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    sendZeros(sending, uploadBytes).catch(() => {})
    const reply = await replying
    // the head of a reply counts: of an upload there is no more
    firstByteNs = process.hrtime.bigint()
    for await (const { length } of reply) {
      receivedBytes += length
      onReceived(length)
    }
    return { receivedBytes, firstByteNs, endedNs: process.hrtime.bigint() }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** @param {import('node:events').EventEmitter} sending @returns {Promise<any>} the reply, when its head has come */
async function replyOf(sending) {
  // what breaks it later is told by the reply
  sending.on('error', () => {})
  const [reply] = await once(sending, 'response')
  return reply
}

/** HTTP are both ends of HTTP/1.1 on connections that stay open: a stream is a connection. @type {Ends} */
export const HTTP = {
  async serve({ at, line, served }) {
    const server = createServer(answering(served))
    server.requestTimeout = 0
    server.keepAliveTimeout = 0
    return listening(lineServer(server, line), at)
  },
  async client({ address, line }) {
    const dial = (/** @type {any} */ options, /** @type {any} */ done) => {
      lineConnection({ ...options, noDelay: true }, line, done)
    }
    // an agent has no option for it
    const newAgent = () =>
      Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), { createConnection: dial })
    /** @param {Agent} agent @param {Amounts} amounts */
    const ask = (agent, amounts) => {
      const { uploadBytes, downloadBytes } = amounts
      const sending = request({
        agent,
        ...address,
        method: 'POST',
        path: `/${downloadBytes}`,
        headers: { 'content-length': uploadBytes }
      })
      return exchange(sending, replyOf(sending), amounts)
    }
    return {
      async connect() {
        /** @type {Agent[]} */
        const all = []
        /** @type {Agent[]} */
        const idle = []
        return {
          async open(signal) {
            const agent = idle.pop() ?? newAgent()
            if (!all.includes(agent)) {
              all.push(agent)
              // its connection is open before it is measured
              await ask(agent, { uploadBytes: 0, downloadBytes: 0, signal })
            }
            return async amounts => {
              const exchanged = await ask(agent, amounts)
              idle.push(agent)
              return exchanged
            }
          },
          close: () => {
            for (const agent of all) agent.destroy()
          }
        }
      },
      stop: () => {}
    }
  }
}

/** HTTP2 are both ends of HTTP/2 without TLS: streams of one connection. @type {Ends} */
export const HTTP2 = {
  async serve({ at, line, served }) {
    const server = createServer2(answering(served))
    return listening(lineServer(server, line), at)
  },
  client: async ({ address, line }) => ({
    async connect(signal) {
      const socket = await dialled(address, line, signal)
      const session = connect('http://127.0.0.1', { createConnection: () => socket })
      // each exchange tells of what breaks it
      session.on('error', () => {})
      await once(session, 'remoteSettings', { signal })
      return {
        open: async () => amounts => {
          const stream = session.request({ ':method': 'POST', ':path': `/${amounts.downloadBytes}` })
          return exchange(
            stream,
            replyOf(stream).then(() => stream),
            amounts
          )
        },
        close: () => session.destroy()
      }
    },
    stop: () => {}
  })
}
