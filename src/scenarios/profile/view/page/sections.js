import { html, phrase } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { together } from '../../../../report/page/section-parts.js'
import { GOSSIP_SECTIONS } from '../../../gossip/view/page/sections.js'
import { allocatedInWords, asDrawn, heapFilesInWords, kilobytes } from '../allocations-view.js'
import { hotSpotTables } from '../hot-spot-tables.js'
import { filesInWords, sampledInWords } from '../words.js'
import { flameFigure } from './flame-figure.js'

/**
 * @typedef {import('../../profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../../../report/page/section.js').Section<import('../../../gossip/gossip-types.js').NetworkResult>} Section
 */

/** @param {string} text */
const paragraph = text => html`<p class="quiet">${phrase(text)}</p>\n`

/** @param {import('../../measure/allocations.js').Shares} shares @param {string} [of] */
const tablesOf = (shares, of = '') =>
  html`<div class="hot-spots">${hotSpotTables(shares).map(
    ({ title, table }) => html`<div><h3>${title}</h3>\n${tableOf(table, { label: `${title}${of}` })}</div>\n`
  )}</div>\n`

/** @param {ProfileResult} result */
function allocations({ outcome: { allocations } }) {
  if (allocations === undefined) return null
  return together([
    paragraph(
      `${allocatedInWords(allocations)}. Shares are of that. Self: the function itself; total: with what it called. What was collected since counts too.`
    ),
    flameFigure(asDrawn(allocations.folded), {
      ...{ id: 'allocation-graph', title: 'Flame graph of allocations', write: kilobytes },
      of: 'what all sampled workers allocated'
    }),
    tablesOf(allocations, ', allocations'),
    ...heapFilesInWords(allocations).map(paragraph)
  ])
}

/** @param {ProfileResult} result */
function hotSpots({ outcome: { profile } }) {
  if (profile === null) return null
  return together([
    paragraph(
      `${sampledInWords(profile)}. Shares are of the busy time. Self: the function itself; total: with what it called.`
    ),
    flameFigure(profile.folded),
    tablesOf(profile.hotSpots),
    ...filesInWords(profile).map(paragraph)
  ])
}

/**
 * PROFILE_SECTIONS are the parts of the page of a run of the profile scenario. Hot spots come first: they are what it was made for.
 *
 * @type {readonly Section[]}
 */
export const PROFILE_SECTIONS = [
  { id: 'hot-spots', title: 'Hot spots', body: hotSpots },
  { id: 'allocations', title: 'Allocations', body: allocations },
  ...GOSSIP_SECTIONS
]
