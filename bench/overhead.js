import { minimatch } from 'minimatch'
import { RENDEZVOUS } from '../src/scenarios/rendezvous/scenario.js'
import { startNullServer } from '../src/target/null-server.js'
import { makePlan } from '../test/scenarios.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { capturePackets } from './parts/packet-times.js'
import { startServer } from './parts/server-process.js'

/**
 * @typedef {import('../src/report/schema.js').Result} Result
 * @typedef {'p50' | 'p99'} Key
 *
 * @typedef {object} Load
 * @property {'REGISTER' | 'DISCOVER'} type - of the operations that are looked at
 * @property {Record<string, unknown>} options - of the plan
 *
 * @typedef {object} Measured - one run
 * @property {Record<Key, { ms: number, overheadMs: number }>} ours
 * @property {number[]} packets - what the same operations took between their packets, ms
 */

/** Nothing is registered before: replies have one size. */
const OPTIONS = { initialRegistrations: 0, workers: 1, warmup: '2s', skipLookUp: true }

/** @type {Record<string, Load>} */
const LOADS = {
  'DISCOVER 200 a second by 4': {
    type: 'DISCOVER',
    options: { benchmarkType: 'DISCOVER', rate: '200/s', nClients: 4, nNamespaces: 1 }
  },
  'REGISTER of MIXED 1,000 a second by 20': {
    type: 'REGISTER',
    options: { benchmarkType: 'MIXED', mix: 'register=1,discover=3', rate: '1000/s', nClients: 20 }
  },
  'closed REGISTER by 10': { type: 'REGISTER', options: { benchmarkType: 'REGISTER', nClients: 10 } }
}

/** @type {Record<string, () => Promise<{ address: string, stop: () => Promise<void> }>>} */
const SERVERS = {
  ours: async () => {
    const { multiaddr, stop } = await startServer()
    return { address: multiaddr, stop }
  },
  null: startNullServer
}

/** How much of the difference the printed overhead may miss. @type {Record<Key, number>} */
const TOLERANCE = { p50: 0.3, p99: 0.5 }

/**
 * One run of ours, and the probe beside it while it measures.
 *
 * @param {string} address
 * @param {Load} load
 * @param {number} seconds
 * @returns {Promise<Measured>}
 */
async function measured(address, { type, options }, seconds) {
  const { plan, problems } = makePlan({ ...OPTIONS, ...options, target: address, duration: `${seconds}s` })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  /** @type {(() => Promise<import('./parts/packet-times.js').Operation[]>) | undefined} */
  let capture
  /** @type {Promise<import('./parts/packet-times.js').Operation[]> | undefined} */
  let operations
  /** @type {Result | undefined} */
  let result
  for await (const record of (await RENDEZVOUS.run())(plan, { id: 'bench' })) {
    if (record.type === 'phase' && record.name === 'warmup' && record.state === 'done')
      capture = await capturePackets(address)
    if (record.type === 'phase' && record.name === 'measure' && record.state === 'done')
      operations = capture?.()
    if (record.type === 'result') result = /** @type {Result} */ (record.result)
  }
  if (result?.status !== 'complete') throw new Error(`a run failed: ${result?.reason?.message}`)
  const { p50, p99 } = /** @type {any} */ (result.outcome.operations[type]).rt.all
  const ofType = (await operations)?.filter(one => one.type === type) ?? []
  return { ours: { p50, p99 }, packets: ofType.map(({ ms }) => ms) }
}

/** @param {number[]} times @param {Key} key */
function percentile(times, key) {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.ceil((key === 'p50' ? 0.5 : 0.99) * sorted.length) - 1]
}

/** @param {string} name @param {Key} key @param {Measured[]} runs */
function rowOf(name, key, runs) {
  const ms = median(runs.map(({ ours }) => ours[key].ms))
  const overheadMs = median(runs.map(({ ours }) => ours[key].overheadMs))
  const packetsMs = median(runs.map(({ packets }) => percentile(packets, key)))
  const explained = overheadMs / (ms - packetsMs)
  const figures = [ms, packetsMs, ms - packetsMs, overheadMs].map(value => value.toFixed(3))
  const captured = runs.reduce((sum, { packets }) => sum + packets.length, 0)
  return [
    ...[`${name}, ${key}`, String(runs.length), String(captured), ...figures],
    ...[explained.toFixed(2), Math.abs(explained - 1) <= TOLERANCE[key] ? 'yes' : 'no']
  ]
}

/**
 * overhead holds the client overhead that runs print against the kernel's times of their packets: of our server, and of a null server.
 *
 * @param {{ pairs: number, seconds: number, keep: boolean, only: string }} options - `pairs`: runs of each; `only`: of the rows
 */
export async function overhead({ pairs, seconds, keep, only }) {
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const [load, how] of Object.entries(LOADS))
    for (const [server, start] of Object.entries(SERVERS)) {
      const name = `${load}, ${server === 'null' ? 'null server' : 'our server'}`
      if (!minimatch(name, only)) continue
      const { address, stop } = await start()
      const runs = []
      try {
        for (let i = 0; i < pairs; i++) runs.push(await measured(address, how, seconds))
      } finally {
        await stop()
      }
      for (const key of /** @type {const} */ (['p50', 'p99'])) {
        rows[`${name}, ${key}`] = rowOf(name, key, runs)
        process.stderr.write(`  ${rows[`${name}, ${key}`].join('  ')}\n`)
      }
    }
  const table = {
    title: `Client overhead as runs of ${seconds} s print it, beside how much less the same operations took between their packets, by the kernel's times on the loopback device`,
    head: [
      ...[
        'Load, server, percentile',
        'Runs',
        'Operations captured',
        'Run, ms',
        'Packets, ms',
        'Difference, ms'
      ],
      ...[
        'Overhead, ms',
        'Overhead ÷ difference',
        `Within ${100 * TOLERANCE.p50} % (p50), ${100 * TOLERANCE.p99} % (p99)`
      ]
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('overhead', table, rows) : table
}
