import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { formatTraceEvent, NodeTraces, TRACE_TYPES } from '../../../src/network/gossip/traces.js'
import { makePayload } from '../../../src/network/gossipsub.js'
import { makeMessageId } from '../../../src/network/node-host.js'

/** @typedef {import('@libp2p/interface').PeerId} PeerId */

const RUN_NONCE = 42
const ORIGIN_NS = 1_795_173_287_851_875_651n
const TOPIC = 'load'

/** @type {string} */
let folder
/** @type {PeerId} */
let own
/** @type {PeerId} */
let other
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadtest-node-traces-'))
  ;[own, other] = await Promise.all(
    [0, 1].map(async () => peerIdFromPrivateKey(await generateKeyPair('Ed25519')))
  )
})
after(() => rm(folder, { recursive: true }))

/** @param {PeerId} peerId */
const bytesOf = peerId => Buffer.from(peerId.toMultihash().bytes).toString('base64')

/** @param {number} message @returns {import('@libp2p/gossipsub').Message} */
const unsigned = message => ({ type: 'unsigned', data: makePayload(RUN_NONCE, message, 100), topic: TOPIC })

/** @param {string} name */
async function tracesIn(name) {
  const at = await mkdtemp(join(folder, name))
  const clock = { nowNs: 0 }
  const traces = new NodeTraces({
    folder: at,
    originUnixNs: ORIGIN_NS,
    runNonce: RUN_NONCE,
    now: () => clock.nowNs
  })
  const read = async (node = 0) =>
    (await readFile(join(at, `node-${node}.json`), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/"timestamp":(\d+)/, '"timestamp":"$1"'))
      .map(line => JSON.parse(line))
  return { at, clock, traces, read }
}

/** @param {NodeTraces} traces @param {number} [node] */
function watched(traces, node = 0) {
  const [gossipsub, libp2p] = [new EventTarget(), new EventTarget()]
  traces.watch(node, {
    peerId: own,
    gossipsub: /** @type {any} */ (gossipsub),
    libp2p: /** @type {any} */ (libp2p)
  })
  return { gossipsub, libp2p }
}

/** @param {string} type @param {unknown} detail */
const event = (type, detail) => new CustomEvent(type, { detail })

describe('the traces of nodes', () => {
  it('hold each event of a node with its own id, the time since 1970 to the ns, and the peer', async () => {
    const { clock, traces, read } = await tracesIn('events')
    const { gossipsub, libp2p } = watched(traces)
    traces.joined(0, TOPIC)
    clock.nowNs = 1.4
    libp2p.dispatchEvent(event('peer:connect', other))
    clock.nowNs = 2
    gossipsub.dispatchEvent(event('gossipsub:graft', { peerId: other.toString(), topic: TOPIC }))
    gossipsub.dispatchEvent(event('gossipsub:prune', { peerId: other.toString(), topic: TOPIC }))
    libp2p.dispatchEvent(event('peer:disconnect', other))
    traces.flush()
    const peerID = bytesOf(other)
    const common = { peerID: bytesOf(own) }
    assert.deepEqual(await read(), [
      { type: 9, ...common, timestamp: `${ORIGIN_NS}`, join: { topic: TOPIC } },
      { type: 4, ...common, timestamp: `${ORIGIN_NS + 1n}`, addPeer: { peerID } },
      { type: 11, ...common, timestamp: `${ORIGIN_NS + 2n}`, graft: { peerID, topic: TOPIC } },
      { type: 12, ...common, timestamp: `${ORIGIN_NS + 2n}`, prune: { peerID, topic: TOPIC } },
      { type: 5, ...common, timestamp: `${ORIGIN_NS + 2n}`, removePeer: { peerID } }
    ])
    assert.deepEqual(traces.errors, [])
    traces.close()
  })

  it('name a delivered message as Go does, with the padding that the library leaves out', async () => {
    const { traces, read } = await tracesIn('delivered')
    const { gossipsub } = watched(traces)
    const msg = { topic: TOPIC }
    gossipsub.dispatchEvent(event('gossipsub:message', { msgId: 'AAECAw', msg, propagationSource: other }))
    traces.close()
    const [{ type, deliverMessage }] = await read()
    assert.equal(type, 3)
    assert.deepEqual(deliverMessage, { messageID: 'AAECAw==', topic: TOPIC, receivedFrom: bytesOf(other) })
  })

  it('tell once that a node publishes a message, however often its id is asked for', async () => {
    const { traces, read } = await tracesIn('published')
    watched(traces)
    const message = unsigned(7)
    const idOf = traces.msgIdFn(0)
    const given = await traces.whilePublishing(0, message.data, async () => {
      idOf(unsigned(8))
      idOf(message)
      idOf(message)
      return 'published'
    })
    assert.equal(given, 'published')
    traces.close()
    const messageID = Buffer.from(makeMessageId(message)).toString('base64')
    const lines = await read()
    const found = lines.map(({ type, publishMessage }) => ({ type, publishMessage }))
    assert.deepEqual(found, [{ type: 0, publishMessage: { messageID, topic: TOPIC } }])
  })

  it('give every message the id that gossipsub would, also one that the node only receives', async () => {
    const { at, traces } = await tracesIn('received')
    watched(traces)
    assert.deepEqual(traces.msgIdFn(0)(unsigned(1)), makeMessageId(unsigned(1)))
    traces.close()
    assert.equal(await readFile(join(at, 'node-0.json'), 'utf8'), '')
  })

  it('take a message for published no more once publishing it has failed', async () => {
    const { at, traces } = await tracesIn('failed')
    watched(traces)
    const message = unsigned(7)
    const fail = () => Promise.reject(new Error('no peers'))
    await assert.rejects(traces.whilePublishing(0, message.data, fail), /no peers/)
    traces.msgIdFn(0)(message)
    traces.close()
    assert.equal(await readFile(join(at, 'node-0.json'), 'utf8'), '')
  })

  it('go on in the same file when a node comes back, with the id that it has then', async () => {
    const { at, traces, read } = await tracesIn('back')
    watched(traces, 3)
    traces.joined(3, 'before')
    traces.watch(3, {
      peerId: other,
      gossipsub: /** @type {any} */ (new EventTarget()),
      libp2p: /** @type {any} */ (new EventTarget())
    })
    traces.joined(3, 'after')
    traces.close()
    traces.joined(3, 'too late')
    const rows = (await read(3)).flatMap(({ peerID, join: { topic } }) => [peerID, topic])
    assert.deepEqual(rows, [bytesOf(own), 'before', bytesOf(other), 'after'])
    assert.equal(existsSync(join(at, 'node-0.json')), false)
  })

  it('say of which node they are not whole', () => {
    const traces = new NodeTraces({
      folder: join(folder, 'no such folder'),
      originUnixNs: ORIGIN_NS,
      runNonce: RUN_NONCE,
      now: () => 0
    })
    watched(traces, 5)
    traces.joined(5, TOPIC)
    traces.close()
    const [{ node, error }] = traces.errors
    assert.equal(node, 5)
    assert.match(error, /ENOENT/)
  })
})

const NS = 1_795_173_287_851_875_651n

describe('a line of a trace', () => {
  it('is an event as Go writes it, with all digits of its time', () => {
    const what = { peerID: 'ACQI', topic: 'a "quoted" topic' }
    assert.equal(
      formatTraceEvent('GRAFT', { peerID: 'AAEC', timestamp: NS, what }),
      '{"type":11,"peerID":"AAEC","timestamp":1795173287851875651,"graft":{"peerID":"ACQI","topic":"a \\"quoted\\" topic"}}\n'
    )
  })

  it('is JSON for every kind', () => {
    for (const [kind, { type, field }] of Object.entries(TRACE_TYPES)) {
      const known = /** @type {keyof typeof TRACE_TYPES} */ (kind)
      const line = formatTraceEvent(known, { peerID: 'AAEC', timestamp: 5n, what: { topic: 't' } })
      assert.deepEqual(JSON.parse(line), { type, peerID: 'AAEC', timestamp: 5, [field]: { topic: 't' } })
    }
  })
})
