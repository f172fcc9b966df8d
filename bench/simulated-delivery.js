import { median } from './parts/median.js'
import { REPEATS } from './parts/network-run.js'
import { simulatedRun } from './parts/simulated-run.js'

/** As many messages as make the compiling of the first seconds small. */
const NETWORK = Object.freeze({
  nodes: 95,
  topology: 'barabasi-albert:m=6',
  linkLatency: '100ms',
  messageBytes: 1000,
  rate: '50/s',
  messages: 1000
})

const KINDS = [
  { name: 'unsigned', options: { signing: 'off' }, targetMs: 0.12 },
  { name: 'signed, fastMsgId', options: { signing: 'on', fastMsgId: 'on' }, targetMs: 0.3 },
  { name: 'signed', options: { signing: 'on' }, targetMs: 0.6 }
]
const PRESETS = ['study-2019', 'default']

/** @param {typeof KINDS[number]} kind @param {string} preset */
async function measure({ name, options, targetMs }, preset) {
  const perDelivery = []
  let rpcs = 0
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const { msPerDelivery, cost } = await simulatedRun({ ...NETWORK, ...options, preset })
    perDelivery.push(msPerDelivery)
    rpcs = cost.rpcsPerDelivery ?? Number.NaN
  }
  const figures = [median(perDelivery), Math.min(...perDelivery)].map(ms => ms.toFixed(3))
  return [`${name}, preset ${preset}`, ...figures, rpcs.toFixed(1), `≤ ${targetMs}`]
}

/** simulatedDelivery is the CPU time that simulating one delivery takes, in the network of the 95-node study. */
export async function simulatedDelivery() {
  const rows = []
  for (const kind of KINDS) for (const preset of PRESETS) rows.push(await measure(kind, preset))
  return {
    title: `CPU of a simulated delivery, 95 nodes, Barabási–Albert m = 6, 1000 B, ${REPEATS} runs of ${NETWORK.messages} messages`,
    head: ['Nodes', 'ms, median', 'ms, least', 'RPCs per delivery', 'Target'],
    rows
  }
}
