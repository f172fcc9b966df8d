import { fileURLToPath } from 'node:url'
import { minimatch } from 'minimatch'
import { formatSignificant } from '../src/kit/numbers.js'
import { kept } from './parts/kept.js'
import { startLoad } from './parts/load-process.js'
import { median } from './parts/median.js'
import { startPart } from './parts/part-process.js'
import { ratioOf } from './parts/ratio-rows.js'
import { patched, replacing } from './parts/replaced-modules.js'
import { startServer } from './parts/server-process.js'

/**
 * @typedef {import('./parts/load-process.js').Load} Load
 *
 * @typedef {object} Part
 * @property {string} module
 * @property {string} name - what it was, and is
 * @property {keyof typeof LOADS} load
 * @property {'server' | 'client'} of - whose CPU it is
 * @property {() => Record<string, string>} before - sources of how it was, by the modules in whose place they are
 *
 * @typedef {object} Side
 * @property {() => Promise<number>} micros - CPU time of an operation of the next round
 * @property {() => Promise<void>} stop
 */

/** @type {Readonly<Record<string, { load: Load, warmUp: number, connections?: number }>>} */
const LOADS = Object.freeze({
  'REGISTER, a stream each': {
    load: { type: 'REGISTER', over: 'stream each', operations: 1500 },
    warmUp: 4000
  },
  'Connect, DISCOVER 20, close': {
    load: { type: 'DISCOVER', over: 'connection each', operations: 150 },
    warmUp: 600
  },
  'Connect beside 1,000 peers': {
    load: { type: 'DISCOVER', over: 'connection each', operations: 150 },
    warmUp: 600,
    connections: 1000
  }
})

/** @param {string} path - in this project */
const file = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** @param {string} module @param {string} source */
const was = (module, source) => () => ({
  [file(`src/libp2p/${module}.js`)]: file(`bench/seams/${source}.js`)
})

/** @type {readonly Part[]} */
const PARTS = Object.freeze([
  {
    module: 'opening',
    name: '`readBuffer` of a stream; read as by anybody who listens',
    load: 'REGISTER, a stream each',
    of: 'server',
    before: was('opening', 'opening')
  },
  {
    module: 'noise-lengths',
    name: "`decoder.lengthDecoder` of Noise's connection; gone",
    load: 'REGISTER, a stream each',
    of: 'server',
    before: () => patched(['length-prefixed-decoder'])
  },
  {
    module: 'quiet-registrar',
    name: '`Object.assign(registrar, …)`; a registrar of ours',
    load: 'REGISTER, a stream each',
    of: 'client',
    before: was('quiet-registrar', 'registrar')
  },
  {
    module: 'no-peer-store',
    name: '`Object.assign(peerStore, …)`; a peer store of ours',
    load: 'Connect, DISCOVER 20, close',
    of: 'server',
    before: was('no-peer-store', 'no-peer-store')
  },
  {
    module: 'listed-connections',
    name: '`connectionManager.getConnections` as libp2p has it; a list',
    load: 'Connect beside 1,000 peers',
    of: 'server',
    before: was('listed-connections', 'usual-connections')
  }
])

/** @type {readonly { name: string, load: keyof typeof LOADS, patches: string[] }[]} */
const PATCHES = Object.freeze([
  ...['length-prefixed-decoder', 'protocols-of-a-peer', 'window-updates', 'one-write'].map(name => ({
    name,
    load: 'REGISTER, a stream each',
    patches: [name]
  })),
  {
    name: 'the four above',
    load: 'REGISTER, a stream each',
    patches: ['length-prefixed-decoder', 'protocols-of-a-peer', 'window-updates', 'one-write']
  },
  { name: 'x25519-keys', load: 'Connect, DISCOVER 20, close', patches: ['x25519-keys'] },
  { name: 'list-of-connections', load: 'Connect beside 1,000 peers', patches: ['list-of-connections'] }
])

/** @param {readonly string[]} nodeFlags */
async function startStock(nodeFlags) {
  const entry = new URL('./parts/stock-server.js', import.meta.url)
  const { ready, ask, stop } = await startPart(entry, [], nodeFlags)
  return {
    multiaddr: ready.multiaddr,
    /** @param {() => Promise<number>} load */
    async cpuPerOperation(load) {
      const cpu = async () => (await ask({})).cpuMicros
      const before = await cpu()
      const operations = await load()
      return ((await cpu()) - before) / operations
    },
    stop
  }
}

/**
 * @param {keyof typeof LOADS} name
 * @param {{ stock?: boolean, of?: 'server' | 'client', server?: Record<string, string>, client?: Record<string, string> }} how
 * @returns {Promise<Side>}
 */
async function startSide(name, { stock = false, of = 'server', server: served = {}, client: loaded = {} }) {
  const { load, warmUp, connections = 1 } = LOADS[name]
  const server = stock ? await startStock(replacing(served)) : await startServer(replacing(served))
  const kind = stock ? 'plain' : 'ours'
  const client = await startLoad(server.multiaddr, { connections, kind, nodeFlags: replacing(loaded) })
  await client.run({ ...load, operations: warmUp })
  return {
    async micros() {
      const micros = await server.cpuPerOperation(() => client.run(load))
      return of === 'server' ? micros : client.cpuMicros / load.operations
    },
    async stop() {
      await client.stop()
      await server.stop()
    }
  }
}

/** Both sides are there at once, and take turns. @param {Side} a @param {Side} b @param {number} pairs */
async function inTurns(a, b, pairs) {
  /** @type {[number, number][]} */
  const measured = []
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0 ? await a.micros() : undefined
    const second = await b.micros()
    measured.push([first ?? (await a.micros()), second])
  }
  await a.stop()
  await b.stop()
  return measured
}

/** @param {readonly [number, number][]} measured */
function cells(measured) {
  const { ratio, interval } = ratioOf(measured)
  return [
    String(measured.length),
    ...[0, 1].map(side => formatSignificant(median(measured.map(pair => pair[side])))),
    ratio.toFixed(3),
    Number.isFinite(interval.high) ? `${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}` : '–'
  ]
}

/**
 * seams measures what it costs that this program leaves the private fields of libp2p alone: server and clients with each part as it was,
 * and as it is.
 *
 * @param {{ pairs: number, only: string, keep: boolean }} options - `only`: of modules
 */
export async function seams({ pairs, only, keep }) {
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const { name, load, of, before } of PARTS.filter(({ module }) => minimatch(module, only))) {
    const [was, is] = [await startSide(load, { of, [of]: before() }), await startSide(load, { of })]
    rows[name] = [name, load, of, ...cells(await inTurns(was, is, pairs))]
  }
  const table = {
    title: 'CPU time of an operation: parts that touched what is private to libp2p, before and now',
    head: ['Was, and is', 'Operation', 'CPU of', 'Pairs', 'Before, µs', 'Now, µs', 'Ratio', '95 % interval']
  }
  return keep ? kept('seams', { ...table, rows: [] }, rows) : { ...table, rows: Object.values(rows) }
}

/**
 * upstream measures what the patches of bench/upstream bring: a server of libp2p as published, asked by clients as published, without and with each.
 *
 * @param {{ pairs: number, only: string, keep: boolean }} options - `only`: of patches
 */
export async function upstream({ pairs, only, keep }) {
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const { name, load, patches } of PATCHES.filter(({ name }) => minimatch(name, only))) {
    const published = await startSide(load, { stock: true })
    const changed = await startSide(load, { stock: true, server: patched(patches) })
    rows[name] = [name, load, ...cells(await inTurns(published, changed, pairs))]
  }
  const table = {
    title: 'CPU time of an operation of a server of js-libp2p as published, and with our patches',
    head: ['Patch', 'Operation', 'Pairs', 'Published, µs', 'Patched, µs', 'Ratio', '95 % interval']
  }
  return keep ? kept('upstream', { ...table, rows: [] }, rows) : { ...table, rows: Object.values(rows) }
}
