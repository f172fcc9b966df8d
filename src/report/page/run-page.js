import { html, phrase } from '../../kit/html.js'
import { spell } from '../../kit/numbers.js'
import { drawer } from '../../kit/plots/drawer.js'
import { loadRenderer } from '../../kit/plots/render.js'
import { pageDocument } from './document.js'
import { statementList, verdictOf } from './verdict.js'

/**
 * @typedef {import('../../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
 */

/** @param {AnyResult} result */
function when({ run: { startedAt, finishedAt, machine } }) {
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  const day = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`
  return [
    day,
    took === null ? 'its end was not written' : `took ${spell(took)}`,
    `${machine.cores} × ${machine.cpu}`
  ].join(' · ')
}

/** @param {AnyResult} result */
const head = result => html`<h1>${result.scenario} · ${result.id}</h1>
<p class="when quiet">${when(result)}</p>
`

/** @param {string[]} sentences */
const lead = sentences =>
  html`<div class="lead">${sentences.map(text => html`<p>${phrase(text)}</p>\n`)}</div>\n`

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
  const sentences = page.lead(result)
  /** @type {(Html | null)[]} */
  const body = [head(result), lead(sentences), statementList(verdictOf(result, { page, view }))]
  for (const { id, title, body: bodyOf } of page.sections) {
    const content = await bodyOf(result, tools)
    if (content !== null) body.push(html`<section id="${id}">\n<h2>${title}</h2>\n${content}</section>\n`)
  }
  body.push(html`<footer class="quiet">Everything here is in result.json beside this page. What each figure means, and how it can
mislead: docs/metrics.md of libp2p-loadtest ${result.run.versions['libp2p-loadtest'] ?? ''}.</footer>\n`)
  return pageDocument({ title: `${result.id} · libp2p-loadtest`, description: sentences.join(' '), body })
}
