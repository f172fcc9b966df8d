import { html } from '../../kit/html.js'
import { drawer } from '../../kit/plots/drawer.js'
import { loadRenderer } from '../../kit/plots/render.js'
import { framedPage, section } from './frame.js'
import { verdictOf } from './verdict.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
 */

/**
 * reportPage is the page of one run: one HTML file that needs neither script nor network.
 *
 * @param {AnyResult} result
 * @param {object} where
 * @param {string} [where.folder] - of the run, as a user types it
 * @param {import('../view.js').View} where.view
 * @returns {Promise<string>}
 */
export async function reportPage(result, { folder, view }) {
  const tools = { draw: drawer(loadRenderer), folder, view }
  const page = await view.page()
  /** @type {(Html | null)[]} */
  const sections = []
  for (const { id, title, body } of page.sections)
    sections.push(section(id, title, await body(result, tools)))
  const { id, run } = result
  return framedPage(
    { what: result.scenario, document: { ...run, id }, on: run },
    {
      sentences: page.lead(result),
      statements: verdictOf(result, { page, view }),
      sections,
      footer: html`<footer class="quiet">Everything here is in result.json beside this page. What each figure means, and how it can
mislead: docs/metrics.md of libp2p-loadtest ${run.versions['libp2p-loadtest'] ?? ''}.</footer>\n`
    }
  )
}
