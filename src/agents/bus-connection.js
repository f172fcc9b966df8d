// Opens and closes the connection to a NATS bus. Names its subjects, its presence keys, and the stream that keeps the
// agents' reports.
import { readFileSync } from 'node:fs'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { connect, credsAuthenticator } from '@nats-io/transport-node'
import { waitAtMost } from '../kit/time.js'

/**
 * @typedef {import('@nats-io/transport-node').NatsConnection} NatsConnection
 * @typedef {import('../plan/agents.js').BusAddress} BusAddress
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
    const hint =
      ca === null && UNKNOWN_SIGNER.test(message) ? ': give its CA certificate with --bus …,ca=<file>' : ''
    throw new BusError(`no NATS server can be used at ${url}: ${message}${hint}`, { cause: error })
  }
}

/** closeBus closes a connection, whether the bus is there or not. @param {NatsConnection} connection */
export const closeBus = connection =>
  waitAtMost(
    connection.close().catch(() => {}),
    CLOSE_WITHIN_MS
  )

/** BUCKET of the key-value store in which agents and coordinators say that they are there. */
const BUCKET = 'loadtest'
/** BUS_STREAM that keeps what agents tell, so that a link that was lost loses nothing. */
export const BUS_STREAM = 'LOADTEST'

/** The subjects of all. @type {Readonly<Record<'request' | 'clock', (agent: string) => string>>} */
export const BUS_SUBJECTS = Object.freeze({
  request: agent => `loadtest.agent.${agent}`,
  clock: agent => `loadtest.clock.${agent}`
})

/** reportSubject is the subject of what agents tell a run. @param {string} run @param {string} agent - `*`: each */
export const reportSubject = (run, agent) => `loadtest.told.${run}.${agent}`

/** PRESENCE_KEYS of an agent, and of a coordinator's run. */
export const PRESENCE_KEYS = Object.freeze({
  agent: (/** @type {string} */ id) => `agent.${id}`,
  run: (/** @type {string} */ id) => `run.${id}`
})

/** Who is gone is forgotten after so long; 2.9 knows one time to live for a whole bucket. */
const FORGOTTEN_AFTER_MS = 5000
/** The bus deletes messages of a run after this time, if the run did not delete them. */
const RETENTION_NS = 3600e9

/**
 * openPresenceBucket opens the bucket in which each says that it is there.
 *
 * @param {NatsConnection} connection
 * @returns {Promise<import('@nats-io/kv').KV>}
 * @throws {BusError}
 */
export const openPresenceBucket = connection =>
  withJetStream(connection, () =>
    new Kvm(connection).create(BUCKET, {
      ttl: FORGOTTEN_AFTER_MS,
      history: 1,
      storage: /** @type {any} */ ('memory')
    })
  )

/** readJsonEntry is what an entry of the bucket says; undefined: it is no JSON. @param {{ json: () => any }} entry @returns {any} */
export function readJsonEntry(entry) {
  try {
    return entry.json()
  } catch {}
}

/**
 * openReportStream opens the stream of what agents tell.
 *
 * @param {NatsConnection} connection
 * @throws {BusError}
 */
export const openReportStream = connection =>
  withJetStream(connection, async () => {
    const manager = await jetstreamManager(connection)
    await manager.streams.add({
      name: BUS_STREAM,
      subjects: ['loadtest.told.>'],
      storage: /** @type {any} */ ('file'),
      max_age: RETENTION_NS
    })
    return { manager, stream: jetstream(connection) }
  })

/**
 * @template T
 * @param {NatsConnection} connection
 * @param {() => Promise<T>} open
 * @returns {Promise<T>}
 */
async function withJetStream(connection, open) {
  try {
    return await open()
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new BusError(
      `the bus at ${connection.getServer()} has no JetStream (${message}): start it with nats-server -js`,
      { cause: error }
    )
  }
}
