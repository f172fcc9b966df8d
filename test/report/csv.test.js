import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asCsv, operationsCsv, perSecondCsv, serverCsv } from '../../src/report/csv.js'
import { detailedResult } from './detailed-result.js'
import { sampleResult } from './sample-result.js'

/** @param {string} text @returns {Record<string, string>[]} */
function rowsOf(text) {
  const [names, ...rows] = text
    .trimEnd()
    .split('\n')
    .map(line => line.split(','))
  return rows.map(row => Object.fromEntries(names.map((name, place) => [name, row[place]])))
}

/** @param {any} value @param {string} path */
const at = (value, path) => path.split('.').reduce((part, key) => part?.[key], value)

describe('every figure in CSV is that of the result', () => {
  const result = detailedResult()

  test('of the operations, each under its path in the document', () => {
    const rows = rowsOf(operationsCsv(result))
    assert.deepEqual(rows.map(({ type }) => type).sort(), Object.keys(result.outcome.operations).sort())
    for (const { type, 'rt.all.censored': censored, 'rt.all.doubtful': doubtful, ...figures } of rows) {
      const operation = /** @type {any} */ (result.outcome.operations)[type]
      for (const [path, text] of Object.entries(figures))
        assert.equal(text, String(at(operation, path) ?? ''), `${type} ${path}`)
      for (const [mark, names] of Object.entries({ censored, doubtful }))
        for (const key of ['avg', 'p50', 'p90', 'p95', 'p99', 'p999', 'max'])
          assert.equal(
            names.split(' ').includes(key),
            operation.rt.all[key]?.[mark] ?? false,
            `${mark} ${key}`
          )
    }
  })

  test('who sends has columns only where there are roles, and those of CONNECT are all', () => {
    assert.doesNotMatch(operationsCsv(result), /role|clients/)
    const { operations } = result.outcome
    const [one] = Object.values(operations)
    const rows = rowsOf(
      operationsCsv(
        sampleResult({
          options: { providers: 2, discoverers: 4, providerRate: 10, discovererRate: 300 },
          outcome: { operations: { CONNECT: one, REGISTER: one, DISCOVER: one } }
        })
      )
    )
    assert.deepEqual(
      rows.map(({ type, role, clients, ratePerSecond }) => [type, role, clients, ratePerSecond]),
      [
        ['CONNECT', '', '6', '310'],
        ['REGISTER', 'providers', '2', '10'],
        ['DISCOVER', 'discoverers', '4', '300']
      ]
    )
  })

  test('thresholds have columns only where some were set', () => {
    assert.doesNotMatch(operationsCsv(result), /thresholds/)
    const threshold = { metric: 'count', operator: /** @type {const} */ ('<'), limit: 1, unit: '', actual: 2 }
    const thresholds = [
      { ...threshold, text: 'count < 1', passed: false },
      { ...threshold, text: 'count < 9', passed: true }
    ]
    const rows = rowsOf(operationsCsv({ ...result, outcome: { ...result.outcome, thresholds } }))
    for (const row of rows)
      assert.deepEqual([row.thresholds, row['thresholds.failed']], ['FAIL', 'count < 1'])
    const held = { ...result.outcome, thresholds: thresholds.slice(1) }
    assert.equal(rowsOf(operationsCsv({ ...result, outcome: held }))[0].thresholds, 'PASS')
  })

  test('of the seconds, with percentiles only where ten operations are beyond them', () => {
    const rows = rowsOf(perSecondCsv(result))
    assert.equal(rows.length, result.outcome.perSecond.length)
    assert.deepEqual(rows[0], {
      second: '0',
      type: 'DISCOVER',
      outcome: 'OK',
      count: '1000',
      p50Ms: '1.2',
      p90Ms: '2',
      p99Ms: '2',
      maxMs: '9'
    })
    assert.deepEqual(
      [rows[1].outcome, rows[1].count, rows[1].p50Ms, rows[1].maxMs],
      ['TIMEOUT', '3', '', '10000']
    )
  })

  test('of the server', () => {
    const rows = rowsOf(serverCsv(result))
    const numbers = rows.map(row => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, Number(v)])))
    assert.deepEqual(numbers, result.outcome.server?.series)
    assert.equal(
      serverCsv({ ...result, outcome: { ...result.outcome, server: null } }),
      'atMs,cpuPercent,rssBytes\n'
    )
  })
})

test('cells with a comma, a quote or a line break are quoted', () => {
  assert.equal(asCsv([['a,b', 'c"d', 'e\nf', null, 1.5, true]]), '"a,b","c""d","e\nf",,1.5,true\n')
})
