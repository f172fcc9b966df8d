import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPERATIONS_COMPARED } from '../../../../src/scenarios/rendezvous/figures.js'
import { changedSentences } from '../../../../src/studies/matrix/view/changed-sentences.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'

const VARIED = [{ key: 'discoverLimit', what: 'the limit of DISCOVER', decided: true }]

/** @param {number} limit @param {number} ms @param {number} [registrations] */
function rowOf(limit, ms, registrations = 0) {
  const id = `limit-${limit}-${registrations}`
  const options = {
    benchmarkType: 'DISCOVER',
    nClients: 5,
    discoverLimit: limit,
    initialRegistrations: registrations
  }
  const all = summary(1000, { avg: time(ms), p50: time(ms), p99: time(ms) })
  const outcome = { operations: { DISCOVER: operation({ count: 1000, all, throughputPerSecond: 100 }) } }
  const result = { ...sampleResult({ options, outcome }), id }
  return { row: { id, name: id, plan: result.plan, status: 'complete' }, result }
}

/** @param {ReturnType<typeof rowOf>[]} made @param {any} [more] - of how it is shown */
function sentencesOf(made, more) {
  const table = /** @type {any} */ ({ id: 't', scenario: 'rendezvous', rows: made.map(({ row }) => row) })
  const results = new Map(made.map(({ row, result }) => [row.id, result]))
  const view = { matrix: { varied: VARIED }, scenario: { compared: OPERATIONS_COMPARED }, ...more }
  return changedSentences(table, [table], results, view)
}

describe('what a parameter changed, in sentences', () => {
  test('has no interval where there is one run of each, and says so', () => {
    const sentences = sentencesOf([rowOf(20, 5), rowOf(100, 10)])
    assert.match(
      sentences[0],
      /^What the limit of DISCOVER changed, 20 → 100 \(1 pair of rows\): Throughput × 1\.00, p50 × 2\.00, .*; one run of each has no interval\.$/
    )
    assert.doesNotMatch(sentences.join('\n'), /In brackets/)
    assert.doesNotMatch(sentences[1] ?? '', /90 % interval/)
  })

  test('writes a ratio of hundreds as a whole number', () =>
    assert.match(sentencesOf([rowOf(20, 5), rowOf(100, 6172.8)])[0], /p50 × 1,235,/))

  test('says how many pairs more would decide what is undecided', () => {
    const rows = [0, 1, 2].flatMap(i => [rowOf(20, 5, i), rowOf(100, 5 + i / 50, i)])
    const [said, decided, note] = sentencesOf(rows)
    assert.match(said, /\(3 pairs of rows\): .*\[/)
    assert.match(
      decided,
      /p50 is undecided \(90 % interval \[[\d.]+, [\d.]+\]\), about \d+ more pairs? of runs would decide/
    )
    assert.match(note, /^In brackets: 95 % intervals/)
  })

  test('are none where nothing is varied, or runs cannot be compared', () => {
    const rows = [rowOf(20, 5), rowOf(100, 10)]
    assert.deepEqual(sentencesOf(rows, { matrix: {} }), [])
    assert.deepEqual(sentencesOf(rows, { scenario: { compared: null } }), [])
  })
})
