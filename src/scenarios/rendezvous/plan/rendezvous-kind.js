import { changesState, mostOperations } from '../../../load/load-length.js'
import { meanRate, replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { refreshMsOf } from './churn.js'
import { COMBINATIONS } from './combinations.js'
import { isOpen, usualDurationMs } from './conditions.js'
import { inOrder } from './fault-option.js'
import { withMix } from './full-peers.js'
import { usualWorkers } from './namespaces.js'
import { OPTIONS } from './options.js'
import { hasRoles, ROLE_RIVALS, UNSAID_OF_ROLES, withRoles } from './role-options.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/**
 * mostOf is how many operations a plan has at most. In the closed model with a duration their number is not known: it ends where our
 * server's cap on the registrations of one peer would be reached.
 *
 * @param {Record<string, any>} values
 */
function mostOf({
  benchmarkRuns,
  registerMode,
  benchmarkType,
  mix,
  nClients,
  maxPeerRegistrations,
  ...values
}) {
  if (benchmarkRuns !== undefined) return benchmarkRuns
  const isBounded = changesState({ benchmarkType, registerMode }) && !isOpen(/** @type {any} */ (values))
  if (!isBounded) return null
  const share = benchmarkType === 'MIXED' ? mix.register : 1
  return share === 0 ? null : Math.floor(mostOperations({ nClients, maxPeerRegistrations }) / share)
}

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {Plan}
 */
function toPlan(picked, values, { cores }) {
  const { benchmarkType, inFlight, streamPerOperation, arrivals } = values
  const usualMs = values.benchmarkRuns === undefined ? usualDurationMs(values) : null
  const durationMs = values.duration ?? replayedMs(arrivals) ?? usualMs
  return /** @type {Plan} */ ({
    scenario: 'rendezvous',
    ...picked,
    target: values.target ?? values.targets?.[0] ?? null,
    durationMs,
    ratePerSecond: saysItsRates(arrivals) ? meanRate(arrivals) : (values.rate ?? null),
    benchmarkRuns: mostOf(values),
    minDurationMs: values.minDuration,
    mix: benchmarkType === 'MIXED' && !hasRoles(values) ? Object.freeze(values.mix) : null,
    faults: inOrder(values.fault ?? []),
    thresholds: Object.freeze(values.threshold ?? []),
    streamPerOperation: streamPerOperation && inFlight === 1,
    workers: values.workers ?? usualWorkers(values, cores),
    ...(values.churn !== undefined && { refreshEveryMs: refreshMsOf(values) })
  })
}

/** RENDEZVOUS_KIND makes the plans of the rendezvous scenario. @type {Readonly<import('../../scenario.js').Kind>} */
export const RENDEZVOUS_KIND = {
  options: OPTIONS,
  combinations: COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'minDuration'],
    ['target', 'server'],
    ['targets', 'server'],
    ...ROLE_RIVALS
  ]),
  implied: (values, given) => withRoles(withMix(values, given)),
  toPlan,
  flat: plan => plan,
  unsaid: (/** @type {Plan} */ plan) => [
    ...(plan.benchmarkRuns === null &&
    plan.durationMs === usualDurationMs({ ...plan, hostileEvery: plan.hostileEveryMs })
      ? ['durationMs']
      : []),
    ...(saysItsRates(plan.arrivals) ? ['ratePerSecond'] : []),
    ...(plan.targets === null ? [] : ['target']),
    ...(plan.refreshEveryMs === plan.ttlSeconds * 500 ? ['refreshEveryMs'] : []),
    ...(plan.providers == null ? [] : UNSAID_OF_ROLES)
  ]
}
