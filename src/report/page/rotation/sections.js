import { html, phrase } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { deliveriesPerMinutePlot } from '../../plots/rotation/deliveries-per-minute.js'
import { firstDeliveryPlot } from '../../plots/rotation/first-delivery.js'
import { peersPlot } from '../../plots/rotation/peers.js'
import { rotationTables } from '../../rotation/tables.js'
import { perMinuteInWords, rotatingInWords } from '../../rotation/words.js'
import { GOSSIP_SECTIONS } from '../gossip/sections.js'
import { together } from '../section-parts.js'

/**
 * @typedef {import('../../../result/gossip-types.js').RotationResult} RotationResult
 * @typedef {import('../section.js').Section} Section
 */

/** @param {RotationResult} result @param {import('../section.js').SectionTools} tools */
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
