import { turns } from '../src/studies/comparison/run-comparison.js'
import { run } from './parts/ab-runs.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { preloaded } from './parts/preloaded.js'
import { ratioOf } from './parts/ratio-rows.js'

/** About a third of what this server carries, as latencies are measured. */
const OPTIONS = { nClients: 4, rate: '800/s', duration: '5s', warmup: '2s' }

const PRELOAD = new URL('./parts/own-core.js', import.meta.url)

/** @typedef {import('../src/result/types.js').Summary} Summary */

/** @param {boolean} apart @returns {Promise<Summary>} */
async function latencies(apart) {
  const { outcome } = await preloaded(PRELOAD, ['BENCH_APART', apart ? 'yes' : 'no'], () => run(0, OPTIONS))
  return /** @type {NonNullable<typeof outcome.operations.DISCOVER>} */ (outcome.operations.DISCOVER).rt.all
}

/** Client overhead in percent of its figure. @param {'p50' | 'p99'} key */
const overheadOf = key => (/** @type {Summary} */ rt) =>
  (100 * Number(rt[key]?.overheadMs)) / Number(rt[key]?.ms)

/** @type {Record<string, (rt: Summary) => number>} */
const MEASURES = {
  'p50, ms': rt => Number(rt.p50?.ms),
  'Client overhead at p50, %': overheadOf('p50'),
  'p99, ms': rt => Number(rt.p99?.ms),
  'Client overhead at p99, %': overheadOf('p99')
}

/**
 * coresApart says whether a server and a load generator that have a core each add less to response times than those that go where the
 * system puts them.
 *
 * @param {{ pairs: number, keep: boolean }} options
 */
export async function coresApart({ pairs, keep }) {
  /** @type {Record<'a' | 'b', Summary[]>} */
  const runs = { a: [], b: [] }
  for (const { arm } of turns(pairs, ['a', 'b'])) runs[arm].push(await latencies(arm === 'b'))
  const rows = Object.entries(MEASURES).map(([name, of]) => {
    const [free, apart] = [runs.a.map(of), runs.b.map(of)]
    const { ratio, interval } = ratioOf(free.map((value, i) => [value, apart[i]]))
    const shown = [median(free), median(apart), ratio, interval.low, interval.high].map(value =>
      value.toPrecision(3)
    )
    return [name, String(pairs), ...shown]
  })
  const table = {
    title: `DISCOVER at ${OPTIONS.rate} by ${OPTIONS.nClients} clients for ${OPTIONS.duration}, in turns: server and load generator where the system puts them, and kept on a core each`,
    head: ['', 'Pairs', 'Free', 'A core each', 'Ratio', '95 % from', 'to']
  }
  const all = { ...table, rows }
  return keep ? kept('cores-apart', all, Object.fromEntries(rows.map(row => [row[0], row]))) : all
}
