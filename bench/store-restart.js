import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kept } from './parts/kept.js'
import { registrations } from './parts/registrations.js'
import { startServer } from './parts/server-process.js'

const REGISTRATIONS = Number(process.env.BENCH_REGISTRATIONS ?? 100_000)

/** @template T @param {() => Promise<T>} work @returns {Promise<[T, seconds: number]>} */
async function timed(work) {
  const beganMs = performance.now()
  const done = await work()
  return [done, (performance.now() - beganMs) / 1000]
}

/**
 * storeRestart kills a server that keeps its registrations in a folder, and says how long the next one takes until it serves them.
 *
 * @param {{ keep: boolean }} options
 */
export async function storeRestart({ keep }) {
  const folder = mkdtempSync(join(tmpdir(), 'store-restart-'))
  const start = () => startServer([], [`--store=pglite:${folder}`])
  try {
    const [first, firstS] = await timed(start)
    const [{ added }, loadedS] = await timed(() => first.preload(registrations(REGISTRATIONS)))
    await first.kill()
    const [second, readyS] = await timed(start)
    const { registrations: found } = await second.state()
    await second.stop()
    const row = [added, firstS, loadedS, readyS, found]
    const table = {
      title: `A server with --store pglite: killed with ${REGISTRATIONS.toLocaleString('en')} registrations, and started again`,
      head: ['Registered', 'Ready at first, s', 'Loaded in, s', 'Ready again, s', 'Found'],
      rows: [row.map((figure, i) => (i === 0 || i === 4 ? String(figure) : figure.toFixed(1)))]
    }
    return keep ? await kept('store-restart', table, { pglite: table.rows[0] }) : table
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
