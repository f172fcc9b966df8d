import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeRule, readFailRule } from '../../../../src/plan/fail-rule.js'
import { comparisonCommandLine } from '../../../../src/report/repeat.js'
import { compareMetrics } from '../../../../src/studies/comparison/compare-metrics.js'
import { comparisonPage } from '../../../../src/studies/comparison/view/comparison-page.js'
import { comparisonSentences } from '../../../../src/studies/comparison/view/comparison-sentences.js'
import { figureTable } from '../../../../src/studies/comparison/view/figure-table.js'
import { pairedRatios } from '../../../../src/studies/comparison/view/plots/paired-ratios.js'
import { COMPARED, scenarioNamed } from '../../../scenarios.js'
import { comparisonSample } from '../comparison-sample.js'

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
  /** @type {[string, Parameters<typeof comparisonSample>[0], RegExp[]][]} */
  const cases = [
    [
      'of a difference, how large it is',
      {},
      [
        /^Compared with A \(plan\.yaml\), B \(--inFlight 8\) has throughput 1\d\.\d % lower, p50 3\d\.\d % higher and p99 \d\d\.\d % higher\.$/
      ]
    ],
    [
      'of none, that both are the same',
      { slower: [1] },
      [/^8 pairs of runs show A \(plan\.yaml\) and B \(--inFlight 8\) to be the same within 5 %\.$/]
    ],
    [
      'of too few runs, that nothing is known',
      { runs: 3 },
      [
        /^Too few runs to tell whether B \(--inFlight 8\) differs from A \(plan\.yaml\): 3 of the 8 pairs/,
        /^So far, and the next run may turn it round: throughput −\d/
      ]
    ]
  ]
  for (const [what, shape, said] of cases)
    test(what, () => {
      const { sides, against } = comparisonSample(shape).comparison
      const sentences = comparisonSentences(against[0], sides, 1)
      assert.equal(sentences.length, said.length, sentences.join('\n'))
      for (const [i, pattern] of said.entries()) assert.match(sentences[i], pattern)
    })

  test('of what neither side has', () => {
    const { sides, against } = comparisonSample().comparison
    const [found] = against
    const none = { throughput: null, p50: null, p99: null, cpu: null }
    const metrics = compareMetrics(Array(8).fill({ base: none, candidate: none }), COMPARED.figures)
    assert.match(comparisonSentences({ ...found, metrics }, sides, 1)[0], /no figure in common/)
  })
})

describe('plots of paired ratios', () => {
  const { metrics } = comparisonSample().comparison.against[0]

  test('are of every metric, with each pair, the estimate and the interval', () => {
    const plots = pairedRatios(metrics, 'B')
    assert.deepEqual(
      plots.map(({ title }) => title),
      ['Throughput', 'p50', 'p99', 'Server CPU per operation']
    )
    for (const { spec, data } of plots) {
      const [band, , , estimate, ...points] = spec.layer
      assert.equal(band.data.values.length, 2)
      assert.equal(estimate.data.values.length, 2)
      assert.equal(points.flatMap((/** @type {any} */ { data: { values } }) => values).length, 8)
      assert.notEqual(data, undefined, 'a script draws it')
    }
    assert.match(
      plots[1].caption,
      /^B against A: \+\d.* % \(.* … .*\), different: worse\. Lower is better\.$/
    )
    assert.match(plots[2].legend.map(({ label }) => label).join('; '), /a pair of runs, doubtful/)
  })

  test('tell apart what operations without a reply reach into', () => {
    const figure = { value: 1, atLeast: false, doubtful: false }
    const open = { ...figure, value: 2, atLeast: true }
    const pairs = [
      { base: figure, candidate: open },
      { base: open, candidate: figure },
      { base: open, candidate: open },
      { base: figure, candidate: null },
      { base: figure, candidate: figure }
    ]
    const [{ spec, legend }] = pairedRatios([{ ...metrics[0], pairs }], 'C')
    assert.deepEqual(
      spec.layer
        .slice(4)
        .flatMap((/** @type {any} */ { data: { values } }, /** @type {number} */ i) =>
          values.map((/** @type {any} */ { at, value }) => [at, value, legend.slice(-4)[i].label])
        ),
      [
        [5, 0, 'a pair of runs'],
        [1, 100, 'at least so much: operations of C without a reply'],
        [2, -50, 'at most so much: operations of A without a reply'],
        [3, 0, 'bounded on neither side']
      ]
    )
  })
})

/** @param {ReturnType<typeof comparisonSample>} sample @param {ReadonlyMap<string, string>} [links] */
const pageOf = ({ comparison, document }, links) => comparisonPage(comparison, { document, links })

describe('the page of a comparison', () => {
  for (const [what, slower] of /** @type {[string, number[]][]} */ ([
    ['one side', []],
    ['two sides', [1.3]],
    ['three sides', [1.3, 1]]
  ]))
    test(`of ${what} has every figure, each run, the plans, and their times over one another`, async () => {
      const sample = comparisonSample({ slower })
      const page = await pageOf(sample)
      const text = textOf(page)
      for (const row of figureTable(sample.comparison).rows)
        assert.ok(text.includes(row.filter(cell => cell !== '').join(' ')), row.join(' '))
      for (const said of [
        'Complete: 8',
        '2 × some, 8,000 MB, linux x64',
        'node 20.20.2',
        'doubtful: the load'
      ])
        assert.ok(text.includes(said), said)
      for (const [place, letter] of ['A', 'B', 'C'].entries())
        assert.equal(text.includes(`${letter}: `), place <= slower.length, letter)
      assert.ok(page.includes('id="times-by-percentile"'))
      assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/)
    })

  test('of two sides says what came out first', async () => {
    const text = textOf(await pageOf(comparisonSample()))
    for (const said of [
      'Compared with A (plan.yaml), B ( --inFlight 8) has throughput',
      'Complete: 8 pairs of runs, in turn.',
      'exact sign-flip test',
      'plans differ in: streamPerOperation true → false; inFlight 1 → 8'
    ])
      assert.ok(text.includes(said), said)
  })

  test('of results that no study has made together says what it is made from', async () => {
    const { comparison } = comparisonSample()
    const text = textOf(await comparisonPage(comparison))
    assert.match(text, /plan\.yaml · --inFlight 8/)
    assert.match(text, /Everything here is made from the results of the runs\./)
    assert.doesNotMatch(text, /Complete:|Repeat it/)
  })

  test('says what came of rules, baseline and thresholds, and only where there are some', async () => {
    const rule = /** @type {any} */ (readFailRule('p50 > +10%', COMPARED)).value
    const { against, ...others } = comparisonSample().comparison
    const judged = judgeRule(rule, against[0].metrics)
    /** @type {import('../../../../src/result/types.js').ThresholdResult} */
    const threshold = {
      ...{ text: 'REGISTER.p50 < 13ms', metric: 'REGISTER.p50', limit: 13, unit: 'ms' },
      ...{ operator: '<', actual: 15, passed: false }
    }
    const text = textOf(
      await pageOf(
        comparisonSample({
          comparison: {
            ...others,
            against: [{ ...against[0], rules: [judged] }],
            thresholds: comparisonSample({ thresholds: [threshold] }).comparison.thresholds,
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
      /FAIL p50 > \+10%: measured \+3\d\.\d % \(/,
      /UNDECIDED against the baseline old\/a \(8 runs, 2026-11-01, libp2p-loadtest 0\.0\.9\)/,
      /UNDECIDED p50 > \+10%: the plans differ in ttlSeconds/,
      /FAIL A REGISTER\.p50 < 13ms: held in 0 of 8 runs/,
      /FAIL B REGISTER\.p50 < 13ms: held in 0 of 8 runs/
    ])
      assert.match(text, said)
    assert.doesNotMatch(textOf(await pageOf(comparisonSample())), /FAIL|baseline|held in/)
  })

  test('of one that was broken off says why, and how far it came', async () => {
    const reason = { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
    const { document, comparison } = comparisonSample({ runs: 1 })
    const runs = [
      ['a/x-a01', null],
      ['b/x-b01', 'b/x-b02']
    ]
    const sides = document.sides.map((side, place) => ({ ...side, runs: runs[place] }))
    const broken = { ...document, sides, status: /** @type {const} */ ('partial'), reason, finishedAt: null }
    const page = await pageOf({ document: broken, comparison }, new Map([['b/x-b02', 'b/x-b02/result.json']]))
    const text = textOf(page)
    assert.match(text, /Partial: 1 of 2 pairs are complete: interrupted by SIGINT\./)
    assert.match(text, /2 not complete b02 –/)
    assert.deepEqual(
      [...page.matchAll(/<a href="([^#"]*)"/g)].map(([, to]) => to),
      ['b/x-b02/result.json', 'comparison.json']
    )
    const killed = await pageOf({ document: { ...broken, reason: null, status: 'running' }, comparison })
    assert.match(textOf(killed), /it was ended from outside/)
  })

  test('stays small', async () => assert.ok((await pageOf(comparisonSample({ runs: 16 }))).length < 300_000))
})

describe('the command that makes a comparison again', () => {
  /** @type {[string, Parameters<typeof comparisonSample>[0], string][]} */
  const cases = [
    [
      'has what both plans share once, and the rest in quotes',
      {
        options: [
          { nClients: 9, inFlight: 2, workers: 1 },
          { nClients: 9, inFlight: 8, workers: 1 }
        ]
      },
      "node index.js ab '--inFlight 2' '--inFlight 8' --runs 8 --nClients 9 --no-streamPerOperation --workers 1"
    ],
    [
      'tells a single flag from an option of the command',
      { runs: 2, options: [{ workers: 1 }, { workers: 1, connectionPerOperation: true }] },
      "node index.js ab '' ' --connectionPerOperation' --runs 2 --workers 1"
    ],
    [
      'has rules and baseline',
      {
        options: [{ workers: 1 }, { workers: 1 }],
        document: { failOn: ['p99 > +10%'], baseline: 'results/old ab/a' }
      },
      "node index.js ab '' '' --runs 8 --workers 1 --failOn 'p99 > +10%' --baseline 'results/old ab/a'"
    ],
    [
      'keeps lists of thresholds whole',
      {
        options: [
          { workers: 1, threshold: ['count > 1', 'count > 2'] },
          { workers: 1, threshold: ['count > 1'] }
        ]
      },
      "node index.js ab '--threshold '\\''count > 1'\\'' --threshold '\\''count > 2'\\''' '--threshold '\\''count > 1'\\''' --runs 8 --workers 1"
    ]
  ]
  for (const [what, shape, line] of [
    .../** @type {typeof cases} */ ([
      [
        'of one plan runs it as often',
        { runs: 3, slower: [], options: [{ workers: 1 }] },
        'node index.js --workers 1 --runs 3'
      ]
    ]),
    ...cases
  ])
    test(what, () =>
      assert.equal(comparisonCommandLine(comparisonSample(shape).document, scenarioNamed('rendezvous')), line)
    )
})
