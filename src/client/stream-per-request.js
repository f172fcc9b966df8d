import { openSession } from './session.js'
import { sendAlone } from './unregister.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('./session.js').Reply} Reply
 * @typedef {import('./session.js').Session} Session
 */

/** For a server to end the stream of a message without reply: it has served it then. */
const SERVED_WITHIN_MS = 1000

/**
 * StreamPerRequest asks a server that serves one request on each stream, as rust-libp2p does: it has what a Session has, and
 * opens a stream for every message.
 */
export class StreamPerRequest {
  #connection
  #open

  /**
   * @param {Connection} connection
   * @param {(connection: Connection, options: { signal?: AbortSignal }) => Promise<Session>} [open]
   */
  constructor(connection, open = openSession) {
    this.#connection = connection
    this.#open = open
  }

  /**
   * request sends a message and gives its reply, whatever status that carries.
   *
   * @param {Uint8Array} message - encoded, without length prefix
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Reply>}
   * @throws {import('./errors.js').ClientError} what opening a session and its requests throw
   */
  async request(message, { signal } = {}) {
    const session = await this.#open(this.#connection, { signal })
    try {
      return await session.request(message, { signal })
    } finally {
      // the reply is there: how the stream ends does not matter any more
      session.close({ signal }).catch(() => {})
    }
  }

  /**
   * requestBehind sends messages that have no reply, and a request once the server has ended their streams.
   *
   * @param {Uint8Array[]} silent
   * @param {Uint8Array} message
   * @param {{ signal: AbortSignal }} options
   * @returns {Promise<Reply>}
   */
  async requestBehind(silent, message, { signal }) {
    const how = { signal, waitMs: SERVED_WITHIN_MS }
    await Promise.all(silent.map(one => sendAlone(this.#connection, one, how)))
    return this.request(message, { signal })
  }

  async close() {}
}
