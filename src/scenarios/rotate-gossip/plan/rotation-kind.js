import { grouped } from '../../../kit/numbers.js'
import { livesAtMost } from '../../../load/rotation-schedule.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { GOSSIP_COMBINATIONS } from '../../gossip/plan/gossip-combinations.js'
import { GOSSIP_KIND } from '../../gossip/plan/gossip-kind.js'
import { ROTATION_OPTIONS } from './rotation-options.js'

/**
 * @typedef {import('../../gossip/plan/gossip-plan.js').RotationPlan} RotationPlan
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** Each life is a node with a number of 16 bits. */
const MOST_LIVES = 10_000

/** How many there are at the beginning. @param {Record<string, any>} values */
const nodesOf = ({ stable, ephemeral }) => ({ nodes: stable + ephemeral })

/** @type {readonly Rule[]} */
const GOSSIP_RULES = GOSSIP_COMBINATIONS.filter(({ flag }) => ROTATION_OPTIONS[flag].fixed === undefined).map(
  ({ refuse, needs = [], ...rule }) => ({
    ...rule,
    needs: [...needs, 'stable', 'ephemeral'],
    refuse: (values, given) => refuse({ ...values, ...nodesOf(values) }, given)
  })
)

/** @type {readonly Rule[]} */
const RULES = Object.freeze([
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
    flag: 'rotateEvery',
    needs: ['duration'],
    refuse: ({ rotateEvery, duration }) =>
      rotateEvery >= duration && `must be less than --duration ${duration / 1000}s: nothing would rotate`
  },
  {
    flag: 'rotateEvery',
    needs: ['duration', 'ephemeral'],
    refuse: ({ rotateEvery, duration, ephemeral }) =>
      livesAtMost({ ephemeral, rotateEveryMs: rotateEvery, durationMs: duration }) > MOST_LIVES + ephemeral &&
      `must be at least ${duration / MOST_LIVES}ms with --duration ${duration / 1000}s: at most ${grouped(MOST_LIVES)} nodes are started`
  },
  {
    flag: 'downFor',
    needs: ['rotateEvery', 'ephemeral', 'settle'],
    refuse: ({ downFor, rotateEvery, ephemeral, settle }) =>
      downFor + settle >= rotateEvery * ephemeral &&
      `must, with --settle, be less than --rotateEvery × --ephemeral, ${(rotateEvery * ephemeral) / 1000}s: a node would be killed before it counts`
  },
  {
    flag: 'dials',
    needs: ['stable'],
    refuse: ({ dials, stable }, given) =>
      given.has('dials') && dials > stable && `must be at most --stable ${stable}: each is dialled once`
  }
])

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {RotationPlan}
 */
function toPlan(picked, values, machine) {
  const nodes = nodesOf(values)
  const plan = GOSSIP_KIND.toPlan({ ...picked, ...nodes }, { ...values, ...nodes }, machine)
  return /** @type {RotationPlan} */ ({
    ...plan,
    scenario: 'rotation',
    dials: Math.min(values.dials, values.stable)
  })
}

/** ROTATION_KIND makes the plans of a gossip network whose nodes rotate. @type {Readonly<import('../../scenario.js').Kind>} */
export const ROTATION_KIND = Object.freeze({
  ...GOSSIP_KIND,
  options: ROTATION_OPTIONS,
  combinations: [...GOSSIP_RULES, ...RULES],
  rivals: [],
  toPlan,
  unsaid: (/** @type {RotationPlan} */ plan) => GOSSIP_KIND.unsaid(plan).filter(key => key !== 'messages')
})
