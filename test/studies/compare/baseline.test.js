import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareRepetition, judgeByBaseline } from '../../../src/studies/compare/baseline.js'
import { describeBaselineVerdict, describeRuleFigures } from '../../../src/studies/compare/comparison.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'
import { sideOf } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Result} Result */

/**
 * @param {number} n
 * @param {number} p99 in ms
 * @param {(result: Result) => Partial<Result>} [other]
 */
function side(n, p99, other = () => ({})) {
  const all = summary(5000, { p99: time(p99) })
  const result = sampleResult({
    outcome: { operations: { REGISTER: operation({ all, serverCpuMicrosPerOperation: 200 }) } }
  })
  result.run.versions = { 'libp2p-loadtest': '0.1.0', node: '20.20.2' }
  return sideOf('results/x', new Array(n).fill({ ...result, ...other(result) }))
}

/** @param {ReturnType<typeof judgeByBaseline>} held */
const linesOf = held =>
  [
    describeBaselineVerdict(held),
    ...held.rules.map(rule => `${rule.verdict} ${rule.text}: ${describeRuleFigures(rule)}`)
  ].join('\n')

/** @param {ReturnType<typeof judgeByBaseline>} held @param {string} metric */
const of = (held, metric) => held.rules.find(rule => rule.metric === metric)

describe('repeated runs against a baseline', () => {
  test('pass when nothing became worse, fail when something did', () => {
    assert.equal(judgeByBaseline(side(8, 30), side(8, 30.5)).verdict, 'PASS')
    const held = judgeByBaseline(side(8, 30), side(8, 36))
    assert.equal(held.verdict, 'FAIL')
    assert.deepEqual([of(held, 'p99')?.verdict, of(held, 'p50')?.verdict], ['FAIL', 'PASS'])
    assert.match(
      linesOf(held),
      /^FAIL against the baseline results\/x \(8 runs, 2026-11-20, libp2p-loadtest 0\.1\.0\)\nPASS throughput < -5%: measured \+0\.0 % \(\+0\.0 % … \+0\.0 %\): with 8 pairs a change below 0\.1 % does not show\n/
    )
  })

  test('are undecided when there are too few of them', () => {
    const held = judgeByBaseline(side(8, 30), side(1, 90))
    assert.equal(held.verdict, 'UNDECIDED')
    assert.match(linesOf(held), /^UNDECIDED p99 > \+5%: measured \+200 %, too few runs to tell$/m)
  })

  /** @type {[string, (result: Result) => Partial<Result>, string][]} */
  const cases = [
    ['another plan', ({ plan }) => ({ plan: { ...plan, nClients: 9 } }), 'the plans differ in nClients'],
    [
      'another machine',
      ({ run }) => ({ run: { ...run, machine: { ...run.machine, cores: 64 } } }),
      'the machines differ in cores'
    ],
    [
      'a server elsewhere',
      ({ outcome }) => ({ outcome: { ...outcome, target: { ...outcome.target, kind: 'docker' } } }),
      'the machines differ in server in'
    ]
  ]
  for (const [what, other, why] of cases)
    test(`of ${what} are undecided, and say why`, () => {
      const held = judgeByBaseline(side(8, 30, other), side(8, 90))
      assert.equal(held.verdict, 'UNDECIDED')
      assert.equal(of(held, 'p99')?.why, why)
    })

  test('of another version are what a baseline is for', () => {
    const older = side(8, 30, ({ run }) => ({ run: { ...run, versions: { 'libp2p-loadtest': '0.0.9' } } }))
    const held = judgeByBaseline(older, side(8, 30))
    assert.deepEqual([held.verdict, held.baseline.version], ['PASS', '0.0.9'])
  })
})

/** @param {{ digest?: string, status?: 'complete' | 'partial', node?: string, delivered?: number }} [parts] */
function simulated({ digest = 'aa', status = 'complete', node = 'v20.0.0', delivered } = {}) {
  const result = aGossipResult()
  const { delivery } = result.outcome
  const outcome = {
    ...result.outcome,
    digest,
    delivery: { ...delivery, delivered: delivered ?? delivery.delivered }
  }
  return /** @type {any} */ ({
    ...result,
    ...{ id: 'first', status, outcome },
    run: { ...result.run, versions: { ...result.run.versions, node } }
  })
}

describe('a simulated run that is repeated', () => {
  test('is the same where all deliveries are', () => {
    assert.deepEqual(compareRepetition(simulated(), simulated()), {
      same: true,
      line: 'the same as first: digest aa'
    })
  })

  test('is not where they are not, and it is said what differs', () => {
    const { same, line } = compareRepetition(simulated(), simulated({ digest: 'bb', delivered: 7 })) ?? {}
    assert.equal(same, false)
    assert.match(String(line), /^not the same as first, digest aa → bb: delivery\.delivered \d+ → 7$/)
  })

  test('may differ in single deliveries alone', () => {
    const { line } = compareRepetition(simulated(), simulated({ digest: 'bb' })) ?? {}
    assert.equal(line, 'not the same as first, digest aa → bb: the times of single deliveries')
  })

  test('cannot be compared over versions or engines, nor where it is not complete', () => {
    const newer = compareRepetition(simulated(), simulated({ node: 'v21.0.0' }))
    assert.deepEqual(newer, {
      same: null,
      line: 'cannot be compared with first: other versions, node v20.0.0 → v21.0.0'
    })
    assert.equal(compareRepetition(simulated(), simulated({ status: 'partial' }))?.same, null)
    assert.deepEqual(compareRepetition(simulated(), simulated({ digest: 'engine-2:aa' })), {
      same: null,
      line: 'cannot be compared with first: simulated by other engines, engine-1 → engine-2'
    })
  })
})

test('of much that differs the first five figures are named, and how many more there are', () => {
  const other = simulated({ digest: 'bb' })
  const one = simulated()
  one.outcome = { ...one.outcome, hops: { deliveries: [1, 2, 3, 4, 5, 6, 7], name: 'x' } }
  other.outcome = { ...other.outcome, hops: { deliveries: [2, 3, 4, 5, 6, 7], name: 'y' } }
  const line = String(compareRepetition(one, other)?.line)
  assert.match(line, /: hops\.deliveries\.0 1 → 2; .*hops\.deliveries\.4 5 → 6; 2 more$/)
  assert.doesNotMatch(line, /name/)
})

test('what is not a number in one of two runs differs all the same', () => {
  const [one, other] = [simulated(), simulated({ digest: 'bb' })]
  one.outcome = { ...one.outcome, topology: { diameter: null } }
  other.outcome = { ...other.outcome, topology: { diameter: 3 } }
  assert.match(String(compareRepetition(one, other)?.line), /: topology\.diameter null → 3$/)
})

test('a package that only one of two runs had is another version', () => {
  const [one, other] = [simulated(), simulated()]
  one.run = { ...one.run, versions: { node: 'v20.0.0', old: '1.0.0' } }
  other.run = { ...other.run, versions: { node: 'v20.0.0', fresh: '2.0.0' } }
  assert.match(
    String(compareRepetition(one, other)?.line),
    /: other versions, old 1\.0\.0 → none; fresh none → 2\.0\.0$/
  )
})

test('engines that have names are compared by them', () => {
  const [one, other] = [simulated({ digest: 'engine-2:aa' }), simulated({ digest: 'engine-3:aa' })]
  assert.match(String(compareRepetition(one, other)?.line), /by other engines, engine-2 → engine-3$/)
  assert.equal(compareRepetition(one, simulated({ digest: 'engine-2:aa' }))?.same, true)
})

test('of a real run nobody expects the same', () => {
  const real = /** @type {any} */ (aGossipResult())
  assert.equal(compareRepetition(real, real), null)
})
