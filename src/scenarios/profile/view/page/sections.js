import { html, phrase } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { together } from '../../../../report/page/section-parts.js'
import { GOSSIP_SECTIONS } from '../../../gossip/view/page/sections.js'
import { hotSpotTables } from '../hot-spot-tables.js'
import { filesInWords, sampledInWords } from '../words.js'
import { flameFigure } from './flame-figure.js'

/**
 * @typedef {import('../../profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../../../report/page/section.js').Section<import('../../../gossip/gossip-types.js').NetworkResult>} Section
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
