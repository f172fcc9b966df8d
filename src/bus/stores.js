import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { BusError } from './connect.js'
import { BUCKET, STREAM } from './names.js'

/** @typedef {import('@nats-io/transport-node').NatsConnection} NatsConnection */

/** Who is gone is forgotten after so long; 2.9 knows one time to live for a whole bucket. */
const FORGOTTEN_AFTER_MS = 5000
/** What a run told is kept for so long at most, should nobody have cleared it up. */
const KEPT_FOR_NS = 3600e9

/**
 * openPresence opens the bucket in which each says that it is there.
 *
 * @param {NatsConnection} connection
 * @returns {Promise<import('@nats-io/kv').KV>}
 * @throws {BusError}
 */
export const openPresence = connection =>
  withJetStream(connection, () =>
    new Kvm(connection).create(BUCKET, {
      ttl: FORGOTTEN_AFTER_MS,
      history: 1,
      storage: /** @type {any} */ ('memory')
    })
  )

/** jsonIn is what an entry of the bucket says; undefined: it is no JSON. @param {{ json: () => any }} entry @returns {any} */
export function jsonIn(entry) {
  try {
    return entry.json()
  } catch {}
}

/**
 * openTold opens the stream of what agents tell.
 *
 * @param {NatsConnection} connection
 * @throws {BusError}
 */
export const openTold = connection =>
  withJetStream(connection, async () => {
    const manager = await jetstreamManager(connection)
    await manager.streams.add({
      name: STREAM,
      subjects: ['loadtest.told.>'],
      storage: /** @type {any} */ ('file'),
      max_age: KEPT_FOR_NS
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
      `the bus at ${connection.getServer()} keeps nothing (${message}): start it with JetStream, nats-server -js`,
      { cause: error }
    )
  }
}
