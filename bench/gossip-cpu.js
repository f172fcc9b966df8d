import { median } from './parts/median.js'
import { networkRun, REPEATS } from './parts/network-run.js'

const TARGET_SETUP_SECONDS = 25

const NETWORK = Object.freeze({
  nodes: 95,
  topology: 'barabasi-albert:m=6',
  messageBytes: 1000,
  rate: '3/s',
  messages: 60,
  // what links wait for is not asked here
  linkLatency: '0'
})

const KINDS = ['on', 'off'].flatMap(signing => ['on', 'off'].map(fastMsgId => ({ signing, fastMsgId })))

/** @param {number[]} values @param {number} digits */
const written = (values, digits) => (values.length === 0 ? '–' : median(values).toFixed(digits))

/** @param {typeof KINDS[number]} kind */
async function measure(kind) {
  /** @type {{ perDelivery: number[], setup: number[], ratio: number[] }} */
  const figures = { perDelivery: [], setup: [], ratio: [] }
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const { result, setupCpuMs } = await networkRun('gossip', { ...NETWORK, ...kind })
    const { cost, delivery } = result.outcome
    if (cost.cpuMicrosPerDelivery !== null) figures.perDelivery.push(cost.cpuMicrosPerDelivery / 1000)
    if (setupCpuMs !== null) figures.setup.push(setupCpuMs / 1000)
    figures.ratio.push(100 * Number(delivery.ratio))
  }
  return figures
}

/** gossipCpu is the CPU time of a delivery in the network of the 95-node study, and what it takes until that network stands. */
export async function gossipCpu() {
  const rows = []
  for (const kind of KINDS) {
    const { perDelivery, setup, ratio } = await measure(kind)
    rows.push([
      `signing ${kind.signing}, fastMsgId ${kind.fastMsgId}`,
      written(perDelivery, 2),
      written(ratio, 2),
      written(setup, 1),
      `≤ ${TARGET_SETUP_SECONDS}`
    ])
  }
  return {
    title: `CPU of 95 nodes, Barabási–Albert m = 6, 1000 B at 3/s; medians of ${REPEATS} runs`,
    head: [
      'Nodes',
      'ms per delivery',
      'MDR %',
      'CPU-seconds until the mesh stands, with the start of processes',
      'Target'
    ],
    rows
  }
}
