import { significant } from '../../../../kit/numbers.js'
import { amount, around, logAxis } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES, SHAPES } from '../../../../kit/plots/theme.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { countUpTo } from '../../../../report/plots/bins.js'
import { hopFigures } from '../../measure/hop-figures.js'
import { planOf } from '../matrix-case.js'
import { measuredRows } from '../series.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../series.js').Measured} Measured
 */

/** Of an axis of times that goes over many decades. */
const BINS_PER_DECADE = 20

/** @param {readonly Measured[]} rows @returns {{ id: string, title: string, rows: Measured[] }[]} by series, in their order */
function bySeries(rows) {
  const tables = [...new Set(rows.map(({ table }) => table))]
  return tables.map(table => ({
    id: table.id,
    title: table.title,
    rows: rows.filter(row => row.table === table)
  }))
}

/** What comes after the colours is dashed. @param {number} place @returns {{ colour: string, mark: 'line' | 'dashed' }} */
const signOf = place => ({
  colour: SERIES[place % SERIES.length],
  mark: place < SERIES.length ? 'line' : 'dashed'
})

/** No two of the same colour have the same shape. @param {number} place */
const shapeOf = place => SHAPES[(place + Math.floor(place / SERIES.length)) % SHAPES.length]

/** @param {Measured} row @param {number[]} edges - ms @returns {{ at: number, value: number }[]} */
function sharesOf({ result }, edges) {
  const histogram = decodedHistogram(result.outcome.dissemination.histogram)
  const upTo = edges.map(edge => countUpTo(histogram, edge * 1000))
  return edges.slice(1).map((edge, i) => ({
    at: Number(Math.sqrt(edge * edges[i]).toPrecision(4)),
    value: Number(((100 * (upTo[i + 1] - upTo[i])) / histogram.count).toFixed(3))
  }))
}

/** @param {Measured[]} all @returns {Plot[]} */
function dissemination(all) {
  const rows = all.filter(({ result }) => result.outcome.dissemination.complete.count > 0)
  const times = rows.flatMap(({ result: { outcome } }) => {
    const histogram = decodedHistogram(outcome.dissemination.histogram)
    return [histogram.quantile(0), histogram.max]
  })
  if (rows.length === 0) return []
  const [least, most] = around(times.map(us => Math.max(us, 1) / 1000))
  const bins = Math.ceil(BINS_PER_DECADE * Math.log10(most / least))
  const edges = Array.from({ length: bins + 1 }, (_, i) => least * 10 ** (i / BINS_PER_DECADE))
  return [
    seriesPlot({
      id: 'series-dissemination',
      title: 'Dissemination time of all series',
      caption: `From the publish call to the last delivery, of messages that reached everyone: a line for each row, a colour for each series. Share of the messages in each ${BINS_PER_DECADE}th of a decade.`,
      description: `Distribution of the dissemination times of ${rows.length} rows of ${bySeries(rows).length} series.`,
      x: logAxis([least, edges[bins]], 'Dissemination time, ms'),
      y: amount('Share, %'),
      series: bySeries(rows).flatMap(({ title, rows: own }, place) =>
        own.map((row, i) => ({
          ...signOf(place),
          ...(i === 0 && { label: title }),
          values: sharesOf(row, edges),
          look: { strokeWidth: 1.2 }
        }))
      )
    })
  ]
}

/** @param {Measured} measured */
function hopPoint({ row, result: { outcome } }) {
  const hops = hopFigures(outcome.hops.last)
  const degree = outcome.topology.measures?.degrees.avg
  if (hops === null || degree === undefined) return []
  const { avg, sd } = hops
  const preset = planOf(row).preset
  return [{ preset, at: degree, value: avg, low: Math.max(0, avg - sd), high: avg + sd }]
}

/** @param {Measured[]} all @returns {Plot[]} */
function hopsOverDegree(all) {
  const series = bySeries(all)
    .map(({ title, rows }) => ({ title, points: rows.flatMap(hopPoint).sort((a, b) => a.at - b.at) }))
    .filter(({ points }) => points.length > 0)
  if (series.length === 0) return []
  const degrees = series.flatMap(({ points }) => points.map(({ at }) => at))
  return [
    seriesPlot({
      id: 'series-hops-over-degree',
      title: 'Last delivery hop over degree',
      caption:
        'Hops of the copy of a message that was delivered last, on average, over the connections of a node; bars reach a standard deviation to either side.',
      description: series
        .map(
          ({ title, points }) =>
            `${title}: ${points.map(({ at, value }) => `${significant(value)} at degree ${significant(at)}`).join(', ')}`
        )
        .join('; '),
      x: logAxis(around(degrees), 'Connections of a node, average'),
      y: amount('Last delivery hop'),
      series: series.flatMap(({ title, points }, place) => {
        const { colour } = signOf(place)
        return [
          {
            colour,
            mark: /** @type {const} */ ('line'),
            values: points,
            fields: { x: 'at', y: 'low', y2: 'high' },
            look: { type: 'rule', opacity: 0.5 }
          },
          // a line for each preset that a series is run with
          {
            colour,
            mark: /** @type {const} */ ('dotted'),
            values: points,
            encoding: { detail: { field: 'preset' } }
          },
          { label: title, colour, mark: shapeOf(place), values: points, look: { size: 50 } }
        ]
      })
    })
  ]
}

/**
 * seriesOverlays draw all series over one another, as the overlays of the 95-node study do: their dissemination times, and their last
 * hops over the degree.
 *
 * @param {readonly TableRecord[]} tables
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {Plot[]}
 */
export function seriesOverlays(tables, results) {
  const rows = measuredRows(tables, results)
  return [...dissemination(rows), ...hopsOverDegree(rows)]
}
