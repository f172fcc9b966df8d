import { minimatch } from 'minimatch'
import { pressure } from '../src/measure/machine-pressure.js'
import { REPEATS, run } from './parts/ab-runs.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { preloaded } from './parts/preloaded.js'

/** Of p99 without. */
const SHARES = [0, 0.05, 0.1, 0.2, 0.5]
/** So long that the quiet machine's own lateness, some 2 ms at p99, is well below a tenth. */
const REPLY_DELAY_MS = 60
/** 1,050 operations: p99 has 10 beyond it. A client has 130 ms for each, so that none waits for another. */
const OPTIONS = { nClients: 40, rate: '300/s', duration: '3500ms', warmup: '2s' }

const PRELOAD = new URL('./parts/late-generator.js', import.meta.url)

/** @param {number} lateMs - how long the generator stands still, at about one of ten operations */
async function late(lateMs) {
  const { outcome } = await preloaded(PRELOAD, ['BENCH_LATE_MS', String(lateMs)], () =>
    run(REPLY_DELAY_MS, OPTIONS)
  )
  return /** @type {NonNullable<typeof outcome.operations.DISCOVER>} */ (outcome.operations.DISCOVER).rt.all
}

/** @typedef {import('../src/result/types.js').Summary} Summary @typedef {'p50' | 'p99'} Key */

/** @param {Summary[]} runs @param {Key} key @param {'generator' | 'machine'} [cause] */
const marked = (runs, key, cause) =>
  runs.filter(run => run[key]?.doubtful && (cause === undefined || run[key].cause === cause)).length

/** Width of a bracket in percent of its figure. @param {Summary[]} runs @param {Key} key */
const width = (runs, key) =>
  median(runs.map(run => 100 * (1 - Number(run[key]?.lowMs) / Number(run[key]?.ms)))).toFixed(1)

/**
 * doubt counts the runs whose p99 is marked when the load generator itself is made late by a share of it.
 *
 * @param {{ only: string, keep: boolean }} options - `only`: of the shares, in percent
 */
export async function doubt({ only, keep }) {
  const shares = SHARES.filter(share => minimatch(String(100 * share), only))
  const p99Ms = Number((await late(0)).p99?.ms)
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const share of shares) {
    const runs = []
    const began = { waited: pressure().waitedMicros, ms: performance.now() }
    for (let i = 0; i < REPEATS; i++) runs.push(await late(share * p99Ms))
    const waited =
      (Number(pressure().waitedMicros) - Number(began.waited)) / 10 / (performance.now() - began.ms)
    rows[String(100 * share)] = [
      `${100 * share} %`,
      `${(share * p99Ms).toFixed(2)} ms`,
      String(runs.length),
      ...[marked(runs, 'p99'), marked(runs, 'p99', 'generator'), marked(runs, 'p50')].map(String),
      ...[width(runs, 'p50'), width(runs, 'p99'), waited.toFixed(0)],
      share === 0 ? '≤ 5 %' : share >= 0.2 ? '≥ 95 %' : '–'
    ]
    process.stderr.write(`  ${rows[String(100 * share)].join('  ')}\n`)
  }
  const table = {
    title: `The load generator stands still at one of ten operations, by a share of p99 (${p99Ms.toFixed(1)} ms, of which our server holds replies back for ${REPLY_DELAY_MS} ms): is p99 marked?`,
    head: [
      ...['Share of p99', 'Late by', 'Runs', 'p99 marked', 'as the generator’s', 'p50 marked'],
      ...['Bracket of p50, %', 'Bracket of p99, %', 'Something waited for a core, %', 'Target']
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('doubt', table, rows) : table
}
