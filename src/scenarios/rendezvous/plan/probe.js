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
  nClients: 1,
  workers: 1,
  benchmarkType: plan.benchmarkType === 'REGISTER' ? 'REGISTER' : 'DISCOVER',
  registerMode: 'refresh',
  mix: null,
  inFlight: 1,
  ratePerSecond: plan.probeRatePerSecond,
  // looks at random times see the average state (PASTA: Poisson arrivals see time averages)
  arrivals: 'poisson',
  thinkTimeMs: null,
  faults: []
})
