import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeChurnSchedule } from '../../src/load/churn.js'
import { dialSequentially } from '../../src/network/node-host.js'
import { simulate, simulatedPlan } from '../simulator/simulation.js'

test('a node dials one peer after the other in the given order, and waits for no other node', async () => {
  const dials = [
    [0, 5],
    [1, 5],
    [0, 6],
    [0, 7],
    [1, 6]
  ].map(([from, to]) => ({ from, to }))
  /** @type {string[]} */
  const log = []
  const dialled = await dialSequentially(dials, async dial => {
    const name = `${dial.from}>${dial.to}`
    log.push(name)
    // node 0 waits longer than node 1
    for (let turns = dial.from === 0 ? 3 : 1; turns > 0; turns--) await nextTurn()
    log.push(`${name} done`)
    return { ...dial, ms: 1, error: dial.to === 6 ? 'refused' : null }
  })
  assert.deepEqual(
    dialled,
    [0, 2, 3, 1, 4].map(i => ({ ...dials[i], ms: 1, error: dials[i].to === 6 ? 'refused' : null }))
  )
  const found = log.filter(line => line.startsWith('0'))
  assert.deepEqual(found, ['0>5', '0>5 done', '0>6', '0>6 done', '0>7', '0>7 done'])
  assert.ok(log.indexOf('1>5') < log.indexOf('0>5 done'))
  assert.ok(log.indexOf('1>6') < log.indexOf('0>5 done'))
})

/** @typedef {import('../simulator/simulation.js').Receipt} Receipt */

const MS = 1e6
const SECOND = 1e9
const CUT_NODES = 10

/** Two halves, in which each node has more neighbours than it has mesh peers, so that it tells the others of messages by IHAVE. */
const HALVES = { nodes: 20, topology: 'full', linkLatency: '50ms', signing: 'off', duration: '10s' }
const CUT = '@1s-6s:0-9|rest'
const HEALED_NS = 6 * SECOND

/** Before the cut, four heartbeats before it is healed, and half a one. Of node 0. */
const PUBLISHED = [0.5, 2, 5.5].map(seconds => ({ node: 0, offsetNs: seconds * SECOND }))
const [BEFORE, OLD, YOUNG] = PUBLISHED.keys()

/** @param {Record<string, unknown>} [options] */
async function halves(options) {
  const { received, startNs, counters, evidence } = await simulate(
    simulatedPlan({ ...HALVES, ...options }),
    PUBLISHED
  )
  /** @param {number} message @param {(node: number) => boolean} belongs */
  const timesOf = (message, belongs) =>
    received.flatMap(each =>
      each.message === message && belongs(each.node)
        ? [each.atNs - startNs - PUBLISHED[message].offsetNs]
        : []
    )
  return {
    near: (/** @type {number} */ message) => timesOf(message, node => node < CUT_NODES),
    far: (/** @type {number} */ message) => timesOf(message, node => node >= CUT_NODES),
    counters,
    evidence
  }
}

/** @param {number} message @param {number[]} times - since it was published */
const areAfterTheCut = (message, times) =>
  times.every(ns => ns + PUBLISHED[message].offsetNs > HEALED_NS && ns < 10 * SECOND)

test('without a partition nobody has to ask for a message', async () => {
  const { near, far, counters } = await halves()
  for (const message of PUBLISHED.keys()) {
    assert.deepEqual([near(message).length, far(message).length], [9, 10])
    assert.ok(far(message).every(ns => ns < SECOND))
  }
  assert.equal(counters.iwantSent, 0)
})

describe('a partition that resets connections', () => {
  test('what is younger than the gossip of three heartbeats is asked for by IWANT, what is older never comes', async () => {
    const { near, far, counters, evidence } = await halves({ partition: `reset${CUT}` })
    const lengths = [BEFORE, OLD, YOUNG].map(message => near(message).length)
    assert.deepEqual(lengths, [9, 9, 9])
    const found = [BEFORE, OLD, YOUNG].map(message => far(message).length)
    assert.deepEqual(found, [10, 0, 10])
    assert.ok(areAfterTheCut(YOUNG, far(YOUNG)))
    assert.ok(counters.iwantSent >= 1, `${counters.iwantSent} IWANT`)
    assert.deepEqual(evidence.abortedStreams, [], 'streams ended with their connections')
  })
})

describe('a partition that holds', () => {
  test('all comes when TCP tries again after it: connections and their bytes are kept', async () => {
    const { near, far } = await halves({ partition: `hold${CUT}` })
    for (const message of PUBLISHED.keys())
      assert.deepEqual([near(message).length, far(message).length], [9, 10])
    assert.ok(far(BEFORE).every(ns => ns < SECOND))
    assert.ok(areAfterTheCut(OLD, far(OLD)))
    assert.ok(areAfterTheCut(YOUNG, far(YOUNG)))
  })
})

describe('churn', () => {
  const plan = simulatedPlan({
    nodes: 12,
    topology: 'full',
    linkLatency: '20ms',
    signing: 'off',
    duration: '20s',
    churn: '10%/s,away=2s'
  })
  const absences = makeChurnSchedule(plan)
  const published = Array.from({ length: 100 }, (_, i) => ({ node: i % 12, offsetNs: i * 200 * MS }))
  /** @param {number} node @param {number} fromNs @param {number} toNs */
  const isAway = (node, fromNs, toNs) =>
    absences[node].some(({ leavesNs, returnsNs }) => leavesNs < toNs && fromNs < returnsNs)

  test('who is away neither publishes nor receives; who was there for long enough receives all', async () => {
    assert.ok(absences.flat().length > 5, 'nodes leave')
    const { received, startNs, end, intervals } = await simulate(plan, published)
    const sources = published.filter(({ node, offsetNs }) => isAway(node, offsetNs, offsetNs + 1))
    assert.ok(sources.length > 0)
    assert.deepEqual(end.errors, { NODE_AWAY: sources.length })
    assert.equal(end.published, published.length - sources.length)
    for (const { node, atNs } of received)
      assert.equal(isAway(node, atNs - startNs, atNs - startNs + 1), false, `node ${node} is away`)

    const went = new Set(
      intervals.flatMap(({ published: { message, recipients } }) =>
        [...message].filter((_, row) => recipients[row] >= 0)
      )
    )
    const has = new Set(received.map(({ message, node }) => `${message}/${node}`))
    let settled = 0
    for (const [message, { node: source, offsetNs }] of published.entries())
      for (let node = 0; node < plan.nodes; node++) {
        // a heartbeat to be grafted, another one to be told of what there was
        if (!went.has(message) || node === source || isAway(node, offsetNs - 3 * SECOND, offsetNs + SECOND))
          continue
        settled++
        assert.ok(has.has(`${message}/${node}`), `message ${message} at node ${node}`)
      }
    assert.ok(settled > 200, `${settled} deliveries`)
  })

  test('nobody leaves before the start, or after the end of publishing', () => {
    for (const { leavesNs } of absences.flat()) assert.ok(leavesNs > 0 && leavesNs < 20 * SECOND)
    assert.deepEqual(makeChurnSchedule({ ...plan, churn: null }).flat(), [])
  })
})

describe('--sendQueue', () => {
  const slow = {
    nodes: 6,
    topology: 'star',
    linkLatency: '20ms',
    signing: 'off',
    upBandwidth: '50kB/s',
    idontwant_message_size_threshold: 1_000_000
  }
  const burst = Array.from({ length: 30 }, () => ({ node: 0, offsetNs: 0 }))

  test('without it all waits, and comes', async () => {
    const { received, counters } = await simulate(simulatedPlan(slow), burst)
    assert.equal(received.length, 30 * 5)
    assert.equal(counters.refusedRpcs, 0)
  })

  test('what finds the queue of its peer full is refused and counted', async () => {
    const { received, counters } = await simulate(simulatedPlan({ ...slow, sendQueue: 4 }), burst)
    // one in hand and four that wait for each of five peers
    const first = received.filter(({ from }) => from === 0).length
    assert.ok(first >= 5 * 5 && first < 30 * 5, `${first} came`)
    assert.ok(Number(counters.refusedRpcs) >= 25 * 5, `${counters.refusedRpcs} refused`)
  })
})

describe('links', () => {
  const bare = { topology: 'line', nodes: 3, signing: 'off', preset: 'study-2019' }

  test('of a matrix have latencies of their own, each way', async () => {
    const plan = simulatedPlan({ ...bare, linkJitter: '0' })
    const ms = [
      [0, 10, 0],
      [20, 0, 40],
      [0, 80, 0]
    ]
    const { received, startNs } = await simulate({ ...plan, linkLatencies: { kind: 'matrix', ms } }, [
      { node: 0, offsetNs: 0 },
      { node: 2, offsetNs: 5 * SECOND }
    ])
    assert.deepEqual(
      received.map(({ message, node, atNs }) => [message, node, (atNs - startNs) / MS]),
      [
        // and 80 µs at each node
        [0, 1, 10.08],
        [0, 2, 50.16],
        [1, 1, 5080.08],
        [1, 0, 5100.16]
      ]
    )
  })

  test('that lose segments bring all, later', async () => {
    const publications = Array.from({ length: 50 }, (_, i) => ({ node: 0, offsetNs: i * 100 * MS }))
    const meanOf = async (/** @type {Record<string, unknown>} */ options) => {
      const plan = simulatedPlan({ ...bare, linkLatency: '50ms', ...options })
      const { received, startNs } = await simulate(plan, publications)
      assert.equal(received.length, 100)
      const sum = received.reduce(
        (all, { message, atNs }) => all + atNs - startNs - publications[message].offsetNs,
        0
      )
      return sum / received.length / MS
    }
    const [sound, lossy] = [await meanOf({}), await meanOf({ linkLoss: '10%' })]
    assert.ok(Math.abs(sound - 75) < 5, `${sound} ms`)
    assert.ok(lossy > 100, `${lossy} ms`)
  })
})
