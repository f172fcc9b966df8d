import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saturatedFirst } from '../../../../src/scenarios/rendezvous/saturation/saturated-first.js'
import { newTrial } from '../../../../src/studies/saturation/result/trial.js'
import { faceOf } from '../../../../src/studies/saturation/view/faces.js'
import { latencyBySecond } from '../../../../src/studies/saturation/view/plots/latency-over-time.js'
import { limitWords, reasonWords } from '../../../../src/studies/saturation/view/reason-words.js'
import {
  foundSentences,
  saturationSentences
} from '../../../../src/studies/saturation/view/saturation-sentences.js'
import { sampleResult } from '../../../report/sample-result.js'
import { aLoadPoint, times } from '../../../scenarios/rendezvous/saturation/load-point.js'

/** @typedef {import('../../../../src/studies/saturation/result/trial.js').Found} Found */

const FACE = faceOf({ scenario: 'rendezvous' })

describe('what saturated first, in words', () => {
  /** @type {[Parameters<typeof aLoadPoint>[0], RegExp][]} */
  const rows = [
    [{ utilization: 0.957 }, /load generator: its event loop was 96 % busy/],
    [{ lagP99Ms: 120 }, /load generator: it sent operations late, 1 % of them by more than 120 ms/],
    [{ rt: times(50, { doubtful: true }) }, /load generator: it added more than a tenth .* \(100 ms\)/],
    [{ dropped: 1234 }, /--maxInFlight: 1,234 operations were never sent/],
    [{ portsExhausted: 5 }, /local ports: 5 connections could not be opened/],
    [{ serverMemoryBytes: 60e6, memoryBytes: 62e6 }, /memory: 60 MB of 62 MB/],
    [{ serverCpuPercent: 29, cpus: 0.3 }, /CPU: 29 % of one core, where 0\.300 cores may be used/],
    [{ serverCpuPercent: 97 }, /event loop: its process used 97 %/],
    [{ serverCpuPercent: 85, generatorCpuPercent: 110 }, /machine: .* used 195 % of its 2\.00 cores/],
    [{}, /nothing that was watched/]
  ]
  for (const [parts, words] of rows)
    test(String(words), () => assert.match(limitWords(saturatedFirst(aLoadPoint(parts))), words))
})

test('why a rate was not sustained, in words', () => {
  const reasons = /** @type {any} */ ([
    { code: 'ACHIEVED', share: 0.934 },
    { code: 'SLOWER', figure: 'p99', ms: 394, lowestMs: 16.3 },
    { code: 'WAITING', count: 1250 },
    { code: 'ENDED', message: 'out of memory' }
  ])
  assert.equal(
    reasonWords({ reasons }),
    '93.4 % achieved; p99 394 ms, 16.3 ms at the lowest rate; more and more waited, 1,250 in the end; the run did not come to its end: out of memory'
  )
})

describe('the answer of a search', () => {
  const cpu = { limit: /** @type {const} */ ('cpu'), value: 29, of: 30 }
  const generator = { limit: /** @type {const} */ ('generator'), value: 95, of: 100 }
  const at = (/** @type {number} */ perSecond, sustained = 3) => ({ perSecond, sustained, repeats: 3 })
  const rates = [
    { share: 0.9, perSecond: 1234, low: 1150.4, high: 1310.2 },
    { share: 0.5, perSecond: 1300, low: 1250, high: 1350 }
  ]
  /** @type {[string, Partial<Found> | null, RegExp][]} */
  const rows = [
    ['an interval', {}, /^The highest sustainable rate is 96\/s: it lies in \[96, 100\]/],
    ['a bound', { first: generator, generatorBound: true }, /^Generator-bound: at least 96\/s\.$/],
    [
      'an estimate',
      { estimate: { blocks: 8, rates, contradict: false } },
      /^The highest sustainable rate: 1,230\/s is sustained in 9 of 10 trials, 95 % interval \[1,150, 1,310\], from 8 blocks of trials\.$/
    ],
    [
      'blocks that do not tell',
      { estimate: { blocks: 8, rates: [], contradict: false } },
      /^The highest sustainable rate is not known: one trial sustained 96\/s, one did not 100\/s,/
    ],
    ['no end', null, /did not come to its end/],
    ['nothing', { below: null }, /^Not even 100\/s was sustained\.$/],
    [
      'nothing, by the generator',
      { below: null, generatorBound: true },
      /^Generator-bound: not even 100\/s could be offered/
    ],
    [
      'everything',
      { above: null, first: null },
      /^At least 96\/s is sustained, the highest rate that was to be tried/
    ]
  ]
  for (const [what, parts, words] of rows)
    test(what, () => {
      const usual = {
        below: at(96),
        above: at(100, 0),
        closed: true,
        estimate: null,
        first: cpu,
        generatorBound: false
      }
      const [answer] = foundSentences(parts && { ...usual, ...parts }, FACE)
      assert.match(answer, words)
    })

  test('says that repeats contradict it', () => {
    const found = {
      below: at(96),
      above: at(100, 0),
      closed: false,
      estimate: null,
      first: cpu,
      generatorBound: false
    }
    assert.match(foundSentences(found, FACE).join(' '), /does not answer the same from trial to trial/)
  })
})

describe('the answer of a grid', () => {
  /** @param {number[]} achieved - of 600 */
  const documentOf = achieved => {
    const { plan } = sampleResult({ options: { rate: '100/s', nClients: 1, duration: '6s' } })
    const cells = achieved.map((count, i) => ({
      ...newTrial({ name: `cell ${i}`, plan: { ...plan, nClients: i + 1 } }),
      point: aLoadPoint({ achieved: count })
    }))
    return /** @type {any} */ ({
      scenario: 'rendezvous',
      grid: { rates: [100], connections: [1, 2], cells, chosen: null },
      search: null
    })
  }

  test('without a load that was too much says up to where it kept up', () =>
    assert.match(
      saturationSentences(documentOf([600, 600]))[0],
      /^The server kept up with every load tried, up to 100\/s\. .* raise --rates/
    ))

  test('says where a run failed, instead of a load that was too much', () => {
    const document = documentOf([600, 600])
    Object.assign(document.grid.cells[1], { status: 'failed', point: null })
    assert.match(
      saturationSentences(document)[0],
      /^The server kept up with every load that was measured, up to 100\/s; the run of \(r=50, c=2\) failed\.$/
    )
  })

  test('says what was used up at the least load that was too much', () => {
    const document = documentOf([600, 400])
    Object.assign(document.grid.cells[1], { point: aLoadPoint({ achieved: 400, serverCpuPercent: 97 }) })
    assert.match(
      saturationSentences(document)[1],
      /^What was used up there: the server's event loop: its process used 97 % of the one core that JavaScript runs on\.$/
    )
  })

  test('says that the server may keep up with more where the load generator was used up', () => {
    const document = documentOf([600, 400])
    Object.assign(document.grid.cells[1], { point: aLoadPoint({ achieved: 400, utilization: 0.99 }) })
    assert.match(
      saturationSentences(document)[1],
      /^What was used up there: not the server: the load generator: its event loop was 99 % busy\. The server may keep up with more\.$/
    )
  })

  test('without a load that it kept up with says so', () =>
    assert.match(
      saturationSentences(documentOf([60, 60]))[0],
      /^The server kept up with no load that was tried\. Lower --rates/
    ))

  test('without a measured cell says so', () =>
    assert.match(saturationSentences(documentOf([]))[0], /^No cell of the grid was measured/))
})

test('latency over time is the median and the slowest of each second, of all types but CONNECT', () => {
  /** @param {number} second @param {string} type @param {[number, number][]} histogram */
  const entry = (second, type, histogram) => /** @type {any} */ ({ second, type, outcome: 'OK', histogram })
  const result = sampleResult({
    outcome: {
      perSecond: [
        entry(1, 'DISCOVER', [[4000, 1]]),
        entry(0, 'REGISTER', [[1000, 3]]),
        entry(0, 'DISCOVER', [
          [2000, 1],
          [9000, 1]
        ]),
        entry(0, 'CONNECT', [[50_000, 9]])
      ]
    }
  })
  assert.deepEqual(latencyBySecond(result), [
    { at: 0.5, median: 1, slowest: 9 },
    { at: 1.5, median: 4, slowest: 4 }
  ])
})
