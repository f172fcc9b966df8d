import { runGossip } from '../../gossip/run/gossip.js'
import { RotatingNodes } from './rotating-nodes.js'

/**
 * runRotateGossip runs a gossip network by a plan, some of whose nodes are killed and replaced in turn while messages are published. It
 * never throws for what goes wrong with the run: the last record is always the result, whose `status` and `reason` tell.
 *
 * @param {import('../plan/rotate-gossip-options.js').RotateGossipPlan} plan
 * @param {import('../../rendezvous/run/rendezvous.js').RunOptions} options
 * @returns {AsyncGenerator<import('../../../result/types.js').Record_>}
 */
export const runRotateGossip = (plan, options) => runGossip(plan, options, new RotatingNodes(plan))
