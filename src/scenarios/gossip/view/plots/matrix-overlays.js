import { sumOf } from '../../../../kit/lists.js'
import { grouped, significant } from '../../../../kit/numbers.js'
import { amount, span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { countUpTo, roundWidth, TAIL } from '../../../../report/plots/bins.js'
import { hopFigures } from '../../measure/hop-figures.js'
import { topologyText } from '../../plan/topology-text.js'
import { arrivalPlot, arrivedBy } from './arrival-curves.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ name: string, label: string, result: GossipResult }} Drawn - a row that was measured
 */

/** More lines than colours cannot be told apart. */
const MOST_ROWS = SERIES.length

/** How a row is drawn in every plot. @param {Drawn} row @param {number} place */
const signOf = ({ label }, place) => ({
  label,
  colour: SERIES[place % SERIES.length],
  mark: /** @type {const} */ ('line')
})

/** @param {Drawn[]} rows */
const named = rows => rows.map(({ label }) => label).join('; ')

/** @param {number} part @param {number} all */
const percent = (part, all) => Number(((100 * part) / all).toFixed(3))

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function dissemination({ id }, all) {
  const rows = all.filter(({ result }) => result.outcome.dissemination.complete.count > 0)
  if (rows.length === 0) return []
  const histograms = rows.map(({ result }) => decodedHistogram(result.outcome.dissemination.histogram))
  const { edges, counts, beyond } = sharedBins(histograms)
  const longer = rows.flatMap(({ name }, i) => (beyond[i] > 0 ? [`${grouped(beyond[i])} of ${name}`] : []))
  return [
    seriesPlot({
      id: `${id}-dissemination`,
      title: 'Dissemination time of each row',
      caption: `From the publish call to the last delivery, of messages that reached everyone; what the study calls total nano time.${longer.length > 0 ? ` Longer than drawn: ${longer.join(', ')}.` : ''}`,
      description: `Distribution of the dissemination time by rows: ${named(rows)}.`,
      x: span([0, edges[edges.length - 1]], 'Dissemination time, ms'),
      y: amount('Share, %'),
      series: rows.map((row, i) => ({
        ...signOf(row, i),
        // shares, for rows with another number of messages; a step line needs the end of its last step
        values: [...counts[i], counts[i][counts[i].length - 1]].map((count, place) => ({
          at: edges[place],
          value: percent(count, histograms[i].count)
        })),
        look: { interpolate: 'step-after' }
      }))
    })
  ]
}

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function lastHops({ id }, all) {
  const rows = all.filter(({ result }) => hopFigures(result.outcome.hops.last) !== null)
  if (rows.length === 0) return []
  const counts = rows.map(({ result }) => result.outcome.hops.last)
  const seen = counts.flatMap(last => [...last.keys()].filter(hops => last[hops] > 0))
  const [least, most] = [Math.min(...seen), Math.max(...seen)]
  return [
    seriesPlot({
      id: `${id}-last-hops`,
      title: 'Last delivery hop of each row',
      caption: 'Hops of the copy of a message that was delivered last, along first receipts.',
      description: `Hops of last deliveries by rows, ${rows
        .map(({ name }, i) => `${name} ${significant(hopFigures(counts[i])?.avg ?? 0)}`)
        .join(', ')} on average.`,
      x: span([least - 0.5, most + 0.5], 'Hops', { tickMinStep: 1 }),
      y: amount('Share, %'),
      series: rows.map((row, i) => {
        const total = sumOf(counts[i])
        return {
          ...signOf(row, i),
          values: Array.from({ length: most - least + 1 }, (_, place) => ({
            at: least + place,
            value: percent(counts[i][least + place] ?? 0, total)
          })),
          look: { point: { size: 28 } }
        }
      })
    })
  ]
}

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function latencies({ id }, all) {
  const rows = all.filter(({ result }) => result.outcome.latency.delivered.count > 0)
  if (rows.length === 0) return []
  return [
    arrivalPlot({
      id: `${id}-latency`,
      title: 'Latency of deliveries of each row',
      caption: 'Share of all that was expected, by the time since the publish call.',
      description: `Cumulative distribution of the latency of deliveries by rows: ${named(rows)}.`,
      curves: rows.map((row, i) => ({
        ...signOf(row, i),
        values: arrivedBy(row.result.outcome.latency.histogram, row.result.outcome.latency.all.count)
      })),
      x: 'Latency, ms'
    })
  ]
}

/** @param {GossipResult} result */
const labelOf = ({ plan }) => topologyText(plan.topology)

/** @param {TableRecord} table @param {ReadonlyMap<string, GossipResult>} results @returns {Drawn[]} */
function drawnRows({ rows }, results) {
  const measured = rows.flatMap(({ id, name }) => {
    const result = results.get(id)
    return result === undefined ? [] : [{ name, result }]
  })
  const differ = new Set(measured.map(({ result }) => labelOf(result))).size > 1
  return measured
    .slice(0, MOST_ROWS)
    .map(row => ({ ...row, label: differ ? `${row.name}: ${labelOf(row.result)}` : row.name }))
}

/**
 * gossipOverlays draw the rows of a series over one another, as the graphs of the 95-node study do: dissemination times, last
 * delivery hops and latencies. Only as many rows are drawn as there are colours.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {Plot[]}
 */
export function gossipOverlays(table, results) {
  const rows = drawnRows(table, results)
  return [dissemination, lastHops, latencies].flatMap(plot => plot(table, rows))
}

/**
 * @typedef {import('../../../../measure/histogram.js').Histogram} Histogram
 *
 * @typedef {object} SharedBins
 * @property {number[]} edges - ms, ascending, of equal width; one more than bins
 * @property {number[][]} counts - of each histogram, by bin
 * @property {number[]} beyond - of each histogram: values larger than the last edge
 */

const MOST_BINS = 60

/**
 * sharedBins counts the values of several histograms in the same bins of a round width, so that they can be drawn over one another.
 *
 * @param {Histogram[]} histograms - with values in them
 * @returns {SharedBins}
 */
function sharedBins(histograms) {
  const endMs = Math.max(
    0.001,
    ...histograms.map(each => Math.min(each.max, TAIL * each.quantile(0.9)) / 1000)
  )
  const width = roundWidth(endMs / MOST_BINS)
  const edges = Array.from({ length: Math.ceil(endMs / width - 1e-9) + 1 }, (_, place) =>
    Number((place * width).toPrecision(9))
  )
  const upTo = histograms.map(each => edges.slice(1).map(edge => countUpTo(each, edge * 1000)))
  return {
    edges,
    counts: upTo.map(sums => sums.map((sum, place) => sum - (sums[place - 1] ?? 0))),
    beyond: histograms.map((each, i) => each.count - (upTo[i].at(-1) ?? 0))
  }
}
