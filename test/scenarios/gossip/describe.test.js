import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describePlan, describeResult, describeTopology } from '../../../src/scenarios/gossip/describe.js'
import { computeForceLayout } from '../../../src/scenarios/gossip/description/plots.js'
import { digestOf, rowsOf, tableOf, valid, widthOf } from '../../description-digest.js'
import { isAsRecorded } from '../../recorded.js'
import { summary, time } from '../../report/sample-result.js'
import { readResult } from '../../scenarios.js'
import { aChurnedGossipResult } from './a-churned-gossip-result.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

/** @typedef {import('../../../src/report/schema.js').Description} Description */

const STORED = ['gossip', 'gossip-simulated', 'rotate-gossip', 'profile']

/** @param {string} name */
const stored = name => readResult(`fixtures/results-0.1.0/${name}/result.json`)

/** @param {Description} description @param {string} id @returns {Record<string, unknown>} values of a table of facts, by name */
const factsOf = (description, id) =>
  Object.fromEntries(
    tableOf(description, id).rows.map(([name, cell]) => [
      name,
      cell !== null && typeof cell === 'object' && 'value' in cell ? cell.value : cell
    ])
  )

/** @param {Description} description @param {string} id */
function plotOf({ plots }, id) {
  const plot = plots.find(plot => plot.id === id)
  assert.ok(plot, `no plot ${id} among ${plots.map(({ id }) => id).join(', ')}`)
  return plot
}

describe('the description of a gossip network', () => {
  for (const name of STORED)
    test(`of the stored result ${name} is valid, and as recorded`, async () => {
      const result = await stored(name)
      const description = valid(describeResult(result))
      assert.ok(widthOf(description.tables[0]) <= 80, String(widthOf(description.tables[0])))
      assert.equal(description.plots.filter(({ main }) => main).length, 1)
      const plan = describePlan(/** @type {any} */ (result.plan))
      assert.deepEqual(
        plan.columns,
        description.tables[0].columns.map(([heading]) => heading)
      )
      isAsRecorded(`description-${name}.json`, { plan, result: digestOf(description) })
    })

  const lossy = aGossipResult({ gone: [3, 11], stall: true, skipped: 2 })

  test('has a row for the run, which fits a terminal', () => {
    const description = valid(describeResult(lossy))
    const [first] = description.tables
    assert.ok(widthOf(first) <= 80, String(widthOf(first)))
    assert.match(description.headline, /^40 nodes \(.*\) published 198 messages; 9\d\.\d\d % of .* arrived/)
  })

  test('says why deliveries are missing', () => {
    const description = valid(describeResult(lossy))
    const { missing } = lossy.outcome
    const reasons = rowsOf(tableOf(description, 'missing'))
    const actual = reasons.map(({ Reason, Deliveries }) => [Reason, Deliveries])
    assert.deepEqual(
      actual,
      Object.entries(missing.byReason).filter(([, count]) => count > 0)
    )
    assert.equal(tableOf(description, 'missing-deliveries').rows.length, Math.min(300, missing.listed.length))
    const times = rowsOf(tableOf(description, 'response-times')).map(row => row['Time, ms'])
    assert.ok(times.includes('Latency, delivered') && times.includes('Dissem., complete'))
  })

  test('says how many messages reached every subscriber where most did not', () => {
    const { delivery, dissemination } = lossy.outcome
    const all = { ...dissemination.all, p50: { ...time(5000), censored: true } }
    const { headline } = describeResult({
      ...lossy,
      outcome: { ...lossy.outcome, dissemination: { ...dissemination, all } }
    })
    const { completeMessages, expectedMessages } = delivery
    assert.ok(
      headline.endsWith(`${completeMessages} of ${expectedMessages} messages reached every subscriber.`),
      headline
    )
  })

  test('of a run that published nothing has a row of zeros', () => {
    const description = valid(describeResult(nothingPublished()))
    assert.match(description.headline, /published no message\.$/)
    assert.deepEqual([rowsOf(description.tables[0])[0].Messages, description.tiles], [0, []])
  })

  test('has what nodes in containers used, by phase', () => {
    const used = {
      cpu: { averagePercent: 10, maxPercent: 20, heldBackPercent: 5 },
      memory: { averageBytes: 50e6, maxBytes: 60e6 },
      traffic: { receivedBytes: 1e6, sentBytes: 2e6 }
    }
    const series = [0, 1000].map(atMs => ({
      ...{ atMs, cpuPercent: 10, rssBytes: 5e7, heapBytes: 0, backlogBytes: 0 },
      ...{ receivedPerSecond: 1e3, sentPerSecond: 2e3 }
    }))
    const resources = Array.from({ length: 9 }, (_, worker) => ({
      ...{ worker, nodes: [worker], ...used, series },
      phases: { warmup: null, publish: used, cooldown: null }
    }))
    const description = valid(describeResult(aGossipResult({ outcome: { resources } })))
    assert.deepEqual(rowsOf(tableOf(description, 'resources-by-phase'))[8], {
      ...{ Of: 'node 8', Phase: 'publish', 'CPU avg %': 10, 'CPU max %': 20, 'Throttled %': 5 },
      ...{ 'Memory avg MB': 50, 'Memory max MB': 60, 'In kB': 1000, 'Out kB': 2000 }
    })
    assert.equal(rowsOf(description.tables[0])[0]['CPU of a node avg %'], 10)
    const [band] = plotOf(description, 'workers-traffic').series ?? []
    assert.match(band.label, /^average of 9 workers/)
    assert.deepEqual(band.values[0].slice(1), [3, 3, 3])
  })

  test('has what gossipsub sent for what, and what its library does not tell is left out', () => {
    const bytes = { publish: 1e6, forward: 2e6, iwantAnswer: 0, iwant: null, other: 0 }
    const outcome = {
      bytesByCause: {
        all: { ...bytes, iwant: 1e6 },
        topics: [
          { ...bytes, topic: 0 },
          { publish: 0, forward: 0, iwantAnswer: 0, iwant: 1e6, other: 0, topic: null }
        ]
      },
      counters: { ...aGossipResult().outcome.counters, bytesSent: 4e6, duplicates: 100 },
      duplicatesByCause: { mesh: 60, iwantAnswer: 0, floodPublish: null, other: 40 },
      meshChanges: { grafts: { random: 0, notEnough: 3 }, prunes: { badScore: 2 } },
      scores: {
        series: [0, 1000].map(atMs => ({
          ...{ atMs, samples: 10, min: -100, p5: -90, p50: 0.5, p95: 2 },
          below: { zero: 0.2, gossipThreshold: 0.1, publishThreshold: 0, graylistThreshold: 0 }
        })),
        nodes: Array.from({ length: 301 }, (_, node) => ({ node, peers: 5, median: 1, min: -node }))
      }
    }
    const options = { topics: 'blocks=1,votes=0.5', nodes: '40' }
    const description = valid(
      describeResult(aGossipResult({ options, outcome: /** @type {any} */ (outcome) }))
    )
    assert.deepEqual(
      rowsOf(tableOf(description, 'bytes-by-cause')).map(row => [row.Cause, row['Total MB'], row['Share %']]),
      [
        ['Publish', 1, 25],
        ['Mesh forward', 2, 50],
        ['IWANT', 1, 25]
      ]
    )
    assert.deepEqual(tableOf(description, 'bytes-by-topic').rows, [
      ['blocks', 1, 2, null],
      ['(names none)', 0, 0, 1]
    ])
    const duplicates = tableOf(description, 'duplicates-by-cause')
    const actual = rowsOf(duplicates).map(row => [row.Cause, row.Duplicates, row['Share %']])
    assert.deepEqual(actual, [
      ['Mesh', 60, 60],
      ['IWANT answer', 0, 0],
      ['Flood publish', null, null],
      ['Other', 40, 40]
    ])
    assert.match(String(duplicates.note), /^Unsigned messages/)
    assert.deepEqual(tableOf(description, 'mesh-changes').rows, [
      ['Graft', 'too few peers (D_low)', 3],
      ['Prune', 'score below 0', 2]
    ])
    assert.equal(rowsOf(tableOf(description, 'scores-over-time'))[1]['Below gossipThreshold %'], 10)
    const nodes = tableOf(description, 'scores-by-node')
    assert.deepEqual([nodes.rows.length, nodes.rows[0]], [300, [300, 5, 1, -300]])
    const lines = (/** @type {string} */ id) => plotOf(description, id).series?.map(({ label }) => label)
    assert.deepEqual(lines('scores'), ['p5', 'p50', 'p95'])
    assert.deepEqual(lines('scores-below'), ['below 0', 'below gossipThreshold'])
    // no table of these is printed at a terminal
    const ids = [
      ...['bytes-by-cause', 'duplicates-by-cause', 'mesh-changes', 'scores-over-time', 'scores-by-node']
    ]
    for (const id of ids) assert.ok(!tableOf(description, id).terminal, id)
    const without = describeResult(aGossipResult({ options }))
    for (const id of ids) assert.ok(!without.tables.some(table => table.id === id), id)
  })

  test('has links and router of network namespaces', () => {
    const namespaces = {
      ...{ step: 'router', netem: null, dropped: 2, lateAllowedMs: 1 },
      ladder: [
        { step: 'netem', lacks: 'Error: no module.', passedOver: null },
        { step: 'router', lacks: null, passedOver: null }
      ],
      congestionControl: { asked: null, found: 'cubic' },
      links: [
        {
          ...{ what: 'every link', from: 0, to: 1, roundTrip: { askedMs: 100, foundMs: 101, asAsked: true } },
          loss: { asked: 0.01, found: 0.02, packets: 500, asAsked: true },
          rate: { asked: 1e6, found: 9e5, asAsked: true }
        }
      ],
      router: {
        ...{ packets: 5000, bytes: 1e6, lost: 12, cut: 3, overflowed: 1, packetsPerSecond: 1234 },
        ...{ cpuMicrosPerPacket: 15.5, lateness: summary(5000, { p50: time(0.1), p99: time(0.5) }) }
      }
    }
    const network = { ...aGossipResult().outcome.network, namespaces }
    const description = valid(describeResult(aGossipResult({ outcome: /** @type {any} */ ({ network }) })))
    assert.deepEqual(tableOf(description, 'links').rows, [
      ['every link (0 – 1)', 100, 101, 1, 2, 500, 1, 0.9]
    ])
    assert.equal(rowsOf(tableOf(description, 'router'))[0]['Lost as planned'], 12)
    assert.ok(
      tableOf(description, 'response-times').rows.some(([name]) => name === 'Router: a packet was late by')
    )
  })

  test('has the rates that an earlier release tried, churn, and steps over a rendezvous server', () => {
    const count = { expected: 10, delivered: 5 }
    const outcome = {
      carriedRate: {
        ...{ perSecond: 20, lowestNotCarried: 40 },
        trials: [
          { perSecond: 20, carried: true, repeats: 3, reasons: [] },
          { perSecond: 40, carried: false, repeats: 1, reasons: [{ why: 'slow', value: 1200 }] }
        ]
      },
      churn: {
        ...{ departures: 3, returns: 2, again: 1 },
        apart: { joining: count, leaving: count, away: { delivered: 1 } }
      },
      rendezvous: {
        ...{ connect: summary(40, { p50: time(15) }), register: summary(40), discover: summary(40) },
        ...{ dial: summary(0), failed: 2, found: { min: 90, avg: 94, max: 99 }, bothWays: 3 },
        ...{ alreadyConnected: 4, doubled: 1 }
      }
    }
    const description = valid(describeResult(aGossipResult({ outcome: /** @type {any} */ (outcome) })))
    assert.deepEqual(rowsOf(tableOf(description, 'rates-tried'))[1], {
      ...{ 'Messages/s': 40, Repeats: 1, Carried: 'no', 'Why not': 'dissemination p99 1,200 ms' }
    })
    assert.equal(factsOf(description, 'churn').Departures, 3)
    assert.deepEqual(tableOf(description, 'deliveries-apart').rows[0].slice(1), [10, 5, 50])
    assert.equal(factsOf(description, 'rendezvous')['Other nodes found, average'], 94)
  })
})

describe('the description of nodes that are replaced', () => {
  const description = valid(describeResult(aChurnedGossipResult()))

  test('says how many, and what they received', () => {
    assert.match(description.title, /replaced in turn$/)
    assert.match(description.headline, /, while \d nodes were killed and \d started in their places\.$/)
    assert.equal(tableOf(description, 'deliveries-apart').rows.length, 4)
    assert.ok(tableOf(description, 'lives').rows.length > 2)
  })

  test('shades the times in which a node is missing, or has received nothing', () => {
    const { spans = [], main } = plotOf(description, 'deliveries-per-minute')
    assert.ok(main)
    const actual = new Set(spans.map(({ label }) => label))
    assert.deepEqual(actual, new Set(['a node is missing', 'a new node has received nothing']))
    assert.ok(spans.every(({ from, to }) => to >= from))
  })
})

describe('the layout of a network', () => {
  const ring = Array.from({ length: 20 }, (_, node) => [node, (node + 1) % 20])

  test('is the same every time, in a square from 0 to 1', () => {
    const places = computeForceLayout(20, ring)
    assert.deepEqual(places, computeForceLayout(20, ring))
    for (const { x, y } of places) assert.ok(x >= 0 && x <= 1 && y >= 0 && y <= 1)
  })

  test('puts connected nodes near each other', () => {
    const places = computeForceLayout(20, ring)
    const apart = (/** @type {number} */ a, /** @type {number} */ b) =>
      Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y)
    for (const [a, b] of ring) assert.ok(apart(a, b) < apart(a, (a + 10) % 20), `${a} and ${b}`)
  })

  test('of a single node is its middle', () =>
    assert.deepEqual(computeForceLayout(1, []), [{ x: 0.5, y: 0.5 }]))
})

describe('a topology is named with what shapes it', () => {
  for (const [spec, text] of /** @type {[any, string][]} */ ([
    [{ kind: 'barabasi-albert', m: 2, seed: 42, networkx: '2.4' }, 'barabasi-albert m=2'],
    [{ kind: 'small-world', k: 4, p: 0.1 }, 'small-world k=4 p=0.1'],
    [{ kind: 'full' }, 'full'],
    [{ kind: 'file', path: 'mesh.txt', nodes: 2, edges: [[0, 1]] }, 'file mesh.txt']
  ]))
    test(text, () => assert.equal(describeTopology(spec), text))
})
