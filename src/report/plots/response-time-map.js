import { largestOf, sumOf } from '../../kit/lists.js'
import { grouped, significant } from '../../kit/numbers.js'
import { askedMarks, askedName } from '../../kit/plots/asked-marks.js'
import { around, logAxis } from '../../kit/plots/axes.js'
import { heat, quantity, shades } from '../../kit/plots/series-plot.js'
import { FAILED, HEAT, PAPER } from '../../kit/plots/theme.js'
import { operationsOf } from '../table.js'
import { secondsAxis, timeColumns } from './measured-time.js'
import { timeCells } from './time-cells.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../kit/plots/theme.js').LegendEntry} LegendEntry
 * @typedef {import('./time-cells.js').Cell} Cell
 * @typedef {import('./time-cells.js').Dot} Dot
 *
 * @typedef {object} TimesMap - of times over time
 * @property {string} id
 * @property {string} title
 * @property {string} caption
 * @property {string} what - is counted, in the plural
 * @property {string} [named] - what it is called in words; default: `what`
 * @property {string} axisTitle - of the times
 * @property {import('../../kit/plots/theme.js').Spec} x - axis of time
 */

const FEWEST = [1, 3, 10, 30, 100, 300, 1000, 3000, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6]

/**
 * heatSteps are the smallest counts of the shades, from pale to strong.
 *
 * @param {number} most - in a cell
 * @returns {number[]} at most one for each shade
 */
export function heatSteps(most) {
  const needed = FEWEST.filter(count => count <= most)
  return [1, ...needed.slice(1).slice(1 - HEAT.length)]
}

/** @param {number[]} steps */
const stepLabels = steps =>
  steps.map((from, i) => {
    const next = steps[i + 1]
    if (next === undefined) return `${grouped(from)} or more`
    return next === from + 1 ? grouped(from) : `${grouped(from)}–${grouped(next - 1)}`
  })

/** @param {number[]} steps @param {Dot[]} dots @param {string} what @returns {LegendEntry[]} */
const legend = (steps, dots, what) => [
  ...stepLabels(steps).map((label, i) => ({
    label: i === 0 ? `${label} ${what}` : label,
    colour: shades(steps)[i],
    mark: /** @type {const} */ ('area')
  })),
  ...(dots.some(({ failed }) => !failed)
    ? [
        {
          label: 'one or two slow ones',
          colour: HEAT[HEAT.length - 1],
          mark: /** @type {const} */ ('circle')
        }
      ]
    : []),
  ...(dots.some(({ failed }) => failed)
    ? [{ label: 'without success', colour: FAILED, mark: /** @type {const} */ ('failed') }]
    : [])
]

/** @param {string} named @param {Cell[]} cells @param {Dot[]} dots */
function description(named, cells, dots) {
  const slowest = [...cells.map(({ mostMs }) => mostMs), ...dots.map(({ ms }) => ms)]
  const most = largestOf(slowest)
  const failed = sumOf(
    dots.filter(dot => dot.failed),
    ({ count }) => count
  )
  return `How many ${named} took how long at each time of the measurement: none longer than ${significant(most)} ms${failed === 0 ? '' : `, ${grouped(failed)} without success`}.`
}

/** @param {Cell[]} cells @param {number[]} steps */
const cellLayer = (cells, steps) => ({
  name: askedName(),
  data: {
    values: cells.map(({ from, to, leastMs, mostMs, count }) => ({
      ...{ from, to, count },
      ...{ leastMs: Number(leastMs.toPrecision(4)), mostMs: Number(mostMs.toPrecision(4)) }
    }))
  },
  mark: { type: 'rect' },
  encoding: {
    x2: { field: 'to' },
    x: quantity('from'),
    y: quantity('leastMs'),
    y2: { field: 'mostMs' },
    color: heat('count', steps)
  }
})

const CROSS = { shape: 'M-1,-1L1,1M-1,1L1,-1', size: 12, strokeCap: 'round' }

/** @param {Dot[]} dots @param {object} mark @param {string} [name] */
const dotLayer = (dots, mark, name) => ({
  ...(name !== undefined && { name }),
  data: { values: dots.map(({ at, ms, count }) => ({ at, ms, count })) },
  mark: { type: 'point', ...mark },
  encoding: { x: quantity('at'), y: quantity('ms') }
})

/**
 * @param {readonly (Cell | Dot)[]} drawn
 * @param {Pick<TimesMap, 'what' | 'axisTitle' | 'x'>} map
 */
const marksOf = (drawn, { what, axisTitle, x }) =>
  askedMarks(drawn, {
    [x.axis.title]: mark => ('at' in mark ? mark.at : `${mark.from} to ${mark.to}`),
    [axisTitle]: mark =>
      'at' in mark ? significant(mark.ms) : `${significant(mark.leastMs)} to ${significant(mark.mostMs)}`,
    [what]: ({ count }) => count,
    'without success': mark => ('at' in mark && mark.failed ? 'yes' : null)
  })

/**
 * timesMap draws how long things took over time.
 *
 * @param {{ cells: Cell[], dots: Dot[] }} counted
 * @param {TimesMap} map
 * @returns {Plot[]}
 */
export function timesMap({ cells, dots }, { id, title, caption, what, named = what, axisTitle, x }) {
  if (cells.length + dots.length === 0) return []
  const steps = heatSteps(cells.reduce((most, { count }) => Math.max(most, count), 1))
  const values = [...cells.flatMap(({ leastMs, mostMs }) => [leastMs, mostMs]), ...dots.map(({ ms }) => ms)]
  const failed = dots.filter(dot => dot.failed)
  const slow = dots.filter(dot => !dot.failed)
  return [
    {
      id,
      title,
      caption,
      description: description(named, cells, dots),
      legend: legend(steps, dots, what),
      marks: marksOf([...cells, ...slow, ...failed], { what, axisTitle, x }),
      spec: {
        layer: [
          cellLayer(cells, steps),
          dotLayer(
            slow,
            { filled: true, size: 12, color: HEAT[HEAT.length - 1], opacity: 0.9 },
            askedName(1)
          ),
          // on a ground of their own, so that they stand out from any shade
          dotLayer(failed, { ...CROSS, stroke: PAPER, strokeWidth: 4.5 }),
          dotLayer(failed, { ...CROSS, stroke: FAILED, strokeWidth: 1.75 }, askedName(2))
        ],
        encoding: { x, y: logAxis(around(values), axisTitle) }
      }
    }
  ]
}

/**
 * responseTimeCells count the operations of a type by time and response time.
 *
 * @param {Result} result
 * @param {string} type
 */
export function responseTimeCells(result, type) {
  const own = result.outcome.perSecond.filter(entry => entry.type === type)
  const entries = own.map(entry => ({ ...entry, failed: entry.outcome !== 'OK' }))
  return timeCells(entries, timeColumns(result))
}

/** @param {Result} result @param {string} type */
const mapOf = (result, type) =>
  timesMap(responseTimeCells(result, type), {
    id: `times-${type.toLowerCase()}`,
    title: `Response time of ${type} over time`,
    caption: 'The stronger the colour, the more operations ended at this time and took this long.',
    what: 'operations',
    named: type,
    axisTitle: 'Response time, ms',
    x: secondsAxis(result)
  })

/**
 * responseTimeMaps draw how response times went over time, a map for each type of operation.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export const responseTimeMaps = result => operationsOf(result).flatMap(([type]) => mapOf(result, type))
