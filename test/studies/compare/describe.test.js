import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadScenario } from '../../../src/scenarios/index.js'
import { compareAllSides } from '../../../src/studies/compare/comparison.js'
import { COMPARISON_DOCUMENT } from '../../../src/studies/compare/comparison-document.js'
import { chooseRunsToDescribe, describeComparison } from '../../../src/studies/compare/describe.js'
import { readSides } from '../../../src/studies/compare/sides.js'
import { isAsRecorded } from '../../recorded.js'
import { columnIn, summaryOf, tableIn } from '../described-summary.js'
import { comparisonSample } from './comparison-sample.js'

/** @param {string} name - of a stored comparison */
async function stored(name) {
  const folder = fileURLToPath(new URL(`../../../fixtures/results-0.1.0/${name}`, import.meta.url))
  const document =
    /** @type {import('../../../src/studies/compare/comparison-document.js').ComparisonDocument} */ (
      await COMPARISON_DOCUMENT.read(folder)
    )
  const comparison = compareAllSides(await readSides(document, folder, loadScenario))
  return describeComparison(comparison, { document })
}

/** @param {Parameters<typeof comparisonSample>[0]} [shape] */
function sampled(shape) {
  const { comparison, document } = comparisonSample(shape)
  return describeComparison(comparison, { document })
}

describe('a comparison is described', () => {
  test('as recorded: two plans, one plan repeated, and three plans', async () => {
    isAsRecorded('description-comparison.json', {
      ab: summaryOf(await stored('ab')),
      repetition: summaryOf(await stored('repetition')),
      three: summaryOf(sampled({ slower: [1.3, 1] }))
    })
  })

  test('with a row for each figure: both sides, change, interval, verdict', () => {
    const description = sampled()
    const { columns, rows } = description.tables[0]
    const shown = columns.filter(([, , where]) => where !== 'wide').map(([heading]) => heading)
    assert.deepEqual(shown, ['Figure', 'A', 'B', 'Change %', 'Low', 'High', 'Verdict'])
    assert.equal(rows.length, 4)
    assert.deepEqual(columnIn(description, 'comparison', 'Verdict').slice(0, 3), ['worse', 'worse', 'worse'])
    assert.match(description.headline, /^Compared with A, B has .*p50 30\.\d % higher/)
    assert.equal(description.plots.find(({ main }) => main)?.id, 'change-b-throughput')
  })

  test('between stacks: the headline says which sides are libp2p as published', () => {
    const between = (/** @type {boolean[]} */ [a, b]) =>
      sampled({
        options: [
          { stack: 'libp2p-3', stock: a },
          { stack: 'libp2p-2', stock: b }
        ]
      }).headline
    assert.match(between([true, true]), /; stock on both sides\.$/)
    assert.match(between([false, false]), /; tuned, and stacks are not tuned alike: see --stock\.$/)
    assert.match(between([false, true]), /; A tuned, B stock\.$/)
    assert.doesNotMatch(sampled().headline, /stock|tuned/)
  })

  test('of too few runs without a verdict', () => {
    const description = sampled({ runs: 2 })
    assert.match(
      description.headline,
      /^Too few runs to tell whether B differs from A: 2 pairs of the 8 needed\.$/
    )
    assert.deepEqual(new Set(columnIn(description, 'comparison', 'Verdict')), new Set(['too few runs']))
    assert.ok(!tableIn(description, 'comparison').columns.some(([heading]) => heading === 'Low'))
  })

  test('of sides that do not differ', () =>
    assert.match(sampled({ slower: [1] }).headline, /^(A and B are the same|8 pairs of runs leave open)/))

  test('with what it was held to: rules, baseline, thresholds', () => {
    const rule = {
      ...{ text: 'p99 > +10%', metric: 'p99', verdict: /** @type {const} */ ('FAIL'), why: null },
      ...{ ratio: 1.3, interval: { low: 1.2, high: Infinity }, seen: null }
    }
    const { comparison } = comparisonSample()
    const [against] = comparison.against
    const description = describeComparison({
      ...comparison,
      against: [{ ...against, rules: [rule] }],
      thresholds: [{ side: 'B', text: 'p99 < 50ms', runs: 8, passed: 7 }],
      baseline: {
        verdict: 'UNDECIDED',
        baseline: { label: 'results/old', startedAt: '2026-11-01T00:00:00.000Z', version: null, runs: 8 },
        rules: [{ ...rule, verdict: 'UNDECIDED', why: 'another machine', ratio: null, interval: null }]
      }
    })
    summaryOf(description)
    assert.deepEqual(columnIn(description, 'rules', 'Verdict'), ['FAIL', 'UNDECIDED'])
    assert.deepEqual(columnIn(description, 'rules', 'Why'), [null, 'another machine'])
    assert.deepEqual(columnIn(description, 'thresholds-of-runs', 'Verdict'), ['FAIL'])
    assert.match(description.headline, /; UNDECIDED against the baseline results\/old \(8 runs, 2026-11-01/)
  })

  test('with a warning where runs did not take turns, or machines differ', () => {
    const { comparison } = comparisonSample()
    const [against] = comparison.against
    const machine = [{ what: 'cpu', base: 'one', candidate: 'other' }]
    const { warnings, tables } = describeComparison({
      ...comparison,
      against: [{ ...against, alternated: false, differences: { ...against.differences, machine } }]
    })
    assert.equal(
      warnings
        .slice(0, 2)
        .map(({ code }) => code)
        .join(' '),
      'OTHER_MACHINE NOT_ALTERNATED'
    )
    assert.ok(tables.find(({ id }) => id === 'differences')?.rows.some(row => row.includes('cpu')))
  })

  test('without a drift of the machine or runs far from the others where it was simulated', () => {
    const { comparison } = comparisonSample()
    const spreads = comparison.spreads.map(side =>
      side.map(({ spread, ...each }) => ({ ...each, spread: { ...spread, outliers: [1] } }))
    )
    const codesOf = (/** @type {any} */ sides) =>
      describeComparison({ ...comparison, sides, spreads }).warnings.map(({ code }) => code)
    assert.ok(codesOf(comparison.sides).includes('OUTLIER'))
    const simulated = comparison.sides.map(side => ({
      ...side,
      results: side.results.map(result => ({ ...result, plan: { ...result.plan, network: 'simulated' } }))
    }))
    assert.ok(!codesOf(simulated).some(code => code === 'OUTLIER' || code === 'DRIFT'))
  })

  test('with lower bounds where operations had no reply, and a plot that nothing bounds', () => {
    const { comparison } = comparisonSample()
    const [against] = comparison.against
    const metrics = against.metrics.map(metric => ({
      ...metric,
      interval: { low: 0, high: Infinity },
      pairs: metric.pairs.map(({ base, candidate }) => ({
        base,
        candidate: candidate && { ...candidate, atLeast: true }
      }))
    }))
    const spreads = comparison.spreads.map(side => side.map(each => ({ ...each, atLeast: true })))
    const description = describeComparison({ ...comparison, spreads, against: [{ ...against, metrics }] })
    summaryOf(description)
    assert.deepEqual(Object.keys(Object(columnIn(description, 'comparison', 'B')[1])), ['atLeast'])
    assert.match(JSON.stringify(description.plots[0].series), /at least: operations of B had no reply/)
  })

  test('with the plots of one run of each side over each other', () => {
    const { comparison } = comparisonSample()
    const runs = chooseRunsToDescribe(comparison)
    assert.deepEqual(
      runs.map(({ label }) => label),
      ['A plan.yaml', 'B --inFlight 8']
    )
    const plot = {
      ...{ id: 'throughput', title: 'Throughput', kind: /** @type {const} */ ('lines'), compared: true },
      series: [{ label: 'REGISTER', values: [[0, 1]] }]
    }
    const own = { ...plot, id: 'cpu', compared: false }
    const description = {
      ...{ title: '', headline: '', tiles: [], tables: [], warnings: [] },
      plots: [plot, own]
    }
    const { plots } = describeComparison(comparison, {
      runs: runs.map(({ label }) => ({ label, description }))
    })
    const overlaid = plots.filter(({ id }) => id.startsWith('runs-'))
    assert.deepEqual(
      overlaid.map(({ id, series }) => [id, series?.map(({ label }) => label)]),
      [['runs-throughput', ['A plan.yaml', 'B --inFlight 8']]]
    )
  })
})
