import { meanRate, replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { COMBINATIONS } from './combinations.js'
import { inOrder } from './fault-option.js'
import { usualWorkers } from './namespaces.js'
import { OPTIONS } from './options.js'
import { hasRoles, ROLE_RIVALS, UNSAID_OF_ROLES, withRoles } from './role-options.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {Plan}
 */
function toPlan(picked, values, { cores }) {
  const { benchmarkType, inFlight, streamPerOperation, arrivals } = values
  const durationMs = values.duration ?? replayedMs(arrivals) ?? null
  const timed = durationMs !== null
  return /** @type {Plan} */ ({
    scenario: 'rendezvous',
    ...picked,
    target: values.target ?? values.targets?.[0] ?? null,
    durationMs,
    ratePerSecond: saysItsRates(arrivals) ? meanRate(arrivals) : (values.rate ?? null),
    benchmarkRuns: timed ? null : values.benchmarkRuns,
    minDurationMs: timed ? 0 : values.minDuration,
    mix: benchmarkType === 'MIXED' && !hasRoles(values) ? Object.freeze(values.mix) : null,
    faults: inOrder(values.fault ?? []),
    thresholds: Object.freeze(values.threshold ?? []),
    streamPerOperation: streamPerOperation && inFlight === 1,
    workers: values.workers ?? usualWorkers(values, cores)
  })
}

/** RENDEZVOUS_KIND makes the plans of the rendezvous scenario. @type {Readonly<import('../../scenario.js').Kind>} */
export const RENDEZVOUS_KIND = {
  options: OPTIONS,
  combinations: COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'benchmarkRuns'],
    ['benchmarkRuns', 'duration'],
    ['duration', 'minDuration'],
    ...ROLE_RIVALS
  ]),
  implied: withRoles,
  toPlan,
  flat: plan => plan,
  // one round of so many operations, or operations for so long: the one puts the other out of force
  unsaid: (/** @type {Plan} */ plan) => [
    ...(plan.durationMs === null ? [] : ['benchmarkRuns', 'minDurationMs']),
    ...(saysItsRates(plan.arrivals) ? ['ratePerSecond'] : []),
    ...(plan.targets === null ? [] : ['target']),
    ...(plan.providers == null ? [] : UNSAID_OF_ROLES)
  ]
}
