import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matrixTable } from '../../../src/report/matrix-table.js'
import { matrixPage } from '../../../src/report/page/index.js'
import { matrixPlots, rowPoints } from '../../../src/report/plots/matrix-plots.js'
import { madeUpMatrix } from '../made-up-matrix.js'

const { document, results } = madeUpMatrix()
const [register] = document.tables

describe('plots of a matrix', () => {
  test('are response time, CPU and memory, by clients and by registrations', () =>
    assert.deepEqual(
      matrixPlots(register, results).map(({ title }) => title),
      [
        'Response time of REGISTER by clients',
        'Response time of REGISTER by initial registrations',
        'CPU of the server by clients',
        'CPU of the server by initial registrations',
        'Memory of the server by clients',
        'Memory of the server by initial registrations'
      ]
    ))

  test('hold every row that was measured', () => {
    const measured = register.rows.filter(({ id }) => results.has(id))
    assert.equal(rowPoints(register, results).length, measured.length)
    for (const { spec } of matrixPlots(register, results))
      assert.equal(spec.data.values.length, measured.length)
  })

  test('by what does not differ there is none', () => {
    const rows = register.rows.filter(({ plan }) => plan.nClients === 5)
    const titles = matrixPlots({ ...register, rows }, results).map(({ title }) => title)
    assert.equal(titles.length, 3)
    assert.ok(titles.every(title => title.endsWith('by initial registrations')))
    assert.deepEqual(matrixPlots({ ...register, rows: rows.slice(0, 1) }, results), [])
    assert.deepEqual(matrixPlots(register, new Map()), [])
  })
})

describe('page of a matrix', async () => {
  const page = await matrixPage(document, results)
  const text = page
    .replace(/<(style|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ')

  test('has every figure of its tables, measured and published', () => {
    for (const table of document.tables)
      for (const row of matrixTable(table, results).cells.rows)
        assert.ok(text.includes(row.slice(0, -1).join(' ')), row.join(' '))
  })

  test('says what is missing and what is doubtful', () => {
    for (const said of [
      `Partial: ${results.size} of ${document.tables.flatMap(({ rows }) => rows).length} rows were measured`,
      '1 failed: c10-r1000-ns10-ops500',
      'of the measured rows hold doubtful figures',
      'the server ended',
      'no factor between the two means anything'
    ])
      assert.ok(text.includes(said), said)
  })

  test('leads from a row to its page, where there is one', async () => {
    const rows = register.rows.map((row, i) => ({
      ...row,
      result: i === 0 ? `a/${row.name}-2/result.json` : null
    }))
    const linked = await matrixPage({ ...document, tables: [{ ...register, rows }] }, results)
    assert.deepEqual(
      [...linked.matchAll(/<a href="([^#"]*)"/g)].map(([, to]) => to),
      [`a/${register.rows[0].name}-2/report.html`]
    )
  })

  test('stays small', () => {
    assert.ok(results.size >= 30)
    assert.ok(page.length < 1_000_000, `${page.length} bytes`)
  })

  test('is made before anything was measured', async () => {
    const empty = await matrixPage({ ...document, reason: { code: 'X', message: 'interrupted' } }, new Map())
    assert.doesNotMatch(empty.replace(/<style>[\s\S]*?<\/style>/, ''), /undefined|NaN|<figure/)
    assert.match(empty, /No row was measured/)
  })
})
