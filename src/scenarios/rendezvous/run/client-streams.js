import { setMaxListeners } from 'node:events'
import { dial } from '../../../client/dial.js'
import { ClientErrorCode } from '../../../client/errors.js'
import { openSession } from '../../../client/session.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { timeLimit } from '../../../kit/time-limit.js'

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {Session | StreamPerRequest} Requests
 *
 * @typedef {Pick<import('./load-client.js').LoadClientComponents, 'node' | 'server' | 'severalPerStream' | 'plan' | 'meter' | 'checks'>}
 *   StreamComponents
 */

/** UNTIMED_BATCH: requests outside the measurement go out this many at a time. */
export const UNTIMED_BATCH = 32

const NOT_MEASURED_TIMEOUT_MS = 30_000

/** ClientStreams are a client's connection to the server under test, and the streams that it opens on it. */
export class ClientStreams {
  #c
  /** @type {Connection | null} */
  #connection = null
  /** @type {Promise<Connection> | null} */
  #dialing = null
  /** @type {Promise<Session> | null} */
  #session = null

  /** @param {StreamComponents} components */
  constructor(components) {
    this.#c = components
  }

  /** connected tells whether the connection that operations share is open. */
  get connected() {
    return this.#connection?.status === 'open'
  }

  /** dial opens another connection. @param {AbortSignal} signal */
  dial(signal) {
    return dial(this.#c.node, this.#c.server, { signal, force: true })
  }

  /** connect gives the connection that operations share, dialled again when it was lost. @param {AbortSignal} signal */
  async connect(signal) {
    if (this.#connection?.status === 'open') return this.#connection
    if (this.#connection !== null && this.#dialing === null) this.#c.meter.reconnect()
    this.#dialing ??= this.dial(signal).finally(() => {
      this.#dialing = null
    })
    this.#connection = await this.#dialing
    return this.#connection
  }

  /** shared is the stream that operations share, opened again when it was lost. @param {AbortSignal} signal */
  async shared(signal) {
    const open = await this.#session?.catch(() => null)
    if (open != null && !open.closed) return open
    this.#session = this.connect(signal).then(connection => this.#openSession(connection, { signal }))
    return this.#session
  }

  /**
   * open opens a stream, or what opens one for each request where the server wants that.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal
   * @returns {Promise<Requests>}
   */
  async open(connection, signal) {
    if (!this.#c.severalPerStream) return new StreamPerRequest(connection, this.#openSession)
    return this.#openSession(connection, { signal })
  }

  /** untimed has an exchange that is not measured. @param {(session: Requests, signal: AbortSignal) => Promise<void>} exchange */
  async untimed(exchange) {
    const signal = timeLimit(NOT_MEASURED_TIMEOUT_MS)
    setMaxListeners(UNTIMED_BATCH * 4, signal)
    const connection = await this.connect(signal)
    const session = await this.open(connection, signal)
    await exchange(session, signal)
    await session.close({ signal })
    if (this.#c.plan.connectionPerOperation) await connection.close({ signal })
  }

  /** @param {Connection} connection @param {{ signal: AbortSignal }} options */
  #openSession = (connection, { signal }) =>
    openUsable(connection, { signal, onUnasked: () => this.#c.checks.unasked() })
}

/**
 * Opens a stream. A connection that takes none any more is given up, whatever libp2p calls it: where a server closes one while it is
 * set up, as in the rush after a restart, its muxer may be closed and the connection said to be open.
 *
 * @param {Connection} connection
 * @param {{ signal: AbortSignal, onUnasked: () => void }} options
 */
async function openUsable(connection, options) {
  try {
    return await openSession(connection, options)
  } catch (error) {
    if (
      /** @type {import('../../../client/errors.js').ClientError} */ (error).code ===
      ClientErrorCode.STREAM_FAILED
    )
      connection.abort(/** @type {Error} */ (error))
    throw error
  }
}
