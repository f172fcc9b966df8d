import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { significant, spell } from '../../../../kit/numbers.js'
import { errorsInWords, MB, MB_IN_USE, MS, pointsInWords, trendInWords } from '../soak-words.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../result/types.js').Trend} Trend
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/** @param {string} what @param {Trend | null} trend @param {Parameters<typeof trendInWords>[1]} how */
const row = (what, trend, how) => [
  what,
  trend === null ? '–' : `${significant(trend.median / (how.per ?? 1))} ${how.unit}`,
  trendInWords(trend, how)
]

/**
 * soakTable says what changed over a long run.
 *
 * @param {Result} result
 * @returns {Html | null} null: it was not long
 */
export function soakTable({ outcome }) {
  const { soak } = outcome
  if (soak === null) return null
  return html`<p class="quiet">Slopes are Theil–Sen slopes over the medians of stretches of ${spell(soak.stretchMs)}, with their 95 % interval; those of
memory leave out the first third of the run. A figure is said to grow when its whole interval is above 0 and it grew by 2 % or more; what our own processes have in use, just after garbage collections,
by a tenth or more.${pointsInWords(outcome)}</p>
${tableOf(
  {
    headings: ['What', 'Median', 'Over the run'],
    align: ['l', 'r', 'l'],
    rows: [
      row('Memory of the server', soak.serverBytes, MB),
      ...soak.p50Ms.map(({ type, trend }) => row(`p50 of ${type}`, trend, MS)),
      ...soak.ownBytes.flatMap(({ process, trend, inUse }) => [
        row(`Memory of our own ${process}`, trend, MB),
        row('of it in use, at least', inUse, MB_IN_USE)
      ]),
      ['Operations without success', '', `${errorsInWords(soak.errors)} in the thirds of the run`]
    ]
  },
  { label: 'Over the run' }
)}`
}
