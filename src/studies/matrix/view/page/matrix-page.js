import { posix } from 'node:path'
import { html, markdownText } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { present } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { fileLink, framedPage, notesList, section } from '../../../../report/page/frame.js'
import { bad, good, mind } from '../../../../report/page/verdict.js'
import { thresholdVerdict } from '../../../../report/threshold-lines.js'
import { rowsOf, tablesOf } from '../../matrix-folder.js'
import { matrixHead } from '../matrix-head.js'
import { matrixNotes } from '../matrix-page.js'
import { matrixTable } from '../matrix-table.js'

/**
 * @typedef {import('../../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../../matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../../kit/html.js').Html} Html
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 * @typedef {import('../../../../report/view.js').View} View
 * @typedef {import('../../../../report/view.js').ViewOf} ViewOf
 *
 * @typedef {ReadonlyMap<string, string>} Links - to what is kept of runs, by their folders
 */

/** @param {MatrixDocument} document @param {ReadonlyMap<string, AnyResult>} results @returns {Statement[]} */
function thresholdStatements(document, results) {
  const judged = rowsOf(document).flatMap(({ id, name }) => {
    const result = results.get(id)
    const verdict = result === undefined ? null : thresholdVerdict(result)
    return verdict === null ? [] : [{ name, verdict }]
  })
  if (judged.length === 0) return []
  const failed = judged.filter(({ verdict }) => verdict !== 'PASS')
  if (failed.length === 0) return [good('The thresholds of every measured row hold.')]
  const names = failed.map(({ name }) => name).join(', ')
  return [bad(`Thresholds failed in ${grouped(failed.length)} of ${grouped(judged.length)} rows: ${names}.`)]
}

/** @param {RowRecord[]} rows */
const namesOf = rows => rows.map(({ name }) => name).join(', ')

/** @param {MatrixDocument} document @param {ReadonlyMap<string, AnyResult>} results @returns {Statement[]} */
function verdict(document, results) {
  const rows = rowsOf(document)
  const done = rows.filter(({ status }) => status === 'complete')
  const doubtful = done.filter(row => row.doubtful)
  const failed = rows.filter(({ status }) => status === 'failed')
  const blocked = rows.filter(({ status }) => status === 'blocked')
  const runnable = rows.length - blocked.length
  const all = `${grouped(runnable)} ${runnable === 1 ? 'row' : 'rows'}${blocked.length === 0 ? '' : ' that can be run here'}`
  const reason = document.reason === null ? '' : `: ${document.reason.message}`
  return present([
    done.length === runnable
      ? good(`Complete: all ${all} were measured.`)
      : bad(`Partial: ${grouped(done.length)} of ${all} were measured${reason}.`),
    failed.length > 0 && bad(`${grouped(failed.length)} failed: ${namesOf(failed)}.`),
    blocked.length > 0 && mind(`${grouped(blocked.length)} cannot be run here: ${namesOf(blocked)}.`),
    ...thresholdStatements(document, results),
    doubtful.length > 0 &&
      mind(
        `${grouped(doubtful.length)} of the measured rows hold doubtful figures, marked * or ≥: the load generator had a part in them.`
      )
  ])
}

/** Lines of markdown: lists, headings and paragraphs. @param {string[]} lines */
function prose(lines) {
  /** @type {Html[]} */
  const parts = []
  /** @type {Html[]} */
  let items = []
  const endList = () => {
    if (items.length > 0) parts.push(html`<ul class="notes">${items}</ul>\n`)
    items = []
  }
  for (const line of lines) {
    if (line.startsWith('- ')) items.push(html`<li>${markdownText(line.slice(2))}</li>\n`)
    else {
      endList()
      if (line !== '' && !line.startsWith('#')) parts.push(html`<p>${markdownText(line)}</p>\n`)
    }
  }
  endList()
  return parts
}

/** @param {TableRecord} table */
function publishedNote({ rows, source }) {
  const from = source ?? 'the matrix file'
  const beside = rows.some(({ reference }) => reference !== null)
    ? html`<p class="quiet">In grey, behind a slash: the published figure, from ${from}. Not like for like: no
factor between the two means anything.</p>\n`
    : null
  const apart = rows.some(({ atAnotherRate }) => atAnotherRate !== null)
    ? html`<p class="quiet">In a column of its own: what was published of the case at another rate, from ${from}. Not to be compared.</p>\n`
    : null
  return html`${beside}${apart}`
}

/**
 * One cell of a line names its row, and leads to what is kept of its run.
 *
 * @param {TableRecord} table
 * @param {string} text
 * @param {Links} links
 */
function rowLink({ rows }, text, links) {
  const [name, ...state] = text.split(' ')
  const result = rows.find(row => row.name === name)?.result ?? null
  const href = result === null ? undefined : links.get(posix.dirname(result))
  const rest = markdownText(state.length === 0 ? '' : ` ${state.join(' ')}`)
  return href === undefined ? html`${name}${rest}` : html`<a href="${href}">${name}</a>${rest}`
}

/** @param {TableRecord} table @param {{ cells: import('../../../../kit/table.js').Table, nameColumn: number }} made @param {Links} links */
const withLinks = (table, { cells: { rows, ...cells }, nameColumn }, links) => ({
  ...cells,
  rows: rows.map(row =>
    row.map((cell, column) => (column === nameColumn ? rowLink(table, cell, links) : cell))
  )
})

/** @param {AnyResult[]} results @param {View} view */
const withoutPlots = (results, { matrix }) =>
  results.length === 0 ? null : html`<p class="quiet">${matrix.withoutPlots}</p>\n`

/** Of the head, what was measured and how stands under the table. @param {string[]} lines */
const withoutDescription = (lines, description = '') => lines.filter(line => line !== description)

/**
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results
 * @param {{ scales: import('../../../../plan/scale.js').Scales, links: Links, viewOf: ViewOf, draw: import('../../../../kit/plots/drawer.js').Draw }} tools
 */
async function tableSection(table, results, { scales, links, viewOf, draw }) {
  const view = viewOf(table)
  const { matrixPlots } = await view.page()
  const { measured, ...made } = matrixTable(table, results, view)
  const ofTable = table.rows.flatMap(({ id }) => results.get(id) ?? [])
  const notes = matrixNotes(table, results, measured, view)
  return section(
    table.id,
    table.title,
    html`${table.description === '' ? null : html`<p>${table.description}</p>\n`}${tableOf(withLinks(table, made, links), { label: table.title, withPublished: true })}${publishedNote(table)}${notesList(notes)}<details><summary>What was measured, how, and what the published figures are</summary>
${prose(withoutDescription(matrixHead(table, ofTable, scales, view), table.description))}</details>
${(await draw(matrixPlots(table, results))) ?? withoutPlots(ofTable, view)}`
  )
}

/**
 * What several tables of a scenario show together.
 *
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results
 * @param {{ viewOf: ViewOf, draw: import('../../../../kit/plots/drawer.js').Draw }} tools
 */
async function seriesSections({ tables }, results, { viewOf, draw }) {
  /** @type {Html[]} */
  const sections = []
  for (const scenario of new Set(tables.map(table => table.scenario))) {
    const own = tablesOf(tables, scenario).filter(({ rows }) => rows.some(({ id }) => results.has(id)))
    const view = viewOf({ scenario })
    const made = own.length > 1 ? view.matrix.series?.(own, results) : undefined
    if (made === undefined) continue
    const { seriesPlots } = await view.page()
    sections.push(html`<section id="series-${scenario}">
<h2>All series</h2>
${seriesPlots === undefined ? null : await draw(seriesPlots(own, results))}<h3>${made.title}</h3>
${tableOf(made.table, { label: made.title })}<p class="quiet">${made.note} Every figure of every row: ${fileLink(`${scenario}-rows.csv`)}.</p>
</section>
`)
  }
  return sections
}

/**
 * What was measured, in a sentence for each scenario.
 *
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results
 * @param {ViewOf} viewOf
 */
function leadOf({ tables }, results, viewOf) {
  const scenarios = [...new Set(tables.map(({ scenario }) => scenario))]
  const said = scenarios.flatMap(scenario => {
    const own = [...results.values()].filter(result => result.scenario === scenario)
    return own.length === 0 ? [] : [viewOf({ scenario }).matrix.lead(own)]
  })
  return said.length === 0 ? 'No row was measured.' : said.join(' ')
}

/**
 * How many rows there are of what kind, and the first plot of a table that has one.
 *
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results
 * @param {ViewOf} viewOf
 * @returns {Promise<import('../../../../report/page/answer.js').Answer>}
 */
async function answerOf(document, results, viewOf) {
  const rows = rowsOf(document)
  const [table] = document.tables.filter(({ rows }) => rows.some(({ id }) => results.has(id)))
  const page = table === undefined ? undefined : await viewOf(table).page()
  const count = (/** @type {(row: RowRecord) => boolean} */ isOne) => grouped(rows.filter(isOne).length)
  return {
    figures: [
      ['Rows measured', `${count(({ status }) => status === 'complete')} of ${grouped(rows.length)}`],
      ['Failed', count(({ status }) => status === 'failed')],
      ['Doubtful', count(({ status, doubtful }) => status === 'complete' && doubtful === true)],
      ['Cannot be run here', count(({ status }) => status === 'blocked')]
    ],
    plots: page?.matrixPlots(table, results).slice(0, 1) ?? []
  }
}

/**
 * matrixPage is the page of a matrix: a table for each of its files, with the published figures beside, and plots.
 *
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {{ viewOf: ViewOf, links?: Links }} shown
 * @returns {Promise<string>}
 */
export async function matrixPage(document, results, { viewOf, links = new Map() }) {
  const { shown, draw } = await firstScreen(await answerOf(document, results, viewOf))
  const tools = {
    scales: document.request,
    tables: document.tables,
    links,
    viewOf,
    draw
  }
  const { tables } = document
  const statements = verdict(document, results)
  const contents =
    tables.length === 1
      ? null
      : html`<ul class="toc">${tables.map(({ id, title, rows }) => html`<li><a href="#${id}">${title}</a> <small>${grouped(rows.length)} rows</small></li>\n`)}</ul>\n`
  const sections = [contents, ...(await seriesSections(document, results, tools))]
  for (const table of tables) sections.push(await tableSection(table, results, tools))
  return framedPage(
    { what: 'matrix', document, unended: 'not ended' },
    {
      ...shown,
      sentences: [],
      lead: html`<div class="lead"><p>${leadOf(document, results, viewOf)}</p></div>\n`,
      statements,
      sections,
      footer: html`<footer class="quiet">Everything here is made from ${fileLink('matrix.json')} beside this page. Each row has a folder of its own with its result.json. What each figure means, and how it can mislead: docs/metrics.md of libp2p-loadtest.</footer>\n`,
      description: statements[0].text
    }
  )
}
