import { pushable } from 'it-pushable'
import { DelayLine } from '../delay-line.js'

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 *
 * @typedef {object} MultiaddrConnection2 - below encryption and multiplexer
 * @property {AsyncIterable<Uint8Array | Uint8ArrayList>} source
 */

/**
 * delayedConnection hands on what a connection of generation 2 receives, later, and its end likewise. All else is the connection's own.
 *
 * @template {MultiaddrConnection2} T
 * @param {T} connection
 * @param {number} latencyMs
 * @returns {T}
 */
export function delayedConnection(connection, latencyMs) {
  const line = new DelayLine(latencyMs)
  /** @type {import('it-pushable').Pushable<Uint8Array | Uint8ArrayList>} */
  const source = pushable({ objectMode: true, onEnd: () => line.stop() })
  receive(connection, {
    push: chunk => line.push(() => source.push(chunk)),
    end: error => line.push(() => source.end(error))
  })
  // whoever reads the beginning of a source puts what is left of it in its place
  /** @type {{ source: T['source'] }} */
  const own = { source }
  return new Proxy(connection, {
    get: (target, name) => Reflect.get(name === 'source' ? own : target, name),
    set: (target, name, value) => Reflect.set(name === 'source' ? own : target, name, value)
  })
}

/**
 * @param {MultiaddrConnection2} connection
 * @param {{ push: (chunk: Uint8Array | Uint8ArrayList) => void, end: (error?: Error) => void }} into
 */
async function receive({ source }, { push, end }) {
  try {
    for await (const chunk of source) push(chunk)
    end()
  } catch (error) {
    end(/** @type {Error} */ (error))
  }
}
