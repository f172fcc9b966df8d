import { turns } from '../src/studies/comparison/run-ab.js'
import { commandOf } from '../test/interop/build.js'
import { RUST } from '../test/interop/implementations.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPeer } from './parts/peer-process.js'
import { runOfOurs } from './parts/run-of-ours.js'
import { startServer } from './parts/server-process.js'

/** @typedef {{ p50: number, p99: number }} Times - ms */
/** @typedef {{ of: Times, low: Times, marked: Record<keyof Times, string> }} Ours - `low`: without what the generator added */

const CLIENTS = 4
const RATE = 200
const LOAD = [
  '--benchmarkType',
  'DISCOVER',
  '--initialRegistrations',
  '0',
  '--nNamespaces',
  '1',
  '--workers',
  '1'
]
const HOW = ['--probeRate', '0', '--warmup', '2s', '--arrivals', 'constant', '--seed', '1']

/** @param {string} address @param {number} seconds @returns {Promise<Ours>} */
async function byOurs(address, seconds) {
  const load = [...LOAD, '--nClients', `${CLIENTS}`, '--rate', `${RATE}/s`, '--duration', `${seconds}s`]
  const { operations } = await runOfOurs(['--target', address, ...load, ...HOW])
  const { p50, p99 } = operations.DISCOVER.rt.all
  const mark = (/** @type {any} */ figure) => (figure.doubtful ? (figure.cause ?? 'not known') : '')
  return {
    of: { p50: p50.ms, p99: p99.ms },
    low: { p50: p50.lowMs, p99: p99.lowMs },
    marked: { p50: mark(p50), p99: mark(p99) }
  }
}

/** Sends what ours sends in its warm-up and its rounds. @param {string} address @param {number} seconds @returns {Promise<Times>} */
async function byTheirs(address, seconds) {
  const client = startPeer([...(await commandOf(RUST)), 'client', address])
  const load = { op: 'load', as: 0, peers: CLIENTS, rate: RATE, ns: 'independent' }
  await client.ask({ ...load, count: 2 * RATE })
  const { micros } = await client.ask({ ...load, count: seconds * RATE })
  await client.stop()
  const sorted = micros.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b)
  const at = (/** @type {number} */ share) => sorted[Math.ceil(share * sorted.length) - 1] / 1000
  return { p50: at(0.5), p99: at(0.99) }
}

/** @param {keyof Times} key @param {Ours[]} ours @param {Times[]} theirs */
function rowOf(key, ours, theirs) {
  const ms = (/** @type {Times[]} */ times) => median(times.map(one => one[key])).toFixed(2)
  const unmarked = ours.flatMap((one, i) => (one.marked[key] ? [] : [one.of[key] / theirs[i][key]]))
  return [
    ...[key, String(ours.length), ms(theirs), ms(ours.map(one => one.of)), ms(ours.map(one => one.low))],
    String(ours.length - unmarked.length),
    `${unmarked.filter(ratio => Math.abs(ratio - 1) <= 0.1).length} of ${unmarked.length}`
  ]
}

/**
 * independent holds response times of ours beside those of the stock Rust client at one server, in turns.
 *
 * @param {{ pairs: number, seconds: number, keep: boolean }} options
 */
export async function independent({ pairs, seconds, keep }) {
  const server = await startServer()
  /** @type {{ a: Times[], b: Ours[] }} */
  const runs = { a: [], b: [] }
  try {
    for (const { arm } of turns(pairs)) {
      if (arm === 'a') runs.a.push(await byTheirs(server.multiaddr, seconds))
      else runs.b.push(await byOurs(server.multiaddr, seconds))
      process.stderr.write(`  ${JSON.stringify(runs[arm].at(-1))}\n`)
    }
  } finally {
    await server.stop()
  }
  const rows = Object.fromEntries(
    /** @type {const} */ (['p50', 'p99']).map(key => [key, rowOf(key, runs.b, runs.a)])
  )
  const table = {
    title: `DISCOVER at ${RATE}/s by ${CLIENTS} clients, ours and the stock Rust client's in turns at one server (each ${seconds} s; Rust from sending on)`,
    head: [
      ...['', 'Pairs', 'Rust, ms', 'Ours, ms', 'Ours less what the generator added, ms', 'Ours marked'],
      'Unmarked within 10 % of Rust'
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('independent', table, rows) : table
}
