import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { makeChurnSchedule, makeLives } from '../../src/load/churn.js'
import {
  divideByShares,
  drawSubscriptions,
  findUnsubscribedSpans,
  listScriptedCuts,
  listScriptSteps,
  listSubscriptionChanges,
  numberPair,
  placeNodes,
  selectNodes,
  turnEdgesToDialable
} from '../../src/load/network-script.js'
import { fileWith } from '../network/gossip-plan.js'

/** @type {import('../../src/scenarios/gossip/plan/network-file.js').NodeClass} */
const CLASS = {
  name: 'home',
  share: 0.8,
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  zones: [0.5, 0.5],
  validation: null,
  dial: 'outbound'
}
const ZONES = {
  names: ['eu', 'us'],
  latencyMs: [
    [1, 2],
    [2, 1]
  ],
  jitter: null,
  lossShare: null,
  shares: null
}
const PLAN = {
  nodes: 26,
  seed: 7,
  networkFile: {
    zones: ZONES,
    classes: [
      CLASS,
      { ...CLASS, name: 'server', share: 0.2, zones: [0, 1], dial: /** @type {const} */ ('any') }
    ],
    placement: null
  }
}

/** @param {readonly number[]} list @param {number} value */
const count = (list, value) => list.filter(each => each === value).length

describe('shares of nodes', () => {
  it('are rounded by largest remainder, and add up', () => {
    // quotas 20.8 and 5.2; Hare's textbook case of 47, 16, 15.8, 12, 6.1, 3.1 thousand votes and 10 seats
    assert.deepEqual(divideByShares(26, [0.8, 0.2]), [21, 5])
    assert.deepEqual(divideByShares(10, [47, 16, 15.8, 12, 6.1, 3.1]), [5, 2, 1, 1, 1, 0])
    assert.deepEqual(divideByShares(3, [1, 1, 1, 1]), [1, 1, 1, 0])
    assert.deepEqual(divideByShares(10, [0.1, 0.2, 0.7]), [1, 2, 7])
  })

  it('give each class its zones, the same with the same seed and others with another', () => {
    const { classOf, zoneOf } = placeNodes(PLAN) ?? assert.fail()
    assert.equal(count(classOf, 0), 21)
    const servers = zoneOf.filter((_, node) => classOf[node] === 1)
    assert.deepEqual(servers, [1, 1, 1, 1, 1])
    assert.equal(count(zoneOf, 0), 11, 'of 21 homes, the first of two equal halves has the one that is left')
    assert.deepEqual(placeNodes(PLAN), { classOf, zoneOf })
    assert.notDeepEqual(placeNodes({ ...PLAN, seed: 8 })?.classOf, classOf)
  })

  it('are not asked for where the placement is given', () => {
    const placement = Array.from({ length: 26 }, (_, node) => ({
      class: node < 3 ? 'server' : 'home',
      zone: 'us'
    }))
    const { classOf, zoneOf } =
      placeNodes({ ...PLAN, networkFile: { ...PLAN.networkFile, placement } }) ?? assert.fail()
    assert.deepEqual([classOf.slice(0, 4), count(zoneOf, 1)], [[1, 1, 1, 0], 26])
  })
})

describe('a selector', () => {
  it('means nodes by number, class, zone, and a share of them', () => {
    const { classOf, zoneOf } = placeNodes(PLAN) ?? assert.fail()
    const homes = selectNodes({ class: 'home', zone: 'eu' }, PLAN)
    assert.equal(homes.length, 11)
    assert.ok(homes.every(node => classOf[node] === 0 && zoneOf[node] === 0))
    assert.deepEqual(selectNodes({ nodes: [3, 5] }, PLAN), [3, 5])
    assert.equal(selectNodes({ class: 'home', count: 2 }, PLAN, 'script', 0).length, 2)
    const half = selectNodes({ class: 'home', share: 0.5 }, PLAN, 'script', 1)
    assert.equal(half.length, 11)
    assert.ok(half.every(node => classOf[node] === 0))
    assert.deepEqual(selectNodes({ class: 'home', share: 0.5 }, PLAN, 'script', 1), half)
  })
})

describe('who accepts no connections', () => {
  it('is dialled by nobody: it dials, and another node instead of one of its kind', () => {
    const { classOf } = placeNodes(PLAN) ?? assert.fail()
    const homes = selectNodes({ class: 'home' }, PLAN)
    const [server] = selectNodes({ class: 'server' }, PLAN)
    const edges = turnEdgesToDialable(
      [
        [server, homes[0]],
        [homes[1], homes[2]]
      ],
      PLAN
    )
    assert.deepEqual(edges[0], [homes[0], server])
    assert.equal(edges[1][0], homes[1])
    assert.equal(classOf[edges[1][1]], 1)
  })

  it('changes nothing where all accept', () => {
    const edges = /** @type {[number, number][]} */ ([[0, 1]])
    assert.deepEqual(turnEdgesToDialable(edges, { nodes: 2, seed: 1 }), edges)
  })
})

const NODES = 1000
const FOO = { name: 'foo', chance: 0.7 }
const BAR = { name: 'bar', chance: 0.4 }
const ALL = { name: 'all', chance: 1 }

/** @param {import('../../src/scenarios/gossip/options.js').Topic[]} topics */
const drawn = (topics, { seed = 1, nodes = NODES } = {}) => drawSubscriptions({ seed, nodes, topics })

/** @param {number[][]} subscriptions @param {number} topic */
const subscribers = (subscriptions, topic) =>
  subscriptions.flatMap((mine, node) => (mine.includes(topic) ? [node] : []))

describe('subscriptions', () => {
  it('with a chance of 1 are those of every node', () => {
    assert.deepEqual(drawn([ALL], { nodes: 3 }), [[0], [0], [0]])
  })

  it('come about as often as their chances say', () => {
    const subscriptions = drawn([FOO, BAR])
    for (const [topic, { name, chance }] of [FOO, BAR].entries()) {
      const share = subscribers(subscriptions, topic).length / NODES
      // five standard deviations
      assert.ok(Math.abs(share - chance) < 0.08, `${name}: ${share}`)
    }
  })

  it('name topics by their place in the plan, in its order', () => {
    for (const mine of drawn([BAR, ALL, FOO])) {
      assert.ok(mine.includes(1))
      assert.deepEqual(
        mine,
        [...mine].sort((a, b) => a - b)
      )
    }
  })

  it('are the same with the same seed, and others with another one', () => {
    assert.deepEqual(drawn([FOO]), drawn([FOO]))
    assert.notDeepEqual(drawn([FOO]), drawn([FOO], { seed: 2 }))
  })

  it('to a topic do not depend on the others', () => {
    assert.deepEqual(subscribers(drawn([FOO]), 0), subscribers(drawn([BAR, FOO]), 1))
    assert.notDeepEqual(subscribers(drawn([FOO]), 0), subscribers(drawn([{ ...FOO, name: 'bar' }]), 0))
  })

  it('of more nodes begin with those of fewer', () => {
    assert.deepEqual(drawn([FOO], { nodes: 20 }).slice(0, 10), drawn([FOO], { nodes: 10 }))
  })
})

/**
 * @typedef {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep} ScriptStep
 */

/** Everybody is subscribed to `all`, nobody to `none`. @param {Partial<ScriptStep>[]} script @param {object} [changes] */
const planOf = (script, changes = {}) => ({
  ...{ seed: 1, nodes: 8, durationMs: 60_000, messages: null, ratePerSecond: 1 },
  topics: [
    { name: 'all', chance: 1 },
    { name: 'none', chance: 0 }
  ],
  networkFile: fileWith(
    script.map(step => ({ who: { nodes: [3] }, ...step })).map(step => /** @type {ScriptStep} */ (step)),
    { zones: { names: ['eu', 'us'], latencyMs: [], jitter: null, lossShare: null, shares: null } }
  ),
  ...changes
})

/** @param {number} atMs @param {number} [forMs] @param {string} [topic] @returns {Partial<ScriptStep>} */
const subscribe = (atMs, forMs, topic = 'none') => ({ atMs, action: 'subscribe', topic, forMs })
/** @param {number} atMs @param {number} [forMs] @param {string} [topic] @returns {Partial<ScriptStep>} */
const unsubscribe = (atMs, forMs, topic = 'none') => ({
  ...subscribe(atMs, forMs, topic),
  action: 'unsubscribe'
})

describe('subscriptions of a script', () => {
  /** @type {[string, Partial<ScriptStep>[], Record<number, boolean>][]} */
  const cases = [
    ['no script changes nothing', [], {}],
    ['one for good', [subscribe(1000)], { 1000: true }],
    ['one for a time is undone', [subscribe(1000, 2000)], { 1000: true, 3000: false }],
    ['who is subscribed stays so, also after the time', [subscribe(1000, 2000, 'all')], {}],
    [
      'who is subscribed and leaves the topic for a time is subscribed after it',
      [unsubscribe(1000, 2000, 'all')],
      { 1000: false, 3000: true }
    ],
    ['who is not subscribed has nothing to end', [unsubscribe(1000, 2000)], {}],
    [
      'those that overlap are one',
      [subscribe(1000, 3000), subscribe(2000, 4000)],
      { 1000: true, 6000: false }
    ],
    [
      'the end of a later one does not end an earlier one that lasts',
      [subscribe(1000, 9000), unsubscribe(2000, 1000)],
      { 1000: true, 2000: false, 3000: true, 10000: false }
    ],
    ['of two at one moment the last one holds', [subscribe(1000), unsubscribe(1000)], {}],
    ['what would end after the measurement is not done', [subscribe(1000, 70_000)], { 1000: true }],
    ['nor what begins after it', [subscribe(60_000)], {}]
  ]
  for (const [name, script, expected] of cases)
    test(name, () => {
      const changes = listSubscriptionChanges(planOf(script))
      assert.deepEqual(
        changes.map(({ atMs, subscribed }) => `${atMs} ${subscribed}`),
        Object.entries(expected).map(([atMs, subscribed]) => `${atMs} ${subscribed}`)
      )
    })

  test('are in the order of time, node and topic, and begin from what the topic says', () => {
    const plan = planOf(
      [
        { atMs: 2000, action: 'subscribe', topic: 'some', who: {} },
        { atMs: 1000, action: 'unsubscribe', topic: 'all', who: { nodes: [5, 2] } }
      ],
      {
        topics: [
          { name: 'all', chance: 1 },
          { name: 'some', chance: 0.5 }
        ]
      }
    )
    const without = [...drawSubscriptions(plan).entries()].flatMap(([node, topics]) =>
      topics.includes(1) ? [] : [node]
    )
    assert.ok(without.length > 0 && without.length < plan.nodes)
    assert.deepEqual(listSubscriptionChanges(plan), [
      ...[2, 5].map(node => ({ atMs: 1000, node, topic: 0, subscribed: false })),
      ...without.map(node => ({ atMs: 2000, node, topic: 1, subscribed: true }))
    ])
  })

  test('give the times in which a node is not subscribed', () => {
    const changes = listSubscriptionChanges(
      planOf([subscribe(1000, 1000), subscribe(5000), unsubscribe(3000, undefined, 'all')])
    )
    assert.deepEqual(
      [...findUnsubscribedSpans(changes)],
      [
        [
          numberPair(3, 1),
          [
            { leavesNs: -Infinity, returnsNs: 1e9 },
            { leavesNs: 2e9, returnsNs: 5e9 }
          ]
        ],
        [numberPair(3, 0), [{ leavesNs: 3e9, returnsNs: Infinity }]]
      ]
    )
  })

  test('draws nodes for each step by itself, the same ones each time', () => {
    const who = { share: 0.5 }
    const steps = () =>
      listScriptSteps(planOf([subscribe(1), subscribe(2), subscribe(3)].map(s => ({ ...s, who }))))
    const drawn = steps().map(({ nodes }) => nodes)
    assert.deepEqual(
      drawn,
      steps().map(({ nodes }) => nodes)
    )
    assert.ok(drawn.every(({ length }) => length === 4))
    assert.ok(new Set(drawn.map(String)).size > 1)
  })
})

test('partitions cut the selected nodes off from all others', () => {
  const plan = planOf([
    { atMs: 1000, action: 'partition', forMs: 500, who: { nodes: [0, 1, 2, 5] } },
    { atMs: 3000, action: 'partition', forMs: 500, who: { zone: 'eu' } },
    { atMs: 5000, action: 'partition', forMs: 500, who: {} }
  ])
  const [first, second, ...others] = listScriptedCuts(plan)
  assert.deepEqual(first, {
    ...{ kind: 'hold', fromMs: 1000, toMs: 1500 },
    between: [
      [
        { first: 0, last: 2 },
        { first: 5, last: 5 }
      ],
      []
    ]
  })
  const cutOff = second.between[0].reduce((sum, range) => sum + range.last - range.first + 1, 0)
  assert.deepEqual([cutOff, second.between[1]], [4, []])
  assert.deepEqual(others, [], 'all nodes have nobody to be cut off from')
})

describe('nodes that leave by a script', () => {
  const leave = (/** @type {number} */ atMs, /** @type {number} */ forMs = Infinity) => ({
    ...{ atMs, action: /** @type {const} */ ('leave'), who: { nodes: [7] } },
    ...(forMs < Infinity && { forMs })
  })

  test('are away as with churn, for good without a time; absences that touch are one', () => {
    const absences = makeChurnSchedule(
      planOf([leave(1000, 2000), leave(2000, 4000), leave(9000), leave(61_000)])
    )
    assert.deepEqual(absences[7], [
      { leavesNs: 1e9, returnsNs: 6e9 },
      { leavesNs: 9e9, returnsNs: Infinity }
    ])
    assert.ok(absences.slice(0, 7).every(({ length }) => length === 0))
  })

  test('are away by churn too', () => {
    const churn = { peers: 1, everyMs: 10_000, atRandom: false, awayMs: 2000 }
    const [absences] = makeChurnSchedule(planOf([leave(11_000, 4000)], { churn, durationMs: 25_000 })).slice(
      -1
    )
    assert.deepEqual(absences, [
      { leavesNs: 10e9, returnsNs: 15e9 },
      { leavesNs: 20e9, returnsNs: 22e9 }
    ])
  })

  test('are not those that others take the places of', () => {
    const churn = {
      peers: 1,
      everyMs: 10_000,
      atRandom: false,
      awayMs: 2000,
      asNew: /** @type {const} */ (true)
    }
    const plan = planOf([], { churn, durationMs: 25_000 })
    const scripted = planOf([{ ...leave(3000), who: { nodes: [0] } }], { churn, durationMs: 25_000 })
    assert.deepEqual(makeLives(scripted), makeLives(plan))
  })
})
