import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { churnSchedule, livesOf } from '../../src/load/churn.js'
import {
  pairOf,
  scriptedCuts,
  scriptSteps,
  subscriptionChanges,
  subscriptionsOf,
  unsubscribedSpans
} from '../../src/load/network-script.js'
import { fileWith } from '../network/gossip/gossip-plan.js'

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
  /** @type {[string, Partial<ScriptStep>[], [atMs: number, subscribed: boolean][]][]} */
  const cases = [
    ['no script changes nothing', [], []],
    ['one for good', [subscribe(1000)], [[1000, true]]],
    [
      'one for a time is undone',
      [subscribe(1000, 2000)],
      [
        [1000, true],
        [3000, false]
      ]
    ],
    ['who is subscribed stays so, also after the time', [subscribe(1000, 2000, 'all')], []],
    [
      'who is subscribed and leaves the topic for a time is subscribed after it',
      [unsubscribe(1000, 2000, 'all')],
      [
        [1000, false],
        [3000, true]
      ]
    ],
    ['who is not subscribed has nothing to end', [unsubscribe(1000, 2000)], []],
    [
      'times that overlap are one',
      [subscribe(1000, 3000), subscribe(2000, 4000)],
      [
        [1000, true],
        [6000, false]
      ]
    ],
    [
      'the end of a later one does not end an earlier one that lasts',
      [subscribe(1000, 9000), unsubscribe(2000, 1000)],
      [
        [1000, true],
        [2000, false],
        [3000, true],
        [10_000, false]
      ]
    ],
    ['of two at one moment the last one holds', [subscribe(1000), unsubscribe(1000)], []],
    ['what would end after the measurement is not done', [subscribe(1000, 70_000)], [[1000, true]]],
    ['nor what begins after it', [subscribe(60_000)], []]
  ]
  for (const [name, script, expected] of cases)
    test(name, () =>
      assert.deepEqual(
        subscriptionChanges(planOf(script)).map(({ atMs, subscribed }) => [atMs, subscribed]),
        expected
      )
    )

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
    const without = [...subscriptionsOf(plan).entries()].flatMap(([node, topics]) =>
      topics.includes(1) ? [] : [node]
    )
    assert.ok(without.length > 0 && without.length < plan.nodes)
    assert.deepEqual(subscriptionChanges(plan), [
      ...[2, 5].map(node => ({ atMs: 1000, node, topic: 0, subscribed: false })),
      ...without.map(node => ({ atMs: 2000, node, topic: 1, subscribed: true }))
    ])
  })

  test('give the times in which a node is not subscribed', () => {
    const changes = subscriptionChanges(
      planOf([subscribe(1000, 1000), subscribe(5000), unsubscribe(3000, undefined, 'all')])
    )
    assert.deepEqual(
      [...unsubscribedSpans(changes)],
      [
        [
          pairOf(3, 1),
          [
            { leavesNs: -Infinity, returnsNs: 1e9 },
            { leavesNs: 2e9, returnsNs: 5e9 }
          ]
        ],
        [pairOf(3, 0), [{ leavesNs: 3e9, returnsNs: Infinity }]]
      ]
    )
  })

  test('draws nodes for each step by itself, the same ones each time', () => {
    const who = { share: 0.5 }
    const steps = () =>
      scriptSteps(planOf([subscribe(1), subscribe(2), subscribe(3)].map(s => ({ ...s, who }))))
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
  const [first, second, ...others] = scriptedCuts(plan)
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
    const absences = churnSchedule(planOf([leave(1000, 2000), leave(2000, 4000), leave(9000), leave(61_000)]))
    assert.deepEqual(absences[7], [
      { leavesNs: 1e9, returnsNs: 6e9 },
      { leavesNs: 9e9, returnsNs: Infinity }
    ])
    assert.ok(absences.slice(0, 7).every(({ length }) => length === 0))
  })

  test('are away by churn too', () => {
    const churn = { peers: 1, everyMs: 10_000, atRandom: false, awayMs: 2000 }
    const [absences] = churnSchedule(planOf([leave(11_000, 4000)], { churn, durationMs: 25_000 })).slice(-1)
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
    assert.deepEqual(livesOf(scripted), livesOf(plan))
  })
})
