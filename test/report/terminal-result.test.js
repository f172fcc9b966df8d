import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodedHistogram } from '../../src/measure/encoded-histogram.js'
import { Histogram } from '../../src/measure/histogram.js'
import { terminalNotes } from '../../src/report/notes.js'
import { terminalResult } from '../../src/report/terminal-result.js'
import { aGossipResult } from '../scenarios/gossip/view/a-gossip-result.js'
import { operation, sampleResult, summary, time } from './sample-result.js'
import { viewOf } from './shown.js'

/** @param {string} type @param {string[]} percentiles */
const doubt = (type, percentiles) => ({
  code: 'PERCENTILES_DOUBTFUL',
  values: { type, percentiles, cause: 'generator' }
})
const unsettled = { code: 'NOT_STATIONARY', values: { type: 'REGISTER', firstMs: 3, lastMs: 2 } }

/** @param {object[]} warnings */
function resultWith(warnings) {
  const result = sampleResult()
  return { ...result, run: { ...result.run, warnings: /** @type {any} */ (warnings) } }
}

/** A result whose response times are known: 1 to 100 ms. */
function resultWithTimes() {
  const result = resultWith([])
  const times = new Histogram()
  const values = Float64Array.from({ length: 100 }, (_, i) => 1000 * (i + 1))
  times.merge({ values, counts: new Uint32Array(100).fill(1), count: 100, sum: 5_050_000, max: 100_000 })
  for (const operation of Object.values(result.outcome.operations))
    operation.histograms = { OK: encodedHistogram(times) }
  return result
}

/** @param {any} result @param {number} columns */
const shown = (result, columns) => terminalResult(result, 'results/x', viewOf(result), { columns })

describe('a result at a terminal', () => {
  it('of 80 columns has a block for each operation, and no line that is longer', () => {
    const text = shown(resultWith([doubt('REGISTER', ['p99']), unsettled]), 80)
    const long = text.split('\n').filter(line => [...line].length > 80)
    assert.deepEqual(long, [])
    assert.doesNotMatch(text, /^\|/m)
    assert.match(
      text,
      /^REGISTER \(refresh\) of \d+ clients?, [\d,]+ registrations\n {2}[\d,.]+ op\/s {3}.*\d errors?\n {2}p50 .* max [\d.]+ {3}ms\n/m
    )
    assert.match(text, /^ {2}server CPU \d+ %/m)
  })

  it('draws how many operations took how long', () => {
    assert.match(shown(resultWithTimes(), 80), /^ {2}0 ms [▁-█]+ 102 ms$/m)
  })

  it('has the table where there is room', () => {
    assert.match(shown(resultWith([]), 300), /^\| Operation /m)
  })

  it('says what a mark means that it shows, and none that it leaves out', () => {
    const marked = { p50: { ...time(9, { doubtful: true }), cause: /** @type {const} */ ('machine') } }
    const average = { avg: time(9, { doubtful: true }) }
    const withTimes = (/** @type {Parameters<typeof summary>[1]} */ times) =>
      sampleResult({ outcome: { operations: { REGISTER: operation({ all: summary(500, times) }) } } })
    assert.match(shown(withTimes(marked), 80), /^\*m doubtful: the machine, /m)
    assert.doesNotMatch(shown(withTimes(average), 80), /doubtful/)
    assert.match(shown(withTimes(average), 300), /^\* doubtful: the load generator /m)
  })

  it('of deliveries says it too, where no percentile is doubtful', () => {
    const { outcome, ...result } = aGossipResult()
    const all = { ...outcome.latency.all, max: time(108, { doubtful: true }) }
    const text = shown({ ...result, outcome: { ...outcome, latency: { ...outcome.latency, all } } }, 80)
    assert.match(text, / 108\*/)
    assert.match(text, /^\* doubtful: nodes that share a process, /m)
  })

  it('has three notes at most, doubt first, and says where the others are', () => {
    const text = shown(resultWith([unsettled, doubt('REGISTER', ['p99'])]), 300)
    const notes = text.split('\n').filter(line => line.startsWith('⚠'))
    assert.match(notes[0], /added more than a tenth of REGISTER p99/)
    assert.match(notes[1], /had not settled/)
    assert.match(text, /^\d+ more in results\/x\/report\.md$/m)
  })
})

it('a result without a folder says neither where the rest is nor how it is repeated', () => {
  const result = resultWith([unsettled, doubt('REGISTER', ['p99'])])
  const text = terminalResult(result, null, viewOf(result), { columns: 300 })
  assert.match(text, /^\| REGISTER /m)
  assert.doesNotMatch(text, /null|repeat:|more in/)
})

it('a folder without a page is not said to have one', () => {
  const result = resultWith([])
  const where = terminalResult(result, 'results/x', viewOf(result), { columns: 300, page: false })
  assert.match(where, /^results\/x\/result\.json$/m)
  assert.doesNotMatch(where, /report\.html/)
})

describe('notes at a terminal', () => {
  it('say a doubt once, for all operations', () => {
    const result = resultWith([doubt('REGISTER', ['p99']), doubt('DISCOVER', ['p90', 'p99'])])
    const { notes } = terminalNotes(result, viewOf(result))
    assert.equal(notes.filter(note => /tenth/.test(note)).length, 1)
    assert.match(notes[0], /a tenth of REGISTER p99, and DISCOVER p90 and p99\./)
  })

  it('name operations together whose doubtful percentiles are the same', () => {
    const same = ['DISCOVER', 'REGISTER', 'UNREGISTER'].map(type => doubt(type, ['p50', 'p90', 'p95']))
    const result = resultWith(same)
    const { notes } = terminalNotes(result, viewOf(result))
    assert.match(notes[0], /a tenth of DISCOVER, REGISTER and UNREGISTER p50, p90 and p95\./)
  })

  it('say doubts of different causes one by one', () => {
    const machine = doubt('DISCOVER', ['p90'])
    machine.values.cause = 'machine'
    const result = resultWith([doubt('REGISTER', ['p99']), machine])
    const { notes } = terminalNotes(result, viewOf(result))
    assert.match(notes[0], /load generator itself added/)
    assert.match(notes[1], /The machine added/)
  })

  it('have verdicts beside them, however many', () => {
    const result = resultWith([])
    const failed = { ...result, status: 'partial', reason: { code: 'SERVER_DIED', message: 'it died' } }
    const { verdicts } = terminalNotes(/** @type {any} */ (failed), viewOf(result))
    assert.deepEqual(verdicts, ['Partial result: it died'])
  })
})
