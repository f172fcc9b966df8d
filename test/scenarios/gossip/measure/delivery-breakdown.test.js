import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseThreshold } from '../../../../src/plan/threshold.js'
import { judgeThresholds } from '../../../../src/report/checks.js'
import { GOSSIP_FIGURES } from '../../../../src/scenarios/gossip/figures.js'
import { Groups } from '../../../../src/scenarios/gossip/measure/delivery-breakdown.js'
import { DeliveryTracker } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { NOTHING, publishedRows, receivedRows } from './rows.js'

const PLACES = [
  { class: 'server', zone: 'eu' },
  { class: 'home', zone: 'eu' },
  { class: 'home', zone: 'us' },
  { class: 'home', zone: 'us' }
]

/** @param {string[]} thresholds @param {object} [more] */
const planOf = (thresholds, more = {}) =>
  /** @type {any} */ ({
    nodes: 4,
    seed: 1,
    topics: [{ name: 'blocks' }, { name: 'votes.0' }, { name: 'votes.1' }],
    networkFile: {
      classes: [{ name: 'home' }, { name: 'server' }],
      zones: { names: ['eu', 'us'] },
      placement: PLACES
    },
    thresholds: thresholds.map(text => /** @type {any} */ (parseThreshold(text, GOSSIP_FIGURES)).value),
    ...more
  })

/** Server 0 in eu publishes a block, home 2 in us a vote that node 1 never gets. @param {any} plan */
function tracked(plan) {
  const groups = Groups.of(plan)
  const tracker = new DeliveryTracker({
    nodes: 4,
    subscriptions: Array(4).fill([0, 1, 2]),
    startNs: 1000e6,
    groups
  })
  tracker.addPublished(
    publishedRows([
      { message: 0, node: 0, topic: 0, atMs: 1000 },
      { message: 1, node: 2, topic: 2, atMs: 1000 }
    ])
  )
  tracker.addReceived(
    receivedRows([
      { message: 0, node: 1, from: 0, atMs: 1010 },
      { message: 0, node: 2, from: 0, atMs: 1050 },
      { message: 0, node: 3, from: 2, atMs: 1060 },
      { message: 1, node: 0, from: 2, atMs: 1040 },
      { message: 1, node: 3, from: 2, atMs: 1004 }
    ])
  )
  tracker.close(NOTHING, 1500e6)
  return { groups, result: tracker.result() }
}

describe('groups of deliveries', () => {
  it('count messages by publisher, deliveries by receiver, losses at the time waited', () => {
    const { groups, result } = tracked(planOf([]))
    const [home, server] = result.groups?.classes ?? []
    assert.deepEqual(
      [home, server].map(each => [each.class, each.nodes, each.published, each.expected, each.delivered]),
      [
        ['home', 3, 1, 5, 4],
        ['server', 1, 1, 1, 1]
      ]
    )
    assert.deepEqual(home.latency.all.max, { ms: 500, censored: true })
    assert.equal(home.latency.delivered.max?.ms, 60)
    assert.deepEqual(home.dissemination.all.max, { ms: 500, censored: true })
    assert.equal(server.dissemination.complete.max?.ms, 60)
    assert.deepEqual(
      result.groups?.pairs.map(({ from, to, expected, delivered, latency }) => [
        `${from} ${to}`,
        expected,
        delivered,
        latency.delivered?.count
      ]),
      [
        ['eu eu', 1, 1, 1],
        ['eu us', 2, 2, 2],
        ['us eu', 2, 1, 1],
        ['us us', 1, 1, 1]
      ]
    )
    assert.deepEqual(
      result.topics.map(({ published, expected, delivered, latency }) => [
        published,
        expected,
        delivered,
        latency?.all.count
      ]),
      [
        [1, 3, 3, 3],
        [0, 0, 0, 0],
        [1, 3, 2, 3]
      ]
    )
    const actual = result.nodes.map(each => ({ class: each.class, zone: each.zone }))
    assert.deepEqual([actual, groups?.hasPlaces], [PLACES, true])
  })

  it('have the bytes of their nodes since publishing began', () => {
    const groups = /** @type {Groups} */ (Groups.of(planOf([])))
    const told = (/** @type {number} */ sent) => ({
      node: Uint16Array.of(0, 1, 2, 3),
      sent: Float64Array.of(sent, 2 * sent, 0, 0),
      received: Float64Array.of(0, 0, sent, sent)
    })
    groups.addBytes(told(100), true)
    groups.addBytes(told(150))
    const actual = groups.result().groups?.zones.map(each => [each.zone, each.bytesSent, each.bytesReceived])
    assert.deepEqual(actual, [
      ['eu', 150, 0],
      ['us', 0, 100]
    ])
  })

  it('are none where nobody asks for them', () => {
    assert.equal(Groups.of(planOf([], { networkFile: undefined })), null)
    const { result } = tracked(planOf([], { networkFile: undefined }))
    assert.ok(!('groups' in result) && !('latency' in result.topics[0]) && !('class' in result.nodes[0]))
  })

  it('are those of thresholds alone without a network file', () => {
    const plan = planOf(['blocks.latency.max < 1s'], { networkFile: undefined })
    const { groups, result } = tracked(plan)
    assert.ok(groups !== null && result.groups === undefined)
    assert.equal(groups.part({ topic: 'blocks' })?.latency.all.max?.ms, 60)
  })
})

describe('thresholds on a part of a network', () => {
  /** @type {[text: string, actual: number | null, passed: boolean][]} */
  const CASES = [
    ['blocks.delivery.max < 61ms', 60, true],
    ['votes.1.latency.avg < 1ms', 181.333, false],
    ['votes.*.deliveryRatio >= 66%', 66.667, true],
    ['latency.max < 1s, class=server', 40, true],
    ['deliveryRatio >= 100%, class=home', 80, false],
    ['latency.max < 55ms, zone=us', 60, false],
    ['blocks.latency.max < 11ms, class=home, zone=eu', 10, true],
    ['votes.0.latency.avg < 1s', null, false],
    ['blocks.dissemination.max < 61ms, class=server', 60, true]
  ]
  const plan = planOf(CASES.map(([text]) => text))
  const { groups, result } = tracked(plan)
  const outcome = /** @type {any} */ ({ ...result, partOf: groups?.part.bind(groups) })
  const judged = judgeThresholds(plan.thresholds, outcome, GOSSIP_FIGURES)
  for (const [place, [text, actual, passed]] of CASES.entries())
    it(`${text} is ${passed ? 'met' : 'not met'}`, () => {
      const rounded = judged[place].actual && Number(judged[place].actual?.toFixed(3))
      assert.deepEqual([rounded, judged[place].passed], [actual, passed])
      assert.equal(judged[place].text, text.replace('delivery.', 'latency.'))
    })

  it('are read as they are typed, and as mappings, and as plans hold them', () => {
    const aborting = { abortOnFail: true, graceMs: 2000 }
    const text = 'votes.7.latency.p99 < 1s, class=home, zone=eu'
    for (const raw of [
      'votes.7.delivery.p99 < 1s, class=home, zone=eu, abortOnFail, grace=2s',
      { metric: 'votes.7.latency.p99 < 1s', class: 'home', zone: 'eu', abortOnFail: true, grace: '2s' },
      { metric: text, abortOnFail: true, grace: '2s' }
    ])
      assert.deepEqual(/** @type {any} */ (parseThreshold(raw, GOSSIP_FIGURES)).value, { text, ...aborting })
    for (const raw of ['latency.p99 < 1s, home', { metric: 'latency.p99 < 1s, kind=home' }])
      assert.ok('allowed' in parseThreshold(raw, GOSSIP_FIGURES))
    const { value } = /** @type {any} */ (parseThreshold('latency.p99 < 1s, class', GOSSIP_FIGURES))
    assert.equal(value.text, 'latency.p99 < 1s, class=')
  })

  it('without a sample fail with the reason', () => assert.equal(judged[7].reason, 'nothing was published'))

  it('are on figures of single deliveries and messages alone', () => {
    for (const text of [
      'cpuPerDelivery < 1s, class=home',
      'blocks.skipped < 1',
      'latency.p99.overhead < 1s, zone=eu'
    ])
      assert.match(
        /** @type {any} */ (parseThreshold(text, GOSSIP_FIGURES)).allowed,
        /of the whole network|not a metric/
      )
  })
})
