import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeAgainst } from '../../../src/studies/compare/baseline.js'
import { baselineLine, ruleFigures } from '../../../src/studies/compare/comparison.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
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

/** @param {ReturnType<typeof judgeAgainst>} held */
const linesOf = held =>
  [baselineLine(held), ...held.rules.map(rule => `${rule.verdict} ${rule.text}: ${ruleFigures(rule)}`)].join(
    '\n'
  )

/** @param {ReturnType<typeof judgeAgainst>} held @param {string} metric */
const of = (held, metric) => held.rules.find(rule => rule.metric === metric)

describe('repeated runs against a baseline', () => {
  test('pass when nothing became worse, fail when something did', () => {
    assert.equal(judgeAgainst(side(8, 30), side(8, 30.5)).verdict, 'PASS')
    const held = judgeAgainst(side(8, 30), side(8, 36))
    assert.equal(held.verdict, 'FAIL')
    assert.deepEqual([of(held, 'p99')?.verdict, of(held, 'p50')?.verdict], ['FAIL', 'PASS'])
    assert.match(
      linesOf(held),
      /^FAIL against the baseline results\/x \(8 runs, 2026-11-20, libp2p-loadtest 0\.1\.0\)\nPASS throughput < -5%: measured \+0\.0 % \(\+0\.0 % … \+0\.0 %\): with 8 pairs a change below 0\.1 % does not show\n/
    )
  })

  test('are undecided when there are too few of them', () => {
    const held = judgeAgainst(side(8, 30), side(1, 90))
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
      const held = judgeAgainst(side(8, 30, other), side(8, 90))
      assert.equal(held.verdict, 'UNDECIDED')
      assert.equal(of(held, 'p99')?.why, why)
    })

  test('of another version are what a baseline is for', () => {
    const older = side(8, 30, ({ run }) => ({ run: { ...run, versions: { 'libp2p-loadtest': '0.0.9' } } }))
    const held = judgeAgainst(older, side(8, 30))
    assert.deepEqual([held.verdict, held.baseline.version], ['PASS', '0.0.9'])
  })
})
