import { minimatch } from 'minimatch'
import { orderRuns } from '../src/studies/compare/study.js'
import { builtCommandOf } from '../test/interop/build.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPeer } from './parts/peer-process.js'
import { RELEASED_RUST } from './parts/released-rust.js'
import { runOfOurs } from './parts/run-of-ours.js'
import { startServer } from './parts/server-process.js'

/**
 * @typedef {'REGISTER' | 'DISCOVER'} Operation
 * @typedef {'p50' | 'p99'} Percentile
 *
 * @typedef {object} Load - that both send, each operation on a stream of its own
 * @property {string} label
 * @property {Operation[]} operations - that are measured
 * @property {number} clients
 * @property {number | null} rate - per second, in all, open model; null: closed model, each client waits for its reply
 * @property {number} namespaces
 * @property {number} [registerEvery] - each so many-th operation of a client is REGISTER; default: none
 * @property {number} [delayMs] - for which the server holds replies back
 *
 * @typedef {Record<string, number>} Times - ms, by operation and percentile; of ours also what of it is client overhead
 */

/**
 * In MIXED, a namespace for each client: the Rust client verifies the signature of each registration of a reply, ours does not, so a reply
 * holds one.
 *
 * @type {Record<string, Load>}
 */
const LOADS = {
  discover: {
    label: 'DISCOVER 200/s, 4 clients',
    operations: ['DISCOVER'],
    clients: 4,
    rate: 200,
    namespaces: 1
  },
  mixed: {
    label: 'MIXED 1,000/s, 20 clients',
    operations: ['REGISTER', 'DISCOVER'],
    clients: 20,
    rate: 1000,
    namespaces: 20,
    registerEvery: 4
  },
  register: {
    label: 'REGISTER, 10 clients, closed',
    operations: ['REGISTER'],
    clients: 10,
    rate: null,
    namespaces: 10,
    registerEvery: 1
  },
  held: {
    label: 'DISCOVER 200/s, 40 clients, replies held back for 60 ms',
    operations: ['DISCOVER'],
    clients: 40,
    rate: 200,
    namespaces: 1,
    delayMs: 60
  }
}
/** Of the closed model, which has no rate: how many operations make about a second. */
const CLOSED_PER_SECOND = 2000
const WARM_UP_SECONDS = 2
const PERCENTILES = /** @type {const} */ (['p50', 'p99'])
const TARGETS = { between: '≥ 7 of 8', share: '≤ 60 %' }

/** @param {Load} load @param {number} seconds */
const countIn = ({ rate }, seconds) => seconds * (rate ?? CLOSED_PER_SECOND)

/** @param {Load} load @param {number} seconds @returns {string[]} flags of ours */
function flagsOf(load, seconds) {
  const { operations, clients, rate, namespaces, registerEvery = 0 } = load
  const mixed = operations.length > 1
  return [
    ...['--benchmarkType', mixed ? 'MIXED' : operations[0]],
    ...(mixed ? ['--mix', `register=1,discover=${registerEvery - 1}`] : []),
    ...['--nClients', `${clients}`, '--nNamespaces', `${namespaces}`, '--initialRegistrations', '0'],
    ...(rate === null ? [] : ['--rate', `${rate}/s`, '--arrivals', 'constant']),
    ...['--benchmarkRuns', `${countIn(load, seconds)}`, '--warmup', `${WARM_UP_SECONDS}s`],
    ...['--workers', '1', '--seed', '1']
  ]
}

/** @param {Load} load @param {number} seconds */
const questionOf = (load, seconds) => ({
  op: 'load',
  as: 0,
  peers: load.clients,
  ns: 'loadtest-independent',
  namespaces: load.namespaces,
  registerEvery: load.registerEvery,
  rate: load.rate ?? undefined,
  count: countIn(load, seconds)
})

/** @param {string} address @param {Load} load @param {number} seconds @returns {Promise<Times>} */
async function byOurs(address, load, seconds) {
  const { operations } = await runOfOurs(['--target', address, ...flagsOf(load, seconds)])
  return Object.fromEntries(
    load.operations.flatMap(type =>
      PERCENTILES.flatMap(key => {
        const figure = operations[type].rt.all[key]
        return [
          [`${type} ${key}`, figure.ms],
          [`${type} ${key} overhead`, figure.overheadMs]
        ]
      })
    )
  )
}

/** @param {readonly string[]} command @param {string} address @param {Load} load @param {number} seconds @returns {Promise<Times>} */
async function byRust(command, address, load, seconds) {
  const client = startPeer([...command, 'client', address])
  await client.ask(questionOf(load, WARM_UP_SECONDS))
  const { micros } = await client.ask(questionOf(load, seconds))
  await client.stop()
  return Object.fromEntries(
    load.operations.flatMap(type => {
      const sorted = micros[type.toLowerCase()].toSorted(
        (/** @type {number} */ a, /** @type {number} */ b) => a - b
      )
      return PERCENTILES.map(key => [
        `${type} ${key}`,
        sorted[Math.ceil((Number(key.slice(1)) / 100) * sorted.length) - 1] / 1000
      ])
    })
  )
}

/** @param {string} label @param {string} key - operation and percentile @param {Record<'rust' | 'ours', Times[]>} runs */
function rowOf(label, key, { rust, ours }) {
  const ms = (/** @type {Times[]} */ times, /** @type {string} */ which) =>
    median(times.map(one => one[which]))
  const between = ours.filter((one, pair) => {
    const ms = rust[pair][key]
    return one[key] - one[`${key} overhead`] <= ms && ms <= one[key]
  }).length
  const share = median(ours.map(one => (100 * one[`${key} overhead`]) / one[key]))
  return [
    ...[label, String(ours.length), ms(rust, key).toFixed(2), ms(ours, key).toFixed(2)],
    ms(ours, `${key} overhead`).toFixed(2),
    ...[`${between} of ${ours.length}`, TARGETS.between],
    ...[`${share.toFixed(0)} %`, key.endsWith('p50') ? TARGETS.share : '']
  ]
}

/** @param {Load} load @param {{ command: readonly string[], pairs: number, seconds: number }} how @returns {Promise<Record<string, string[]>>} */
async function rowsOf(load, { command, pairs, seconds }) {
  process.env.RENDEZVOUS_REPLY_DELAY = `${load.delayMs ?? 0}ms`
  const server = await startServer().finally(() => delete process.env.RENDEZVOUS_REPLY_DELAY)
  /** @type {Record<'rust' | 'ours', Times[]>} */
  const runs = { rust: [], ours: [] }
  try {
    for (const { arm } of orderRuns(pairs, ['a', 'b'])) {
      const [side, times] =
        arm === 'a'
          ? /** @type {const} */ (['rust', await byRust(command, server.multiaddr, load, seconds)])
          : /** @type {const} */ (['ours', await byOurs(server.multiaddr, load, seconds)])
      runs[side].push(times)
      process.stderr.write(`  ${side} ${JSON.stringify(times)}\n`)
    }
  } finally {
    await server.stop()
  }
  const keys = load.operations.flatMap(type => PERCENTILES.map(key => `${type} ${key}`))
  return Object.fromEntries(
    keys.map(key => [`${load.label}: ${key}`, rowOf(`${load.label}: ${key}`, key, runs)])
  )
}

/** What was run, to the letter. @param {Load} load @param {number} seconds */
const commandsOf = (load, seconds) => [
  `${load.label}, ours: node index.js --target <server> ${flagsOf(load, seconds).join(' ')}`,
  `${load.label}, Rust: peer client <server>, told ${JSON.stringify(questionOf(load, WARM_UP_SECONDS))}, then ${JSON.stringify(questionOf(load, seconds))}`
]

/**
 * independent compares response times and client overhead of ours with those of the stock Rust client at one server, in turns. Both count
 * from when an operation is due (open model) or sent (closed model) to its reply, opening its stream included, and both turn their event
 * loop without sleeping before one is due.
 *
 * @param {{ pairs: number, seconds: number, keep: boolean, only: string }} options - `only`: of the loads discover, mixed, register and held
 */
export async function independent({ pairs, seconds, keep, only }) {
  const command = await builtCommandOf(RELEASED_RUST)
  const loads = Object.entries(LOADS).flatMap(([name, load]) => (minimatch(name, only) ? [load] : []))
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const load of loads) Object.assign(rows, await rowsOf(load, { command, pairs, seconds }))
  const table = {
    title: `Response times by ours and by ${RELEASED_RUST.software}, optimised, in turns at one server, ${seconds} s each`,
    head: [
      ...['', 'Pairs', 'Rust, ms', 'Ours, ms', 'Client overhead of ours, ms'],
      ...['Rust between ours less its overhead and ours', 'Target', 'Overhead of ours, %', 'Target, %']
    ],
    rows: Object.values(rows),
    commands: Object.values(LOADS).flatMap(load => commandsOf(load, seconds))
  }
  return keep ? kept('independent', table, rows) : table
}
