import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPERATIONS_COMPARED } from '../../../src/scenarios/rendezvous/figures.js'
import { changedSentences } from '../../../src/studies/matrix/view/changed-sentences.js'
import { whatChanged } from '../../../src/studies/matrix/what-changed.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'

/**
 * @typedef {import('../../../src/studies/matrix/matrix-folder.js').TableRecord} TableRecord
 */

const VARIED = [
  { key: 'nClients', what: 'clients' },
  { key: 'discoverLimit', what: 'the limit of DISCOVER', decided: true }
]
const HOW = { varied: VARIED, figures: OPERATIONS_COMPARED.figures }

/** @param {string} id @param {Record<string, unknown>} options @param {number} ms - p50 */
function rowOf(id, options, ms) {
  const all = summary(1000, { avg: time(ms), p50: time(ms), p99: time(2 * ms) })
  const operations = { DISCOVER: operation({ count: 1000, all, throughputPerSecond: 100 }) }
  const given = { benchmarkType: 'DISCOVER', ...options }
  const result = { ...sampleResult({ options: given, outcome: { operations } }), id }
  return { row: /** @type {any} */ ({ id, name: id, plan: result.plan, status: 'complete' }), result }
}

/** @param {readonly ReturnType<typeof rowOf>[][]} tables */
const matrixOf = tables => ({
  tables: tables.map(
    (rows, i) =>
      /** @type {TableRecord} */ (
        /** @type {any} */ ({ id: `table-${i}`, scenario: 'rendezvous', rows: rows.map(({ row }) => row) })
      )
  ),
  results: new Map(tables.flat().map(({ row, result }) => [row.id, result]))
})

/** @param {number} limit @param {(row: number) => number} ms @param {number} [count] */
const limited = (limit, ms, count = 12) =>
  Array.from({ length: count }, (_, i) =>
    rowOf(`limit-${limit}-${i}`, { discoverLimit: limit, nClients: 5, initialRegistrations: i }, ms(i))
  )

describe('what a parameter changed between rows', () => {
  test('is told of rows that agree in all else, step by step, with an interval', () => {
    const rows = [
      rowOf('a', { nClients: 5, initialRegistrations: 0 }, 2),
      rowOf('b', { nClients: 10, initialRegistrations: 0 }, 4),
      rowOf('c', { nClients: 5, initialRegistrations: 1000 }, 2.1),
      rowOf('d', { nClients: 10, initialRegistrations: 1000 }, 4.3),
      rowOf('e', { nClients: 100, initialRegistrations: 1000 }, 40)
    ]
    const { tables, results } = matrixOf([rows])
    const changed = whatChanged(tables, results, HOW)
    assert.deepEqual(
      changed.map(({ from, to, rows }) => [from, to, rows]),
      [
        [5, 10, 2],
        [10, 100, 1]
      ]
    )
    const p50 = changed[0].figures.find(({ figure }) => figure.name === 'p50')
    assert.ok(p50 !== undefined && Math.abs(p50.ratio - 2.02) < 0.02)
    assert.ok(p50.interval !== null && p50.interval.low < 2.02 && p50.interval.high > 2.02)
    assert.equal(changed[1].figures[0].interval, null)
  })

  test('is decided by equivalence where no difference is claimed: the same, not the same, undecided', () => {
    /** @param {(row: number) => number} ms @param {number} [count] */
    const verdict = (ms, count) => {
      const { tables, results } = matrixOf([limited(20, () => 5, count), limited(100, ms, count)])
      const [{ figures }] = whatChanged(tables, results, HOW)
      return figures.find(({ figure }) => figure.name === 'p50')?.same?.verdict
    }
    assert.equal(
      verdict(i => 5 + 0.05 * (i % 3)),
      'agrees'
    )
    assert.equal(
      verdict(i => 8 + 0.05 * (i % 3)),
      'differs'
    )
    assert.equal(
      verdict(i => 3 + 2 * (i % 3)),
      'undecided'
    )
    assert.equal(
      verdict(i => 5 + 0.05 * (i % 3), 4),
      'undecided',
      'of few pairs'
    )
  })

  test('stands under the later of two tables, and nowhere twice', () => {
    const { tables, results } = matrixOf([limited(20, () => 5), limited(100, i => 8 + 0.05 * (i % 3))])
    const view = /** @type {any} */ ({
      matrix: { varied: VARIED },
      scenario: { compared: OPERATIONS_COMPARED }
    })
    assert.deepEqual(changedSentences(tables[0], tables, results, view), [])
    const [said, decided, note] = changedSentences(tables[1], tables, results, view)
    assert.match(
      said,
      /^What the limit of DISCOVER changed, 20 → 100 \(12 pairs of rows\): .*p50 × 1\.61 \[1\.6/
    )
    assert.match(
      decided,
      /within ± 10 %\? Throughput is the same .*p50 is not the same \(90 % interval \[1\.6/
    )
    assert.match(note, /^In brackets: 95 % intervals/)
  })
})
