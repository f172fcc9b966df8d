import { GOSSIP_SECTIONS } from '../../../gossip/view/page/sections.js'
import { rotationSection } from '../../../rotate/view/rotate-section.js'
import { deliveriesPerMinutePlot } from '../plots/deliveries-per-minute.js'
import { firstDeliveryPlot } from '../plots/first-delivery.js'
import { peersPlot } from '../plots/peers.js'
import { rotateGossipTables } from '../rotate-gossip-tables.js'
import { perMinuteInWords, rotatingInWords } from '../rotate-gossip-words.js'

/**
 * @typedef {import('../../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../../rotate-gossip-types.js').RotateGossip} RotateGossip
 */

/** @param {RotateGossipResult} result @param {RotateGossip} rotation */
function words({ plan }, rotation) {
  const perMinute = perMinuteInWords(rotation)
  return `${rotatingInWords(plan)}${perMinute === null ? '' : `; ${perMinute}`}. What a new node is not expected to receive yet counts apart.`
}

/** @param {RotateGossipResult} result */
const plots = result => [
  ...peersPlot(result),
  ...deliveriesPerMinutePlot(result),
  ...firstDeliveryPlot(result)
]

/**
 * ROTATE_GOSSIP_SECTIONS are the parts of the page of a run of rotate gossip.
 *
 * @type {readonly import('../../../../report/page/section.js').Section[]}
 */
export const ROTATE_GOSSIP_SECTIONS = [
  rotationSection({ words, plots, tables: rotateGossipTables }),
  ...GOSSIP_SECTIONS
]
