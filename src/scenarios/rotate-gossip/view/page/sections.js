import { html, phrase } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { together } from '../../../../report/page/section-parts.js'
import { GOSSIP_SECTIONS } from '../../../gossip/view/page/sections.js'
import { deliveriesPerMinutePlot } from '../plots/deliveries-per-minute.js'
import { firstDeliveryPlot } from '../plots/first-delivery.js'
import { peersPlot } from '../plots/peers.js'
import { rotationTables } from '../tables.js'
import { perMinuteInWords, rotatingInWords } from '../words.js'

/**
 * @typedef {import('../../../gossip/gossip-types.js').RotationResult} RotationResult
 * @typedef {import('../../../../report/page/section.js').Section<import('../../../gossip/gossip-types.js').NetworkResult>} Section
 */

/** @param {RotationResult} result @param {import('../../../../report/page/section.js').SectionTools} tools */
async function rotation(result, { draw }) {
  const { plan, outcome } = result
  if (outcome.rotation === null) return null
  const perMinute = perMinuteInWords(outcome.rotation)
  const tables = rotationTables(outcome.rotation).map(
    ({ title, table }) => html`<div><h3>${title}</h3>\n${tableOf(table, { label: title })}</div>\n`
  )
  return together([
    html`<p class="quiet">${phrase(`${rotatingInWords(plan)}${perMinute === null ? '' : `; ${perMinute}`}. What a new node is not expected to receive yet counts apart.`)}</p>\n`,
    await draw([...peersPlot(result), ...deliveriesPerMinutePlot(result), ...firstDeliveryPlot(result)]),
    html`<div class="hot-spots">${tables}</div>\n`
  ])
}

/**
 * ROTATION_SECTIONS are the parts of the page of a run of the rotation scenario. What rotated comes first: it is what it was made for.
 *
 * @type {readonly Section[]}
 */
export const ROTATION_SECTIONS = [{ id: 'rotation', title: 'Rotation', body: rotation }, ...GOSSIP_SECTIONS]
