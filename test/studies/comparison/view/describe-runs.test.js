import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { change } from '../../../../src/report/change.js'
import { ruleLine } from '../../../../src/report/rule-line.js'
import { operationTable } from '../../../../src/scenarios/rendezvous/view/operations-side-by-side.js'
import { compareSides, comparisonDocument } from '../../../../src/studies/comparison/comparison.js'
import { describeRuns } from '../../../../src/studies/comparison/view/describe-runs.js'
import { descriptionText } from '../../../../src/studies/comparison/view/description.js'
import { isAsRecorded } from '../../../recorded.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'
import { sideOf } from '../../../scenarios.js'
import { comparisonSample } from '../comparison-sample.js'

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
    'UNDECIDED p99 > +10%: measured +20.0 %, too few runs to tell'
  )
  assert.equal(
    ruleLine({ ...rule, verdict: 'FAIL', interval: { low: 1.15, high: Number.POSITIVE_INFINITY } }),
    'FAIL p99 > +10%: measured +20.0 % (+15.0 % … any more)'
  )
  assert.equal(
    ruleLine({ ...rule, verdict: 'UNDECIDED', ratio: null, why: 'not measured' }),
    'UNDECIDED p99 > +10%: not measured'
  )
  const seen = { pairs: 8, change: 0.0867, more: { pairs: 20, change: 0.0502 } }
  assert.equal(
    ruleLine({ ...rule, ratio: 1.02, interval: { low: 0.94, high: 1.11 }, verdict: 'UNDECIDED', seen }),
    'UNDECIDED p99 > +10%: measured +2.0 % (−6.0 % … +11.0 %): with 8 pairs a change below 8.7 % does not show; 20 pairs would show 5 %'
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

/** @param {import('../../../../src/studies/comparison/comparison.js').Comparison} comparison */
const textOf = async comparison => descriptionText(await describeRuns(comparison, null))

/** @param {string} text @param {string} figure @param {string} [letter] @returns {string[]} cells of a row */
function rowOf(text, figure, letter = 'B') {
  const rows = text.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  return rows.find(([, name, of]) => name === figure && of === letter) ?? []
}

test('every figure of the text is that of the comparison', async () => {
  const comparison = compareSides([side(10), side(12)])
  const text = await textOf(comparison)
  const p50 = comparison.against[0].metrics.find(({ metric }) => metric === 'p50')
  assert.equal(rowOf(text, 'p50, ms', 'A')[3], '10.0*')
  const [, , , median, , , ...row] = rowOf(text, 'p50, ms')
  assert.equal(median, '12.0*')
  assert.equal(row[0], change(Number(p50?.ratio)))
  assert.equal(row[1], `${change(Number(p50?.interval?.low))} … ${change(Number(p50?.interval?.high))}`)
  assert.deepEqual(
    [p50?.p, p50?.adjustedP, ...row.slice(2, 5)],
    [2 / 256, 8 / 256, '0.008', '0.031', 'different: worse']
  )
})

test('the text says what else could be behind a difference', async () => {
  const base = side(10)
  const [{ run }] = base.results
  const other = { ...run, machine: { ...run.machine, cores: 64 } }
  const candidate = { ...side(12), results: side(12).results.map(result => ({ ...result, run: other })) }
  const text = await textOf(compareSides([base, candidate]))
  for (const line of [
    /^- machines differ in: cores 2 → 64$/m,
    /^- Another machine: what differs may be the machines\.$/m,
    /^- The runs of the sides did not take turns/m,
    /^- \* doubtful: the load generator itself added/m
  ])
    assert.match(text, line)
  assert.doesNotMatch(await textOf(comparisonSample().comparison), /did not take turns|Another machine/)
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
  assert.match(await textOf(compareSides(sides)), /^\| REGISTER +\| +A \| +B \| +B ÷ A \|\n/m)
})

test('what a comparison was held to stands under its table', async () => {
  const rule = {
    ...{ text: 'p50 > +5%', metric: 'p50', verdict: /** @type {const} */ ('UNDECIDED'), why: 'not measured' },
    ...{ ratio: null, interval: null, seen: null }
  }
  const { comparison } = comparisonSample({
    comparison: {
      thresholds: [
        { side: 'A', text: 'p50 < 11ms', runs: 8, passed: 8 },
        { side: 'B', text: 'p50 < 11ms', runs: 1, passed: 0 }
      ],
      baseline: {
        verdict: 'UNDECIDED',
        baseline: { label: 'old/a', startedAt: '2026-11-01T00:00:00.000Z', version: '0.0.9', runs: 8 },
        rules: [rule]
      }
    }
  })
  const text = await textOf(comparison)
  for (const line of [
    /^- PASS A p50 < 11ms: held in 8 of 8 runs$/m,
    /^- FAIL B p50 < 11ms: held in 0 of 1 run$/m,
    /^- UNDECIDED against the baseline old\/a \(8 runs, 2026-11-01, libp2p-loadtest 0\.0\.9\)\n- UNDECIDED p50 > \+5%: not measured$/m
  ])
    assert.match(text, line)
})

test('a metric that some runs lack has a change and no verdict', async () => {
  const sides = [side(10), side(12)]
  const results = sides[1].results.map((result, i) =>
    i === 2 ? sampleResult({ outcome: { operations: {} } }) : result
  )
  const [, , , ...row] = rowOf(await textOf(compareSides([sides[0], { ...sides[1], results }])), 'p50, ms')
  assert.deepEqual(row.slice(0, 8), ['–', '–', '–', '+20.0 %', '–', '–', '–', 'not measured in every run'])
})

describe('the runs of one plan', () => {
  /** @param {import('../../../../src/measure/doubt.js').Cause} [cause] - of the doubt in p50; none: there is none */
  const runWith = cause => {
    const p50 = { ...time(9, { doubtful: cause !== undefined }), ...(cause && { cause }) }
    return sampleResult({ outcome: { operations: { REGISTER: operation({ all: summary(500, { p50 }) }) } } })
  }

  /** @param {any[]} results */
  const repeated = results => textOf(compareSides([sideOf('x', results)]))

  test('say what the marks of figures mean', async () => {
    const text = await repeated([runWith('generator'), runWith()])
    assert.match(text, /^2 runs of one plan/)
    assert.match(text, /p50.* 9\.00\* /)
    assert.match(text, /^- \* doubtful: the load generator itself added more than a tenth of it\.$/m)
  })

  test('mark what the machine added, and only the generator where both did', async () => {
    assert.match(
      await repeated([runWith(), runWith('machine')]),
      / 9\.00\*m .*\n\n- \*m doubtful: the machine, /s
    )
    const both = await repeated([runWith('machine'), runWith('generator')])
    assert.match(both, /^- \* doubtful: the load generator /m)
    assert.doesNotMatch(both, /p50.*\*m/)
  })

  test('say what the mark of a rate means, which no time is in', async () => {
    const REGISTER = operation({ throughputIsLowerBound: true })
    const bound = sampleResult({ outcome: { operations: { REGISTER } } })
    assert.match(
      await repeated([bound, bound]),
      /^- \* doubtful: the load generator had too large a part in it; what differs may be its own part\.$/m
    )
  })

  test('explain no mark where there is none', async () =>
    assert.doesNotMatch(await repeated([runWith(), runWith()]), /doubtful/))

  test('name the run that lies far from the others, of each side', async () => {
    const results = [10, 10.2, 9.9, 10.1, 10, 9.8, 10.1, 20].map(ms =>
      sampleResult({
        outcome: { operations: { REGISTER: operation({ all: summary(500, { p50: time(ms) }) }) } }
      })
    )
    assert.match(await repeated(results), /^- p50: run 8 lies far from the others$/m)
    const two = await textOf(compareSides([side(10), sideOf('x', results)]))
    assert.match(two, /^- B, p50: run 8 lies far from the others$/m)
  })
})

test('one, two and three sides are written as they were', async () => {
  const texts = await Promise.all(
    [[], [1.3], [1.3, 1]].map(async slower => {
      const { comparison, document } = comparisonSample({ slower })
      return descriptionText(await describeRuns(comparison, document)).split('\n')
    })
  )
  isAsRecorded('comparison.json', { one: texts[0], two: texts[1], three: texts[2] })
})

describe('three sides', () => {
  const { comparison, document } = comparisonSample({ slower: [1.3, 1] })

  test('are each compared with the first, in one table', async () => {
    const text = await textOf(comparison)
    assert.match(text, /^Compared with A \(plan\.yaml\), B \(--inFlight 8\) has /)
    assert.match(
      text,
      /^8 pairs of runs show A \(plan\.yaml\) and C \(--inFlight 16\) to be the same within 5 %\.$/m
    )
    assert.match(text, /^- B: plans differ in: .*inFlight 1 → 8$/m)
    assert.match(text, /^- C: plans differ in: .*inFlight 1 → 16$/m)
    assert.match(rowOf(text, 'p50, ms', 'C').join(' '), /same within 5 %/)
    assert.match(text, /^\| REGISTER +\| +A \| +B \| B ÷ A \| +C \| C ÷ A \|$/m)
  })

  test('are written with their figures, medians and verdicts', () => {
    const { schemaVersion, sides } = JSON.parse(JSON.stringify(comparisonDocument(comparison, document)))
    assert.equal(schemaVersion, 2)
    assert.deepEqual(
      sides.map((/** @type {any} */ { label, runs, figures, against }) => [
        ...[label, runs.length, figures.length, against?.metrics[1].verdict ?? null]
      ]),
      [
        ['plan.yaml', 8, 4, null],
        ['--inFlight 8', 8, 4, 'different'],
        ['--inFlight 16', 8, 4, 'same within 5 %']
      ]
    )
    assert.equal(sides[0].figures[1].metric, 'p50')
    assert.ok(sides[0].figures[1].spread.median > 11)
  })
})
