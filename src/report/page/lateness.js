import { html } from '../../kit/html.js'
import { tableOf } from '../../kit/html-table.js'
import { MISSING, significant } from '../../kit/numbers.js'
import { FIGURES, figure } from '../table.js'

/**
 * @typedef {import('../../kit/html.js').Html} Html
 * @typedef {import('../../result/types.js').Summary} Summary
 */

const NOT_KNOWN = 'not known'

/** @param {number | null} value */
const percent = value => (value === null ? NOT_KNOWN : significant(value))

/**
 * latenessTable says who could be late while was measured: each process by its own work or for want of a core, the machine.
 *
 * @param {{ run: import('../../result/types.js').AnyResult['run'] }} result
 * @returns {Html | null} null: that was not watched
 */
export function latenessTable({ run: { lateness } }) {
  if (lateness === undefined) return null
  const { processes, hiccups, pressurePercent, stealPercent } = lateness
  const rows = processes.map(({ name, ownPercent, waitedPercent }) => [
    name.charAt(0).toUpperCase() + name.slice(1),
    percent(ownPercent),
    percent(waitedPercent)
  ])
  const spread = [hiccups.p50, hiccups.p99, hiccups.max].map(value => figure(value)).join(' / ')
  return html`<p class="quiet">Who could be late. <em>Own work</em> is that of the main thread, which the event loop runs on. On the whole machine
something waited for a core for ${percent(pressurePercent)} % of the time, and other guests of its host took ${percent(stealPercent)} % of its cores.
Short sleeps were too long by ${spread} ms (p50 / p99 / max).</p>
${tableOf(
  { headings: ['Process', 'Own work, % of the time', 'Waiting for a core, %'], align: ['l', 'r', 'r'], rows },
  { label: 'Who could be late' }
)}`
}

/**
 * bracketTable shows the brackets of the percentiles of a distribution by row.
 *
 * @param {readonly (readonly [string, Summary])[]} rows
 * @param {string} [what] - is said of them
 * @param {string} [heading] - of what the rows are
 * @returns {Html | null} null: there is none
 */
export function bracketTable(
  rows,
  what = 'Brackets of the response times in ms: without what generator and machine added to each operation, and with it.',
  heading = 'Operation'
) {
  const keys = FIGURES.filter(([key]) => rows.some(([, summary]) => summary[key]?.lowMs !== undefined))
  if (keys.length === 0) return null
  const cells = rows.map(([name, summary]) => [
    name,
    ...keys.map(([key]) => {
      const time = summary[key]
      return time?.lowMs === undefined ? MISSING : `${significant(time.lowMs)} – ${figure(time)}`
    })
  ])
  return html`<p class="quiet">${what}</p>
${tableOf(
  {
    headings: [heading, ...keys.map(([, heading]) => heading)],
    align: ['l', ...keys.map(() => /** @type {const} */ ('r'))],
    rows: cells
  },
  { label: 'Brackets' }
)}`
}
