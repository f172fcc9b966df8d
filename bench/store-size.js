import { startLoad } from './parts/load-process.js'
import { median } from './parts/median.js'
import { registrations } from './parts/registrations.js'
import { startServer } from './parts/server-process.js'

/** @typedef {import('./parts/load-process.js').Load} Load */

const FEW = 1_000
const MANY = 200_000
const PAIRS = 5
const OPERATIONS = 2_500
const WARM_UP = 5_000
const TARGET = 1.2

/** @param {number} count */
async function prepare(count) {
  const server = await startServer()
  await server.preload(registrations(count))
  return { server, load: await startLoad(server.multiaddr) }
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} Prepared */

/** @param {Prepared} prepared @param {Load} load */
const cost = (prepared, load) => prepared.server.cpuPerOperation(() => prepared.load.run(load))

/** storeSize compares the server's CPU time per operation with many and with few registrations, in interleaved pairs. */
export async function storeSize() {
  const few = await prepare(FEW)
  const many = await prepare(MANY)
  const rows = []
  for (const type of /** @type {const} */ (['DISCOVER', 'REGISTER'])) {
    const load = /** @type {Load} */ ({ type, over: 'stream', operations: OPERATIONS })
    for (const prepared of [few, many]) await cost(prepared, { ...load, operations: WARM_UP })
    /** @type {Array<{ few: number, many: number }>} */
    const pairs = []
    for (let pair = 0; pair < PAIRS; pair++) pairs.push(await measurePair(pair, load))
    const micros = /** @type {const} */ (['few', 'many']).map(size =>
      median(pairs.map(pair => pair[size])).toFixed(0)
    )
    const ratio = median(pairs.map(pair => pair.many / pair.few)).toFixed(2)
    rows.push([type, ...micros, ratio, `≤ ${TARGET}`])
  }

  /** @param {number} pair @param {Load} load */
  async function measurePair(pair, load) {
    // the order changes from pair to pair, so that a machine that slows down favours neither
    if (pair % 2 === 0) return { few: await cost(few, load), many: await cost(many, load) }
    const manyFirst = await cost(many, load)
    return { few: await cost(few, load), many: manyFirst }
  }

  for (const { load, server } of [few, many]) {
    await load.stop()
    await server.stop()
  }
  return {
    title: `Server CPU per operation by the size of the store, µs, median of ${PAIRS} pairs`,
    head: ['Operation', `${FEW} registrations`, `${MANY} registrations`, 'Ratio', 'Target'],
    rows
  }
}
