import { sumOf } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { amount } from '../../../../kit/plots/axes.js'
import { category } from '../../../../kit/plots/series-plot.js'
import { FAILED, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { secondsAxis, timeColumns } from '../../../../report/description/measured-time.js'

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
 * @param {(outcome: string) => string} [named] - outcomes of one name are one
 * @returns {Bar[]}
 */
export function failureBars(result, named = outcome => outcome) {
  const columns = timeColumns(result)
  /** @type {Map<string, Bar>} */
  const bars = new Map()
  for (const { second, outcome: ended, histogram } of result.outcome.perSecond) {
    if (ended === 'OK') continue
    const outcome = named(ended)
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
  const values = failureBars(result, outcome => (named.includes(outcome) ? outcome : OTHERS))
  const x = secondsAxis(result)
  return [
    {
      id: 'failures',
      title: 'Operations without success over time',
      caption: 'By when they ended.',
      description: `${grouped(total)} operations without success: ${outcomes.join(', ')}.`,
      marks: askedMarks(values, {
        [x.axis.title]: ({ from, to }) => `${from} to ${to}`,
        'ended with': ({ outcome }) => outcome,
        Operations: ({ count }) => count
      }),
      legend: names.map((label, i) => ({ label, colour: colours[i], mark: /** @type {const} */ ('area') })),
      spec: {
        name: askedName(),
        data: { values },
        mark: { type: 'bar' },
        encoding: {
          x: { field: 'from', ...x, bin: { binned: true } },
          x2: { field: 'to' },
          y: { field: 'count', stack: 'zero', ...amount('Operations') },
          color: category('outcome', names, colours)
        }
      }
    }
  ]
}
