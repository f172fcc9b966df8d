/** @typedef {import('../gossip-types.js').GossipRun} GossipRun */
/** @typedef {Pick<import('../gossip-types.js').GossipResult, 'outcome'> & { run: Pick<GossipRun, 'simulator'> }} GossipResult */

/**
 * cpuMsPerDelivery is what a delivery cost the worker processes. That of a simulation is no part of its outcome, which is the same
 * on every machine.
 *
 * @param {GossipResult} result
 * @returns {number | null} ms; null: nothing was delivered
 */
export function cpuMsPerDelivery({ outcome, run }) {
  const { cpuMicrosPerDelivery } = run.simulator ?? outcome.cost
  return cpuMicrosPerDelivery === null ? null : cpuMicrosPerDelivery / 1000
}

/**
 * workerResources is what the worker processes of a gossip run took.
 *
 * @param {GossipResult} result
 * @returns {import('../gossip-types.js').WorkerResources[]}
 */
export const workerResources = ({ outcome, run }) => (run.simulator ?? outcome).resources
