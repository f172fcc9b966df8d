import { startLoad } from './parts/load-process.js'
import { median } from './parts/median.js'
import { registrations } from './parts/registrations.js'
import { startServer } from './parts/server-process.js'
import { verificationMicros } from './parts/verification.js'

/**
 * @typedef {import('./parts/load-process.js').Load} Load
 * @typedef {Awaited<ReturnType<typeof startServer>>} Server
 * @typedef {Awaited<ReturnType<typeof startLoad>>} LoadProcess
 *
 * @typedef {object} Figure
 * @property {string} name
 * @property {Load['type']} type
 * @property {Load['over']} over
 * @property {number} operations - in each round
 * @property {number} warmUp - until V8 has compiled what is hot: before, costs are up to twice as high
 * @property {number} target - Ed25519 verifications
 */

const ROUNDS = 5
const REGISTRATIONS = 1_000

/** @type {Figure[]} */
const FIGURES = [
  {
    name: 'DISCOVER 20, long-lived stream',
    type: 'DISCOVER',
    over: 'stream',
    operations: 3_000,
    warmUp: 8_000,
    target: 1.2
  },
  {
    name: 'REGISTER, long-lived stream',
    type: 'REGISTER',
    over: 'stream',
    operations: 3_000,
    warmUp: 8_000,
    target: 2.2
  },
  {
    name: 'DISCOVER 20, a stream each',
    type: 'DISCOVER',
    over: 'stream each',
    operations: 1_500,
    warmUp: 8_000,
    target: 4.5
  },
  {
    name: 'REGISTER, a stream each',
    type: 'REGISTER',
    over: 'stream each',
    operations: 1_500,
    warmUp: 3_000,
    target: 4.5
  },
  {
    name: 'Connect, DISCOVER 20, close',
    type: 'DISCOVER',
    over: 'connection each',
    operations: 150,
    warmUp: 1_000,
    target: 50
  }
]

/** operations measures the server's CPU time per operation, one in flight, in Ed25519 verifications of the same minute. */
export async function operations() {
  const columns = []
  for (const kind of /** @type {const} */ (['ours', 'plain'])) {
    const server = await startServer()
    await server.preload(registrations(REGISTRATIONS))
    const load = await startLoad(server.multiaddr, { kind })
    const figures = []
    for (const figure of FIGURES) figures.push(await measure(figure, server, load))
    columns.push(figures)
    await load.stop()
    await server.stop()
  }
  const [ours, plain] = columns
  return {
    title: 'Server CPU per operation, one in flight, in Ed25519 verifications (µs)',
    head: ['Operation', 'Our clients', 'Clients as libp2p ships them', 'Target'],
    rows: FIGURES.map(({ name, target }, index) => [name, ours[index], plain[index], `≤ ${target}`])
  }
}

/** @param {Figure} figure @param {Server} server @param {LoadProcess} load */
async function measure({ type, over, operations: count, warmUp }, server, load) {
  await load.run({ type, over, operations: warmUp })
  /** @type {Array<{ multiple: number, micros: number }>} */
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = verificationMicros(1_000)
    const micros = await server.cpuPerOperation(() => load.run({ type, over, operations: count }))
    rounds.push({ multiple: (2 * micros) / (before + verificationMicros(1_000)), micros })
  }
  const multiple = median(rounds.map(round => round.multiple))
  return `${multiple.toFixed(multiple < 10 ? 2 : 0)} (${median(rounds.map(round => round.micros)).toFixed(0)})`
}
