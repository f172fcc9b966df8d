import { SATURATION as GOSSIP_SATURATION } from '../../scenarios/gossip/saturation/saturation.js'
import { GOSSIP } from '../../scenarios/gossip/scenario.js'
import { SATURATION as RENDEZVOUS_SATURATION } from '../../scenarios/rendezvous/saturation/saturation.js'
import { RENDEZVOUS } from '../../scenarios/rendezvous/scenario.js'

/**
 * @typedef {import('../../scenarios/saturation.js').Saturation & { scenario: import('../../scenarios/scenario.js').Scenario }} Saturated
 */

/**
 * SATURATED are the scenarios whose load can be found out, by name.
 *
 * @type {Readonly<Record<string, Saturated>>}
 */
export const SATURATED = {
  [RENDEZVOUS.name]: { ...RENDEZVOUS_SATURATION, scenario: RENDEZVOUS },
  [GOSSIP.name]: { ...GOSSIP_SATURATION, scenario: GOSSIP }
}

/** saturatedBy is what is known of the scenario of a plan or a document. @param {{ scenario: string }} of */
export const saturatedBy = ({ scenario }) => SATURATED[scenario]

/**
 * faceOf is how the trials of a document are called and shown.
 *
 * @param {{ scenario: string } & { options?: Record<string, unknown> }} document
 */
export const faceOf = ({ scenario, options = {} }) => SATURATED[scenario].face(options)
