// Writes a trace file for each gossipsub node, in the JSON format of go-libp2p-pubsub.
import { join } from 'node:path'
import { peerIdFromString } from '@libp2p/peer-id'
import { LineFile } from '../../kit/files.js'
import { readMessageNumber } from '../gossipsub.js'
import { makeMessageId } from '../node-host.js'

/**
 * TRACE_TYPES are the kinds of events of go-libp2p-pubsub's trace schema (`pb/trace.proto`) that can be seen from outside the
 * library: number in `TraceEvent.Type`, and the field that holds what happened.
 */
export const TRACE_TYPES = {
  PUBLISH_MESSAGE: { type: 0, field: 'publishMessage' },
  DELIVER_MESSAGE: { type: 3, field: 'deliverMessage' },
  ADD_PEER: { type: 4, field: 'addPeer' },
  REMOVE_PEER: { type: 5, field: 'removePeer' },
  JOIN: { type: 9, field: 'join' },
  LEAVE: { type: 10, field: 'leave' },
  GRAFT: { type: 11, field: 'graft' },
  PRUNE: { type: 12, field: 'prune' }
}

/**
 * formatTraceEvent writes an event as Go's JSON encoder does a `TraceEvent`: kinds as numbers, bytes in base64, times as whole ns since
 * 1970, which are more than a JavaScript number holds.
 *
 * @param {keyof typeof TRACE_TYPES} kind
 * @param {object} event
 * @param {string} event.peerID - of the node, base64
 * @param {bigint} event.timestamp - ns
 * @param {Record<string, string>} event.what - fields of the kind
 * @returns {string} a line
 */
export function formatTraceEvent(kind, { peerID, timestamp, what }) {
  const { type, field } = TRACE_TYPES[kind]
  return `{"type":${type},"peerID":"${peerID}","timestamp":${timestamp},"${field}":${JSON.stringify(what)}}\n`
}

/**
 * @typedef {import('@libp2p/gossipsub').GossipSub} GossipSub
 * @typedef {import('@libp2p/gossipsub').Message} Message
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface').Libp2p} Libp2p
 *
 * @typedef {object} NodeTrace
 * @property {string} peerID - base64
 * @property {LineFile} file
 *
 * @typedef {object} NodeTracesComponents
 * @property {string} folder - that exists
 * @property {bigint} originUnixNs - `now` of 0, since 1970
 * @property {number} runNonce
 * @property {() => number} now - ns
 */

/**
 * NodeTraces keeps what nodes do in the trace schema of go-libp2p-pubsub, a file of each node, from public events of the library
 * alone. Duplicates, rejected messages and RPCs have none and are left out.
 */
export class NodeTraces {
  #components
  /** @type {Map<number, NodeTrace>} */
  #nodes = new Map()
  /** Messages that are being published, by node. @type {Map<number, Set<number>>} */
  #publishing = new Map()
  /** Ids of peers, in base64. @type {Map<string, string>} */
  #peerIDs = new Map()

  /** @param {NodeTracesComponents} components */
  constructor(components) {
    this.#components = components
  }

  /**
   * msgIdFn is the option of that name for the gossipsub of a node: the ids are those it would give by itself.
   *
   * @param {number} node
   * @returns {(message: Message) => Uint8Array}
   */
  msgIdFn(node) {
    return message => {
      const id = makeMessageId(message)
      this.#published(node, message, id)
      return id
    }
  }

  /**
   * watch begins the trace of a node, before it is started. That of one that was there before goes on.
   *
   * @param {number} node
   * @param {object} parts
   * @param {PeerId} parts.peerId
   * @param {Pick<GossipSub, 'addEventListener'>} parts.gossipsub
   * @param {Pick<Libp2p, 'addEventListener'>} parts.libp2p
   */
  watch(node, { peerId, gossipsub, libp2p }) {
    const file =
      this.#nodes.get(node)?.file ?? new LineFile(join(this.#components.folder, `node-${node}.json`))
    this.#nodes.set(node, { peerID: this.#base64(peerId.toString()), file })
    libp2p.addEventListener('peer:connect', ({ detail }) => {
      this.#add(node, 'ADD_PEER', { peerID: this.#base64(detail.toString()) })
    })
    libp2p.addEventListener('peer:disconnect', ({ detail }) => {
      this.#add(node, 'REMOVE_PEER', { peerID: this.#base64(detail.toString()) })
    })
    gossipsub.addEventListener('gossipsub:graft', ({ detail: { peerId, topic } }) => {
      this.#add(node, 'GRAFT', { peerID: this.#base64(peerId), topic })
    })
    gossipsub.addEventListener('gossipsub:prune', ({ detail: { peerId, topic } }) => {
      this.#add(node, 'PRUNE', { peerID: this.#base64(peerId), topic })
    })
    gossipsub.addEventListener('gossipsub:message', ({ detail: { msgId, msg, propagationSource } }) => {
      this.#add(node, 'DELIVER_MESSAGE', {
        // the library leaves out the padding, which Go does not
        messageID: Buffer.from(msgId, 'base64').toString('base64'),
        topic: msg.topic,
        receivedFrom: this.#base64(propagationSource.toString())
      })
    })
  }

  /** joined notes a subscription of a node's own. @param {number} node @param {string} topic */
  joined(node, topic) {
    this.#add(node, 'JOIN', { topic })
  }

  /** left notes that a node has unsubscribed. @param {number} node @param {string} topic */
  left(node, topic) {
    this.#add(node, 'LEAVE', { topic })
  }

  /**
   * whilePublishing tells a message that a node publishes from one that it receives.
   *
   * @template T
   * @param {number} node
   * @param {Uint8Array} payload
   * @param {() => Promise<T>} publish
   * @returns {Promise<T>}
   */
  async whilePublishing(node, payload, publish) {
    const message = readMessageNumber(payload, this.#components.runNonce)
    const publishing = this.#publishing.get(node) ?? new Set()
    this.#publishing.set(node, publishing.add(message))
    try {
      return await publish()
    } finally {
      publishing.delete(message)
    }
  }

  /** flush writes what there is. */
  flush() {
    for (const { file } of this.#nodes.values()) file.flush()
  }

  /** close writes what there is. Nothing is traced any more. */
  close() {
    for (const { file } of this.#nodes.values()) file.close()
  }

  /** errors tell which traces are not whole. @returns {{ node: number, error: string }[]} */
  get errors() {
    return [...this.#nodes].flatMap(([node, { file }]) =>
      file.error === null ? [] : [{ node, error: file.error.message }]
    )
  }

  /** @param {number} node @param {Message} message @param {Uint8Array} id */
  #published(node, message, id) {
    const number = readMessageNumber(message.data, this.#components.runNonce)
    // ids are asked for again when others want the message: it was published once
    if (!this.#publishing.get(node)?.delete(number)) return
    const messageID = Buffer.from(id).toString('base64')
    this.#add(node, 'PUBLISH_MESSAGE', { messageID, topic: message.topic })
  }

  /**
   * @param {number} node
   * @param {Parameters<typeof formatTraceEvent>[0]} kind
   * @param {Record<string, string>} what
   */
  #add(node, kind, what) {
    const { originUnixNs, now } = this.#components
    const { peerID, file } = /** @type {NodeTrace} */ (this.#nodes.get(node))
    file.add(formatTraceEvent(kind, { peerID, timestamp: originUnixNs + BigInt(Math.round(now())), what }))
  }

  /** @param {string} peerId */
  #base64(peerId) {
    let base64 = this.#peerIDs.get(peerId)
    if (base64 === undefined) {
      base64 = Buffer.from(peerIdFromString(peerId).toMultihash().bytes).toString('base64')
      this.#peerIDs.set(peerId, base64)
    }
    return base64
  }
}
