import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { parseThreshold } from '../../src/plan/threshold.js'
import { descriptionSchema } from '../../src/report/schema.js'
import { makeCsvFiles, writeMarkdownReport } from '../../src/report/text.js'
import { describeResult } from '../../src/scenarios/gossip/describe.js'
import { GOSSIP_FIGURES } from '../../src/scenarios/gossip/figures.js'
import { runGossip } from '../../src/scenarios/gossip/run/gossip-run.js'
import { outcome as gossipOutcome } from '../../src/scenarios/gossip/schema.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { makePlanOf } from '../scenarios.js'

const ALIKE = {
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  zones: null,
  validation: null,
  dial: /** @type {const} */ ('any')
}
/**
 * Homes and servers in two zones, on links that are all alike.
 *
 * @type {import('../../src/scenarios/gossip/plan/network-file.js').NetworkFile}
 */
const NETWORK_FILE = {
  path: 'net.yaml',
  classes: [
    { name: 'home', share: 0.75, ...ALIKE },
    { name: 'server', share: 0.25, ...ALIKE }
  ],
  zones: {
    names: ['eu', 'us'],
    latencyMs: [
      [20, 20],
      [20, 20]
    ],
    jitter: null,
    lossShare: null,
    shares: [1, 3]
  },
  topics: null,
  gossipsub: {},
  script: [],
  placement: null
}

/** @param {Record<string, unknown>} options @param {readonly string[]} [texts] - of thresholds @returns {Promise<any>} its result */
async function resultOf(options, texts = []) {
  const thresholds = texts.map(text => /** @type {any} */ (parseThreshold(text, GOSSIP_FIGURES)).value)
  const { plan } = /** @type {any} */ (
    makePlanOf('gossip', { messages: 200, rate: '50/s', linkLatency: '20ms', ...options }, { cores: 2 })
  )
  let result
  for await (const record of runGossip({ ...plan, thresholds, networkFile: NETWORK_FILE }, { id: 'groups' }))
    if (record.type === 'result') result = record.result
  return result
}

/** @param {any} result @returns {Record<string, string[][]>} rows of CSV files, by table */
const tablesOf = result =>
  Object.fromEntries(
    makeCsvFiles(describeResult(result)).map(([name, text]) => [
      name.replace('.csv', ''),
      text
        .trim()
        .split('\n')
        .map(line => line.split(','))
    ])
  )

for (const network of ['simulated', 'loopback'])
  describe(`a network of classes and zones, ${network}`, TIMEOUT, () => {
    /** @type {any} */
    let result
    before(async () => {
      result = await resultOf({ network, nodes: 16, workers: 2, topics: 'blocks=1,votes=0.8' })
    })

    it('has figures of each that add up to those of all', () => {
      const { delivery, groups, messages, counters, latency } = gossipOutcome.parse(result.outcome)
      assert.ok(groups !== undefined)
      const sum = (/** @type {readonly any[]} */ list, /** @type {string} */ key) =>
        list.reduce((all, each) => all + each[key], 0)
      for (const list of [groups.classes, groups.zones]) {
        assert.equal(sum(list, 'nodes'), 16)
        assert.equal(sum(list, 'published'), messages.published)
        assert.equal(sum(list, 'bytesSent'), counters.bytesSent)
        assert.equal(sum(list, 'bytesReceived'), counters.bytesReceived)
      }
      for (const list of [groups.classes, groups.zones, groups.pairs, result.outcome.topics]) {
        assert.deepEqual(
          [sum(list, 'expected'), sum(list, 'delivered')],
          [delivery.expected, delivery.delivered]
        )
        assert.equal(
          list.reduce(
            (/** @type {number} */ all, /** @type {any} */ each) => all + each.latency.all.count,
            0
          ),
          latency.all.count
        )
      }
    })

    it('has tables of them, and a map of zones', () => {
      const description = describeResult(result)
      descriptionSchema.parse(JSON.parse(JSON.stringify(description)))
      assert.deepEqual(
        description.tables.filter(({ terminal }) => terminal).map(({ id }) => id),
        ['response-times', 'classes']
      )
      assert.equal(description.plots.find(({ id }) => id === 'zone-latency')?.grid?.rows.join(), 'eu,us')
      const { topics, zones } = tablesOf(result)
      assert.ok(topics[0].includes('Latency p99 ms'))
      assert.deepEqual(
        zones.slice(1).map(([from, to]) => `${from} ${to}`),
        ['eu eu', 'eu us', 'us eu', 'us us']
      )
    })

    it('has the place of each node', () => {
      const { nodes } = tablesOf(result)
      assert.deepEqual(nodes[0].slice(0, 3), ['Node', 'Class', 'Zone'])
      assert.deepEqual(
        nodes.slice(1).map(([node, ofClass, zone]) => ({ node: Number(node), class: ofClass, zone })),
        result.outcome.nodes.map((/** @type {any} */ each) => ({
          node: each.node,
          class: each.class,
          zone: each.zone
        }))
      )
    })
  })

describe('thresholds on a part of a network', TIMEOUT, () => {
  it('can end a run', async () => {
    const result = await resultOf(
      { network: 'simulated', nodes: 10, messages: 5000, topics: 'blocks=1,votes=1' },
      ['votes.delivery.p50 < 1ms, abortOnFail', 'deliveryRatio > 1%, class=home']
    )
    assert.deepEqual([result.status, result.reason.code], ['partial', 'THRESHOLD_FAILED'])
    const [votes, home] = result.outcome.thresholds
    assert.deepEqual([votes.text, votes.passed, home.passed], ['votes.latency.p50 < 1ms', false, true])
  })
})

describe('a large network', TIMEOUT, () => {
  it('has all of its nodes in nodes.csv, and the first ones in a report', async () => {
    const result = await resultOf({
      network: 'simulated',
      nodes: 320,
      messages: 2,
      topology: 'random-degree:k=3'
    })
    const description = describeResult(result)
    assert.equal(description.tables.find(({ id }) => id === 'nodes')?.rows.length, 300)
    assert.equal(tablesOf(result).nodes.length, 321)
    assert.match(writeMarkdownReport(description), /The first 300 of 320/)
    assert.ok(!JSON.stringify(description).includes('inFull'))
  })
})
