import { inProbe } from '../../../plan/option.js'
import { OPTIONS } from './options.js'

/**
 * probePlan gives the plan of the probe: one client in a process of its own that sends now and then what the load consists of,
 * as an independent witness. It leaves the registrations as they are: its REGISTER refreshes one of its own, and where the load
 * removes registrations or is mixed it sends DISCOVER.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 * @returns {import('../../../plan/plan.js').Plan}
 */
export const probePlan = plan => ({
  ...plan,
  ...inProbe(OPTIONS),
  benchmarkType: plan.benchmarkType === 'REGISTER' ? 'REGISTER' : 'DISCOVER',
  ratePerSecond: plan.probeRatePerSecond,
  // looks at random times see the average state (PASTA: Poisson arrivals see time averages)
  arrivals: 'poisson'
})
