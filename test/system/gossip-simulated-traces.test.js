import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makePlan, runPlan } from '../../src/index.js'
import { newFolder, PAIRS, TIMEOUT } from '../acceptance/loadtest.js'

/** @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

const NODES = 8
const PLAN = {
  network: 'simulated',
  nodes: NODES,
  topology: 'small-world:k=4,p=0.2',
  linkLatency: '50ms',
  rate: '10/s'
}
const KIND = Object.freeze({ PUBLISH: 0, DELIVER: 3, ADD_PEER: 4, REMOVE_PEER: 5, JOIN: 9 })

/** @param {Record<string, unknown>} options @returns {Promise<{ result: GossipResult, folder: string }>} */
async function run(options) {
  const { plan, problems } = await makePlan('gossip', { ...PLAN, ...options })
  assert.equal(problems, undefined)
  const folder = await newFolder()
  for await (const record of runPlan(plan, { id: 'traced', folder }))
    if (record.type === 'result') return { result: /** @type {any} */ (record.result), folder }
  throw new Error('the run ended without a result')
}

/**
 * What stands in the traces of a run, with times in ns, which JSON.parse would round.
 *
 * @param {string} folder
 */
async function eventsIn(folder) {
  const files = await readdir(join(folder, 'traces'))
  assert.equal(files.length, NODES)
  const texts = await Promise.all(files.map(file => readFile(join(folder, 'traces', file), 'utf8')))
  return texts.flatMap(text =>
    text
      .trim()
      .split('\n')
      .map(line => ({ ...JSON.parse(line), atNs: BigInt(/"timestamp":(\d+)/.exec(line)?.[1] ?? 0) }))
  )
}

/**
 * What anyone can make of traces: when each message was published, and who had it when from whom.
 *
 * @param {any[]} events
 */
function recomputed(events) {
  const nodes = new Set(events.map(({ peerID }) => peerID))
  const published = events.filter(({ type }) => type === KIND.PUBLISH)
  const delivered = events.filter(({ type }) => type === KIND.DELIVER)
  const messages = new Map(
    published.map(({ publishMessage: { messageID }, peerID, atNs }) => [
      messageID,
      { atNs, from: new Map([[peerID, null]]), lastMs: 0 }
    ])
  )
  const latenciesMs = delivered.map(({ deliverMessage: { messageID, receivedFrom }, peerID, atNs }) => {
    const message = messages.get(messageID)
    assert.ok(message, 'a delivery is of a message that was published')
    const ms = Number(atNs - message.atNs) / 1e6
    message.from.set(peerID, receivedFrom)
    message.lastMs = Math.max(message.lastMs, ms)
    return ms
  })
  const hops = [...messages.values()].flatMap(({ from }) => [...from.keys()].map(node => hopsTo(node, from)))
  return {
    published: published.length,
    expected: published.length * (nodes.size - 1),
    delivered: delivered.length,
    latenciesMs,
    disseminationMs: [...messages.values()].map(({ lastMs }) => lastMs),
    hops: countsOf(hops.filter(count => count > 0))
  }
}

/** @param {any} node @param {Map<any, any>} from @returns {number} */
const hopsTo = (node, from) => (from.get(node) === null ? 0 : 1 + hopsTo(from.get(node), from))

/** @param {number[]} numbers @returns {number[]} how often each comes */
function countsOf(numbers) {
  const counts = Array(Math.max(...numbers) + 1).fill(0)
  for (const number of numbers) counts[number]++
  return counts
}

/** @param {number[]} times */
const summaryOf = times => ({
  count: times.length,
  avg: times.reduce((sum, ms) => sum + ms, 0) / times.length,
  max: Math.max(...times),
  p50: times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1]
})

/** Histograms of results keep three digits. @param {number | undefined} ms @param {number} expected @param {string} what */
const assertClose = (ms, expected, what) =>
  assert.ok(
    Math.abs(Number(ms) - expected) <= expected * 2e-3,
    `${what}: ${ms} in the result, ${expected} by the traces`
  )

/** @param {import('../../src/report/schema.js').Summary} summary @param {number[]} times @param {string} what */
function assertSummary(summary, times, what) {
  const { count, avg, max, p50 } = summaryOf(times)
  assert.equal(summary.count, count, what)
  assertClose(summary.avg?.ms, avg, `${what}, average`)
  assertClose(summary.max?.ms, max, `${what}, maximum`)
  assertClose(summary.p50?.ms, p50, `${what}, median`)
}

describe('traces of a simulated network', { ...PAIRS, ...TIMEOUT }, () => {
  test('give the figures of the result again, which is the same without them', async () => {
    const [{ result, folder }, { result: without }] = await Promise.all([
      run({ messages: '20', traces: true }),
      run({ messages: '20' })
    ])
    assert.deepEqual([result.status, result.reason], ['complete', null])
    const { outcome } = result
    assert.equal(outcome.digest, without.outcome.digest)
    const events = await eventsIn(folder)
    const { published, expected, delivered, hops, ...times } = recomputed(events)
    assert.equal(outcome.messages.published, published)
    assert.deepEqual([outcome.delivery.expected, outcome.delivery.delivered], [expected, delivered])
    assertSummary(outcome.latency.delivered, times.latenciesMs, 'latency')
    assertSummary(outcome.dissemination.complete, times.disseminationMs, 'dissemination')
    assert.deepEqual(outcome.hops.deliveries, hops)
    assert.ok(hops.length > 2, 'some came over others')
    const ofType = (/** @type {number} */ type) => events.filter(event => event.type === type).length
    assert.equal(ofType(KIND.JOIN), NODES)
    assert.equal(ofType(KIND.ADD_PEER), 2 * outcome.topology.edgeCount)
  })

  test('go on where nodes leave and return, and have what they received that nobody expected of them', async () => {
    const { result, folder } = await run({
      duration: '15s',
      rate: '2/s',
      signing: 'off',
      churn: '60%/min,away=3s',
      traces: true
    })
    const { delivery, churn } = result.outcome
    assert.ok(churn && churn.returns > 0)
    const events = await eventsIn(folder)
    const { joining, leaving, away } = churn.apart
    assert.equal(
      events.filter(({ type }) => type === KIND.DELIVER).length,
      delivery.delivered + joining.delivered + leaving.delivered + away.delivered + churn.again
    )
    assert.equal(events.filter(({ type }) => type === KIND.JOIN).length, NODES + churn.returns)
    assert.ok(events.some(({ type }) => type === KIND.REMOVE_PEER))
  })
})
