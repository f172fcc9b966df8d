import { deserialize, serialize } from 'node:v8'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { headers } from '@nats-io/transport-node'
import { compacted, expanded } from './compact.js'

/**
 * @typedef {{ payload: Uint8Array, headers: import('@nats-io/transport-node').MsgHdrs }} Part
 */

const HEADER = 'Loadtest-Part'
/** NATS takes 1 MiB by default; what is larger goes in parts. */
const PART_BYTES = 512 * 1024
/** What is shorter is hardly made shorter. */
const WORTH_DEFLATING_BYTES = 256
const DEFLATED = 'deflated'
/** Whoever has the bus's password could tell little that unpacks into much: nothing of ours comes near. */
const MOST_BYTES = 256 * 1024 * 1024
/** More would take agents several times the CPU for a tenth of the bytes. */
const FAST = Object.freeze({ level: constants.Z_BEST_SPEED })

/**
 * partsOf packs a value into messages that a bus takes.
 *
 * @param {unknown} value - anything structured clone carries
 * @param {string} id - of the value among those on one subject
 * @param {number} [partBytes]
 * @returns {Part[]} in the order they are to be sent
 */
export function partsOf(value, id, partBytes = PART_BYTES) {
  const { bytes, form } = packed(value)
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  return Array.from({ length: count }, (_, i) => {
    const own = headers()
    own.set(HEADER, `${id} ${i + 1} ${count}${form}`)
    return { payload: bytes.subarray(i * partBytes, (i + 1) * partBytes), headers: own }
  })
}

/** @param {unknown} value @returns {{ bytes: Uint8Array, form: string }} */
function packed(value) {
  const plain = serialize(compacted(value))
  if (plain.length < WORTH_DEFLATING_BYTES) return { bytes: plain, form: '' }
  return { bytes: deflateRawSync(plain, FAST), form: ` ${DEFLATED}` }
}

/**
 * @param {Uint8Array} bytes
 * @param {string | undefined} form
 * @param {number} mostBytes
 * @throws {RangeError} for more than that when it is inflated
 */
function unpacked(bytes, form, mostBytes) {
  const plain = form === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: mostBytes }) : bytes
  return expanded(deserialize(plain))
}

/** Joining puts together what came in parts. One that comes twice counts once. */
export class Joining {
  /** @type {Map<string, Uint8Array[]>} by id */
  #parts = new Map()
  #mostBytes

  /** @param {number} [mostBytes] - of a value */
  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /**
   * add takes a message.
   *
   * @param {{ data: Uint8Array, headers?: { get: (name: string) => string } }} message
   * @returns {{ value: any } | null} null: parts are missing yet
   * @throws {Error} for what is no message of ours, or too large a value
   */
  add({ data, headers: own }) {
    const [id, place, count, form] = (own?.get(HEADER) ?? '').split(' ')
    if (!(Number(place) >= 1 && Number(place) <= Number(count))) throw new Error('this is no message of ours')
    if (count === '1') return { value: unpacked(data, form, this.#mostBytes) }
    const parts = this.#parts.get(id) ?? []
    this.#parts.set(id, parts)
    parts[Number(place) - 1] = data
    if (Object.keys(parts).length < Number(count)) return null
    this.#parts.delete(id)
    return { value: unpacked(Buffer.concat(parts), form, this.#mostBytes) }
  }
}
