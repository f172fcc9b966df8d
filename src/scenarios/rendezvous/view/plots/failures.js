import { sumOf } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { category } from '../../../../kit/plots/series-plot.js'
import { FAILED, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { secondsAxis, timeColumns } from '../../../../report/plots/measured-time.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ from: number, to: number, outcome: string, count: number }} Bar
 */

const COLOURS = [FAILED, SERIES[4], SERIES[3], SERIES[0], SERIES[2], QUIET]

/** As many kinds as there are colours; others are put together. */
const OTHERS = 'others'

/**
 * failureBars count the operations without success by time and outcome.
 *
 * @param {Result} result
 * @returns {Bar[]}
 */
export function failureBars(result) {
  const columns = timeColumns(result)
  /** @type {Map<string, Bar>} */
  const bars = new Map()
  for (const { second, outcome, histogram } of result.outcome.perSecond) {
    if (outcome === 'OK') continue
    const column = columns.of(second)
    const bar = bars.get(`${outcome} ${column}`) ?? { ...columns.stretch(column), outcome, count: 0 }
    bar.count += sumOf(histogram, ([, count]) => count)
    bars.set(`${outcome} ${column}`, bar)
  }
  return [...bars.values()]
}

/** @param {Bar[]} bars @returns {string[]} the most frequent first */
function outcomesIn(bars) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { outcome, count } of bars) counts.set(outcome, (counts.get(outcome) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([outcome]) => outcome)
}

/**
 * failuresPlot draws when operations did not succeed, and why.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export function failuresPlot(result) {
  const bars = failureBars(result)
  if (bars.length === 0) return []
  const outcomes = outcomesIn(bars)
  const named = outcomes.length <= COLOURS.length ? outcomes : outcomes.slice(0, COLOURS.length - 1)
  const names = named.length === outcomes.length ? named : [...named, OTHERS]
  const colours = names.map((_, i) => COLOURS[i])
  const total = sumOf(bars, ({ count }) => count)
  return [
    {
      id: 'failures',
      title: 'Operations without success over time',
      caption: 'By when they ended.',
      description: `${grouped(total)} operations without success: ${outcomes.join(', ')}.`,
      legend: names.map((label, i) => ({ label, colour: colours[i], mark: /** @type {const} */ ('area') })),
      spec: {
        data: {
          values: bars.map(bar => ({ ...bar, outcome: named.includes(bar.outcome) ? bar.outcome : OTHERS }))
        },
        mark: { type: 'bar' },
        encoding: {
          x: { field: 'from', ...secondsAxis(result), bin: { binned: true } },
          x2: { field: 'to' },
          y: { field: 'count', aggregate: 'sum', ...amount('Operations') },
          color: category('outcome', names, colours)
        }
      }
    }
  ]
}
