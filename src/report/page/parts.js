// Functions that write the HTML of a report page: header, contents, tables, places for plots.
import { formatPhrase, html } from '../../kit/safe-text.js'
import { formatCell, getColumnSide } from '../kinds.js'

/**
 * Parts of a page. The server writes them into report.html; the script of the dashboard writes them anew as a run goes on.
 *
 * @typedef {import('../../kit/safe-text.js').Html} Html
 * @typedef {import('../schema.js').Description} Description
 * @typedef {import('../schema.js').DescribedTable} DescribedTable
 * @typedef {import('../schema.js').Plot} Plot
 *
 * @typedef {{ tone: 'good' | 'mind' | 'bad', text: string }} Statement - on completeness and thresholds
 * @typedef {ReadonlyMap<string, string>} PageLinks - where cells lead, by their texts: folders of runs to their pages
 */

const SIGNS = { good: '✓', mind: '!', bad: '✗' }

/** A table of one row with more columns is a list of names and values. */
const MAX_COLUMNS_OF_ONE_ROW = 8

/** Longer tables are closed, but for the first. */
const MAX_OPEN_ROWS = 25

/** Longer texts are wrapped. */
const MAX_UNWRAPPED = 48

/** Lines on what a result is worth. @param {readonly Statement[]} statements */
const statementsHtml = statements =>
  statements.length === 0
    ? null
    : html`<ul class="verdict">${statements.map(({ tone, text }) => html`<li class="${tone}"><b aria-hidden="true">${SIGNS[tone]}</b><span>${formatPhrase(text)}</span></li>\n`)}</ul>\n`

/** @param {Description['tiles']} tiles */
const tilesHtml = tiles =>
  tiles.length === 0
    ? null
    : html`<dl class="tiles">${tiles.map(([label, cell, kind]) => html`<div><dt>${label}</dt><dd>${formatPhrase(formatCell(cell, kind, { withUnit: true }))}</dd></div>\n`)}</dl>\n`

/** One row with many columns. @param {DescribedTable} table */
const listHtml = ({ columns, rows: [row] }) =>
  html`<dl class="facts">${columns.map(([heading, kind], i) => html`<div><dt>${heading}</dt><dd>${formatCell(row[i], kind)}</dd></div>\n`)}</dl>`

/** @param {DescribedTable} table @param {PageLinks} links */
function gridHtml({ title, columns, rows }, links) {
  const texts = rows.map(row => row.map((cell, i) => formatCell(cell, columns[i][1])))
  const looks = columns.map(([, kind], i) =>
    getColumnSide(kind) === 'r' || isNumeric(rows, i)
      ? 'r'
      : texts.some(row => row[i].length > MAX_UNWRAPPED)
        ? 'wrap'
        : ''
  )
  const linked = (/** @type {string} */ text) =>
    links.has(text) ? html`<a href="${links.get(text)}">${text}</a>` : text
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${columns.map(([heading], i) => html`<th scope="col" class="${looks[i]}">${heading}</th>`)}</tr></thead>
<tbody>
${texts.map(
  row =>
    html`<tr>${row.map((text, i) => (i === 0 ? html`<th scope="row" class="${looks[0]}">${linked(text)}</th>` : html`<td class="${looks[i]}">${linked(text)}</td>`))}</tr>\n`
)}</tbody>
</table></div>`
}

/** A column of texts of which each cell is a number with a kind of its own. @param {DescribedTable['rows']} rows @param {number} i */
const isNumeric = (rows, i) =>
  rows.every(row => row[i] !== null && typeof row[i] === 'object') && rows.length > 0

/**
 * tablesHtml writes the tables that have rows.
 *
 * @param {readonly DescribedTable[]} tables
 * @param {PageLinks} [links]
 */
export const tablesHtml = (tables, links = new Map()) =>
  tables.map((table, place) => {
    const { id, title, note, rows, columns } = table
    if (rows.length === 0) return null
    const isList = rows.length === 1 && columns.length > MAX_COLUMNS_OF_ONE_ROW
    const shown = isList ? listHtml(table) : gridHtml(table, links)
    const isClosed = place > 0 && rows.length > MAX_OPEN_ROWS
    return html`<section class="table" id="${id}">
<h2>${title}</h2>
${note === undefined ? null : html`<p class="quiet">${formatPhrase(note)}</p>\n`}${isClosed ? html`<details><summary>${rows.length} rows</summary>\n${shown}\n</details>` : shown}
</section>
`
  })

/** Of a line there must be two points. @param {Plot} plot */
function hasSeries({ kind, series = [] }) {
  const points = series.flatMap(({ values }) =>
    values.filter(value => value.at(-1) !== null && value[1] !== null)
  )
  return kind === 'lines' ? new Set(points.map(([x]) => x)).size > 1 : points.length > 0
}

/** hasValues says whether there is anything to draw. @param {Plot} plot */
const hasValues = plot => {
  const { cells = [], dots = [], nodes = [], grid, root } = plot
  return (
    hasSeries(plot) ||
    cells.length + dots.length + nodes.length + (grid?.rows.length ?? 0) > 0 ||
    root !== undefined
  )
}

/** placePlots are those to draw: the best one stands in the first screen. @param {readonly Plot[]} plots */
export function placePlots(plots) {
  const shown = plots.filter(hasValues)
  const main = shown.filter(({ main }) => main).slice(0, 1)
  return { main, below: shown.filter(plot => plot !== main[0]) }
}

/** A grid with more columns takes the width of two plots, as a flame graph does. */
const MAX_COLUMNS_OF_ONE_PLOT = 6

/** figureHtml is where the script draws a plot. @param {Plot} plot */
export const figureHtml = ({ id, title, note, kind, grid }) =>
  html`<figure class="plot ${kind}${kind === 'flame' || (grid?.columns.length ?? 0) > MAX_COLUMNS_OF_ONE_PLOT ? ' across' : ''}" id="${id}"><figcaption><h3>${title}</h3>${note === undefined ? null : html`<p>${formatPhrase(note)}</p>`}</figcaption></figure>\n`

/** contentsHtml leads to each table and plot. @param {Pick<Description, 'tables' | 'plots'>} description @param {boolean} [hasCommand] */
export function contentsHtml({ tables, plots }, hasCommand = false) {
  const shown = tables.filter(({ rows }) => rows.length > 0)
  const link = (/** @type {{ id: string, title: string }} */ { id, title }) =>
    html`<a href="#${id}">${title}</a>\n`
  return html`${shown.slice(0, 1).map(link)}${placePlots(plots).below.map(link)}${shown.slice(1).map(link)}${hasCommand ? link({ id: '_repeat', title: 'Repeat' }) : null}`
}

/**
 * topHtml is what a person reads first.
 *
 * @param {Pick<Description, 'title' | 'headline' | 'tiles' | 'warnings'>} description
 * @param {{ when?: string, statements?: readonly Statement[] }} head
 */
export const topHtml = ({ title, headline, tiles, warnings }, { when, statements = [] }) =>
  html`<h1>${title}</h1>
${when === undefined ? null : html`<p class="when quiet">${when}</p>\n`}<p class="lead">${formatPhrase(headline)}</p>
${tilesHtml(tiles)}${statementsHtml([...statements, ...warnings.map(({ text }) => /** @type {Statement} */ ({ tone: 'mind', text }))])}`

/** layoutHtml puts the parts of a page in their places. @param {Record<'top' | 'main' | 'contents' | 'first' | 'plots' | 'rest', Html | (Html | null)[] | null>} parts */
export const layoutHtml = ({ top, main, contents, first, plots, rest }) => html`<div class="first"><div>
${top}</div>
${main}</div>
<div class="below">
<nav class="contents" aria-label="Contents" tabindex="0">${contents}</nav>
<div>
${first}${plots}<div class="tables">
${rest}</div></div>
</div>
`
