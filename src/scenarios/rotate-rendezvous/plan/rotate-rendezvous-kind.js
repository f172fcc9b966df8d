import { grouped } from '../../../kit/numbers.js'
import { withoutSample } from '../../../plan/threshold-samples.js'
import { CLIENTS_ALONE } from '../../rendezvous/plan/namespaces.js'
import { connectionsRefused } from '../../rendezvous/plan/open-files-rule.js'
import { RENDEZVOUS_KIND } from '../../rendezvous/plan/rendezvous-kind.js'
import { inSeconds, rotateKind } from '../../rotate/plan/rotate-kind.js'
import { NAME } from '../command.js'
import { ROTATE_RENDEZVOUS_FIGURES } from '../figures.js'
import { ROTATE_RENDEZVOUS_OPTIONS } from './rotate-rendezvous-options.js'

/**
 * @typedef {import('./rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** Rules for these look at what a plan of the rendezvous scenario measures. */
const JUDGED_HERE = new Set(['rate', 'threshold', 'duration', 'workers'])

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
const MEASURED = {
  benchmarkType: 'MIXED',
  mix: { register: 0.5, discover: 0.5, unregister: 0 },
  connectionPerOperation: true
}

/** @type {readonly Rule[]} */
const RULES = [
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
    flag: 'stable',
    needs: ['ephemeral', 'workers', 'server', 'target', 'agents'],
    refuse: ({ stable, ephemeral, ...values }) =>
      connectionsRefused({ ...values, nClients: stable + ephemeral })
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
      withoutSample(threshold, ROTATE_RENDEZVOUS_FIGURES, { ...values, ...MEASURED })
  }
]

/** ROTATE_RENDEZVOUS_KIND makes the plans of peers that rotate at a rendezvous server. @type {Readonly<import('../../scenario.js').Kind>} */
export const ROTATE_RENDEZVOUS_KIND = {
  ...rotateKind(RENDEZVOUS_KIND, {
    options: ROTATE_RENDEZVOUS_OPTIONS,
    amount: 'nClients',
    who: 'peers',
    rules: RULES,
    applies: rule => rule === CLIENTS_ALONE || !JUDGED_HERE.has(rule.flag),
    inPlan: values => ({ scenario: NAME, refreshEveryMs: refreshOf(values) })
  }),
  flat: (/** @type {RotateRendezvousPlan} */ plan) => plan,
  // half of the time to live is the default
  unsaid: (/** @type {RotateRendezvousPlan} */ { refreshEveryMs, ttlSeconds }) =>
    refreshEveryMs === ttlSeconds * 500 ? ['refreshEveryMs'] : []
}
