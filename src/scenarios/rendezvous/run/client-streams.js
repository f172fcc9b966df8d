import { setMaxListeners } from 'node:events'
import { dialApart } from '../../../client/dial.js'
import { ClientErrorCode } from '../../../client/errors.js'
import { openSession } from '../../../client/session.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { timeLimit } from '../../../kit/time-limit.js'

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {Session | StreamPerRequest} Requests
 *
 * @typedef {Pick<import('./load-client.js').LoadClientComponents, 'node' | 'servers' | 'severalPerStream' | 'plan' | 'meter' | 'checks'>}
 *   StreamComponents
 */

/** UNTIMED_BATCH: requests outside the measurement go out this many at a time. */
export const UNTIMED_BATCH = 32

const NOT_MEASURED_TIMEOUT_MS = 30_000

/** Why a connection could not be opened, whatever server is dialled. @type {readonly unknown[]} */
const OUR_OWN = [ClientErrorCode.LOCAL_PORTS_EXHAUSTED, ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE]

/** ClientStreams are a client's connection to its server, and the streams that it opens on it. */
export class ClientStreams {
  #c
  /** Which of its servers it goes to. */
  #at = 0
  /** @type {number | null} the one it had a connection to last */
  #last = null
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

  /**
   * dial opens another connection: to the server the client had last or, where that cannot be reached and others may be, to the next one.
   *
   * @param {AbortSignal} signal
   * @param {boolean} [anywhere] - others may be
   * @returns {Promise<Connection>}
   */
  async dial(signal, anywhere = this.#c.plan.failover) {
    const { node, servers, meter } = this.#c
    for (let others = anywhere ? servers.length - 1 : 0; ; others--) {
      const at = this.#at
      try {
        const connection = await dialApart(node, servers[at], { signal })
        if (this.#last !== null && this.#last !== at) meter.failover()
        this.#last = at
        return connection
      } catch (error) {
        // another operation may have gone on to the next one meanwhile
        if (anywhere && this.#at === at && !OUR_OWN.includes(codeOf(error)))
          this.#at = (at + 1) % servers.length
        if (others === 0 || signal.aborted || OUR_OWN.includes(codeOf(error))) throw error
      }
    }
  }

  /**
   * connect gives the connection that operations share, dialled again when it was lost.
   *
   * @param {AbortSignal} signal
   * @param {boolean} [anywhere] - as of `dial`
   */
  async connect(signal, anywhere) {
    if (this.#connection?.status === 'open') return this.#connection
    if (this.#connection !== null && this.#dialing === null) this.#c.meter.reconnect()
    this.#dialing ??= this.dial(signal, anywhere).finally(() => {
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

  /**
   * untimed has an exchange that is not measured, with any server that is there.
   *
   * @param {(session: Requests, signal: AbortSignal) => Promise<void>} exchange
   * @param {number} [mostMs] - that it may take
   */
  async untimed(exchange, mostMs = NOT_MEASURED_TIMEOUT_MS) {
    const signal = timeLimit(mostMs)
    setMaxListeners(UNTIMED_BATCH * 4, signal)
    const connection = await this.connect(signal, true)
    const session = await this.open(connection, signal)
    await exchange(session, signal)
    await session.close({ signal })
    if (this.#c.plan.connectionPerOperation) await connection.close({ signal })
  }

  /** @param {Connection} connection @param {{ signal?: AbortSignal }} options */
  #openSession = (connection, { signal }) =>
    openUsable(connection, { signal, onUnasked: () => this.#c.checks.unasked() })
}

/**
 * Opens a stream. A connection that takes none any more is given up, whatever libp2p calls it: where a server closes one while it is
 * set up, as in the rush after a restart, its muxer may be closed and the connection said to be open.
 *
 * @param {Connection} connection
 * @param {{ signal?: AbortSignal, onUnasked: () => void }} options
 */
async function openUsable(connection, options) {
  try {
    return await openSession(connection, options)
  } catch (error) {
    if (codeOf(error) === ClientErrorCode.STREAM_FAILED) connection.abort(/** @type {Error} */ (error))
    throw error
  }
}

/** @param {unknown} error */
const codeOf = error => /** @type {import('../../../client/errors.js').ClientError} */ (error).code
