import { messageIdOf, messageIdText } from '../gossip/message-id.js'
import { KnownBytes } from './known-bytes.js'

/** @typedef {import('@libp2p/gossipsub').Message} Message */

/** As long as it takes a message to reach everyone: a few thousand messages of some kB. */
const MOST_BYTES = 16e6

/**
 * knownIds gives the ids that gossipsub gives by default, for all nodes of a process: each is made once, not once for each copy
 * that comes to a node: hashing and base64 took a fifth of the CPU time of a delivery.
 *
 * @returns {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'msgIdFn' | 'msgIdToStrFn'>}
 */
export function knownIds() {
  /** @type {KnownBytes<{ message: Message, id: Uint8Array }>} */
  const ids = new KnownBytes(MOST_BYTES)
  /** @type {KnownBytes<string>} */
  const texts = new KnownBytes(MOST_BYTES)
  return {
    msgIdFn: message => {
      const known = ids.of(message.data, () => ({ message, id: messageIdOf(message) }))
      return isSame(known.message, message) ? known.id : messageIdOf(message)
    },
    msgIdToStrFn: id => texts.of(id, messageIdText)
  }
}

/** Of messages with the same data. @param {Message} known @param {Message} message */
const isSame = (known, message) =>
  known === message ||
  (known.type === 'signed'
    ? message.type === 'signed' &&
      known.sequenceNumber === message.sequenceNumber &&
      known.from.equals(message.from)
    : message.type === 'unsigned')
