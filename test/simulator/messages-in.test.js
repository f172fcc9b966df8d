import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RPC } from '@libp2p/gossipsub/message'
import { makePayload, readMessageNumbers } from '../../src/network/gossipsub.js'

/** @param {Parameters<typeof RPC.encode>[0]} rpc */
function framed(rpc) {
  const bytes = RPC.encode(rpc)
  /** @type {number[]} */
  const length = []
  for (let left = bytes.length; left > 0 || length.length === 0; left >>>= 7)
    length.push((left & 127) | (left > 127 ? 128 : 0))
  return Buffer.concat([Uint8Array.from(length), bytes])
}

/** @param {number} number @param {number} [bytes] */
const message = (number, bytes = 1000) => ({
  from: new Uint8Array(38).fill(7),
  data: makePayload(1, number, bytes),
  seqno: new Uint8Array(8),
  topic: 'topic',
  signature: new Uint8Array(64).fill(9),
  key: undefined
})

const EMPTY = { subscriptions: [], messages: [] }
const CONTROL = {
  ihave: [{ topicID: 'topic', messageIDs: [new Uint8Array(40).fill(0x12)] }],
  iwant: [],
  graft: [{ topicID: 'topic' }],
  prune: [],
  idontwant: []
}

describe('the messages in what came', () => {
  for (const [name, bytes, expected] of /** @type {[string, Uint8Array, number[]][]} */ ([
    ['nothing', new Uint8Array(0), []],
    ['an empty RPC', framed(EMPTY), []],
    ['one message', framed({ ...EMPTY, messages: [message(5)] }), [5]],
    ['two of them', framed({ ...EMPTY, messages: [message(1, 8), message(70_000, 20_000)] }), [1, 70_000]],
    [
      'a message with control messages',
      framed({ ...EMPTY, messages: [message(0xffff_fffe)], control: CONTROL }),
      [0xffff_fffe]
    ],
    ['control messages alone', framed({ ...EMPTY, control: CONTROL }), []],
    ['subscriptions', framed({ ...EMPTY, subscriptions: [{ subscribe: true, topic: 'topic' }] }), []],
    [
      'two RPCs',
      Buffer.concat([
        framed({ ...EMPTY, messages: [message(3)] }),
        framed({ ...EMPTY, messages: [message(4)] })
      ]),
      [3, 4]
    ],
    ['one of another kind', framed({ ...EMPTY, messages: [{ ...message(1), data: new Uint8Array(3) }] }), []],
    ['one that is cut off', framed({ ...EMPTY, messages: [message(6)] }).subarray(0, 300), [6]]
  ]))
    test(name, () => assert.deepEqual(readMessageNumbers(bytes), expected))
})
