import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { change } from '../../../../src/report/change.js'
import { ruleLine } from '../../../../src/report/rule-line.js'
import { operationTable } from '../../../../src/scenarios/rendezvous/view/operations-side-by-side.js'
import { compare } from '../../../../src/studies/comparison/comparison.js'
import { sideBySide } from '../../../../src/studies/comparison/view/all-figures.js'
import { comparisonPage, figureOfRuns } from '../../../../src/studies/comparison/view/comparison-page.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'
import { sideOf } from '../../../scenarios.js'

describe('a ratio is written as a change', () => {
  for (const [ratio, text] of /** @type {const} */ ([
    [1, '+0.0 %'],
    [1.0567, '+5.7 %'],
    [0.9, '−10.0 %'],
    [1.0996, '+10.0 %'],
    [2, '+100 %'],
    [12.345, '+1,135 %'],
    [0, 'any less'],
    [Number.POSITIVE_INFINITY, 'any more']
  ]))
    test(`${ratio} is ${text}`, () => assert.equal(change(ratio), text))
})

test('a figure of several runs is their median, with the marks of any of them, or none if one has none', () => {
  const figure = (/** @type {number} */ value, marks = {}) => ({
    value,
    atLeast: false,
    doubtful: false,
    ...marks
  })
  assert.equal(figureOfRuns([figure(1), figure(30), figure(2)]), '2.00')
  assert.equal(figureOfRuns([figure(1), figure(2, { doubtful: true })]), '1.50*')
  assert.equal(figureOfRuns([figure(1), figure(2, { atLeast: true })]), '> 1.50')
  assert.equal(figureOfRuns([figure(1), null]), '–')
  assert.equal(figureOfRuns([]), '–')
})

test('a rule is told with what was measured, or why it was not', () => {
  const rule = /** @type {const} */ ({
    text: 'p99 > +10%',
    metric: 'p99',
    why: null,
    ratio: 1.2,
    interval: null,
    seen: null
  })
  assert.equal(
    ruleLine({ ...rule, verdict: 'UNDECIDED', why: 'too few runs to tell' }),
    '- UNDECIDED p99 > +10%: measured +20.0 %, too few runs to tell'
  )
  assert.equal(
    ruleLine({ ...rule, verdict: 'FAIL', interval: { low: 1.15, high: Number.POSITIVE_INFINITY } }),
    '- FAIL p99 > +10%: measured +20.0 % (+15.0 % … any more)'
  )
  assert.equal(
    ruleLine({ ...rule, verdict: 'UNDECIDED', ratio: null, why: 'not measured' }),
    '- UNDECIDED p99 > +10%: not measured'
  )
  const seen = { pairs: 8, change: 0.0867, more: { pairs: 20, change: 0.0502 } }
  assert.equal(
    ruleLine({ ...rule, ratio: 1.02, interval: { low: 0.94, high: 1.11 }, verdict: 'UNDECIDED', seen }),
    '- UNDECIDED p99 > +10%: measured +2.0 % (−6.0 % … +11.0 %): with 8 pairs a change below 8.7 % does not show; 20 pairs would show 5 %'
  )
})

/** @param {number} p50 @param {Parameters<typeof sampleResult>[0]} [parts] */
const side = (p50, parts) =>
  sideOf(
    `p50 of ${p50}`,
    new Array(8).fill(
      sampleResult({
        outcome: {
          operations: { REGISTER: operation({ all: summary(5000, { p50: time(p50, { doubtful: true }) }) }) }
        },
        ...parts
      })
    )
  )

test('every figure of the page is that of the comparison', () => {
  const comparison = compare(side(10), side(12))
  const page = comparisonPage(comparison)
  const p50 = comparison.metrics.find(({ metric }) => metric === 'p50')
  const row =
    page
      .split('\n')
      .find(line => line.startsWith('| p50, ms'))
      ?.split('|')
      .map(cell => cell.trim()) ?? []
  assert.deepEqual(row.slice(2, 4), ['10.0*', '12.0*'])
  assert.equal(row[4], p50?.ratio?.toFixed(3))
  assert.equal(row[5], change(Number(p50?.ratio)))
  assert.equal(row[6], `${change(Number(p50?.interval?.low))} … ${change(Number(p50?.interval?.high))}`)
  assert.deepEqual(
    [p50?.p, p50?.adjustedP, ...row.slice(7, 10)],
    [2 / 256, 8 / 256, '0.008', '0.031', 'different: worse']
  )
})

test('the page says what else could be behind a difference', () => {
  const base = side(10)
  const [{ run }] = base.results
  const other = { ...run, machine: { ...run.machine, cores: 64 } }
  const candidate = { ...side(12), results: side(12).results.map(result => ({ ...result, run: other })) }
  const page = comparisonPage(compare(base, candidate))
  for (const line of [
    /^- machines differ in: cores 2 → 64$/m,
    /^Another machine: what differs may be the machines\.$/m,
    /^The runs of the two sides did not take turns/m,
    /^\* doubtful: the load generator had too large a part/m
  ])
    assert.match(page, line)
  assert.doesNotMatch(
    comparisonPage(compare(base, side(12), { alternated: true })),
    /did not take turns|Another machine/
  )
})

test('figures that no side has get no row, and one that a side lacks gets no ratio', async () => {
  const without = sampleResult({
    outcome: { server: null, operations: { REGISTER: operation({ all: summary(5, { p50: null }) }) } }
  })
  const sides = [side(10), sideOf('x', [without])]
  const { rows } = operationTable('REGISTER', sides)
  const names = rows.map(([name]) => name)
  assert.ok(!names.includes('p99.9, ms'))
  assert.ok(!names.includes('Server CPU per operation, µs'))
  assert.deepEqual(
    rows.find(([name]) => name === 'p50, ms'),
    ['p50, ms', '10.0*', '–', '–']
  )
  assert.match(await sideBySide(sides), /^\| REGISTER +\| +Base \| Candidate \| +Ratio \|\n/)
})

test('what a comparison was held to stands under its table', () => {
  const comparison = compare(side(10), side(12), { alternated: true })
  const page = comparisonPage({
    ...comparison,
    thresholds: [
      { arm: 'a', text: 'p50 < 11ms', runs: 8, passed: 8 },
      { arm: 'b', text: 'p50 < 11ms', runs: 1, passed: 0 }
    ],
    baseline: {
      verdict: 'UNDECIDED',
      baseline: { label: 'old/a', startedAt: '2026-11-01T00:00:00.000Z', version: '0.0.9', runs: 8 },
      rules: [
        {
          text: 'p50 > +5%',
          metric: 'p50',
          verdict: 'UNDECIDED',
          why: 'not measured',
          ratio: null,
          interval: null,
          seen: null
        }
      ]
    }
  })
  for (const line of [
    /^- PASS A p50 < 11ms: held in 8 of 8 runs$/m,
    /^- FAIL B p50 < 11ms: held in 0 of 1 run$/m,
    /^UNDECIDED against the baseline old\/a \(8 runs, 2026-11-01, libp2p-loadtest 0\.0\.9\)\n- UNDECIDED p50 > \+5%: not measured$/m
  ])
    assert.match(page, line)
})

test('a metric that some runs lack has a ratio and no verdict', () => {
  const sides = [side(10), side(12)]
  const results = sides[1].results.map((result, i) =>
    i === 2 ? sampleResult({ outcome: { operations: {} } }) : result
  )
  const page = comparisonPage(compare(sides[0], { ...sides[1], results }))
  assert.match(
    page,
    /^\| p50, ms +\| +10\.0\* \| +– \| 1\.200 \| \+20\.0 % \| +– \| +– \| +– \| not measured in every run +\|$/m
  )
})
