import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MATRIX_STUDY } from '../../../src/studies/matrix/study.js'
import { madeUpMatrix } from './made-up-matrix.js'

const { document, results } = madeUpMatrix()
const rows = document.tables.flatMap(({ rows }) => rows)

/** @param {(row: (typeof rows)[number], place: number) => object} change */
const changed = change => {
  let place = 0
  return {
    ...document,
    tables: document.tables.map(table => ({
      ...table,
      rows: table.rows.map(row => ({ ...row, ...change(row, place++) }))
    }))
  }
}

describe('a matrix as a study', () => {
  test('has left the plans of the rows that were not run, one for each run', () => {
    assert.deepEqual([rows[3].status, rows[4].runs], ['failed', 2])
    assert.deepEqual(MATRIX_STUDY.plans?.(document), [rows[4].plan, rows[4].plan])
  })

  test('has its runs in the folders of their results, each once, those of attempts too', () => {
    const attempt = { run: 1, status: 'complete', tookMs: 1, pressurePercent: 0, stealPercent: 0 }
    const kept = changed(
      (_, place) =>
        [
          { result: 'results/a/result.json' },
          {
            result: 'results/b/result.json',
            attempts: [
              { ...attempt, result: 'results/b/result.json' },
              { ...attempt, result: 'results/b-2/result.json' }
            ]
          },
          { result: null, attempts: [{ ...attempt, result: 'results/c/result.json' }] }
        ][place] ?? { result: null }
    )
    assert.deepEqual(MATRIX_STUDY.runs(/** @type {any} */ (kept)), [
      'results/a',
      'results/b',
      'results/b-2',
      'results/c'
    ])
  })

  test('says in a line which tables it has, and how many rows are complete', () => {
    const [what, how] = MATRIX_STUDY.inLine(document)
    assert.equal(what, `matrix: ${document.tables.map(({ title }) => title).join('; ')}`)
    assert.equal(how, `${rows.length - 2} of ${rows.length} rows`)
  })

  test('is broken off where all that failed failed by a threshold, and generator-limited where a row is', () => {
    const { brokenOff, generatorLimited } = MATRIX_STUDY.verdict(document, results)
    assert.deepEqual([brokenOff, generatorLimited], [false, true])
    const byThreshold = changed(({ status }) => ({
      generatorLimited: false,
      ...(status === 'failed' && { reason: { code: 'THRESHOLD_FAILED', message: 'p99' } })
    }))
    const ended = MATRIX_STUDY.verdict(/** @type {any} */ (byThreshold), results)
    assert.deepEqual([ended.brokenOff, ended.generatorLimited], [true, false])
    const whole = MATRIX_STUDY.verdict(
      changed(() => ({ status: 'complete', reason: null })),
      null
    )
    assert.deepEqual([whole.brokenOff, whole.notMet], [false, false])
  })
})
