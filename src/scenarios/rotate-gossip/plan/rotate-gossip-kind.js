import { subscriptionsOf } from '../../../load/subscriptions.js'
import { GOSSIP_KIND } from '../../gossip/plan/gossip-kind.js'
import { usualTopology } from '../../gossip/plan/usual-topology.js'
import { inSeconds, rotateKind } from '../../rotate/plan/rotate-kind.js'
import { NAME } from '../command.js'
import { ROTATE_GOSSIP_OPTIONS } from './rotate-gossip-options.js'

/**
 * @typedef {import('./rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** @type {readonly Rule[]} */
const RULES = [
  {
    flag: 'topology',
    refuse: ({ topology }) =>
      ['file', 'rendezvous'].includes(topology.kind) &&
      'must be one that is made for --stable and --ephemeral nodes: not file, not rendezvous'
  },
  {
    flag: 'topics',
    needs: ['stable', 'ephemeral', 'seed'],
    refuse: ({ topics, stable, ephemeral, seed }) =>
      !subscriptionsOf({ seed, nodes: stable + ephemeral, topics })
        .slice(0, stable)
        .some(mine => mine.length > 0) &&
      `leaves each of ${stable} stable nodes without a topic with --seed ${seed}: they are the ones that publish`
  },
  {
    flag: 'downFor',
    needs: ['rotateEvery', 'ephemeral', 'settle'],
    refuse: ({ downFor, rotateEvery, ephemeral, settle }) =>
      downFor + settle >= rotateEvery * ephemeral &&
      `must, with --settle, be less than --rotateEvery × --ephemeral, ${inSeconds(rotateEvery * ephemeral)}: a node would be killed before it counts`
  },
  {
    flag: 'dials',
    needs: ['stable'],
    refuse: ({ dials, stable }, given) =>
      given.has('dials') && dials > stable && `must be at most --stable ${stable}: each is dialled once`
  }
]

/** ROTATE_GOSSIP_KIND makes the plans of a gossip network whose nodes rotate. @type {Readonly<import('../../scenario.js').Kind>} */
export const ROTATE_GOSSIP_KIND = {
  ...GOSSIP_KIND,
  ...rotateKind(GOSSIP_KIND, {
    options: ROTATE_GOSSIP_OPTIONS,
    amount: 'nodes',
    who: 'nodes',
    rules: RULES,
    inPlan: ({ dials, stable }) => ({ scenario: NAME, dials: Math.min(dials, stable) })
  }),
  implied: (values, given) => usualTopology(values, given, values.stable + values.ephemeral),
  unsaid: (/** @type {RotateGossipPlan} */ plan) => GOSSIP_KIND.unsaid(plan).filter(key => key !== 'messages')
}
