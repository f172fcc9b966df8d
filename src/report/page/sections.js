import { furtherNotes, inWords, referenceNotes, tableNotes } from '../notes.js'
import { failuresPlot } from '../plots/failures.js'
import { percentileCurve } from '../plots/percentile-curve.js'
import { responseTimeMaps } from '../plots/response-time-map.js'
import { serverPlots } from '../plots/server-load.js'
import { throughputPlot } from '../plots/throughput.js'
import { resultCells } from '../result-table.js'
import { aboutSection, planSection } from './about.js'
import { generatorTable } from './generator.js'
import { html, phrase } from './html.js'
import { outcomesTable } from './outcomes.js'
import { tableOf } from './table.js'
import { thresholdsTable } from './thresholds.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('./html.js').Html} Html
 *
 * @typedef {object} SectionTools
 * @property {import('./plot.js').Draw} draw
 * @property {string | undefined} folder - of the run
 *
 * @typedef {object} Section - of the page of a run
 * @property {string} id
 * @property {string} title
 * @property {(result: Result, tools: SectionTools) => Html | null | Promise<Html | null>} body - null: there is nothing to
 *   show, and no heading is
 */

/** @param {string[]} lines */
const notes = lines =>
  lines.length === 0
    ? null
    : html`<ul class="notes">
${lines.map(line => html`<li>${phrase(line)}</li>\n`)}</ul>
`

/** @param {Result} result */
function figures(result) {
  const cells = resultCells(result)
  if (cells.rows.length === 0) return null
  return html`${tableOf(cells, { label: 'Figures' })}${notes([...tableNotes(result), ...furtherNotes(result)])}`
}

/** @param {Result} result */
const warnings = ({ run: { warnings } }) =>
  warnings.length === 0
    ? null
    : html`<ul class="warnings">
${warnings.map(warning => html`<li>${phrase(inWords(warning))}</li>\n`)}</ul>
`

/** @param {(Html | null)[]} parts */
const together = parts => (parts.every(part => part === null) ? null : html`${parts}`)

/** @type {readonly Section[]} */
const RENDEZVOUS = [
  { id: 'figures', title: 'Figures', body: figures },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warnings },
  {
    id: 'response-times',
    title: 'Response times',
    body: (result, { draw }) => draw([...percentileCurve(result), ...responseTimeMaps(result)])
  },
  {
    id: 'over-time',
    title: 'Throughput and server',
    body: (result, { draw }) => draw([...throughputPlot(result), ...serverPlots(result)])
  },
  {
    id: 'outcomes',
    title: 'Outcomes',
    body: async (result, { draw }) => together([outcomesTable(result), await draw(failuresPlot(result))])
  },
  {
    id: 'generator',
    title: 'Load generator',
    body: result => together([generatorTable(result), notes(referenceNotes(result))])
  },
  { id: 'plan', title: 'Repeat it', body: (result, { folder }) => planSection(result, folder) },
  { id: 'about', title: 'About this run', body: aboutSection }
]

/** SECTIONS are the parts of the page of a run, in order, for each scenario. @type {Readonly<Record<string, readonly Section[]>>} */
export const SECTIONS = Object.freeze({ rendezvous: RENDEZVOUS })
