import { GOSSIP_SECTIONS } from './gossip/sections.js'
import { PROFILE_SECTIONS } from './profile/sections.js'
import { RENDEZVOUS_SECTIONS } from './rendezvous-sections.js'
import { ROTATION_SECTIONS } from './rotation/sections.js'
import { ROTATING_PEERS_SECTIONS } from './rotation-rendezvous/sections.js'

/**
 * @typedef {import('../../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
 *
 * @typedef {object} SectionTools
 * @property {import('../../kit/plots/drawer.js').Draw} draw
 * @property {string | undefined} folder - of the run
 *
 * @typedef {object} Section - of the page of a run
 * @property {string} id
 * @property {string} title
 * @property {(result: any, tools: SectionTools) => Html | null | Promise<Html | null>} body - null: there is nothing to show, and
 *   no heading is
 */

/** SECTIONS are the parts of the page of a run, in order. @type {Readonly<Record<AnyResult['scenario'], readonly Section[]>>} */
export const SECTIONS = Object.freeze({
  rendezvous: RENDEZVOUS_SECTIONS,
  gossip: GOSSIP_SECTIONS,
  profile: PROFILE_SECTIONS,
  rotation: ROTATION_SECTIONS,
  'rotation-rendezvous': ROTATING_PEERS_SECTIONS
})
