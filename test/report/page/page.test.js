import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { Script } from 'node:vm'
import { html, markdownText, phrase } from '../../../src/kit/html.js'
import { STYLE } from '../../../src/report/page/style.js'
import { measuredResult } from '../measured-result.js'
import { operation, sampleResult, summary, time } from '../sample-result.js'
import { leadSentences, planCommandLine, reportPage, resultCells, SECTIONS, verdictOf } from '../shown.js'
import { asRead, partsOf } from './parts-of-page.js'

/** @typedef {import('../../../src/result/types.js').Result} Result */

const STALLED = measuredResult({
  options: { rate: '120/s', duration: '6s', benchmarkType: 'MIXED' },
  types: ['REGISTER', 'DISCOVER'],
  stallAt: 2,
  workers: 2
})
const NOTHING = sampleResult({
  outcome: { operations: {}, server: null, measuredMs: 0 },
  result: { status: 'partial', reason: { code: 'UNFINISHED', message: 'the run has not ended yet' } }
})

/** What a person reads of a page. @param {string} page */
const textOf = page =>
  page
    .replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')

describe('pieces of a page', () => {
  for (const [what, piece, expected] of /** @type {[string, unknown, string][]} */ ([
    ['text is escaped', html`<p>${'<b> & "it\'s"'}</p>`, '<p>&lt;b&gt; &amp; &quot;it&#39;s&quot;</p>'],
    ['pieces are not', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    ['lists are joined, null is nothing', html`${[html`<i>`, 'x', 1]}${null}${undefined}`, '<i>x1'],
    ['numbers stay with their units', phrase('12.5* ms and 99 %'), '12.5*\u00a0ms and 99\u00a0%'],
    [
      'options are code',
      phrase('use --nClients or --rate.'),
      'use <code>--nClients</code> or <code>--rate</code>.'
    ],
    [
      'markdown',
      markdownText('**a** *b / c* 3* d* `<e>`'),
      '<strong>a</strong> <em>b / c</em> 3* d* <code>&lt;e&gt;</code>'
    ]
  ]))
    test(what, () => assert.equal(String(piece), expected))
})

describe('the sentence a person would say', () => {
  /** @param {Parameters<typeof operation>[0]} parts @param {Record<string, unknown>} [options] */
  const said = (parts, options) =>
    leadSentences(sampleResult({ options, outcome: { operations: { REGISTER: operation(parts) } } }))

  for (const [what, sentences, expected] of /** @type {[string, string[], string[]][]} */ ([
    [
      'all well',
      said({
        count: 10_500,
        throughputPerSecond: 1025.4,
        all: summary(10_500, { p50: time(3.3), p99: time(12.5) })
      }),
      [
        'The server answered 10,500 REGISTER at 1,025/s with 4 clients; half within 3.30 ms, 99 % within 12.5 ms; all succeeded.'
      ]
    ],
    [
      'some failed, some figures are doubtful or bounds',
      said(
        {
          count: 1000,
          errors: 50,
          outcomes: { OK: 950, TIMEOUT: 40, E_UNAVAILABLE: 10 },
          throughputIsLowerBound: true,
          all: summary(1000, { p50: time(3, { doubtful: true }), p99: time(10_000, { censored: true }) })
        },
        { rate: '500/s', nClients: '1' }
      ),
      [
        'The server answered 950 of 1,000 REGISTER at 250/s or more with 1 client, due at 500/s; half within 3.00 ms*, 99 % within more than 10,000 ms; 5.00 % without success (40 TIMEOUT, 10 E_UNAVAILABLE).'
      ]
    ],
    [
      'few operations',
      said({ count: 30, all: summary(30, { p99: null, p90: null }) }),
      ['The server answered 30 REGISTER at 250/s with 4 clients; half within 15.0 ms; all succeeded.']
    ],
    [
      'very few operations',
      said({ count: 3, all: summary(3, { p50: null, p99: null, p90: null }) }),
      ['The server answered 3 REGISTER at 250/s with 4 clients; 16.0 ms on average; all succeeded.']
    ],
    [
      'none succeeded',
      said({ count: 4, errors: 4, outcomes: { LOST: 4 }, throughputPerSecond: 0 }),
      [
        'The server answered 0 of 4 REGISTER at 0/s with 4 clients; half within 15.0 ms, 99 % within 26.0 ms; none succeeded.'
      ]
    ],
    ['nothing', leadSentences(NOTHING), ['No operation was measured.']]
  ]))
    test(what, () => assert.deepEqual(sentences, expected))

  test('has one for each type', () => {
    const [first, second, ...more] = leadSentences(STALLED)
    assert.match(
      first,
      /^The server answered .* REGISTER at .* with 4 clients, operations of all types due at 120\/s; /
    )
    assert.match(second, /^It answered .* DISCOVER at /)
    assert.deepEqual(more, [])
  })
})

describe('verdict', () => {
  const threshold = {
    text: 'REGISTER.p99 < 50ms',
    metric: 'REGISTER.p99',
    operator: /** @type {const} */ ('<'),
    limit: 50,
    unit: 'ms',
    actual: 61,
    passed: false
  }
  /** @param {Result} result */
  const texts = result => verdictOf(result).map(({ tone, text }) => `${tone} ${text}`)

  for (const [what, result, expected] of /** @type {[string, Result, RegExp[]][]} */ ([
    ['all well', sampleResult(), [/^good Complete/, /^good No figure is doubtful/]],
    ['partial, nothing measured', NOTHING, [/^bad Partial result: the run has not ended yet\./]],
    [
      'doubtful figures are named as in the table',
      sampleResult({
        outcome: {
          operations: {
            REGISTER: operation({ all: summary(500, { p999: time(9, { doubtful: true }) }) }),
            DISCOVER: operation({ throughputIsLowerBound: true })
          }
        }
      }),
      [/^good/, /^mind Doubtful, marked \*: REGISTER p99\.9; .* Throughput is a lower bound/]
    ],
    [
      'doubts without a mark in the table',
      sampleResult({ warnings: [{ code: 'DROPPED', values: { count: 5 } }] }),
      [/^good/, /^mind Doubtful: 5 operations were due but never sent/]
    ],
    [
      'thresholds',
      sampleResult({ outcome: { thresholds: [threshold, { ...threshold, passed: true }] } }),
      [/^good/, /^bad 1 of 2 thresholds failed: REGISTER\.p99 < 50ms\.$/, /^good/]
    ],
    [
      'thresholds that hold',
      sampleResult({ outcome: { thresholds: [{ ...threshold, passed: true }] } }),
      [/^good/, /^good The threshold holds\.$/, /^good/]
    ],
    [
      'failures and warnings',
      sampleResult({
        outcome: { operations: { REGISTER: operation({ errors: 2 }) } },
        warnings: [{ code: 'SERVER_NOT_SAMPLED', values: {} }]
      }),
      [/^good/, /^mind 2 of 500 operations did not succeed/, /^good/, /^mind 1 warning, with what to do/]
    ]
  ]))
    test(what, () => {
      const said = texts(result)
      assert.equal(said.length, expected.length, said.join('\n'))
      for (const [i, pattern] of expected.entries()) assert.match(said[i], pattern)
    })
})

describe('page of a run', async () => {
  const page = await reportPage(STALLED, { folder: 'results/20261120-0712-rendezvous-7' })
  const text = textOf(page)

  test('has every figure of the table, as it stands there', () => {
    for (const row of resultCells(STALLED).rows) assert.ok(text.includes(row.join(' ')), row.join(' '))
  })

  test('says the sentence, the warnings, the command that repeats it', () => {
    for (const said of [
      'The server answered',
      'Not every DISCOVER succeeded: 18 TIMEOUT',
      planCommandLine(STALLED.plan),
      'node index.js rerun results/20261120-0712-rendezvous-7',
      'no reply within --timeout'
    ])
      assert.ok(text.replaceAll('\u00a0', ' ').includes(said), said)
  })

  test('has every section but those of what was not asked for', () => {
    const asked = ['thresholds', 'faults', 'soak', 'members']
    const ids = SECTIONS.rendezvous.map(({ id }) => id).filter(id => !asked.includes(id))
    assert.deepEqual(
      [...page.matchAll(/<section id="([^"]*)"/g)].map(([, id]) => id),
      ids
    )
  })

  test('runs nothing but scripts of ours, by their hashes, of 150 kB at most', () => {
    const { scripts, policy } = partsOf(page)
    assert.equal(scripts.length, 2)
    const hashes = scripts.map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    assert.ok(policy.endsWith(`script-src ${hashes.join(' ')}`), policy)
    assert.ok(Buffer.byteLength(scripts.join('')) <= 150_000)
    for (const script of scripts) assert.doesNotThrow(() => new Script(script))
  })

  test('is read without a script, and asks nothing of a network', () => {
    assert.doesNotMatch(
      asRead(page),
      /<script|<link(?! rel="icon" href="data:,")|<img|<iframe|@import|url\(|\son\w+=/
    )
    const addresses = [...asRead(page).matchAll(/https?:[^"'\s<]*/g)].map(([address]) => address)
    assert.deepEqual([...new Set(addresses)], ['http://www.w3.org/2000/svg'])
  })

  test('every plot is named, and no name is used twice', () => {
    const ids = [...asRead(page).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const [, names] of page.matchAll(/aria-labelledby="([^"]*)"/g))
      for (const name of names.split(' ')) assert.ok(ids.includes(name), name)
    const pictures = page.match(/<svg [^>]*>/g) ?? []
    assert.ok(pictures.every(svg => /role="img" aria-labelledby=|aria-hidden="true"/.test(svg)))
  })

  test('links lead to sections that are there', () => {
    for (const [, to] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(page.includes(` id="${to}"`), to)
  })

  for (const [what, result] of /** @type {[string, Result][]} */ ([
    ['nothing measured', NOTHING],
    ['no figures of the server', { ...STALLED, outcome: { ...STALLED.outcome, server: null, probe: null } }],
    ['nothing over time', { ...STALLED, outcome: { ...STALLED.outcome, perSecond: [] } }],
    ['hand-made figures only', sampleResult()],
    ['a warning of a later version', sampleResult({ warnings: [{ code: 'NEW_TROUBLE', values: { a: 1 } }] })]
  ]))
    test(`is made with ${what}`, async () => {
      const made = textOf(await reportPage(result))
      assert.doesNotMatch(made, /undefined|NaN|\[object/)
      assert.ok(made.includes(leadSentences(result)[0].split(';')[0]))
    })

  test('a partial result says so at the top', async () => {
    const made = textOf(await reportPage(NOTHING))
    assert.ok(made.indexOf('Partial result: the run has not ended yet') < made.indexOf('Repeat it'))
    assert.ok(made.includes('Partial result'))
  })

  test('what is in a result cannot become part of the page', async () => {
    const bad = sampleResult({
      result: { id: '<script>1</script>', status: 'partial', reason: { code: 'X', message: '<img src=x>' } },
      warnings: [{ code: '<script>2', values: {} }]
    })
    assert.doesNotMatch(asRead(await reportPage(bad, { folder: '"><script>3' })), /<script|<img/)
  })
})

describe('colours', () => {
  const [light, dark] = [...String(STYLE).matchAll(/--paper:[\s\S]*?;\s*\}/g)].map(([block]) =>
    Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]))
  )
  /** @param {string} hex relative luminance, WCAG 2.2 */
  const luminance = hex =>
    [1, 3, 5]
      .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
  /** @param {string} a @param {string} b */
  const contrast = (a, b) => {
    const [less, more] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (more + 0.05) / (less + 0.05)
  }

  for (const [name, theme] of Object.entries({ light, dark })) {
    test(`${name}: text is readable`, () => {
      for (const ink of ['ink', 'quiet', 'link', 'good', 'mind', 'failed'])
        assert.ok(contrast(theme[ink], theme.paper) >= 4.5, ink)
      for (const tone of ['good', 'mind', 'failed'])
        assert.ok(contrast(theme[tone], theme[`${tone}-wash`]) >= 4.5, tone)
    })
    test(`${name}: lines and marks stand out`, () => {
      for (const series of [1, 2, 3, 4, 5, 6].map(n => `series-${n}`))
        assert.ok(contrast(theme[series], theme.paper) >= 3, series)
    })
    test(`${name}: each shade is further from the paper than the one before`, () => {
      const steps = [1, 2, 3, 4, 5, 6].map(n => contrast(theme[`heat-${n}`], theme.paper))
      assert.deepEqual(
        steps,
        steps.toSorted((a, b) => a - b)
      )
    })
  }

  test('both themes have the same colours', () => assert.deepEqual(Object.keys(dark), Object.keys(light)))
})
