import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowPoints } from '../../../../../src/scenarios/rendezvous/view/plots/rendezvous-matrix-plots.js'
import { planOf } from '../../../../plan/planned.js'
import { asRead } from '../../../../report/page/parts-of-page.js'
import { matrixHtmlPage as matrixPage, matrixPlots, matrixTable } from '../../../../report/shown.js'
import { madeUpMatrix } from '../../made-up-matrix.js'

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
    const rows = register.rows.filter(row => planOf(row).nClients === 5)
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
    .replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '')
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

  test('leads from a row to what is kept of it, where there is something', async () => {
    const [one, two] = register.rows
    const rows = register.rows.map((row, i) => ({
      ...row,
      result: i < 3 ? `a/${row.name}/result.json` : null
    }))
    const links = new Map([
      [`a/${one.name}`, `a/${one.name}/report.html`],
      [`a/${two.name}`, `a/${two.name}/result.json`]
    ])
    const linked = await matrixPage({ ...document, tables: [{ ...register, rows }] }, results, links)
    assert.deepEqual(
      [...linked.matchAll(/<a href="([^#"]*)"/g)].map(([, to]) => to),
      [...links.values(), 'matrix.json']
    )
  })

  test('says in which rows thresholds failed', async () => {
    const [first, second] = register.rows.filter(({ id }) => results.has(id))
    const threshold = { metric: 'count', operator: /** @type {const} */ ('<'), limit: 1, unit: '', actual: 2 }
    const judged = new Map(results)
    for (const [row, passed] of /** @type {const} */ ([
      [first, false],
      [second, true]
    ])) {
      const result = /** @type {import('../../../../../src/result/types.js').Result} */ (results.get(row.id))
      const thresholds = [{ ...threshold, text: 'count < 1', passed }]
      judged.set(row.id, { ...result, outcome: { ...result.outcome, thresholds } })
    }
    const said = await matrixPage(document, judged)
    assert.ok(said.includes(`Thresholds failed in 1 of 2 rows: ${first.name}.`))
    assert.ok(!(await matrixPage(document, results)).includes('hresholds'))
  })

  test('stays small', () => {
    assert.ok(results.size >= 30)
    assert.ok(page.length < 1_000_000, `${page.length} bytes`)
  })

  test('is made before anything was measured', async () => {
    const empty = await matrixPage({ ...document, reason: { code: 'X', message: 'interrupted' } }, new Map())
    assert.doesNotMatch(asRead(empty).replace(/<style>[\s\S]*?<\/style>/, ''), /undefined|NaN|<figure/)
    assert.match(empty, /No row was measured/)
  })
})
