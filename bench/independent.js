import { minimatch } from 'minimatch'
import { turns } from '../src/studies/comparison/run-comparison.js'
import { commandOf } from '../test/interop/build.js'
import { RUST } from '../test/interop/implementations.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPeer } from './parts/peer-process.js'
import { runOfOurs } from './parts/run-of-ours.js'
import { startServer } from './parts/server-process.js'

/** @typedef {{ p50: number, p99: number }} Times - ms */
/** @typedef {{ of: Times, low: Times, marked: Record<keyof Times, string> }} Ours - `low`: without what the generator added */

const RATE = 200

/**
 * Servers to answer both. Of one that answers at once ours adds a third to a millisecond, so that all is marked; where replies are held
 * back, little of what is measured is its own. A client has longer for each operation than a reply takes.
 */
const SERVERS = {
  plain: { clients: 4, delayMs: 0 },
  held: { clients: 40, delayMs: 60 }
}
/** @typedef {keyof typeof SERVERS} ServerName */

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
const HOW = ['--warmup', '2s', '--arrivals', 'constant', '--seed', '1']

/** @param {string} address @param {number} clients @param {number} seconds @returns {Promise<Ours>} */
async function byOurs(address, clients, seconds) {
  const load = [...LOAD, '--nClients', `${clients}`, '--rate', `${RATE}/s`, '--duration', `${seconds}s`]
  const { operations } = await runOfOurs(['--target', address, ...load, ...HOW])
  const { p50, p99 } = operations.DISCOVER.rt.all
  const mark = (/** @type {any} */ figure) => (figure.doubtful ? (figure.cause ?? 'not known') : '')
  return {
    of: { p50: p50.ms, p99: p99.ms },
    low: { p50: p50.lowMs, p99: p99.lowMs },
    marked: { p50: mark(p50), p99: mark(p99) }
  }
}

/** Sends what ours sends in its warm-up and its measurement. @param {string} address @param {number} clients @param {number} seconds @returns {Promise<Times>} */
async function byTheirs(address, clients, seconds) {
  const client = startPeer([...(await commandOf(RUST)), 'client', address])
  const load = { op: 'load', as: 0, peers: clients, rate: RATE, ns: 'independent' }
  await client.ask({ ...load, count: 2 * RATE })
  const { micros } = await client.ask({ ...load, count: seconds * RATE })
  await client.stop()
  const sorted = micros.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b)
  const at = (/** @type {number} */ share) => sorted[Math.ceil(share * sorted.length) - 1] / 1000
  return { p50: at(0.5), p99: at(0.99) }
}

/** @param {keyof Times} key @param {string} label @param {{ a: Times[], b: Ours[] }} runs */
function rowOf(key, label, { a: theirs, b: ours }) {
  const ms = (/** @type {Times[]} */ times) => median(times.map(one => one[key])).toFixed(2)
  const unmarked = ours.flatMap((one, i) => (one.marked[key] ? [] : [one.of[key] / theirs[i][key]]))
  return [
    ...[
      `${key}${label}`,
      String(ours.length),
      ms(theirs),
      ms(ours.map(one => one.of)),
      ms(ours.map(one => one.low))
    ],
    String(ours.length - unmarked.length),
    `${unmarked.filter(ratio => Math.abs(ratio - 1) <= 0.1).length} of ${unmarked.length}`
  ]
}

/** @param {ServerName} name @param {number} pairs @param {number} seconds */
async function rowsAt(name, pairs, seconds) {
  const { clients, delayMs } = SERVERS[name]
  const label = delayMs === 0 ? '' : `, ${clients} clients, replies held back for ${delayMs} ms`
  process.env.RENDEZVOUS_REPLY_DELAY = `${delayMs}ms`
  const server = await startServer().finally(() => delete process.env.RENDEZVOUS_REPLY_DELAY)
  /** @type {{ a: Times[], b: Ours[] }} */
  const runs = { a: [], b: [] }
  try {
    for (const { arm } of turns(pairs, ['a', 'b'])) {
      if (arm === 'a') runs.a.push(await byTheirs(server.multiaddr, clients, seconds))
      else runs.b.push(await byOurs(server.multiaddr, clients, seconds))
      process.stderr.write(`  ${JSON.stringify(runs[arm].at(-1))}\n`)
    }
  } finally {
    await server.stop()
  }
  return /** @type {const} */ (['p50', 'p99']).map(key => [`${key}${label}`, rowOf(key, label, runs)])
}

/**
 * independent holds response times of ours beside those of the stock Rust client at one server, in turns.
 *
 * @param {{ pairs: number, seconds: number, keep: boolean, only: string }} options - `only`: of the servers, plain and held
 */
export async function independent({ pairs, seconds, keep, only }) {
  const names = /** @type {ServerName[]} */ (Object.keys(SERVERS).filter(name => minimatch(name, only)))
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const name of names) Object.assign(rows, Object.fromEntries(await rowsAt(name, pairs, seconds)))
  const table = {
    title: `DISCOVER at ${RATE}/s, by ours and by the stock Rust client in turns at one server (by ${SERVERS.plain.clients} clients where nothing else is said, ${seconds} s each; Rust from sending on)`,
    head: [
      ...['', 'Pairs', 'Rust, ms', 'Ours, ms', 'Ours less what the generator added, ms', 'Ours marked'],
      'Unmarked within 10 % of Rust'
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('independent', table, rows) : table
}
