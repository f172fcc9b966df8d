import { setTimeout as sleep } from 'node:timers/promises'
import { BusError } from './connect.js'
import { STREAM } from './names.js'
import { openTold } from './stores.js'

const AGAIN_AFTER_MS = 200

/**
 * followTold reads what is told, each message once and in order. A bus that was away is read on where it was.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection - ends it when it is closed
 * @param {string} subject
 * @param {object} to
 * @param {(message: import('@nats-io/jetstream').JsMsg) => void} to.take - does not throw
 * @param {(error: Error) => void} to.onBroken - nothing more comes
 * @returns {Promise<import('@nats-io/jetstream').JetStreamManager>}
 * @throws {BusError}
 */
export async function followTold(connection, subject, { take, onBroken }) {
  const { manager, stream } = await openTold(connection)
  const { created } = await manager.streams.info(STREAM)
  let last = 0
  const read = async () => {
    const consumer = await stream.consumers.get(STREAM, {
      filter_subjects: subject,
      opt_start_seq: last + 1
    })
    const messages = await consumer.consume()
    const reading = (async () => {
      for await (const message of messages) {
        if (message.seq <= last) continue
        last = message.seq
        take(message)
      }
    })()
    reading.catch(error => {
      if (!connection.isClosed()) onBroken(error)
    })
    return messages
  }
  let messages = await read()
  const again = async () => {
    for (; !connection.isClosed(); await sleep(AGAIN_AFTER_MS)) {
      const found = await openTold(connection)
        .then(() => manager.streams.info(STREAM))
        .catch(() => null)
      if (found !== null && found.created !== created)
        throw new BusError(
          'the bus was started again without what it had kept: give it a folder, nats-server -js -sd FOLDER'
        )
      const next = found === null ? null : await read().catch(() => null)
      if (next !== null) return next
    }
    return messages
  }
  const following = (async () => {
    for await (const { type } of connection.status())
      if (type === 'reconnect') {
        messages.stop()
        messages = await again()
      }
  })()
  following.catch(onBroken)
  return manager
}
