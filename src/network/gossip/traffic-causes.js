// Counts the bytes and duplicates of gossipsub nodes by cause, such as publishing, forwarding, IWANT answers or control
// messages.
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { peerIdFromString } from '@libp2p/peer-id'
import { BYTE_CAUSES, DUPLICATE_CAUSES, encodeCauses } from '../gossipsub.js'
import { formatMessageId } from '../node-host.js'

/** @typedef {import('../gossipsub.js').ByteCause} ByteCause */

const PLACES = /** @type {Record<ByteCause, number>} */ (
  Object.fromEntries(BYTE_CAUSES.map((cause, place) => [cause, place]))
)
const [IWANT_ANSWER, MESH, FLOOD_PUBLISH, OTHER] = DUPLICATE_CAUSES.keys()
/** An answer that takes longer is none. */
const REQUEST_EXPIRY_NS = 60e9

/** @param {number} value */
function varintBytes(value) {
  let bytes = 1
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

/** A field of protobuf behind its number and its length. @param {number} length */
const field = length => 1 + varintBytes(length) + length
const bytesField = (/** @type {Uint8Array | undefined} */ bytes) => (bytes == null ? 0 : field(bytes.length))
const textField = (/** @type {string | undefined} */ text) =>
  text == null ? 0 : field(Buffer.byteLength(text))

/** @template T @param {readonly T[] | undefined} items @param {(item: T) => number} of */
function sum(items, of) {
  let all = 0
  for (const item of items ?? []) all += of(item)
  return all
}

/** @param {any} message */
const messageBytes = ({ from, data, seqno, topic, signature, key }) =>
  bytesField(from) +
  bytesField(data) +
  bytesField(seqno) +
  (topic ? textField(topic) : 0) +
  bytesField(signature) +
  bytesField(key)

const idsBytes = (/** @type {any} */ { messageIDs }) => sum(messageIDs, bytesField)

/** Encoded bytes of an entry of an RPC, without the tag and length of its field. */
const SIZES = {
  forward: messageBytes,
  iwantAnswer: messageBytes,
  ihave: (/** @type {any} */ entry) => textField(entry.topicID) + idsBytes(entry),
  iwant: idsBytes,
  graft: (/** @type {any} */ { topicID }) => textField(topicID),
  prune: (/** @type {any} */ { topicID, peers, backoff }) =>
    textField(topicID) +
    sum(peers, ({ peerID, signedPeerRecord }) => field(bytesField(peerID) + bytesField(signedPeerRecord))) +
    (backoff == null ? 0 : 1 + varintBytes(backoff)),
  idontwant: idsBytes,
  subscriptions: (/** @type {any} */ { subscribe, topic }) => (subscribe == null ? 0 : 2) + textField(topic),
  other: () => 0
}
const CONTROL = /** @type {const} */ (['ihave', 'iwant', 'graft', 'prune', 'idontwant'])

/**
 * splitRpc gives the bytes of each thing in an RPC. The first one has the field around control messages too, so that the sum is exact.
 *
 * @param {{ subscriptions?: any[], messages?: any[], control?: Partial<Record<typeof CONTROL[number], any[]>> }} rpc
 * @param {number} rpcBytes - of the encoded RPC
 * @param {'forward' | 'iwantAnswer'} messageCause
 */
export function splitRpc({ subscriptions, messages, control }, rpcBytes, messageCause) {
  /** @type {{ cause: keyof typeof SIZES, topic: string | undefined, bytes: number }[]} */
  const parts = []
  let rest = rpcBytes
  const add = (/** @type {keyof typeof SIZES} */ cause, /** @type {any[]} */ entries = []) => {
    for (const entry of entries) {
      const bytes = parts.length === 0 ? 0 : field(SIZES[cause](entry))
      parts.push({ cause, topic: entry.topicID ?? entry.topic, bytes })
      rest -= bytes
    }
  }
  for (const kind of CONTROL) add(kind, control?.[kind])
  add(messageCause, messages)
  add('subscriptions', subscriptions)
  if (parts.length === 0) add('other', [{}])
  parts[0].bytes = rest
  return parts
}

/** RequestedMessages remembers for a while which peers a node asked for which messages. */
class RequestedMessages {
  #now
  /** @type {Set<string>} */
  #young = new Set()
  /** @type {Set<string>} */
  #old = new Set()
  #turnedNs = 0

  /** @param {() => number} now - ns */
  constructor(now) {
    this.#now = now
  }

  /** @param {string} peer @param {string} id */
  add(peer, id) {
    const nowNs = this.#now()
    if (nowNs - this.#turnedNs > REQUEST_EXPIRY_NS) {
      this.#old = this.#young
      this.#young = new Set()
      this.#turnedNs = nowNs
    }
    this.#young.add(`${peer} ${id}`)
  }

  /** answered says whether a peer had been asked for a message; it is answered once. @param {string} peer @param {string} id */
  answered(peer, id) {
    if (this.#young.size + this.#old.size === 0) return false
    const key = `${peer} ${id}`
    return this.#young.delete(key) || this.#old.delete(key)
  }
}

/**
 * See what a method was called with, and what it gave: it does what it did.
 *
 * @param {any} object
 * @param {string} name
 * @param {(args: any[], result: any) => void} see
 */
function observeMethod(object, name, see) {
  const method = object[name]
  object[name] = function (/** @type {any[]} */ ...args) {
    const result = method.apply(this, args)
    see(args, result)
    return result
  }
}

/**
 * What is observed of an instance of gossipsub, from @libp2p/gossipsub 15 on and of @chainsafe/libp2p-gossipsub 14.
 *
 * @param {any} gossipsub
 */
const isObservable = ({ metrics, score, gossipTracer, mesh, handleIWant, msgIdToStrFn }) =>
  [
    ...[metrics?.onRpcSent, metrics?.onForwardMsg, metrics?.onPublishMsg, score?.duplicateMessage],
    ...[gossipTracer?.addPromise, handleIWant, msgIdToStrFn, mesh?.get]
  ].every(method => typeof method === 'function')

/**
 * CauseCounter counts what the nodes of a host sent and received, by cause. The library's metrics say how much, but not why. So the
 * methods of each instance that know the cause are observed, and do what they did. Where a library lacks them (floodsub), there are no figures.
 */
export class CauseCounter {
  #now
  #signing
  /** Places of topics, by name. */
  #topics
  /** By topic and cause; behind the topics, what names none. */
  #bytes
  #duplicates = new Float64Array(DUPLICATE_CAUSES.length)
  /** What ids of a peer's own messages begin with: its key. @type {Map<string, string | null>} null: not known */
  #authors = new Map()
  #known = true

  /**
   * @param {object} components
   * @param {readonly string[]} components.topics - names
   * @param {boolean} components.signing - messages say who published them
   * @param {() => number} components.now - ns
   */
  constructor({ topics, signing, now }) {
    this.#now = now
    this.#signing = signing
    this.#topics = new Map(topics.map((name, place) => [name, place]))
    this.#bytes = new Float64Array((topics.length + 1) * BYTE_CAUSES.length)
  }

  /** watch observes a node's gossipsub from now on. @param {any} gossipsub */
  watch(gossipsub) {
    if (!isObservable(gossipsub)) {
      this.#known = false
      return
    }
    this.#watchSent(gossipsub)
    this.#watchDuplicates(gossipsub)
  }

  /**
   * take is what was counted so far, as `decodeCauses` reads it.
   *
   * @param {readonly number[]} meshChanges - of the register
   * @returns {Float64Array | undefined} undefined: not known
   */
  take(meshChanges) {
    return this.#known
      ? encodeCauses({ duplicates: this.#duplicates, meshChanges, bytes: this.#bytes })
      : undefined
  }

  /**
   * The library sends a message to one peer after the other, and then tells in the same turn whether it forwarded or published it. The
   * messages of an answer to IWANT are a list that was made for it.
   *
   * @param {any} gossipsub
   */
  #watchSent(gossipsub) {
    /** @type {WeakSet<object>} */
    const answers = new WeakSet()
    let unnamed = 0
    observeMethod(gossipsub, 'handleIWant', (_, messages) => answers.add(messages))
    observeMethod(gossipsub.metrics, 'onRpcSent', ([rpc, rpcBytes]) => {
      const { messages, subscriptions, control } = rpc
      // most RPCs: an answer has control messages, if only empty ones
      if (control == null && subscriptions?.length === 0) unnamed += rpcBytes
      else {
        const cause = answers.has(messages) ? 'iwantAnswer' : 'forward'
        for (const part of splitRpc(rpc, rpcBytes, cause))
          if (part.cause === 'forward') unnamed += part.bytes
          else this.#add(part.cause, part.topic, part.bytes)
      }
    })
    const named =
      (/** @type {ByteCause} */ cause) =>
      (/** @type {string[]} */ [topic]) => {
        this.#add(cause, topic, unnamed)
        unnamed = 0
      }
    observeMethod(gossipsub.metrics, 'onForwardMsg', named('forward'))
    observeMethod(gossipsub.metrics, 'onPublishMsg', named('publish'))
  }

  /** @param {any} gossipsub */
  #watchDuplicates({ score, gossipTracer, mesh, msgIdToStrFn }) {
    const requested = new RequestedMessages(this.#now)
    observeMethod(gossipTracer, 'addPromise', ([peer, ids]) => {
      for (const id of ids) requested.add(peer, msgIdToStrFn(id))
    })
    observeMethod(score, 'duplicateMessage', ([from, id, topic]) => {
      if (requested.answered(from, id)) this.#duplicates[IWANT_ANSWER]++
      else if (mesh.get(topic)?.has(from)) this.#duplicates[MESH]++
      else this.#duplicates[this.#published(from, id) ? FLOOD_PUBLISH : OTHER]++
    })
  }

  /** @param {ByteCause} cause @param {string | undefined} topic @param {number} bytes */
  #add(cause, topic, bytes) {
    const { size } = this.#topics
    const row = topic === undefined ? size : (this.#topics.get(topic) ?? size)
    this.#bytes[row * BYTE_CAUSES.length + PLACES[cause]] += bytes
  }

  /** An id begins with the key of the author, where there is one. @param {string} peer @param {string} id */
  #published(peer, id) {
    let author = this.#authors.get(peer)
    if (author === undefined) {
      author = this.#signing ? authorPrefixOf(peer) : null
      this.#authors.set(peer, author)
    }
    // from now on nobody knows how many there are
    if (author === null) this.#duplicates[FLOOD_PUBLISH] = Number.NaN
    return author !== null && id.startsWith(author)
  }
}

/** @param {string} peer - id @returns {string | null} null: the id does not hold the key */
function authorPrefixOf(peer) {
  const { publicKey } = peerIdFromString(peer)
  if (publicKey === undefined) return null
  const key = publicKeyToProtobuf(publicKey)
  // in base64, three bytes are four characters
  return formatMessageId(key.subarray(0, key.length - (key.length % 3)))
}
