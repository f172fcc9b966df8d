import { significant } from '../../../../kit/numbers.js'
import { around, logAxis, ninesAxis } from '../../../../kit/plots/axes.js'
import { category, quantity } from '../../../../kit/plots/series-plot.js'
import { INK } from '../../../../kit/plots/theme.js'
import { percentilePoints } from '../../../../report/plots/percentile-points.js'
import { operationsOf } from '../../../../report/table.js'
import { typeColour } from './type-colours.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/theme.js').LegendEntry} LegendEntry
 * @typedef {import('../../../../report/plots/percentile-points.js').Point} Point
 *
 * @typedef {Point & { type: string, line: string }} LinePoint
 */

/**
 * How the kinds of lines are drawn.
 *
 * @type {readonly { line: string, dash: number[], mark: LegendEntry['mark'], label: string }[]}
 */
const LINES = [
  { line: 'all', dash: [1, 0], mark: 'line', label: 'all operations' },
  {
    line: 'at least',
    dash: [1.5, 3],
    mark: 'dotted',
    label: 'at least: operations without a reply reach in'
  },
  { line: 'ok', dash: [6, 4], mark: 'dashed', label: 'successes alone' }
]

/**
 * Parts of a line that look different share the point where one ends and the other begins.
 *
 * @param {Point[]} points
 * @param {(point: Point) => string} lineOf
 */
function inParts(points, lineOf) {
  return points.flatMap((point, i) => {
    const before = points[i - 1]
    const part = { ...point, line: lineOf(point) }
    const begins = before !== undefined && (lineOf(before) !== part.line || before.chance !== point.chance)
    return begins ? [{ ...before, line: part.line, chance: part.chance, bound: part.bound }, part] : [part]
  })
}

/**
 * percentileLines are the curves of every operation of a result.
 *
 * @param {Result} result
 * @returns {LinePoint[]}
 */
export const percentileLines = result =>
  operationsOf(result).flatMap(([type, operation]) => {
    const { all, ok } = percentilePoints(operation)
    return [...inParts(all, ({ bound }) => (bound ? 'at least' : 'all')), ...inParts(ok, () => 'ok')].map(
      point => ({ type, ...point })
    )
  })

const SHARE_TITLE = 'Operations that took no longer, %'

/** @param {LinePoint[]} points */
function description(points) {
  const types = [...new Set(points.map(({ type }) => type))]
  const lines = types.map(type => {
    const own = points.filter(point => point.type === type && point.line !== 'ok')
    return `${type} from ${significant(own[0].ms)} ms to ${significant(own[own.length - 1].ms)} ms`
  })
  return `Response time by the share of operations that took no longer: ${lines.join('; ')}.`
}

/** @param {string[]} types @param {typeof LINES} lines @returns {LegendEntry[]} */
const legend = (types, lines) => [
  ...types.map(type => ({ label: type, colour: typeColour(type), mark: /** @type {const} */ ('line') })),
  ...(lines.length > 1 ? lines.map(({ label, mark }) => ({ label, colour: INK, mark })) : [])
]

/** @param {LinePoint[]} points */
const caption = points =>
  [
    'Each step to the right leaves a tenth of the operations: read p99 above 99.',
    ...(points.some(({ chance }) => chance) ? ['Faint: fewer than ten operations took longer.'] : [])
  ].join(' ')

/**
 * percentileCurve draws how response times are distributed, with room for the slow ones: each step on the axis is a tenth of
 * the operations of the one before.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export function percentileCurve(result) {
  const points = percentileLines(result)
  if (points.length === 0) return []
  const types = [...new Set(points.map(({ type }) => type))]
  const lines = LINES.filter(({ line }) => points.some(point => point.line === line))
  return [
    {
      id: 'percentiles',
      title: 'Response time by percentile',
      caption: caption(points),
      description: description(points),
      legend: legend(types, lines),
      spec: spec(points, types, lines),
      data: data(points, types, lines)
    }
  ]
}

/**
 * A line for each type and kind, as a script draws it.
 *
 * @param {LinePoint[]} points
 * @param {string[]} types
 * @param {typeof LINES} lines
 * @returns {import('../../../../kit/plots/plot-data.js').PlotData}
 */
function data(points, types, lines) {
  const most = lastOf(points)
  const domain = around(points.map(({ ms }) => ms))
  const y = logAxis(domain)
  return {
    x: {
      title: SHARE_TITLE,
      domain: [0, most],
      nines: true,
      values: ninesAxis(most, SHARE_TITLE).axis.values
    },
    y: { title: y.axis.title, domain, log: true, values: y.axis.values },
    series: types.flatMap(type =>
      lines.flatMap(({ line, dash, label }) => {
        const own = points.filter(point => point.type === type && point.line === line)
        if (own.length === 0) return []
        return [
          {
            label: line === 'all' ? type : `${type}, ${label}`,
            colour: typeColour(type),
            ...(line !== 'all' && { dash }),
            values: own.map(({ nines, ms }) => /** @type {const} */ ([Number(nines.toFixed(4)), ms]))
          }
        ]
      })
    )
  }
}

/** @param {LinePoint[]} points */
const lastOf = points => points.reduce((last, { nines }) => Math.max(last, nines), 1)

/** @param {LinePoint[]} points @param {string[]} types @param {typeof LINES} lines */
function spec(points, types, lines) {
  const most = lastOf(points)
  return {
    data: { values: points.map(({ type, line, nines, ms, chance }) => ({ type, line, nines, ms, chance })) },
    mark: { type: 'line' },
    encoding: {
      x: {
        field: 'nines',
        ...ninesAxis(most, SHARE_TITLE)
      },
      y: { field: 'ms', ...logAxis(around(points.map(({ ms }) => ms))) },
      color: category('type', types, types.map(typeColour)),
      strokeDash: category(
        'line',
        lines.map(({ line }) => line),
        lines.map(({ dash }) => dash)
      ),
      opacity: { condition: { test: 'datum.chance', value: 0.4 }, value: 1 },
      detail: { field: 'chance', type: 'nominal' },
      order: quantity('nines')
    }
  }
}
