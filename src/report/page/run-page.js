import { html } from '../../kit/html.js'
import { RESULT_FILE } from '../../result/folder.js'
import { NO_ANSWER } from './answer.js'
import { firstScreen } from './first-screen.js'
import { fileLink, framedPage, section } from './frame.js'
import { verdictOf } from './verdict.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
 */

/** @param {readonly string[]} files */
const linked = files => files.map((file, i) => html`${i === 0 ? '' : ', '}${fileLink(file)}`)

/**
 * reportPage is the page of one run: one HTML file that needs no network, and no script to be read.
 *
 * @param {AnyResult} result
 * @param {object} where
 * @param {string} [where.folder] - of the run, as a user types it
 * @param {import('../view.js').View} where.view
 * @param {readonly string[]} [where.tables] - files of figures beside it
 * @returns {Promise<string>}
 */
export async function reportPage(result, { folder, view, tables = [] }) {
  const page = await view.page()
  const { shown, draw } = await firstScreen(page.answer?.(result) ?? NO_ANSWER)
  const tools = { draw, folder, view }
  /** @type {(Html | null)[]} */
  const sections = []
  for (const { id, title, body } of page.sections)
    sections.push(section(id, title, await body(result, tools)))
  const { id, run } = result
  return framedPage(
    { what: result.scenario, document: { ...run, id }, on: run },
    {
      sentences: page.lead(result),
      ...shown,
      statements: verdictOf(result, { page, view }),
      sections,
      footer: html`<footer class="quiet">Everything here is in ${folder === undefined ? RESULT_FILE : fileLink(RESULT_FILE)} beside this page${tables.length === 0 ? null : html`, figures in ${linked(tables)}`}. What each figure means, and how it can
mislead: docs/metrics.md of libp2p-loadtest ${run.versions['libp2p-loadtest'] ?? ''}.</footer>\n`
    }
  )
}
