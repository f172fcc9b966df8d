import { html, phrase } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { together } from '../../../../report/page/section-parts.js'
import { RENDEZVOUS_SECTIONS } from '../../../rendezvous/view/page/rendezvous-sections.js'
import { registrationsPlot } from '../plots/registrations.js'
import { stalePlot } from '../plots/stale-records.js'
import { rotationTimesPlots } from '../plots/times.js'
import { peerRotationTables } from '../tables.js'
import { perMinuteInWords, registering, rotatingPeers } from '../words.js'

/**
 * @typedef {import('../../../gossip/gossip-types.js').RendezvousRotationResult} RendezvousRotationResult
 * @typedef {import('../../../../report/page/section.js').Section<import('../../../gossip/gossip-types.js').OperationsResult>} Section
 */

/** @param {RendezvousRotationResult} result @param {import('../../../../report/page/section.js').SectionTools} tools */
async function rotation(result, { draw }) {
  const { plan, outcome } = result
  if (outcome.rotation === null) return null
  const perMinute = perMinuteInWords(outcome.rotation)
  const tables = peerRotationTables(outcome.rotation).map(
    ({ title, table }) => html`<div><h3>${title}</h3>\n${tableOf(table, { label: title })}</div>\n`
  )
  return together([
    html`<p class="quiet">${phrase(`${rotatingPeers(plan)}; ${registering(plan)}${perMinute === null ? '' : `; ${perMinute}`}.`)}</p>\n`,
    await draw([...registrationsPlot(result), ...stalePlot(result), ...rotationTimesPlots(result)]),
    html`<div class="hot-spots">${tables}</div>\n`
  ])
}

/**
 * ROTATING_PEERS_SECTIONS are the parts of the page of a run of the rotation-rendezvous scenario. What rotated comes first: it is what
 * it was made for.
 *
 * @type {readonly Section[]}
 */
export const ROTATING_PEERS_SECTIONS = [
  { id: 'rotation', title: 'Rotation', body: rotation },
  ...RENDEZVOUS_SECTIONS
]
