// The honest client, in a process of its own: node honest-entry.js <multiaddr>. A message has it ask 100 times a second, at the times
// that were due, for so many ms; it answers with how long each took from then on, in ms, and how many were not answered.
import '../../../src/node-shim.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { createClientNode } from '../../../src/client/node.js'
import { openSession } from '../../../src/client/session.js'
import { encodeDiscover } from '../../../src/protocol/messages.js'
import { namespaceOf } from '../registrations.js'

const EVERY_MS = 10
const LAST_REPLIES_MS = 5000

const [, , address] = process.argv
const ask = encodeDiscover({ ns: namespaceOf(0), limit: 20 })
const node = await createClientNode({
  privateKey: await generateKeyPair('Ed25519'),
  localAddress: '127.0.0.2'
})
await node.start()

/** @type {Promise<import('../../../src/client/session.js').Session> | undefined} */
let session

/** One stream, and another when it is gone. */
function openAgain() {
  const opened = node
    .dial(multiaddr(address))
    .then(connection => openSession(connection, { onClosed: () => (session = undefined) }))
  opened.catch(() => (session = undefined))
  return opened
}

/** @param {number} ms */
async function measure(ms) {
  /** @type {number[]} */
  const times = []
  const asked = []
  let failed = 0
  const began = performance.now()
  for (let due = began; due < began + ms; due += EVERY_MS) {
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    session ??= openAgain()
    const answered = session.then(opened => opened.request(ask))
    asked.push(
      answered.then(
        () => times.push(performance.now() - due),
        () => failed++
      )
    )
  }
  await Promise.race([Promise.all(asked), sleep(LAST_REPLIES_MS)])
  return { times, failed: failed + asked.length - failed - times.length }
}

process.on('message', async (/** @type {{ ms: number }} */ { ms }) => process.send?.(await measure(ms)))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
