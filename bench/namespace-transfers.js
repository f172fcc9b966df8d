import { existsSync, readFileSync } from 'node:fs'
import { minimatch } from 'minimatch'
import { makeSubStream } from '../src/kit/random.js'
import { LinkModel, makeLinkSettings } from '../src/network/link-model.js'
import { directionOf } from '../test/network/links/direction.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { between, planOf, transfers } from './parts/namespace-ends.js'
import { SEGMENT_BYTES } from './validation/goodput.js'

const NAME = 'namespace-transfers'
const TRANSFERS = 10
/** Bytes by loss: what is lost makes them slow. */
const BYTES = new Map([
  [0, 10e6],
  [0.01, 1e6],
  [0.02, 1e6],
  [0.05, 256e3]
])
const ROUND_TRIPS_MS = [0, 50, 100]
/** Segments that one acknowledgement is for (RFC 1122), and the least time-out of Linux above a round trip. */
const DELAYED = 2
const MIN_RTO_S = 0.2

/**
 * What TCP can carry at most, bytes a second: Mathis et al. 1997 (every segment acknowledged, no time-outs) up to 1 %, Padhye et al. 1998
 * (delayed acknowledgements, time-outs) above.
 *
 * @param {number} loss @param {number} roundTripS
 */
function bound(loss, roundTripS) {
  if (loss === 0) return null
  if (loss <= 0.01) return (SEGMENT_BYTES / roundTripS) * Math.sqrt(1.5 / loss)
  const timeouts = Math.min(1, 3 * Math.sqrt((3 * DELAYED * loss) / 8)) * loss * (1 + 32 * loss * loss)
  return (
    SEGMENT_BYTES / (roundTripS * Math.sqrt((2 * DELAYED * loss) / 3) + (roundTripS + MIN_RTO_S) * timeouts)
  )
}

/** @param {ReturnType<typeof planOf>} plan @param {number} bytes @param {number} seed @returns {number} s */
function simulated(plan, bytes, seed) {
  const links = new LinkModel(
    { ...makeLinkSettings(plan), layers: { muxer: null, security: null, tcp: false } },
    { nodes: 2, streams: (...name) => makeSubStream(seed, ...name) }
  )
  const direction = directionOf(links, 0, 1)
  direction.send(bytes, 0)
  for (;;) {
    const { nextNs } = direction
    if (direction.advance(nextNs) > 0) return nextNs / 1e9
  }
}

/** @param {number} bytesPerSecond */
const rate = bytesPerSecond => (bytesPerSecond / 1e6).toPrecision(3)

/** @param {number} bytes @param {number[]} seconds */
function rates(bytes, seconds) {
  const all = seconds.map(each => bytes / each)
  return `${rate(median(all))} (${rate(Math.min(...all))}–${rate(Math.max(...all))})`
}

/** @param {number} loss @param {number} roundTripMs @returns {Promise<string[]>} a row */
async function row(loss, roundTripMs) {
  const bytes = Number(BYTES.get(loss))
  const plan = planOf({ linkLossShare: loss, linkLatencyMs: roundTripMs / 2 })
  return between(plan, async network => {
    const real = await transfers(network, { from: 1, to: 0, bytes, count: TRANSFERS })
    const { links, router } = network.figures
    const foundMs = Number(links[0].roundTrip.foundMs)
    const most = bound(loss, foundMs / 1000)
    const seeds = Array.from({ length: TRANSFERS }, (_, i) => simulated(plan, bytes, i + 1))
    const middle = bytes / median(real)
    return [
      `${100 * loss} %`,
      `${roundTripMs} ms`,
      `${foundMs.toPrecision(3)} ms`,
      `${bytes / 1e3} kB`,
      rates(bytes, real),
      roundTripMs === 0 ? 'no limit' : rates(bytes, seeds),
      most === null ? '–' : `${loss <= 0.01 ? 'Mathis' : 'Padhye'} ${rate(most)}`,
      most === null ? '–' : (middle / most).toFixed(2),
      `${((1000 * Number(router?.lateness.p99?.ms ?? 0)) / 1000).toPrecision(2)} ms`
    ]
  })
}

/**
 * namespaceTransfers holds transfers of the kernel's own TCP (Reno) between two namespaces against the simulated TCP and the bounds of the
 * literature. With `keep` rows that are kept are not measured again.
 *
 * @param {{ only: string, keep: boolean }} options - `only`: of the rows, `1%,50ms`
 */
export async function namespaceTransfers({ only, keep }) {
  const file = new URL(`../results/reference/${NAME}.json`, import.meta.url)
  /** @type {Record<string, string[]>} */
  const rows = keep && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : {}
  for (const loss of BYTES.keys())
    for (const roundTripMs of ROUND_TRIPS_MS) {
      const name = `${100 * loss}%,${roundTripMs}ms`
      if (!minimatch(name, only) || Object.hasOwn(rows, name)) continue
      rows[name] = await row(loss, roundTripMs)
      process.stderr.write(`  ${rows[name].join('  ')}\n`)
      if (keep) await kept(NAME, tableOf(rows), rows)
    }
  return tableOf(rows)
}

/** @param {Record<string, string[]>} rows */
const tableOf = rows => ({
  title: `${TRANSFERS} transfers each over the kernel's TCP (Reno) between two namespaces, each on a connection of its own, against the simulated TCP (${TRANSFERS} seeds) and what TCP can carry: MB/s, median (range)`,
  head: [
    ...['Loss', 'Round trip asked', 'found', 'Bytes', 'Real', 'Simulated', 'Bound', 'Real over bound'],
    'Router late p99'
  ],
  rows: [...BYTES.keys()].flatMap(loss =>
    ROUND_TRIPS_MS.flatMap(ms => {
      const row = rows[`${100 * loss}%,${ms}ms`]
      return row === undefined ? [] : [row]
    })
  )
})
