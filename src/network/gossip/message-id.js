import { createHash } from 'node:crypto'
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'

/**
 * messageIdOf gives the id that gossipsub gives a message by default, which it keeps to itself where a message is published: key
 * of the author and sequence number of a signed one, SHA-256 of the payload of any other.
 *
 * @param {import('@libp2p/gossipsub').Message} message
 * @returns {Uint8Array}
 */
export function messageIdOf(message) {
  if (message.type !== 'signed') return createHash('sha256').update(message.data).digest()
  const sequenceNumber = Buffer.alloc(8)
  sequenceNumber.writeBigUInt64BE(message.sequenceNumber)
  return Buffer.concat([publicKeyToProtobuf(message.from.publicKey ?? message.key), sequenceNumber])
}

/**
 * messageIdText gives an id as gossipsub writes it by default: base64 without padding.
 *
 * @param {Uint8Array} id
 * @returns {string}
 */
export const messageIdText = id =>
  Buffer.from(id.buffer, id.byteOffset, id.length).toString('base64').replace(/=+$/, '')
