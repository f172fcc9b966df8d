import { deliveriesLead } from './gossip/lead.js'
import { profileLead } from './profile/lead.js'
import { operationsLead } from './rendezvous-lead.js'
import { rotationLead } from './rotation/lead.js'
import { rotatingPeersLead } from './rotation-rendezvous/lead.js'

/** @typedef {import('../../result/gossip-types.js').AnyResult} AnyResult */

/** @type {Readonly<Record<AnyResult['scenario'], (result: any) => string[]>>} */
const LEADS = Object.freeze({
  rendezvous: operationsLead,
  gossip: deliveriesLead,
  profile: profileLead,
  rotation: rotationLead,
  'rotation-rendezvous': rotatingPeersLead
})

/**
 * leadSentences say a result as a person would.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const leadSentences = result => LEADS[result.scenario](result)
