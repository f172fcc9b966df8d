import { Profiles } from '../../profile/profiles.js'
import { ChurnedNodes } from './churn.js'

/**
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('./gossip-pool.js').GossipPool} GossipPool
 * @typedef {ConstructorParameters<typeof import('./gossip-measurement.js').GossipMeasurement>[0]} Measured
 *
 * @typedef {object} Companion - what goes on with the workers while messages are published, such as profiles and churn
 * @property {(pool: GossipPool) => Promise<void>} start
 * @property {(startNs: number) => void} [begin] - publishing begins at that moment
 * @property {{ all: number[][], publishing: number[][] }} [subscriptions] - of nodes that are started later too, and of those that publish;
 *   default: nobody is started later, and all nodes publish
 * @property {(stretch: Pick<Measured, 'startNs' | 'planned'>) => Pick<Measured, 'isThere' | 'lens'>} [measurement] - what deliveries are
 *   looked at with
 * @property {() => Promise<void>} stop
 * @property {() => object} outcome - what it adds to that of the run
 * @property {(ofRun: Warning[]) => Warning[]} warnings - those of the run, as they hold with it
 */

/** NO_COMPANION does nothing. @type {Readonly<Companion>} */
export const NO_COMPANION = {
  start: async () => {},
  stop: async () => {},
  outcome: () => ({}),
  warnings: ofRun => ofRun
}

/** Of nodes that publish as fast as the machine lets them: a machine that is used up is what is asked for. */
const INTENDED = new Set(['GENERATOR_LIMITED', 'PUBLISH_LATE'])

/** Samples the workers of a plan. @param {import('../plan/gossip-plan.js').GossipPlan} plan @param {string | null} folder @returns {Companion} */
function sampling({ profiled = [], publishers, loadModel }, folder) {
  const profiles = new Profiles(profiled, folder)
  const intended = publishers === 'every' && loadModel === 'closed'
  return {
    start: ({ profiles: workers }) => profiles.start({ workers }),
    stop: () => profiles.stop(),
    outcome: () => profiles.sampledOf('workers'),
    warnings: ofRun => [
      ...ofRun.filter(({ code }) => !(intended && INTENDED.has(code))),
      ...profiles.warnings
    ]
  }
}

/**
 * companionOf is what a plan asks for beside its messages.
 *
 * @param {import('../plan/gossip-plan.js').GossipPlan} plan
 * @param {string | null} folder - of the run
 * @returns {Companion}
 */
export function companionOf(plan, folder) {
  if (plan.churn != null) return new ChurnedNodes(plan)
  return plan.profiled === undefined ? NO_COMPANION : sampling(plan, folder)
}
