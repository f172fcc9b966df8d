// Puts a line, which emulates latency and bandwidth, on a connection of libp2p 2.
import { pushable } from 'it-pushable'
import { DelayedLine } from '../line.js'
import { ChunkSource } from './duplex-stream.js'

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {AsyncIterable<Uint8Array | Uint8ArrayList>} Chunks
 * @typedef {import('../layers/transports.js').Traffic} Traffic
 * @typedef {import('../line.js').LineSpec} LineSpec
 *
 * @typedef {object} MultiaddrConnection2 - below encryption and multiplexer
 * @property {Chunks} source
 * @property {(source: Chunks | Iterable<Uint8Array | Uint8ArrayList>) => Promise<void>} sink
 * @property {(options?: import('@libp2p/interface').AbortOptions) => Promise<void>} close
 * @property {(error: Error) => void} abort
 */

/** What waits for the socket before the line is told to hold. */
const MAX_SOCKET_BYTES = 64 << 10

/**
 * delayConnection puts lines behind a connection of generation 2. All else is the connection's own.
 *
 * @template {MultiaddrConnection2} T
 * @param {T} connection
 * @param {import('../layers/transports.js').LineEnds} ends
 * @returns {T}
 */
export function delayConnection(
  connection,
  { sent, received, traffic = { sentBytes: 0, receivedBytes: 0 } }
) {
  // whoever reads the beginning of a source puts what is left of it in its place
  /** @type {Record<string | symbol, unknown>} */
  const own = {
    source:
      received === null
        ? countChunks(connection.source, traffic)
        : makeDelayedSource(connection, received, traffic),
    ...(sent === null
      ? { sink: makeCountedSink(connection, traffic) }
      : makeDelayedSink(connection, sent, traffic))
  }
  return new Proxy(connection, {
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
    set: (target, name, value) => Reflect.set(Object.hasOwn(own, name) ? own : target, name, value)
  })
}

/** @param {Chunks} source @param {Traffic} traffic */
async function* countChunks(source, traffic) {
  for await (const chunk of source) {
    traffic.receivedBytes += chunk.byteLength
    yield chunk
  }
}

/** @param {MultiaddrConnection2} connection @param {Traffic} traffic @returns {MultiaddrConnection2['sink']} */
const makeCountedSink = (connection, traffic) => source =>
  connection.sink(
    (async function* () {
      for await (const chunk of source) {
        traffic.sentBytes += chunk.byteLength
        yield chunk
      }
    })()
  )

/** @param {MultiaddrConnection2} connection @param {LineSpec} spec @param {Traffic} traffic */
function makeDelayedSource(connection, spec, traffic) {
  /** @type {PromiseWithResolvers<void> | null} reading waits for room */
  let drained = null
  /** @type {import('it-pushable').Pushable<Uint8Array>} */
  const source = pushable({ onEnd: () => line.stop() })
  const line = new DelayedLine(spec, {
    deliver: chunk => {
      source.push(chunk)
      return true
    },
    onDrain: () => drained?.resolve()
  })
  const end = (/** @type {Error | undefined} */ error) => line.mark(() => source.end(error))
  const read = async () => {
    for await (const chunk of countChunks(connection.source, traffic)) {
      if (line.send(chunk.subarray())) continue
      drained = Promise.withResolvers()
      await drained.promise
    }
  }
  read().then(() => end(undefined), end)
  return source
}

/** @param {MultiaddrConnection2} connection @param {LineSpec} spec @param {Traffic} traffic */
function makeDelayedSink(connection, spec, traffic) {
  /** @type {PromiseWithResolvers<void> | null} writing waits for room */
  let drained = null
  const queue = new ChunkSource(() => line.resume())
  const line = new DelayedLine(spec, {
    deliver: chunk => {
      if (!queue.ended) queue.push(chunk)
      return queue.bytes < MAX_SOCKET_BYTES
    },
    onDrain: () => drained?.resolve()
  })
  const end = (/** @type {AbortSignal | undefined} */ signal) =>
    new Promise((resolve, reject) => {
      line.mark(() => resolve(queue.end()))
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  return {
    /** @param {Chunks} source */
    async sink(source) {
      const written = connection.sink(queue)
      try {
        for await (const chunk of source) {
          traffic.sentBytes += chunk.byteLength
          if (line.send(chunk.subarray())) continue
          drained = Promise.withResolvers()
          await drained.promise
        }
      } finally {
        line.mark(() => queue.end())
      }
      await written
    },
    /** @param {import('@libp2p/interface').AbortOptions} [options] */
    async close(options) {
      await end(options?.signal)
      await connection.close(options)
    },
    /** @param {Error} error */
    abort(error) {
      line.abandon(() => {
        line.stop()
        queue.return()
        connection.abort(error)
      })
      drained?.resolve()
    }
  }
}
