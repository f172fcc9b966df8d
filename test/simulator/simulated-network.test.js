import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { formatMessageId, makeMessageId } from '../../src/network/node-host.js'
import { makeMessageIdCache } from '../../src/simulator/simulated-network.js'

/** @typedef {import('@libp2p/gossipsub').Message} Message */

const TOPIC = 'load'
const DATA = Buffer.from('what it says')

/** @param {number} author @param {bigint} sequenceNumber @param {Uint8Array} [data] @returns {Promise<Message>} */
async function signed(author, sequenceNumber, data = Buffer.from(DATA)) {
  const key = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(author))
  const from = peerIdFromPrivateKey(key)
  const signature = new Uint8Array(64)
  return { type: 'signed', from, data, sequenceNumber, topic: TOPIC, signature, key: key.publicKey }
}

/** @param {Uint8Array} [data] @returns {Message} */
const unsigned = (data = Buffer.from(DATA)) => ({ type: 'unsigned', data, topic: TOPIC })

describe('an id that is known', () => {
  it('is that of gossipsub, of each of many messages with the same content', async () => {
    const { msgIdFn } = makeMessageIdCache()
    const messages = [
      unsigned(),
      await signed(1, 1n),
      unsigned(),
      await signed(1, 2n),
      await signed(2, 1n),
      await signed(1, 1n),
      unsigned(Buffer.from('something else'))
    ]
    for (const message of messages) assert.deepEqual(msgIdFn(message), makeMessageId(message))
  })

  it('is made once for all copies of a message', async () => {
    const { msgIdFn } = makeMessageIdCache()
    assert.equal(msgIdFn(unsigned()), msgIdFn(unsigned()))
    assert.equal(msgIdFn(await signed(1, 7n, Buffer.of(7))), msgIdFn(await signed(1, 7n, Buffer.of(7))))
  })

  it('is written as gossipsub writes it', () => {
    const { msgIdToStrFn } = makeMessageIdCache()
    const id = makeMessageId(unsigned())
    assert.equal(msgIdToStrFn(id), formatMessageId(id))
    assert.equal(msgIdToStrFn(Uint8Array.from(id)), formatMessageId(id))
    assert.equal(msgIdToStrFn(Buffer.of(255, 254)), '//4')
  })
})
