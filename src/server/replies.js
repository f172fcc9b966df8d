import { Uint8ArrayList } from 'uint8arraylist'
import { encodeFrame, prefixBytes, writePrefix } from '../protocol/framing.js'
import { encodeRegisterResponse } from '../protocol/messages.js'
import { MessageType, Status } from '../protocol/status.js'

/**
 * @typedef {object} Reply
 * @property {string} operation - REGISTER, DISCOVER or UNREGISTER
 * @property {number} status
 * @property {(note?: string) => Uint8Array | Uint8ArrayList} [frame] - makes what is sent, length prefix included, with a note behind its
 *   status text; UNREGISTER has no reply
 */

// protobuf tags of Message (type, discoverResponse) and of DiscoverResponse (cookie, status, statusText)
const TYPE = 0x08
const DISCOVER_RESPONSE = 0x32
const COOKIE = 0x12
const STATUS = 0x18
const STATUS_TEXT = 0x22

const NOTHING = new Uint8Array(0)
// from which a copy costs more than to send pieces
const UNCOPIED_BYTES = 65_536

/**
 * registerReply answers a REGISTER.
 *
 * @param {number} status
 * @param {{ ttl?: number, statusText?: string }} [more]
 * @returns {Reply}
 */
export const registerReply = (status, more) => ({
  operation: 'REGISTER',
  status,
  frame: note => encodeFrame(encodeRegisterResponse({ status, ...more, ...noted(more, note) }))
})

/** @param {{ statusText?: string } | undefined} more @param {string | undefined} note */
const noted = (more, note) =>
  note === undefined ? {} : { statusText: more?.statusText ? `${more.statusText}; ${note}` : note }

/** @type {Reply} */
export const UNREGISTERED = { operation: 'UNREGISTER', status: Status.OK }

/**
 * discoverReply answers a DISCOVER.
 *
 * @param {number} status
 * @param {object} [more]
 * @param {Uint8Array} [more.registrations] - encoded `registrations` fields, one behind the other
 * @param {Uint8Array} [more.cookie]
 * @param {string} [more.statusText]
 * @returns {Reply}
 */
export const discoverReply = (status, more) => ({
  operation: 'DISCOVER',
  status,
  frame: note => discoverFrame(status, { ...more, ...noted(more, note) })
})

/**
 * The general protobuf writer would copy the registrations three times: here they are copied once, or, where there are many, not at all.
 *
 * @param {number} status
 * @param {{ registrations?: Uint8Array, cookie?: Uint8Array, statusText?: string }} [more]
 */
function discoverFrame(status, { registrations = NOTHING, cookie = NOTHING, statusText = '' } = {}) {
  const text = Buffer.from(statusText)
  const behind = fieldBytes(cookie) + 1 + prefixBytes(status) + fieldBytes(text)
  const body = registrations.length + behind
  const message = 3 + prefixBytes(body) + body
  const before = prefixBytes(message) + message - body
  const copied = registrations.length < UNCOPIED_BYTES ? registrations.length : 0
  const frame = Buffer.allocUnsafe(before + copied + behind)
  let at = writePrefix(frame, 0, message)
  frame[at++] = TYPE
  frame[at++] = MessageType.DISCOVER_RESPONSE
  frame[at++] = DISCOVER_RESPONSE
  writePrefix(frame, at, body)
  if (copied > 0) frame.set(registrations, before)
  at = writeField(frame, before + copied, COOKIE, cookie)
  frame[at++] = STATUS
  at = writePrefix(frame, at, status)
  writeField(frame, at, STATUS_TEXT, text)
  if (copied === registrations.length) return frame
  return new Uint8ArrayList(frame.subarray(0, before), registrations, frame.subarray(before))
}

/** @param {Uint8Array} value - empty: the field is left out */
const fieldBytes = value => (value.length === 0 ? 0 : 1 + prefixBytes(value.length) + value.length)

/** @param {Uint8Array} target @param {number} at @param {number} tag @param {Uint8Array} value */
function writeField(target, at, tag, value) {
  if (value.length === 0) return at
  target[at] = tag
  at = writePrefix(target, at + 1, value.length)
  target.set(value, at)
  return at + value.length
}
