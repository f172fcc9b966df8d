import { simulatedRun } from './parts/simulated-run.js'

const SHARED = Object.freeze({
  topology: 'barabasi-albert:m=6',
  messageBytes: 1000,
  signing: 'off',
  warmupTimeout: '60s',
  cooldown: '600s'
})

const NETWORKS = [
  {
    options: { nodes: 95, rate: '200/s', duration: '180s', preset: 'study-2019' },
    target: '≤ 12 min, 4 GB'
  },
  { options: { nodes: 1000, rate: '10/s', duration: '60s', linkLatency: '100ms' }, target: '≤ 8 min, 6 GB' },
  { options: { nodes: 5000, rate: '1/s', duration: '30s', linkLatency: '100ms' }, target: '≤ 20 GB' }
]

/** @param {typeof NETWORKS[number]} network */
async function measure({ options, target }) {
  const startedMs = performance.now()
  const { delivered, expected, msPerDelivery, mostBytes } = await simulatedRun({ ...SHARED, ...options })
  const minutes = (performance.now() - startedMs) / 60_000
  return [
    `${options.nodes} nodes, ${options.rate} for ${options.duration}`,
    `${delivered} of ${expected}`,
    minutes.toFixed(1),
    msPerDelivery.toFixed(3),
    (mostBytes / 1e9).toFixed(2),
    target
  ]
}

/** simulatedNetworks is how long large simulated networks take, and how much memory. */
export async function simulatedNetworks() {
  const rows = []
  for (const network of NETWORKS) rows.push(await measure(network))
  return {
    title: 'Large simulated networks, unsigned, 1000 B',
    head: ['Network', 'Deliveries', 'Minutes', 'CPU ms per delivery', 'Most memory, GB', 'Target'],
    rows
  }
}
