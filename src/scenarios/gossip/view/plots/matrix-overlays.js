import { grouped, significant } from '../../../../kit/numbers.js'
import { around, FROM_ZERO, logMs } from '../../../../kit/plots/axes.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { withHistogram, withHistograms } from '../../../../report/plots/with-histogram.js'
import { hopFigures } from '../hop-figures.js'
import { topologyText } from '../topology-text.js'
import { sharedBins } from './shared-bins.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/theme.js').LegendEntry} LegendEntry
 *
 * @typedef {{ name: string, label: string, result: GossipResult }} Drawn - a row that was measured
 */

/** The smallest time that is counted. */
const LEAST_MS = 0.001

/** More lines than colours cannot be told apart. */
const MOST_ROWS = SERIES.length

const STEPS = 200
const SHARES = [...Array.from({ length: STEPS }, (_, i) => i / STEPS), 0.998, 0.999, 1]

/** @param {number} place */
const colourOf = place => SERIES[place % SERIES.length]

/** @param {Drawn[]} rows @returns {LegendEntry[]} */
const legendOf = rows =>
  rows.map(({ label }, i) => ({ label, colour: colourOf(i), mark: /** @type {const} */ ('line') }))

/** @param {Drawn[]} rows */
const colours = rows => ({
  field: 'row',
  type: 'nominal',
  scale: { domain: rows.map(({ name }) => name), range: rows.map((_, i) => colourOf(i)) },
  legend: null
})

/** @param {Drawn[]} rows */
const named = rows => rows.map(({ label }) => label).join('; ')

const shareAxis = Object.freeze({ title: 'Share, %', format: ',~f', tickCount: 5 })

/** @param {number} part @param {number} all */
const percent = (part, all) => Number(((100 * part) / all).toFixed(3))

/** Shares, for rows with another number of messages. @param {Drawn[]} rows */
function disseminationPoints(rows) {
  const encoded = rows.map(({ result }) => result.outcome.dissemination.histogram)
  return withHistograms(encoded, histograms => {
    const { edges, counts, beyond } = sharedBins(histograms)
    // a step line needs the end of its last step
    const points = counts.flatMap((row, i) =>
      [...row, row[row.length - 1]].map((count, place) => ({
        ms: edges[place],
        percent: percent(count, histograms[i].count),
        row: rows[i].name
      }))
    )
    return { points, beyond, end: edges[edges.length - 1] }
  })
}

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function dissemination({ id }, all) {
  const rows = all.filter(({ result }) => result.outcome.dissemination.complete.count > 0)
  if (rows.length === 0) return []
  const { points, beyond, end } = disseminationPoints(rows)
  const longer = rows.flatMap(({ name }, i) => (beyond[i] > 0 ? [`${grouped(beyond[i])} of ${name}`] : []))
  return [
    {
      id: `${id}-dissemination`,
      title: 'Dissemination time of each row',
      caption: `From the publish call to the last delivery, of messages that reached everyone; what the study calls total nano time.${longer.length > 0 ? ` Longer than drawn: ${longer.join(', ')}.` : ''}`,
      description: `Distribution of the dissemination time by rows: ${named(rows)}.`,
      legend: legendOf(rows),
      spec: {
        data: { values: points },
        mark: { type: 'line', interpolate: 'step-after' },
        encoding: {
          x: {
            field: 'ms',
            type: 'quantitative',
            scale: { domain: [0, end], nice: false },
            axis: { title: 'Dissemination time, ms', format: ',~f', tickCount: 8 }
          },
          y: { field: 'percent', type: 'quantitative', scale: FROM_ZERO, axis: shareAxis },
          color: colours(rows)
        }
      }
    }
  ]
}

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function lastHops({ id }, all) {
  const rows = all.filter(({ result }) => hopFigures(result.outcome.hops.last) !== null)
  if (rows.length === 0) return []
  const seen = rows.flatMap(({ result }) =>
    [...result.outcome.hops.last.keys()].filter(hops => result.outcome.hops.last[hops] > 0)
  )
  const [least, most] = [Math.min(...seen), Math.max(...seen)]
  const points = rows.flatMap(({ name, result: { outcome } }) => {
    const total = outcome.hops.last.reduce((sum, count) => sum + count, 0)
    return Array.from({ length: most - least + 1 }, (_, place) => ({
      hops: least + place,
      percent: percent(outcome.hops.last[least + place] ?? 0, total),
      row: name
    }))
  })
  return [
    {
      id: `${id}-last-hops`,
      title: 'Last delivery hop of each row',
      caption: 'Hops of the copy of a message that was delivered last, along first receipts.',
      description: `Hops of last deliveries by rows, ${rows
        .map(({ name, result }) => `${name} ${significant(hopFigures(result.outcome.hops.last)?.avg ?? 0)}`)
        .join(', ')} on average.`,
      legend: legendOf(rows),
      spec: {
        data: { values: points },
        mark: { type: 'line', point: { size: 28 } },
        encoding: {
          x: { field: 'hops', type: 'ordinal', axis: { title: 'Hops', labelAngle: 0 } },
          y: { field: 'percent', type: 'quantitative', scale: FROM_ZERO, axis: shareAxis },
          color: colours(rows)
        }
      }
    }
  ]
}

/** What never came keeps a curve below 100 %. @param {Drawn} row */
const latencyPoints = ({ name, result: { outcome } }) =>
  withHistogram(outcome.latency.histogram, histogram =>
    SHARES.map(share => ({
      ms: Math.max(LEAST_MS, histogram.quantile(share) / 1000),
      percent: percent(share * histogram.count, outcome.latency.all.count),
      row: name
    }))
  )

/** @param {TableRecord} table @param {Drawn[]} all @returns {Plot[]} */
function latencies({ id }, all) {
  const rows = all.filter(({ result }) => result.outcome.latency.delivered.count > 0)
  if (rows.length === 0) return []
  const points = rows.flatMap(latencyPoints)
  return [
    {
      id: `${id}-latency`,
      title: 'Latency of deliveries of each row',
      caption: 'Share of all that was expected, by the time since the publish call.',
      description: `Cumulative distribution of the latency of deliveries by rows: ${named(rows)}.`,
      legend: legendOf(rows),
      spec: {
        data: { values: points },
        mark: { type: 'line' },
        encoding: {
          x: {
            field: 'ms',
            type: 'quantitative',
            ...logMs(around(points.map(({ ms }) => ms)), 'Latency, ms')
          },
          y: {
            field: 'percent',
            type: 'quantitative',
            scale: { domain: [0, 100] },
            axis: { title: 'Arrived, %', format: ',~f', tickCount: 5 }
          },
          color: colours(rows),
          order: { field: 'percent', type: 'quantitative' }
        }
      }
    }
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
