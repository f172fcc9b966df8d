import { minimatch } from 'minimatch'
import { readCongestionControls as allowedHere } from '../src/network/namespaces.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { between, planOf, transfers } from './parts/namespace-ends.js'

const NAME = 'congestion-controls'
const REFERENCE = 'reno'
const TRANSFERS = 10
const ROUND_TRIP_MS = 100
/** Bytes by loss, all alike where something is lost. @type {readonly [number, number][]} */
const LOADS = [
  [0, 10e6],
  [0.01, 1e6],
  [0.02, 1e6]
]

/** @param {number[]} rates - bytes a second */
const spread = rates =>
  [median(rates), Math.min(...rates), Math.max(...rates)].map(rate => (rate / 1e6).toPrecision(3))

/** @param {string} congestionControl @param {number} loss @param {number} bytes @returns {Promise<number[]>} bytes a second */
const ratesOf = (congestionControl, loss, bytes) =>
  between(
    planOf({ congestionControl, linkLossShare: loss, linkLatencyMs: ROUND_TRIP_MS / 2 }),
    async network =>
      (await transfers(network, { from: 1, to: 0, bytes, count: TRANSFERS })).map(seconds => bytes / seconds)
  )

/**
 * congestionControls is how much more the other congestion controls carry that this machine lets everybody take than Reno does, which the
 * simulated network is held against.
 *
 * @param {{ only: string, keep: boolean }} options - `only`: of their names
 */
export async function congestionControls({ only, keep }) {
  const others = allowedHere().filter(name => name !== REFERENCE && minimatch(name, only))
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const [loss, bytes] of LOADS) {
    const reference = await ratesOf(REFERENCE, loss, bytes)
    for (const name of others) {
      const rates = await ratesOf(name, loss, bytes)
      const [[middle, least, most], [ofReno, leastOfReno, mostOfReno]] = [spread(rates), spread(reference)]
      const row = [
        `${100 * loss} %`,
        name,
        `${middle} (${least}–${most})`,
        `${ofReno} (${leastOfReno}–${mostOfReno})`,
        (median(rates) / median(reference)).toPrecision(2)
      ]
      process.stderr.write(`  ${row.join('  ')}\n`)
      rows[`${name},${100 * loss}%`] = row
    }
  }
  const table = {
    title: `${TRANSFERS} transfers each (10 MB without loss, 1 MB with it) over a round trip of ${ROUND_TRIP_MS} ms between two namespaces, each on a connection of its own: MB/s, median (range)`,
    head: ['Loss', 'Congestion control', 'MB/s', 'Reno', 'Times Reno'],
    rows: Object.values(rows)
  }
  return keep ? kept(NAME, table, rows) : table
}
