import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topologyText } from '../../../../src/scenarios/gossip/plan/topology-text.js'
import { seriesOverlays } from '../../../../src/scenarios/gossip/view/plots/series-overlays.js'
import { peaksTable, seriesSheet } from '../../../../src/scenarios/gossip/view/series.js'
import { matrixHtmlPage } from '../../../report/shown.js'
import { madeUpSeries } from './made-up-series.js'

const { document, results } = await madeUpSeries(['gossip-series-1', 'gossip-series-2', 'gossip-series-11'])
const { tables } = document
const rows = tables.flatMap(table => table.rows.filter(({ id }) => results.has(id)))

describe('all series together', () => {
  test('the sheet has a row with every figure for each measured row, under the series it is of', () => {
    const [head, ...lines] = seriesSheet(tables, results).trim().split('\n')
    const headings = head.split(',')
    assert.equal(lines.length, rows.length)
    const cellOf = (/** @type {string} */ line, /** @type {string} */ heading) =>
      // conditions have commas in them
      line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[headings.indexOf(heading)]
    assert.deepEqual(
      lines.map(line => `${cellOf(line, 'series')}/${cellOf(line, 'row')}`),
      rows.map(({ id }) => id)
    )
    for (const [i, { id }] of rows.entries()) {
      const { outcome } = results.get(id)
      assert.equal(Number(cellOf(lines[i], 'delivery.delivered')), outcome.delivery.delivered)
      assert.equal(Number(cellOf(lines[i], 'degree.avg')), outcome.topology.measures.degrees.avg)
      assert.ok(Number(cellOf(lines[i], 'peaks.count')) > 0)
    }
    assert.equal(cellOf(lines[0], 'published.lost'), '22')
  })

  test('the table of peaks has a line for each row, whose shares are of all its messages', () => {
    const { table } = peaksTable(tables, results)
    assert.deepEqual(
      table.rows.map(cells => cells.slice(0, 2)),
      rows.map(({ id, name }) => [name, topologyText(results.get(id).plan.topology)])
    )
    for (const cells of table.rows) {
      const shares = [...cells[cells.length - 1].matchAll(/\((\d+) %\)/g)].map(([, share]) => Number(share))
      assert.equal(shares.length, Number(cells[cells.length - 2]))
      const beyond = Number(/([\d.]+) % beyond/.exec(cells[cells.length - 1])?.[1] ?? 0)
      const sum = shares.reduce((total, share) => total + share, beyond)
      assert.ok(Math.abs(sum - 100) <= shares.length, `${cells}`)
    }
  })

  test('the overlays draw every row, and of every last hop its mean and its spread', () => {
    const plots = new Map(seriesOverlays(tables, results).map(plot => [plot.id, plot]))
    const layers = (/** @type {string} */ id) =>
      /** @type {any[]} */ (/** @type {any} */ (plots.get(id)).spec.layer)
    assert.equal(layers('series-dissemination').length, rows.length)
    for (const layer of layers('series-dissemination')) {
      const sum = layer.data.values.reduce(
        (/** @type {number} */ all, /** @type {any} */ { value }) => all + value,
        0
      )
      assert.ok(Math.abs(sum - 100) < 0.5, `${sum} %`)
    }
    const points = layers('series-hops-over-degree').filter(({ mark }) => mark.type === 'point')
    assert.equal(points.flatMap(({ data }) => data.values).length, rows.length)
    for (const { value, low, high } of points.flatMap(({ data }) => data.values))
      assert.ok(low <= value && value <= high && (high > low || value === low))
  })

  test('stand on the page of several series, and not on that of one', async () => {
    const page = await matrixHtmlPage(document, results)
    assert.match(page, /<h2>All series<\/h2>/)
    assert.match(page, /Peaks of the dissemination times/)
    const one = await matrixHtmlPage({ ...document, tables: tables.slice(0, 1) }, results)
    assert.doesNotMatch(one, /All series/)
  })
})
