import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { makePayload } from '../../src/network/gossipsub.js'
import { NodeObserver } from '../../src/network/node-observer.js'
import { fileWith, gossipPlan } from './gossip-plan.js'

const RUN_NONCE = 42

/** @type {string} */
let folder
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadtest-watched-nodes-'))
})
after(() => rm(folder, { recursive: true }))

/**
 * One node that subscribes to the first topic; what it publishes is asked for its id, as gossipsub does.
 *
 * @param {object | null} traces
 * @param {Parameters<typeof gossipPlan>[0]} [changes]
 */
async function watchedNode(traces, changes) {
  const plan = gossipPlan({ topics: [{ name: 'load', chance: 1 }], ...changes })
  const nodes = new NodeObserver(
    /** @type {any} */ ({ plan, runNonce: RUN_NONCE, subscriptions: [[0]], traces }),
    () => 7
  )
  const { msgIdFn } = /** @type {any} */ (nodes.options(0))
  /** @type {string[]} */
  const subscribed = []
  const gossipsub = /** @type {any} */ (
    Object.assign(new EventTarget(), {
      topicValidators: new Map(),
      subscribe: (/** @type {string} */ topic) => subscribed.push(topic),
      unsubscribe: (/** @type {string} */ topic) => {
        if (!subscribed.includes(topic)) throw new Error(`not subscribed to ${topic}`)
        subscribed.splice(subscribed.indexOf(topic), 1)
      },
      getMeshPeers: () => [],
      getSubscribers: () => [],
      publish: async (/** @type {string} */ topic, /** @type {Uint8Array} */ data) => {
        msgIdFn?.({ type: 'unsigned', data, topic })
        return 'published'
      }
    })
  )
  const peerId = peerIdFromPrivateKey(await generateKeyPair('Ed25519'))
  let started = false
  await nodes.start(
    0,
    {
      peerId,
      gossipsub,
      connections: { getConnections: () => [] },
      libp2p: /** @type {any} */ (new EventTarget())
    },
    async () => {
      assert.deepEqual(subscribed, [])
      started = true
    }
  )
  assert.ok(started)
  assert.deepEqual(subscribed, ['load'])
  const publish = () => nodes.publish(0, gossipsub, 'load', makePayload(RUN_NONCE, 1, 100))
  return { nodes, msgIdFn, publish, subscribed, validated: () => [...gossipsub.topicValidators.keys()] }
}

describe('the nodes of a host', () => {
  it('have a trace each where it is asked for: whole when they are collected, ended when they stop', async () => {
    const { nodes, publish } = await watchedNode({ folder, originUnixNs: 1000n })
    assert.equal(await publish(), 'published')
    assert.deepEqual(nodes.collect().traceErrors, [])
    const read = async () =>
      (await readFile(join(folder, 'node-0.json'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
    const lines = await read()
    assert.deepEqual(
      lines.map(({ timestamp, join: joined, publishMessage }) => [
        timestamp,
        (joined ?? publishMessage).topic
      ]),
      [
        [1007, 'load'],
        [1007, 'load']
      ]
    )
    assert.ok('join' in lines[0] && 'publishMessage' in lines[1])
    nodes.stop()
    await publish()
    assert.equal((await read()).length, 2)
  })

  it('subscribe and unsubscribe by a script: what they did is told, with errors, and is in the trace', async () => {
    const networkFile = fileWith([
      { atMs: 1, who: { nodes: [0] }, action: 'subscribe', topic: 'more' },
      { atMs: 2, who: { nodes: [0] }, action: 'unsubscribe', topic: 'load' }
    ])
    const topics = [
      { name: 'load', chance: 1 },
      { name: 'more', chance: 0 }
    ]
    const { nodes, subscribed, validated } = await watchedNode(
      { folder, originUnixNs: 1000n },
      { topics, networkFile, validationDelayMs: 1 }
    )
    assert.deepEqual(validated(), ['load', 'more'])
    const [more, load] = nodes.scripted
    const told = () =>
      nodes.take().resubscribed?.map(({ topic, atNs, error, isAway }) => [topic, atNs, error, isAway])
    assert.deepEqual(told(), [])
    nodes.subscribe(more)
    nodes.subscribe(load)
    assert.deepEqual(subscribed, ['more'])
    assert.deepEqual(nodes.take().meshDegree.count, 1)
    nodes.subscribe(load)
    nodes.forget(0)
    nodes.subscribe(load)
    assert.deepEqual(told(), [
      [0, 7, 'not subscribed to load', undefined],
      [0, 7, undefined, true]
    ])
    nodes.failed(new Error('no port is left'))
    assert.deepEqual([nodes.take().failures, nodes.take().failures], [['no port is left'], undefined])
    nodes.collect()
    const lines = (await readFile(join(folder, 'node-0.json'), 'utf8')).trimEnd().split('\n')
    assert.deepEqual(
      lines
        .map(line => JSON.parse(line))
        .map(({ type, join: joined, leave }) => [type, (joined ?? leave).topic]),
      [
        [9, 'load'],
        [9, 'more'],
        [10, 'load']
      ]
    )
    nodes.stop()
  })

  it('tell which trace could not be written', async () => {
    const { nodes } = await watchedNode({ folder: join(folder, 'no such folder'), originUnixNs: 1000n })
    const [{ node, error }, ...more] = /** @type {any[]} */ (nodes.collect().traceErrors)
    assert.deepEqual([node, more], [0, []])
    assert.match(error, /ENOENT/)
    nodes.stop()
  })

  it('are left to name their messages themselves where there is no trace', async () => {
    const { nodes, msgIdFn, publish } = await watchedNode(null)
    assert.equal(msgIdFn, undefined)
    assert.equal(await publish(), 'published')
    assert.deepEqual(nodes.collect().traceErrors, [])
    nodes.stop()
  })
})
