import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePayload, readMessageNumber } from '../../src/network/gossipsub.js'
import { makeEventLoopThrottle, Publisher } from '../../src/network/publisher.js'
import { until } from '../until.js'
import { gossipPlan } from './gossip-plan.js'
import { RUN_NONCE, rowsOf } from './network.js'

/**
 * A publisher for three nodes, and what it published.
 *
 * @param {Partial<import('../../src/scenarios/gossip/options.js').GossipPlan>} [plan]
 * @param {Partial<import('../../src/network/publisher.js').PublisherComponents>} [components]
 */
function publishing(plan, components) {
  const originNs = process.hrtime.bigint()
  const now = () => Number(process.hrtime.bigint() - originNs)
  /** @type {{ node: number, topic: string, message: number, bytes: number }[]} */
  const published = []
  const publisher = new Publisher({
    plan: gossipPlan({ nodes: 3, messages: null, ...plan }),
    topics: ['a', 'b'],
    subscriptions: [[0], [0, 1], []],
    runNonce: RUN_NONCE,
    originNs,
    now,
    nodes: [0, 1, 2],
    publish: async (node, topic, payload) => {
      published.push({ node, topic, message: readMessageNumber(payload, RUN_NONCE), bytes: payload.length })
      return { recipients: ['x', 'y'] }
    },
    backlogOf: () => 0,
    ...components
  })
  return { publisher, published, now, rows: () => rowsOf(publisher.take()) }
}

/** @param {number[]} offsetsMs */
const scheduleOf = offsetsMs => ({
  message: Uint32Array.from(offsetsMs, (_, i) => 10 + i),
  node: Uint16Array.from(offsetsMs, (_, i) => i % 2),
  topic: Uint8Array.from(offsetsMs, (_, i) => i % 2),
  offsetNs: Float64Array.from(offsetsMs, ms => ms * 1e6),
  bytes: Uint32Array.from(offsetsMs, () => 100)
})

const FOREVER = Number.POSITIVE_INFINITY

describe('a schedule', () => {
  it('is published as it says, each when it is due', async () => {
    const { publisher, published, now, rows } = publishing()
    const startNs = now() + 10e6
    const end = await publisher.run({ publications: scheduleOf([0, 15, 15, 30]), startNs, endNs: FOREVER })
    assert.deepEqual(published, [
      { node: 0, topic: 'a', message: 10, bytes: 100 },
      { node: 1, topic: 'b', message: 11, bytes: 100 },
      { node: 0, topic: 'a', message: 12, bytes: 100 },
      { node: 1, topic: 'b', message: 13, bytes: 100 }
    ])
    const { endedNs, ...counts } = end
    assert.deepEqual(counts, { published: 4, skipped: 0, failed: 0, errors: {}, endedBy: 'schedule' })
    const taken = rows()
    assert.deepEqual(
      taken.map(({ message, dueNs, recipients }) => [message, (dueNs - startNs) / 1e6, recipients]),
      [
        [10, 0, 2],
        [11, 15, 2],
        [12, 15, 2],
        [13, 30, 2]
      ]
    )
    for (const { atNs, dueNs } of taken) assert.ok(atNs >= dueNs, 'not before it is due')
    assert.ok(endedNs >= taken[3].atNs)
    assert.deepEqual(rows(), [], 'rows are handed over once')
  })

  it('that is late goes out at once, and keeps its due times', async () => {
    const { publisher, now, rows } = publishing()
    const startNs = now() - 5e9
    await publisher.run({ publications: scheduleOf([0, 100, 4000]), startNs, endNs: FOREVER })
    const late = rows().map(({ atNs, dueNs }) => Math.round((atNs - dueNs) / 1e9))
    assert.deepEqual(late, [5, 5, 1])
  })

  it('ends with the time', async () => {
    const { publisher, published, now } = publishing()
    const startNs = now()
    const end = await publisher.run({
      publications: scheduleOf([0, 5, 400]),
      startNs,
      endNs: startNs + 400e6
    })
    assert.equal(published.length, 2)
    assert.equal(end.endedBy, 'time')
    assert.ok(end.endedNs >= startNs + 400e6)
  })

  it('tells what was due and did not go out before the time was over, and nothing of what was due later', async () => {
    const { publisher, published, now, rows } = publishing()
    const startNs = now() - 2e9
    const endNs = startNs + 1e9
    const end = await publisher.run({ publications: scheduleOf([0, 400, 999, 1000]), startNs, endNs })
    assert.deepEqual([end.published, end.endedBy, published.length], [0, 'time', 0])
    assert.deepEqual(
      rows().map(({ message, dueNs, atNs, recipients }) => [message, (atNs - dueNs) / 1e6, recipients]),
      [
        [10, 1000, -3],
        [11, 600, -3],
        [12, 1, -3]
      ]
    )
  })

  it('ends when it is told to, in the middle of waiting', async () => {
    const { publisher, published, now, rows } = publishing()
    const running = publisher.run({ publications: scheduleOf([0, 60_000]), startNs: now(), endNs: FOREVER })
    await until(() => published.length > 0)
    publisher.abort()
    assert.equal((await running).endedBy, 'abort')
    assert.equal(published.length, 1)
    assert.equal(rows().length, 1, 'what was not due yet was never late')
  })

  it('lets the event loop turn while it is late', async () => {
    const { publisher, published, now } = publishing(
      {},
      {
        publish: async () => {
          const untilNs = now() + 2e6
          while (now() < untilNs);
          return { recipients: [] }
        }
      }
    )
    const offsets = Array(100).fill(0)
    const running = publisher.run({ publications: scheduleOf(offsets), startNs: now(), endNs: FOREVER })
    setTimeout(() => publisher.abort(), 10)
    assert.equal((await running).endedBy, 'abort')
    assert.ok(published.length < 100)
  })

  it('ends above the memory ceiling', async () => {
    const { publisher, published, now } = publishing(
      { memoryCeilingBytes: 1000 },
      { rssBytes: () => (published.length < 3 ? 1000 : 1001) }
    )
    const publications = scheduleOf([0, 100, 200, 60_000])
    const end = await publisher.run({ publications, startNs: now(), endNs: FOREVER })
    assert.equal(end.endedBy, 'memory')
    assert.equal(end.published, 3)
  })

  it('skips while too much waits, and says so', async () => {
    const { publisher, published, now, rows } = publishing(
      { maxBacklogBytes: 1000 },
      { backlogOf: node => (node === 1 ? 1001 : 1000) }
    )
    const end = await publisher.run({ publications: scheduleOf([0, 1, 2]), startNs: now(), endNs: FOREVER })
    assert.deepEqual([end.published, end.skipped], [2, 1])
    const messages = published.map(({ message }) => message)
    assert.deepEqual(messages, [10, 12])
    assert.deepEqual(
      rows()
        .map(({ message, recipients }) => [message, recipients])
        .sort(),
      [
        [10, 2],
        [11, -1],
        [12, 2]
      ]
    )
  })

  it('goes on when publishing fails, and counts why', async () => {
    const failures = [new Error('PublishError.NoPeers'), Object.assign(new Error('x'), { code: 'ERR_X' })]
    const { publisher, now, rows } = publishing(
      {},
      {
        publish: async () => {
          const failure = failures.shift()
          if (failure != null) throw failure
          return { recipients: [] }
        }
      }
    )
    const end = await publisher.run({ publications: scheduleOf([0, 0, 0]), startNs: now(), endNs: FOREVER })
    assert.deepEqual([end.published, end.failed], [1, 2])
    assert.deepEqual(end.errors, { 'PublishError.NoPeers': 1, ERR_X: 1 })
    const found = rows().map(({ recipients }) => recipients)
    assert.deepEqual(found, [-2, -2, 0])
  })
})

describe('a publication of whoever publishes by a clock of its own', () => {
  it('goes out at once, and is told with when it was due', async () => {
    const { publisher, published, now, rows } = publishing()
    const dueNs = now() - 5e6
    await publisher.publish({ message: 7, node: 1, topic: 1, dueNs, bytes: 64 })
    assert.deepEqual(published, [{ node: 1, topic: 'b', message: 7, bytes: 64 }])
    const [row] = rows()
    assert.deepEqual([row.message, row.dueNs, row.recipients], [7, dueNs, 2])
    assert.ok(row.atNs > dueNs)
  })

  it('is told, and thrown, when it fails', async () => {
    const publish = () => Promise.reject(new Error('PublishError.NoPeersSubscribedToTopic'))
    const { publisher, now, rows } = publishing({}, { publish })
    const publication = { message: 7, node: 1, topic: 1, dueNs: now(), bytes: 64 }
    await assert.rejects(publisher.publish(publication), /NoPeersSubscribedToTopic/)
    const found = rows().map(({ message, recipients }) => [message, recipients])
    assert.deepEqual(found, [[7, -2]])
  })
})

describe('nodes that publish in their own time', () => {
  const intervalMs = { min: 5, max: 15 }

  it('number their messages so that no two are the same, and choose among their topics', async () => {
    const { publisher, published, now, rows } = publishing({ intervalMs, messageBytes: { min: 8, max: 12 } })
    const startNs = now()
    await publisher.run({ publications: null, startNs, endNs: startNs + 300e6 })
    const of = (/** @type {number} */ node) => published.filter(row => row.node === node)
    const messages = of(0).map(({ message }) => message)
    assert.deepEqual(
      messages,
      of(0).map((_, count) => count * 3)
    )
    const found = of(1).map(({ message }) => message)
    assert.deepEqual(
      found,
      of(1).map((_, count) => count * 3 + 1)
    )
    assert.equal(of(2).length, 0, 'it subscribes to nothing')
    assert.deepEqual(new Set(of(0).map(({ topic }) => topic)), new Set(['a']))
    assert.deepEqual(new Set(of(1).map(({ topic }) => topic)), new Set(['a', 'b']))
    assert.deepEqual(Math.min(...published.map(({ bytes }) => bytes)), 8)
    assert.deepEqual(Math.max(...published.map(({ bytes }) => bytes)), 12)
    const due = rows().flatMap(({ node, dueNs }) => (node === 0 ? [dueNs] : []))
    const gaps = due.map((ns, i) => (ns - (due[i - 1] ?? startNs)) / 1e6)
    for (const gap of gaps) assert.ok(gap >= 5 && gap <= 15, `${gap} ms`)
    assert.ok(due.every(ns => ns < startNs + 300e6))
  })

  it('keep to their intervals however late they are, in the open model', async () => {
    const draw = async () => {
      const { publisher, now, rows } = publishing({ intervalMs, messages: 30 })
      const startNs = now() - 1e9
      const { endedBy } = await publisher.run({ publications: null, startNs, endNs: FOREVER })
      assert.equal(endedBy, 'schedule')
      return rows()
        .map(({ message, dueNs }) => [message, Math.round(dueNs - startNs)])
        .sort((a, b) => a[0] - b[0])
    }
    const first = await draw()
    assert.equal(first.length, 20, '10 of 30 are of the node that subscribes to nothing')
    assert.deepEqual(await draw(), first, 'the same seed gives the same times')
  })

  for (const [loadModel, left] of /** @type {const} */ ([
    ['open', [0, 1, 3, 4, 6, 7, 9, 10, 12, 13]],
    ['closed', [0, 1]]
  ]))
    it(`tell what was due and did not go out before the time was over, in the ${loadModel} model`, async () => {
      const { publisher, published, now, rows } = publishing({
        ...{ intervalMs: { min: 100, max: 100 }, loadModel }
      })
      const startNs = now() - 2e9
      await publisher.run({ publications: null, startNs, endNs: startNs + 550e6 })
      assert.equal(published.length, 0)
      const told = rows().sort((a, b) => a.message - b.message)
      const messages = told.map(({ message }) => message)
      assert.deepEqual(messages, left)
      assert.ok(told.every(({ recipients }) => recipients === -3))
      assert.deepEqual(Math.round((told[0].atNs - told[0].dueNs) / 1e6), 450)
    })

  it('wait for what went before, in the closed model', async () => {
    let backlog = 0
    let under = 0
    const { publisher, now, rows } = publishing(
      { intervalMs, loadModel: 'closed', maxBacklogBytes: 10, nodes: 1, messages: 3 },
      {
        nodes: [0],
        backlogOf: () => backlog,
        publish: async () => {
          assert.equal(under++, 0, 'one at a time')
          await sleep(20)
          backlog = 11
          setTimeout(() => {
            backlog = 10
          }, 40)
          under--
          return { recipients: ['x'] }
        }
      }
    )
    await publisher.run({ publications: null, startNs: now(), endNs: FOREVER })
    const taken = rows()
    const found = taken.flatMap(({ message, recipients }) => [message, recipients])
    assert.deepEqual(found, [0, 1, 1, 1, 2, 1])
    for (const [i, { dueNs }] of taken.slice(1).entries()) {
      assert.ok(dueNs - taken[i].atNs >= 60e6, 'publish, the backlog, and the interval come first')
    }
  })
})

describe('a payload', () => {
  it('carries nonce and number, and is as long as asked', () => {
    for (const message of [0, 1, 0xffffffff]) {
      assert.equal(readMessageNumber(makePayload(RUN_NONCE, message, 8), RUN_NONCE), message)
      assert.equal(makePayload(RUN_NONCE, message, 1000).length, 1000)
    }
    assert.deepEqual([...makePayload(0x01020304, 0x05060708, 8)], [1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('of another run, or none at all, is told apart', () => {
    assert.equal(readMessageNumber(makePayload(RUN_NONCE + 1, 5, 100), RUN_NONCE), -1)
    assert.equal(readMessageNumber(makePayload(RUN_NONCE, 5, 8).subarray(0, 7), RUN_NONCE), -1)
    assert.throws(() => makePayload(RUN_NONCE, 5, 7), /message 5 cannot have 7 bytes/)
  })
})

/** An event loop whose turns take as long as is said, the last one for ever. @param {number[]} turnsMs */
function eventLoop(turnsMs) {
  let nowMs = 0
  let turns = 0
  return {
    now: () => nowMs * 1e6,
    turn: async () => {
      nowMs += turnsMs[Math.min(turns++, turnsMs.length - 1)]
    },
    /** Turns that were taken. */
    get turns() {
      return turns
    }
  }
}

const { signal } = new AbortController()

describe('the throttle of an event loop', () => {
  it('lets one pass after each short turn', async () => {
    const loop = eventLoop([1])
    const pass = makeEventLoopThrottle(loop)
    await Promise.all([pass(signal), pass(signal), pass(signal)])
    assert.equal(loop.turns, 3)
  })

  it('holds back while turns are long', async () => {
    const loop = eventLoop([300, 200, 100, 5])
    await makeEventLoopThrottle(loop)(signal)
    assert.equal(loop.turns, 4)
  })

  it('lets somebody pass every 2 s where no turn is short', async () => {
    const loop = eventLoop([500])
    await makeEventLoopThrottle(loop)(signal)
    assert.equal(loop.now() / 1e9, 2)
  })

  it('keeps the order of those who come', async () => {
    const pass = makeEventLoopThrottle(eventLoop([1]))
    /** @type {number[]} */
    const passed = []
    await Promise.all([0, 1, 2].map(who => pass(signal).then(() => passed.push(who))))
    assert.deepEqual(passed, [0, 1, 2])
  })

  it('holds nobody back any more once it is over', async () => {
    const controller = new AbortController()
    const loop = eventLoop([500])
    const pass = makeEventLoopThrottle({ ...loop, turn: async () => controller.abort() })
    await Promise.all([pass(controller.signal), pass(controller.signal)])
  })
})
