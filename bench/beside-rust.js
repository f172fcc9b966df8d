import { significant } from '../src/kit/numbers.js'
import { turns } from '../src/studies/comparison/run-comparison.js'
import { builtCommandOf } from '../test/interop/build.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPeer } from './parts/peer-process.js'
import { cpuSecondsOf } from './parts/processes-cpu.js'
import { ratioOf } from './parts/ratio-rows.js'
import { RELEASED_RUST } from './parts/released-rust.js'
import { startServer } from './parts/server-process.js'

/** @typedef {{ micros: number, perSecond: number }} Cost - CPU time of the server for an operation */

const CLIENTS = 50
const OPERATIONS = { register: 10_000, discover: 5000 }
const WARM_UP = 2000
const TARGETS = { register: 2.2, discover: null }

/** @param {readonly string[]} command */
async function startRust(command) {
  const peer = startPeer([...command, 'serve'])
  return { multiaddr: (await peer.next()).address, pid: peer.pid, stop: peer.stop }
}

/**
 * @param {{ multiaddr: string, pid: number, stop: () => Promise<void> }} server - stopped afterwards
 * @param {readonly string[]} command - of the client
 * @param {keyof typeof OPERATIONS} request
 * @returns {Promise<Cost>}
 */
async function costAt(server, command, request) {
  const client = startPeer([...command, 'client', server.multiaddr])
  const load = { op: 'load', as: 0, peers: CLIENTS, ns: 'beside' }
  const measured = request === 'register' ? { ...load, registerEvery: 1 } : load
  await client.ask({ ...load, registerEvery: 1, count: WARM_UP })
  await client.ask({ ...measured, count: WARM_UP })
  const [before, began] = [cpuSecondsOf(server.pid), performance.now()]
  await client.ask({ ...measured, count: OPERATIONS[request] })
  const [cpuSeconds, ms] = [cpuSecondsOf(server.pid) - before, performance.now() - began]
  await client.stop()
  await server.stop()
  return {
    micros: (cpuSeconds * 1e6) / OPERATIONS[request],
    perSecond: (OPERATIONS[request] * 1000) / ms
  }
}

/** @param {keyof typeof OPERATIONS} request @param {Record<'a' | 'b', Cost[]>} sides */
function rowOf(request, { a, b }) {
  const { ratio, interval } = ratioOf(a.map(({ micros }, pair) => [micros, b[pair].micros]))
  const of = (/** @type {Cost[]} */ costs, /** @type {keyof Cost} */ key) =>
    significant(median(costs.map(cost => cost[key])))
  return [
    ...[request.toUpperCase(), String(a.length), of(a, 'micros'), of(b, 'micros'), ratio.toFixed(2)],
    `${interval.low.toFixed(2)} … ${interval.high.toFixed(2)}`,
    TARGETS[request] === null ? '' : `≤ ${TARGETS[request]}`,
    ...[of(a, 'perSecond'), of(b, 'perSecond')]
  ]
}

/**
 * besideRust holds what an operation costs our server against what it costs a stock Rust server, in turns, a fresh server each time. The
 * stock Rust client asks both, with a stream for each request, as fast as it is answered.
 *
 * @param {{ pairs: number, keep: boolean }} options
 */
export async function besideRust({ pairs, keep }) {
  const command = await builtCommandOf(RELEASED_RUST)
  const rows = /** @type {Record<string, string[]>} */ ({})
  for (const request of /** @type {const} */ (['register', 'discover'])) {
    /** @type {Record<'a' | 'b', Cost[]>} */
    const sides = { a: [], b: [] }
    for (const { arm } of turns(pairs, ['a', 'b'])) {
      const server = arm === 'a' ? await startRust(command) : await startServer()
      sides[arm].push(await costAt(server, command, request))
      process.stderr.write(
        `  ${request} ${arm === 'a' ? 'Rust' : 'ours'} ${JSON.stringify(sides[arm].at(-1))}\n`
      )
    }
    rows[request] = rowOf(request, sides)
  }
  const table = {
    title: `What an operation costs a server, asked by ${CLIENTS} stock Rust clients with a stream each: ours and ${RELEASED_RUST.software}, optimised, in turns`,
    head: [
      ...['', 'Pairs', 'Rust, µs', 'Ours, µs', 'Ratio', '95 % interval', 'Target'],
      ...['Rust, operations/s', 'Ours, operations/s']
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('beside-rust', table, rows) : table
}
