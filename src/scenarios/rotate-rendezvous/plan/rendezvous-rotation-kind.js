import { grouped } from '../../../kit/numbers.js'
import { livesAtMost } from '../../../load/rotation-schedule.js'
import { withoutSample } from '../../../plan/threshold-samples.js'
import { RENDEZVOUS_KIND } from '../../rendezvous/plan/rendezvous-kind.js'
import { ROTATING_PEERS_FIGURES } from '../figures.js'
import { RENDEZVOUS_ROTATION_OPTIONS } from './rendezvous-rotation-options.js'

/**
 * @typedef {import('./rendezvous-rotation-plan.js').RendezvousRotationPlan} RendezvousRotationPlan
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** Each life is a peer with an identity of its own, which is known before the run begins. */
const MOST_LIVES = 10_000

/** How many there are at the beginning. @param {Record<string, any>} values */
const clientsOf = ({ stable, ephemeral }) => ({ nClients: stable + ephemeral })

/** These look at what a plan of the rendezvous scenario measures. */
const JUDGED_HERE = new Set(['rate', 'threshold', 'duration', 'workers'])

/** @type {readonly Rule[]} */
const RENDEZVOUS_RULES = RENDEZVOUS_KIND.combinations
  .filter(({ flag }) => RENDEZVOUS_ROTATION_OPTIONS[flag].fixed === undefined && !JUDGED_HERE.has(flag))
  .map(({ refuse, needs = [], ...rule }) => ({
    ...rule,
    needs: [...needs, 'stable', 'ephemeral'],
    refuse: (values, given) => refuse({ ...values, ...clientsOf(values) }, given)
  }))

/** @param {number} ms */
const inSeconds = ms => `${ms / 1000}s`

/** @param {Record<string, any>} values */
const refreshOf = ({ refreshEvery, ttl }) => refreshEvery ?? ttl * 500

/**
 * How many registrations one namespace can hold: of all places, and of those that died in them and have not expired.
 *
 * @param {Record<string, any>} values
 */
const registrationsAtMost = ({ stable, ephemeral, ttl, duration, rotateEvery }) =>
  stable + ephemeral + Math.ceil(Math.min(ttl * 1000, duration) / rotateEvery)

/** What is measured, as options of the rendezvous scenario say it. */
const MEASURED = Object.freeze({
  benchmarkType: 'MIXED',
  mix: { register: 0.5, discover: 0.5, unregister: 0 },
  connectionPerOperation: true
})

/** @type {readonly Rule[]} */
const RULES = Object.freeze([
  {
    flag: 'rotateEvery',
    needs: ['duration'],
    refuse: ({ rotateEvery, duration }) =>
      rotateEvery >= duration && `must be less than --duration ${inSeconds(duration)}: nothing would rotate`
  },
  {
    flag: 'rotateEvery',
    needs: ['duration', 'ephemeral'],
    refuse: ({ rotateEvery, duration, ephemeral }) =>
      livesAtMost({ ephemeral, rotateEveryMs: rotateEvery, durationMs: duration }) > MOST_LIVES + ephemeral &&
      `must be at least ${duration / MOST_LIVES}ms with --duration ${inSeconds(duration)}: at most ${grouped(MOST_LIVES)} peers are started`
  },
  {
    flag: 'downFor',
    needs: ['rotateEvery', 'ephemeral'],
    refuse: ({ downFor, rotateEvery, ephemeral }) =>
      downFor >= rotateEvery * ephemeral &&
      `must be less than --rotateEvery × --ephemeral, ${inSeconds(rotateEvery * ephemeral)}: the place would be emptied again before it is taken`
  },
  {
    flag: 'refreshEvery',
    needs: ['ttl'],
    refuse: values =>
      refreshOf(values) >= values.ttl * 1000 &&
      `must be less than --ttl ${values.ttl}s: registrations of living peers would expire`
  },
  {
    flag: 'discoverLimit',
    needs: ['cookies', 'stable', 'ephemeral', 'ttl', 'rotateEvery', 'duration'],
    refuse: values => {
      const most = registrationsAtMost(values)
      return (
        !values.cookies &&
        values.discoverLimit < most &&
        `must be at least ${grouped(most)}, or --cookies: a namespace can hold so many registrations, and the newest are given last`
      )
    }
  },
  {
    flag: 'nNamespaces',
    needs: ['maxPeerRegistrations', 'target'],
    refuse: ({ nNamespaces, maxPeerRegistrations, target }) =>
      target === undefined &&
      nNamespaces > maxPeerRegistrations &&
      `is above the server's cap of ${grouped(maxPeerRegistrations)} registrations of one peer: use fewer, or --maxPeerRegistrations ${nNamespaces}`
  },
  {
    flag: 'workers',
    needs: ['stable', 'ephemeral'],
    refuse: ({ workers, stable, ephemeral }, given) =>
      given.has('workers') &&
      workers > stable + ephemeral &&
      `must be at most --stable and --ephemeral, ${grouped(stable + ephemeral)}: each worker needs a peer`
  },
  {
    flag: 'threshold',
    needs: ['target', 'targetPid', 'targetContainer'],
    refuse: ({ threshold = [], ...values }) =>
      withoutSample(threshold, ROTATING_PEERS_FIGURES, { ...values, ...MEASURED })
  }
])

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {RendezvousRotationPlan}
 */
function toPlan(picked, values, machine) {
  const clients = clientsOf(values)
  const plan = RENDEZVOUS_KIND.toPlan({ ...picked, ...clients }, { ...values, ...clients }, machine)
  return /** @type {RendezvousRotationPlan} */ ({
    ...plan,
    scenario: 'rotation-rendezvous',
    refreshEveryMs: refreshOf(values)
  })
}

/** RENDEZVOUS_ROTATION_KIND makes the plans of peers that rotate at a rendezvous server. @type {Readonly<import('../../scenario.js').Kind>} */
export const RENDEZVOUS_ROTATION_KIND = Object.freeze({
  options: RENDEZVOUS_ROTATION_OPTIONS,
  combinations: [...RENDEZVOUS_RULES, ...RULES],
  rivals: [],
  toPlan,
  flat: (/** @type {RendezvousRotationPlan} */ plan) => plan,
  // half of the time to live is the default
  unsaid: (/** @type {RendezvousRotationPlan} */ { refreshEveryMs, ttlSeconds }) =>
    refreshEveryMs === ttlSeconds * 500 ? ['refreshEveryMs'] : []
})
