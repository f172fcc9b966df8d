import { computeSum } from '../src/kit/collections.js'
import { kept } from './parts/kept.js'
import { between, planOf, transfers } from './parts/namespace-ends.js'

/** What flows, and how much in each. @type {readonly [string, Record<string, unknown>, number][]} */
const LOADS = [
  ['one flow, no latency, no limit', {}, 300e6],
  ['one flow, 25 ms, no limit', { linkLatencyMs: 25 }, 200e6],
  ['12 nodes in a ring, 25 ms, 1 MB/s each', { nodes: 12, upBandwidthBytesPerSecond: 1e6 }, 6e6],
  ['12 nodes in a ring, 25 ms, 2 MB/s each', { nodes: 12, upBandwidthBytesPerSecond: 2e6 }, 12e6]
]

/**
 * routerCapacity is what the router between namespaces carries, and what a packet costs it.
 *
 * @param {{ keep: boolean }} options
 */
export async function routerCapacity({ keep }) {
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const [what, changes, bytes] of LOADS) {
    const nodes = Number(changes.nodes ?? 2)
    const plan = planOf({ linkLatencyMs: nodes > 2 ? 25 : 0, ...changes })
    rows[what] = await between(plan, network => row(what, network, nodes, bytes))
  }
  const table = {
    title: 'What the router between namespaces carries (Reno, MTU 1,500)',
    head: [
      'Load',
      'MB/s together',
      'Packets/s',
      'CPU µs a packet',
      'Late p50 ms',
      'p99 ms',
      'Cores',
      'No room for'
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('router-capacity', table, rows) : table
}

/** @param {string} what @param {import('../src/network/namespace-network.js').NamespaceNetwork} network @param {number} nodes @param {number} bytes */
async function row(what, network, nodes, bytes) {
  await network.begin()
  const flows = nodes === 2 ? 1 : nodes
  const each = await Promise.all(
    Array.from({ length: flows }, (_, from) =>
      transfers(network, { from, to: (from + 1) % nodes, bytes, count: 1 })
    )
  )
  await network.over()
  const { router } = network.figures
  if (router === null) throw new Error('the router has told nothing')
  const { packets, cpuMicrosPerPacket, lateness, overflowed } = router
  const seconds = Math.max(...each.flat())
  const ms = (/** @type {'p50' | 'p99'} */ key) => Number(lateness[key]?.ms ?? Number.NaN).toPrecision(3)
  return [
    what,
    (computeSum(each.flat().map(s => bytes / s)) / 1e6).toPrecision(3),
    Math.round(packets / seconds).toLocaleString('en'),
    Number(cpuMicrosPerPacket).toPrecision(3),
    ms('p50'),
    ms('p99'),
    ((packets * Number(cpuMicrosPerPacket)) / 1e6 / seconds).toPrecision(2),
    String(overflowed)
  ]
}
