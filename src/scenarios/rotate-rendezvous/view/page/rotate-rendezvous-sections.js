import { RENDEZVOUS_SECTIONS } from '../../../rendezvous/view/page/rendezvous-sections.js'
import { rotationSection } from '../../../rotate/view/rotate-section.js'
import { registrationsPlot } from '../plots/registrations.js'
import { rotateRendezvousTimesPlots } from '../plots/rotate-rendezvous-times.js'
import { stalePlot } from '../plots/stale-records.js'
import { rotateRendezvousTables } from '../rotate-rendezvous-tables.js'
import { perMinuteInWords, registering, rotatingPeers } from '../rotate-rendezvous-words.js'

/**
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 */

/** @param {RotateRendezvousResult} result @param {RotateRendezvous} rotation */
function words({ plan }, rotation) {
  const perMinute = perMinuteInWords(rotation)
  return `${rotatingPeers(plan)}; ${registering(plan)}${perMinute === null ? '' : `; ${perMinute}`}.`
}

/** @param {RotateRendezvousResult} result */
const plots = result => [
  ...registrationsPlot(result),
  ...stalePlot(result),
  ...rotateRendezvousTimesPlots(result)
]

/**
 * ROTATE_RENDEZVOUS_SECTIONS are the parts of the page of a run of rotate rendezvous.
 *
 * @type {readonly import('../../../../report/page/section.js').Section[]}
 */
export const ROTATE_RENDEZVOUS_SECTIONS = [
  rotationSection({ words, plots, tables: rotateRendezvousTables }),
  ...RENDEZVOUS_SECTIONS
]
