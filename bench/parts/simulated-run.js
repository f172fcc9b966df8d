import { networkRun } from './network-run.js'

/**
 * simulatedRun runs a simulated network.
 *
 * @param {Record<string, unknown>} options - beside `network`
 */
export async function simulatedRun(options) {
  const { result } = await networkRun('gossip', { ...options, network: 'simulated' })
  if (result.scenario !== 'gossip' || !result.run.simulator)
    throw new Error('nothing is known of the simulator')
  const { cpuMicrosPerDelivery, resources } = result.run.simulator
  return {
    cost: result.outcome.cost,
    delivered: result.outcome.delivery.delivered,
    expected: result.outcome.delivery.expected,
    msPerDelivery: (cpuMicrosPerDelivery ?? Number.NaN) / 1000,
    mostBytes: Math.max(...resources.map(({ memory }) => memory?.maxBytes ?? Number.NaN))
  }
}
