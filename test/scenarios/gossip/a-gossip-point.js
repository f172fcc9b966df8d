/**
 * aGossipPoint is what a gossip network made of a load: 10 messages a second to 19 others for 6 s, all carried, in 50 ms.
 *
 * @param {Partial<import('../../../src/scenarios/gossip/saturation.js').GossipPoint>} [parts]
 * @returns {import('../../../src/scenarios/gossip/saturation.js').GossipPoint}
 */
export const aGossipPoint = (parts = {}) => ({
  ...{ simulated: false, durationMs: 6000, inTimeMs: 1000, due: 60, achieved: 60 },
  ...{ published: { planned: 60, inTime: 60 }, dueDeliveries: 1140, deliveries: 1140, missing: 0 },
  rt: { avg: { ms: 50, censored: false }, p50: null, p90: null, p95: null, p99: null, max: null },
  ...{ tailMs: 60, utilization: 0.4, cpuPercent: 80, model: null, generatorLimited: false },
  ...parts
})
