import { runGossip } from '../../gossip/run/gossip.js'
import { WorkerProfiles } from './worker-profiles.js'

/**
 * runProfile runs a gossip network by a plan and samples what its processes spend their CPU time on while messages are published. It
 * never throws for what goes wrong with the run: the last record is always the result, whose `status` and `reason` tell.
 *
 * @param {import('../plan/profile-options.js').ProfilePlan} plan
 * @param {import('../../rendezvous/run/rendezvous.js').RunOptions} options
 * @returns {AsyncGenerator<import('../../../result/types.js').Record_>}
 */
export const runProfile = (plan, options) =>
  runGossip(plan, options, new WorkerProfiles(plan, options.folder ?? null))
