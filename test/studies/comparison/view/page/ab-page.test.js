import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeRule, readFailRule } from '../../../../../src/plan/fail-rule.js'
import { compareMetrics } from '../../../../../src/studies/comparison/compare-metrics.js'
import { metricsTable } from '../../../../../src/studies/comparison/view/comparison-page.js'
import { comparisonSentences } from '../../../../../src/studies/comparison/view/comparison-sentences.js'
import {
  changeTicks,
  pairedRatios,
  pairRatios
} from '../../../../../src/studies/comparison/view/plots/paired-ratios.js'
import { abCommandLine, abPage } from '../../../../report/shown.js'
import { COMPARED } from '../../../../scenarios.js'
import { abSample } from '../../ab-sample.js'

/** @param {string} page what a person reads */
const textOf = page =>
  page
    .replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&#39;/g, "'")
    .replace(/[\s\u00a0]+/g, ' ')

describe('the sentence a person would say', () => {
  /** @type {[string, Parameters<typeof abSample>[0], RegExp[]][]} */
  const cases = [
    [
      'of a difference, how large it is',
      {},
      [
        /^Compared with A \(plan\.yaml\), B \(--inFlight 8\) has throughput 1\d\.\d % lower, p50 3\d\.\d % higher and p99 \d\d\.\d % higher\.$/,
        /^The same within 5 %: server CPU per operation \(−\d\.\d % … \+\d\.\d %\); in brackets how large a difference could still be, with 95 % confidence\.$/
      ]
    ],
    [
      'of none, how large it could still be',
      { slower: 1 },
      [
        /^8 pairs of runs show A \(plan\.yaml\) and B \(--inFlight 8\) to be the same within 5 %\.$/,
        /^The same within 5 %: throughput \(.* … .*\), p50 \(.*\), p99 \(.*\) and server CPU per operation \(.*\); in brackets/
      ]
    ],
    [
      'of too few runs, that nothing is known',
      { pairs: 3 },
      [
        /^Too few runs to tell whether B \(--inFlight 8\) differs from A \(plan\.yaml\): 3 of the 8 pairs/,
        /^So far, and the next run may turn it round: throughput −\d/
      ]
    ]
  ]
  for (const [what, shape, said] of cases)
    test(what, () => {
      const sentences = comparisonSentences(abSample(shape).comparison)
      assert.equal(sentences.length, said.length, sentences.join('\n'))
      for (const [i, pattern] of said.entries()) assert.match(sentences[i], pattern)
    })

  test('of what neither side has', () => {
    const { comparison } = abSample()
    const metrics = compareMetrics(
      Array(8).fill({
        base: { throughput: null, p50: null, p99: null, cpu: null },
        candidate: { throughput: null, p50: null, p99: null, cpu: null }
      }),
      COMPARED.figures
    )
    assert.match(comparisonSentences({ ...comparison, metrics })[0], /no figure in common/)
    const some = comparison.metrics.map((metric, i) => (i === 3 ? metrics[3] : metric))
    assert.equal(
      comparisonSentences({ ...comparison, metrics: some }).at(-1),
      'Not measured in every run: server CPU per operation.'
    )
  })
})

describe('plots of paired ratios', () => {
  const { comparison } = abSample()

  test('are of every metric, with each pair, the estimate and the interval', () => {
    const plots = pairedRatios(comparison.metrics)
    assert.deepEqual(
      plots.map(({ title }) => title),
      ['Throughput', 'p50', 'p99', 'Server CPU per operation']
    )
    for (const [i, { spec }] of plots.entries()) {
      const { pairs, ratio, interval } = comparison.metrics[i]
      const [band, , , estimate, points] = spec.layer
      assert.deepEqual(band.data.values, [interval])
      assert.deepEqual(estimate.data.values, [{ value: ratio }])
      assert.deepEqual(
        points.data.values.map((/** @type {any} */ point) => point.ratio),
        pairs.map(pair => Number(pair.candidate?.value) / Number(pair.base?.value))
      )
    }
    assert.match(
      plots[1].caption,
      /^B against A: \+\d.* % \(.* … .*\), different: worse\. Lower is better\.$/
    )
    assert.match(plots[2].caption, /Hollow: doubtful\./)
  })

  test('tell apart what operations without a reply reach into', () => {
    const figure = { value: 1, atLeast: false, doubtful: false }
    const open = { ...figure, value: 2, atLeast: true }
    const [metric] = comparison.metrics
    const known = pairRatios({
      ...metric,
      pairs: [
        { base: figure, candidate: open },
        { base: open, candidate: figure },
        { base: open, candidate: open },
        { base: figure, candidate: null },
        { base: figure, candidate: figure }
      ]
    })
    assert.deepEqual(
      known.map(({ pair, ratio, known }) => [pair, ratio, known]),
      [
        [1, 2, 'at least'],
        [2, 0.5, 'at most'],
        [3, 1, 'unbounded'],
        [5, 1, 'exact']
      ]
    )
  })

  for (const [domain, ticks] of /** @type {[[number, number], number[]][]} */ ([
    [
      [0.93, 1.07],
      [0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06]
    ],
    [
      [0.9, 1.4],
      [0.9, 1, 1.1, 1.2, 1.3, 1.4]
    ],
    [
      [0.54, 2.1],
      [0.7, 1, 1.5, 2]
    ],
    [
      [0.15, 1.1],
      [0.2, 0.3, 0.5, 0.7, 1]
    ],
    [
      [0.1, 12],
      [0.1, 0.2, 0.5, 1, 2, 5, 10]
    ]
  ]))
    test(`an axis from ${domain[0]} to ${domain[1]} names even changes`, () =>
      assert.deepEqual(changeTicks(domain), ticks))
})

describe('the page of a comparison', () => {
  test('has every figure of the comparison', async () => {
    const ab = abSample()
    const text = textOf(await abPage(ab))
    for (const row of metricsTable(ab.comparison).rows) assert.ok(text.includes(row.join(' ')), row.join(' '))
    for (const said of [
      'Compared with A (plan.yaml), B ( --inFlight 8) has throughput',
      'Complete: 8 pairs of runs were measured, in turn.',
      'exact sign-flip test',
      'inFlight 1 8',
      'streamPerOperation true false',
      '2 × some, 8,000 MB, linux x64',
      'node 20.20.2',
      'Figures marked * are doubtful'
    ])
      assert.ok(text.includes(said), said)
    assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/)
  })

  test('says what came of rules, baseline and thresholds, and only where there are some', async () => {
    const rule = /** @type {any} */ (readFailRule('p50 > +10%', COMPARED)).value
    const { comparison } = abSample()
    const judged = judgeRule(rule, comparison.metrics)
    /** @type {import('../../../../../src/result/types.js').ThresholdResult} */
    const threshold = {
      ...{ text: 'REGISTER.p50 < 13ms', metric: 'REGISTER.p50', limit: 13, unit: 'ms' },
      ...{ operator: '<', actual: 15, passed: false }
    }
    const text = textOf(
      await abPage(
        abSample({
          thresholds: [threshold],
          comparison: {
            rules: [judged],
            baseline: {
              verdict: 'UNDECIDED',
              baseline: {
                label: 'old/a',
                startedAt: '2026-11-01T00:00:00.000Z',
                version: '0.0.9',
                runs: 8
              },
              rules: [{ ...judged, verdict: 'UNDECIDED', why: 'the plans differ in ttlSeconds', ratio: null }]
            }
          }
        })
      )
    )
    for (const said of [
      /FAIL, fail on p50 > \+10%: measured \+3\d\.\d % \(/,
      /UNDECIDED against the baseline old\/a \(8 runs, 2026-11-01, libp2p-loadtest 0\.0\.9\)\./,
      /Threshold of A REGISTER\.p50 < 13ms: held in 0 of 8 runs\./,
      /fail on p50 > \+10% B against the baseline UNDECIDED the plans differ in ttlSeconds/,
      /REGISTER\.p50 < 13ms threshold of B ✗ FAIL held in 0 of 8 runs/
    ])
      assert.match(text, said)
    assert.doesNotMatch(textOf(await abPage(abSample())), /Rules|baseline|Threshold/)
  })

  test('of one that was broken off says why, and how far it came', async () => {
    const pairs = [
      { a: 'a/x-a01', b: 'b/x-b01' },
      { a: null, b: 'b/x-b02' }
    ]
    const reason = { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
    const ab = abSample({ pairs: 1, document: { status: 'partial', reason, pairs, finishedAt: null } })
    const page = await abPage(ab, new Map([['b/x-b02', 'b/x-b02/result.json']]))
    const text = textOf(page)
    assert.match(text, /Partial: 1 of 2 pairs of runs are complete: interrupted by SIGINT\./)
    assert.match(text, /2 not complete b02 –/)
    assert.deepEqual(
      [...page.matchAll(/<a href="([^#"]*)"/g)].map(([, to]) => to),
      ['b/x-b02/result.json', 'ab.json']
    )
  })

  test('stays small', async () => assert.ok((await abPage(abSample({ pairs: 16 }))).length < 300_000))
})

describe('the command that makes a comparison again', () => {
  /** @type {[string, Parameters<typeof abSample>[0], string][]} */
  const cases = [
    [
      'has what both plans share once, and the rest in quotes',
      {
        options: { a: { nClients: 9, inFlight: 2, workers: 1 }, b: { nClients: 9, inFlight: 8, workers: 1 } }
      },
      "node index.js ab '--inFlight 2' '--inFlight 8' --runs 8 --nClients 9 --no-streamPerOperation --workers 1"
    ],
    [
      'tells a single flag from an option of the command',
      { pairs: 2, options: { a: { workers: 1 }, b: { workers: 1, connectionPerOperation: true } } },
      "node index.js ab '' ' --connectionPerOperation' --runs 2 --workers 1"
    ],
    [
      'has rules and baseline',
      {
        options: { a: { workers: 1 }, b: { workers: 1 } },
        document: { failOn: ['p99 > +10%'], baseline: 'results/old ab/a' }
      },
      "node index.js ab '' '' --runs 8 --workers 1 --failOn 'p99 > +10%' --baseline 'results/old ab/a'"
    ],
    [
      'keeps lists of thresholds whole',
      {
        options: {
          a: { workers: 1, threshold: ['count > 1', 'count > 2'] },
          b: { workers: 1, threshold: ['count > 1'] }
        }
      },
      "node index.js ab '--threshold '\\''count > 1'\\'' --threshold '\\''count > 2'\\''' '--threshold '\\''count > 1'\\''' --runs 8 --workers 1"
    ]
  ]
  for (const [what, shape, line] of cases)
    test(what, () => assert.equal(abCommandLine(abSample(shape).document), line))
})
