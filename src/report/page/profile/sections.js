import { html, phrase } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { hotSpotTables } from '../../profile/hot-spot-tables.js'
import { filesInWords, sampledInWords } from '../../profile/words.js'
import { GOSSIP_SECTIONS } from '../gossip/sections.js'
import { together } from '../section-parts.js'
import { flameFigure } from './flame-figure.js'

/**
 * @typedef {import('../../../result/gossip-types.js').ProfileResult} ProfileResult
 * @typedef {import('../section.js').Section} Section
 */

/** @param {string} text */
const paragraph = text => html`<p class="quiet">${phrase(text)}</p>\n`

/** @param {ProfileResult} result */
function hotSpots({ outcome: { profile } }) {
  if (profile === null) return null
  const tables = hotSpotTables(profile.hotSpots).map(
    ({ title, table }) => html`<div><h3>${title}</h3>\n${tableOf(table, { label: title })}</div>\n`
  )
  return together([
    paragraph(
      `${sampledInWords(profile)}. Shares are of the busy time. Self: the function itself; total: with what it called.`
    ),
    flameFigure(profile.folded),
    html`<div class="hot-spots">${tables}</div>\n`,
    ...filesInWords(profile).map(paragraph)
  ])
}

/**
 * PROFILE_SECTIONS are the parts of the page of a run of the profile scenario. Hot spots come first: they are what it was made for.
 *
 * @type {readonly Section[]}
 */
export const PROFILE_SECTIONS = [{ id: 'hot-spots', title: 'Hot spots', body: hotSpots }, ...GOSSIP_SECTIONS]
