// Splits large messages into parts that NATS accepts, reassembles them, and reads the agents' reports in order, each
// once.

import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { headers } from '@nats-io/transport-node'
import { packHistogram, unpackHistogram } from '../../measure/histogram.js'
import { BUS_STREAM, BusError, openReportStream } from '../bus-connection.js'

/** The one key of what stands for a histogram on the bus. */
const PACKED = 'packed histogram'

/** Histograms are packed: they are most of what workers send. @param {any} object @returns {object | null} null: it is none */
const packedHistogram = object =>
  object.values instanceof Float64Array &&
  object.counts instanceof Uint32Array &&
  object.values.every(Number.isSafeInteger)
    ? { [PACKED]: packHistogram(object) }
    : null

/**
 * Replaces objects within a value. Only lists and plain objects are searched: long rows come as typed arrays, or as lists of numbers.
 *
 * @param {unknown} value
 * @param {(object: any) => unknown} instead - null: the object itself
 * @returns {any}
 */
function replaced(value, instead) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.some(each => typeof each === 'object') ? value.map(each => replaced(each, instead)) : value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return (
    instead(value) ??
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, instead)]))
  )
}

/**
 * @typedef {{ payload: Uint8Array, headers: import('@nats-io/transport-node').MsgHdrs }} MessagePart
 */

const HEADER = 'Loadtest-Part'
/** NATS takes 1 MiB by default; what is larger goes in parts. */
const PART_BYTES = 512 * 1024
/** What is shorter is hardly made shorter. */
const WORTH_DEFLATING_BYTES = 256
const DEFLATED = 'deflated'
const NOT_OURS = 'not a message of libp2p-loadtest'
const NOTHING = new Uint8Array(0)
/** Whoever has the bus's password could tell little that unpacks into much: nothing of ours comes near. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_PARTS = MAX_BYTES / PART_BYTES
/** Values of which parts are missing. Few senders speak to one receiver at a time, and few values are longer than a part. */
const MAX_PARTIAL_MESSAGES = 256
/** Longer than a run goes on without its bus. */
const FORGET_MS = 60_000
/** More would take agents several times the CPU for a tenth of the bytes. */
const FAST = Object.freeze({ level: constants.Z_BEST_SPEED })

/**
 * splitMessage packs a value into messages that a bus takes.
 *
 * @param {unknown} value - anything structured clone carries
 * @param {string} id - of the value among those on one subject
 * @param {number} [partBytes]
 * @returns {MessagePart[]} in the order they are to be sent
 */
export function splitMessage(value, id, partBytes = PART_BYTES) {
  const plain = serialize(replaced(value, packedHistogram))
  const isDeflated = plain.length >= WORTH_DEFLATING_BYTES
  const bytes = isDeflated ? deflateRawSync(plain, FAST) : plain
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  return Array.from({ length: count }, (_, i) => {
    const own = headers()
    own.set(HEADER, `${id} ${i + 1} ${count}${isDeflated ? ` ${DEFLATED}` : ''}`)
    return { payload: bytes.subarray(i * partBytes, (i + 1) * partBytes), headers: own }
  })
}

/**
 * @param {Uint8Array} bytes
 * @param {string | undefined} form
 * @param {number} maxBytes
 * @throws {RangeError} for more than that when it is inflated
 */
function unpacked(bytes, form, maxBytes) {
  mustFit(bytes.length, maxBytes)
  const plain = form === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: maxBytes }) : bytes
  return replaced(deserialize(plain), each =>
    Object.hasOwn(each, PACKED) ? unpackHistogram(each[PACKED]) : null
  )
}

/** @param {number} bytes @param {number} maxBytes @throws {RangeError} */
function mustFit(bytes, maxBytes) {
  if (bytes > maxBytes) throw new RangeError(`a value has more than ${maxBytes} bytes`)
}

/**
 * @typedef {object} PartialMessage - a value of which parts are missing
 * @property {Map<number, Uint8Array>} parts - by place
 * @property {number} count
 * @property {number} bytes
 * @property {NodeJS.Timeout | undefined} timer
 */

/**
 * MessageAssembler puts together what came in parts. One that comes twice counts once. A partial value is dropped
 * when no part of it came for a while. When there are too many, those that have waited longest are dropped.
 */
export class MessageAssembler {
  /** @type {Map<string, PartialMessage>} by id; the one whose last part came latest is last */
  #partial = new Map()
  #bytes = 0
  #maxBytes

  /** @param {number} [maxBytes] - of a value, and of all that are not complete */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** bytes of all parts that wait for others. */
  get bytes() {
    return this.#bytes
  }

  /**
   * add takes a message.
   *
   * @param {{ data: Uint8Array, headers?: { get: (name: string) => string } }} message
   * @returns {{ value: any, id: string } | null} null: parts are missing yet
   * @throws {Error} for what is no message of ours, or too large a value
   */
  add({ data, headers: own }) {
    const [id, ...numbers] = (own?.get(HEADER) ?? '').split(' ')
    const form = numbers[2]
    const [place, count] = numbers.slice(0, 2).map(text => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    if (!(place >= 1 && place <= count && count <= MAX_PARTS)) throw new Error(NOT_OURS)
    if (count === 1) return { value: unpacked(data, form, this.#maxBytes), id }
    const partial = this.#partialMessage(id, count)
    this.#keep(partial, place, data)
    if (partial.parts.size < count && partial.bytes <= this.#maxBytes) return this.#evictOldest()
    this.#drop(id)
    mustFit(partial.bytes, this.#maxBytes)
    const parts = Array.from({ length: count }, (_, i) => partial.parts.get(i + 1) ?? NOTHING)
    return { value: unpacked(Buffer.concat(parts), form, this.#maxBytes), id }
  }

  /** forget drops the partial values of a run that is over. @param {string} run */
  forget(run) {
    for (const id of this.#partial.keys()) if (id.startsWith(`${run}.`)) this.#drop(id)
  }

  /** @param {string} id @param {number} count @returns {PartialMessage} */
  #partialMessage(id, count) {
    /** @type {PartialMessage} */
    const partial = this.#partial.get(id) ?? { parts: new Map(), count, bytes: 0, timer: undefined }
    if (partial.count !== count) throw new Error(NOT_OURS)
    clearTimeout(partial.timer)
    partial.timer = setTimeout(() => this.#drop(id), FORGET_MS).unref()
    this.#partial.delete(id)
    this.#partial.set(id, partial)
    return partial
  }

  /** A copy, since what it came in may be far larger. @param {PartialMessage} partial @param {number} place @param {Uint8Array} data */
  #keep(partial, place, data) {
    if (partial.parts.has(place)) return
    partial.parts.set(place, Uint8Array.from(data))
    partial.bytes += data.length
    this.#bytes += data.length
  }

  /** @returns {null} */
  #evictOldest() {
    for (const id of this.#partial.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#partial.size <= MAX_PARTIAL_MESSAGES) break
      this.#drop(id)
    }
    return null
  }

  /** @param {string} id */
  #drop(id) {
    const { timer, bytes } = /** @type {PartialMessage} */ (this.#partial.get(id))
    clearTimeout(timer)
    this.#bytes -= bytes
    this.#partial.delete(id)
  }
}

const AGAIN_AFTER_MS = 200

/**
 * followReports reads what is told, each message once and in order. A bus that was away is read on where it was.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection - ends it when it is closed
 * @param {string} subject
 * @param {object} to
 * @param {(message: import('@nats-io/jetstream').JsMsg) => void} to.take - does not throw
 * @param {(error: Error) => void} to.onBroken - nothing more comes
 * @returns {Promise<import('@nats-io/jetstream').JetStreamManager>}
 * @throws {BusError}
 */
export async function followReports(connection, subject, { take, onBroken }) {
  const { manager, stream } = await openReportStream(connection)
  const { created } = await manager.streams.info(BUS_STREAM)
  let last = 0
  const read = async () => {
    const consumer = await stream.consumers.get(BUS_STREAM, {
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
      const info = await openReportStream(connection)
        .then(() => manager.streams.info(BUS_STREAM))
        .catch(() => null)
      if (info !== null && info.created !== created)
        throw new BusError(
          'the bus was started again without what it had kept: give it a folder, nats-server -js -sd FOLDER'
        )
      const next = info === null ? null : await read().catch(() => null)
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
