import { setTimeout as sleep } from 'node:timers/promises'
import { examineServer } from '../../../src/conformance/examination.js'
import { readProcess } from '../../../src/target/target.js'
import { median } from '../median.js'
import { startPeer } from '../peer-process.js'
import { runOfOurs } from '../run-of-ours.js'

/**
 * @typedef {import('./tested-servers.js').Started} Started
 *
 * @typedef {object} Asking - how the clients in Rust ask
 * @property {readonly string[]} command - of them
 * @property {string} domain - of their records
 *
 * @typedef {object} Load - what requests cost a server and its clients
 * @property {number} registerMicros - CPU time of the server for a REGISTER, µs
 * @property {number} discoverMicros
 * @property {number} p99Ms - at RATE
 *
 * @typedef {object} Memory - resident set
 * @property {number} startedBytes - with the clients connected, registered once
 * @property {number} filledBytes
 *
 * @typedef {object} Hostile - what honest clients notice of hostile peers
 * @property {number | null} quietMs - p99; null: not known
 * @property {number | null} hostileMs
 * @property {boolean} atLeast - requests that were not answered reach into `hostileMs`
 * @property {number} notAnswered - share of the honest requests beside hostile peers
 * @property {number | null} recoveryMs - null: not served as before within 30 s
 */

/** CLIENTS ask at once. */
export const CLIENTS = 50
const WARM_UP = 2000
/** Go is the slowest, with some hundred a second. */
const OPERATIONS = 5000

/** RATE of requests a second that p99 is of. */
export const RATE = 500
const RATE_SECONDS = 5

const FILLING_PEERS = 100
const NAMESPACES = 1000
/** REGISTRATIONS that memory is measured with. */
export const REGISTRATIONS = FILLING_PEERS * NAMESPACES
const SAMPLES = 15
const SAMPLE_EVERY_MS = 200

/** Enough requests for a p99, and short; each client sends no more than our server takes from an address. */
const HONEST = [
  ...['--benchmarkType', 'DISCOVER', '--initialRegistrations', '0', '--nClients', '8', '--rate', '400/s'],
  ...['--hostileEvery', '3s', '--duration', '42s', '--warmup', '2s']
]

/**
 * conformanceOf counts the checks of `conform` by their verdicts.
 *
 * @param {Started} server
 * @returns {Promise<Record<string, number>>}
 */
export async function conformanceOf({ multiaddr }) {
  /** @type {Record<string, number>} */
  const counts = {}
  for await (const record of examineServer(multiaddr, { own: true }))
    if (record.type === 'check') {
      const { verdict } = record.outcome
      counts[verdict] = (counts[verdict] ?? 0) + 1
    }
  return counts
}

/**
 * loadOf has clients send REGISTER, then DISCOVER, as fast as they are answered, then both in turn at RATE, a stream for each.
 *
 * @param {Started} server
 * @param {Asking} asking
 * @returns {Promise<Load>}
 */
export async function loadOf(server, { command, domain }) {
  const client = startPeer([...command, 'client', server.multiaddr])
  /** @param {object} how @returns {Promise<Record<string, number[]>>} µs, by request */
  const load = async how =>
    (await client.ask({ op: 'load', as: 0, peers: CLIENTS, ns: 'servers', domain, ...how })).micros
  /** @param {object} request @param {number} count */
  const cpuMicros = async (request, count) => {
    await load({ ...request, count: WARM_UP })
    const before = await readProcess(server.pid)
    await load({ ...request, count })
    return (((await readProcess(server.pid)).cpuMs - before.cpuMs) * 1000) / count
  }
  const registerMicros = await cpuMicros({ registerEvery: 1 }, OPERATIONS)
  const discoverMicros = await cpuMicros({}, OPERATIONS)
  const both = { registerEvery: 2, rate: RATE }
  await load({ ...both, count: RATE })
  const micros = Object.values(await load({ ...both, count: RATE * RATE_SECONDS })).flat()
  await client.stop()
  const p99Ms = micros.sort((a, b) => a - b)[Math.ceil(0.99 * micros.length) - 1] / 1000
  return { registerMicros, discoverMicros, p99Ms }
}

/**
 * memoryOf fills a server: 100 peers, 1,000 namespaces each.
 *
 * @param {Started} server
 * @param {Asking} asking
 * @returns {Promise<Memory>}
 * @throws {Error} it does not take so many
 */
export async function memoryOf(server, { command, domain }) {
  const client = startPeer([...command, 'client', server.multiaddr])
  const fill = { op: 'load', as: 0, peers: FILLING_PEERS, count: FILLING_PEERS, registerEvery: 1, domain }
  await client.ask({ ...fill, ns: 'servers-0' })
  const startedBytes = await residentBytes(server)
  for (let taken = 1; taken < NAMESPACES; taken++)
    await client.ask({ ...fill, ns: `servers-${taken}` }).catch(() => {
      throw new Error(`takes ${taken} of a peer`)
    })
  const filledBytes = await residentBytes(server)
  await client.stop()
  return { startedBytes, filledBytes }
}

/** @param {Started} server @returns {Promise<number>} the median of some seconds, in which garbage may be collected */
async function residentBytes({ pid }) {
  /** @type {number[]} */
  const samples = []
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(SAMPLE_EVERY_MS)
    samples.push((await readProcess(pid)).rssBytes)
  }
  return median(samples)
}

/**
 * hostileOf has hostile peers of one kind beside honest clients.
 *
 * @param {Started} server
 * @param {string} kind
 * @returns {Promise<Hostile>}
 * @throws {Error} the run did not end: the server may have
 */
export async function hostileOf({ multiaddr, pid }, kind) {
  const target = ['--target', multiaddr, '--targetPid', String(pid)]
  const { hostile } = await runOfOurs(['--hostile', kind, ...target, ...HONEST])
  const { p99, count, failed, recoveryMs, recovered } = hostile
  return {
    quietMs: p99?.quietMs ?? null,
    hostileMs: p99?.hostileMs ?? null,
    atLeast: p99?.atLeast ?? false,
    notAnswered: failed.hostile / count.hostile,
    recoveryMs: recovered ? recoveryMs : null
  }
}
