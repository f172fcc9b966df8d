import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, credsAuthenticator } from '@nats-io/transport-node'

/**
 * @typedef {import('@nats-io/transport-node').NatsConnection} NatsConnection
 * @typedef {import('../plan/bus-address.js').BusAddress} BusAddress
 */

/** BusError is thrown when the bus cannot be used. */
export class BusError extends Error {
  name = 'BusError'
  code = 'BUS'
}

/** A bus that stands still is noticed by two pings without an answer. */
const PING_MS = 1000
const RECONNECT_MS = 250
const CONNECT_WITHIN_MS = 5000
const CLOSE_WITHIN_MS = 1000
const UNKNOWN_SIGNER = /certificate/i

/**
 * connectBus connects to the bus, and again whenever the link was lost.
 *
 * @param {BusAddress} address
 * @param {string} name - of who connects, for the bus's own lists
 * @returns {Promise<NatsConnection>}
 * @throws {BusError}
 */
export async function connectBus({ url, user, password, token, credentials, ca }, name) {
  try {
    return await connect({
      servers: url,
      name,
      timeout: CONNECT_WITHIN_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      ...(password !== null && { user: user ?? '', pass: password }),
      ...(token !== null && { token }),
      ...(credentials !== null && { authenticator: credsAuthenticator(readFileSync(credentials)) }),
      // asked for by the address alone, the client would go on without it where a server offers none
      ...((ca !== null || url.startsWith('tls:')) && { tls: ca === null ? {} : { caFile: ca } })
    })
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    const hint = ca === null && UNKNOWN_SIGNER.test(message) ? ': give what signed it with --busCa' : ''
    throw new BusError(`no NATS server can be used at ${url}: ${message}${hint}`, { cause: error })
  }
}

/** closeBus closes a connection, whether the bus is there or not. @param {NatsConnection} connection */
export const closeBus = connection =>
  Promise.race([connection.close().catch(() => {}), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
