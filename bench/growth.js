import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { minimatch } from 'minimatch'
import { formatSignificant } from '../src/kit/numbers.js'
import { ROOT } from './parts/checkout.js'
import { exponentOf, growthWords } from './parts/exponent.js'
import { growthPage } from './parts/growth-page.js'
import { GROWTH } from './parts/growth-series.js'
import { keepValues, kept, keptValues } from './parts/kept.js'
import { timedRun } from './parts/timed-run.js'

/** @typedef {Record<string, Record<string, Record<string, number>>>} Points - figures of a series by what there was of it */

const POINTS = 'growth-points'
const PAGE = fileURLToPath(new URL('../results/reference/growth.html', import.meta.url))
const HEAD = ['Figure', 'Over', 'From', 'To', 'Exponent', '95 % interval', 'Shown']
const TITLE =
  'How figures grow: y ~ x^exponent, by least squares of the logarithms; flat when the interval lies below 0.05'
/** A line has two of them: an interval needs more. */
const FEWEST = 3

/** @param {string} name @param {number} at */
async function measure(name, at) {
  const { args, figures } = GROWTH[name]
  const { document, pressure } = await timedRun(ROOT, args(at))
  const found = figures(/** @type {any} */ ({ document }))
  const said = Object.entries(found).map(([title, value]) => `${title} ${formatSignificant(value)}`)
  process.stderr.write(
    `  ${name}, ${at}: ${said.join('; ')}; CPU pressure ${pressure?.toFixed(1) ?? '?'} %\n`
  )
  return found
}

/** @param {Points} points @returns {import('./parts/growth-page.js').Curve[]} */
const curvesOf = points =>
  Object.entries(points).flatMap(([name, found]) => {
    const all = Object.entries(found).map(([at, figures]) => ({ at: Number(at), figures }))
    const sorted = all.sort((a, b) => a.at - b.at)
    return Object.keys(sorted[0].figures).map(title => ({
      title,
      of: GROWTH[name].of,
      points: sorted.map(({ at, figures }) => /** @type {const} */ ([at, figures[title]]))
    }))
  })

/** @param {import('./parts/growth-page.js').Curve} curve */
function rowOf({ title, of, points }) {
  const [first, last] = [points[0], points[points.length - 1]]
  const ends = [first, last].map(([x, y]) => `${formatSignificant(y)} (${x.toLocaleString('en')})`)
  const exponent = exponentOf(points)
  const interval = `${exponent.low.toFixed(3)} … ${exponent.high.toFixed(3)}`
  return [title, of, ...ends, exponent.exponent.toFixed(3), interval, growthWords(exponent)]
}

/**
 * growth is how what an operation and a delivery cost grows with clients, registrations, namespaces, the size of a page and nodes. With `keep`
 * points that were measured before are not measured again.
 *
 * @param {{ only: string, keep: boolean }} options - `only`: of the series
 */
export async function growth({ only, keep }) {
  /** @type {Points} */
  const points = keep ? await keptValues(POINTS) : {}
  for (const [name, { at }] of Object.entries(GROWTH).filter(([each]) => minimatch(each, only)))
    for (const count of at) {
      points[name] ??= {}
      points[name][count] ??= await measure(name, count)
      if (keep) await keepValues(POINTS, points)
    }
  const curves = curvesOf(points)
  const rows = curves.filter(curve => curve.points.length >= FEWEST).map(rowOf)
  const table = { title: TITLE, head: HEAD, rows }
  if (!keep) return table
  const machine = `${os.availableParallelism()} × ${os.cpus()[0].model.trim()}, Node ${process.versions.node}`
  await writeFile(PAGE, growthPage({ title: TITLE, machine, table, curves }))
  return kept('growth', table, Object.fromEntries(rows.map(row => [`${row[0]} over ${row[1]}`, row])))
}
