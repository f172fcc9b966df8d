import { minimatch } from 'minimatch'
import { significant } from '../src/kit/numbers.js'
import { seenWords } from '../src/report/rule-line.js'
import { turns } from '../src/studies/comparison/run-ab.js'
import { LOADS, NOT_WORSE } from './parts/against-loads.js'
import { checkoutOf, ROOT } from './parts/checkout.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { ratioOf, shownChanged } from './parts/ratio-rows.js'
import { timedRun } from './parts/timed-run.js'

/**
 * @typedef {import('./parts/against-loads.js').Load} Load
 * @typedef {Record<string, number>} Figures - of a run, by title
 * @typedef {Record<'a' | 'b', Figures[]>} Sides
 */

/** @param {Load} load @param {import('./parts/timed-run.js').TimedRun} run @returns {Figures} */
function figuresOf({ figures }, run) {
  const found = figures(run)
  for (const [title, value] of Object.entries(found))
    if (!(value > 0)) throw new Error(`a run does not tell ${title}`)
  return found
}

/** @param {number | null} pressure */
const pressureWords = pressure => (pressure === null ? 'not known' : `${pressure.toFixed(1)} %`)

/**
 * runsOf makes the runs of a load, in turns.
 *
 * @param {Load} load
 * @param {Record<'a' | 'b', string>} folders
 * @param {{ pairs: number, name: string, commit: string }} of
 */
async function runsOf(load, folders, { pairs, name, commit }) {
  /** @type {Sides} */
  const sides = { a: [], b: [] }
  for (const { pair, arm } of turns(pairs)) {
    const run = await timedRun(folders[arm], [...load.args, ...(arm === 'b' ? (load.today ?? []) : [])])
    const figures = figuresOf(load, run)
    sides[arm].push(figures)
    const said = Object.entries(figures).map(([title, value]) => `${title} ${value.toPrecision(4)}`)
    process.stderr.write(
      `  ${name}, pair ${pair + 1} of ${pairs}, ${arm === 'a' ? commit : 'today'}: ${said.join('; ')}; CPU pressure ${pressureWords(run.pressure)}\n`
    )
  }
  return sides
}

/** @param {import('./parts/ratio-rows.js').Ratio} ratio @param {number} most @param {boolean} hasTarget */
function verdictOf({ interval: { low, high }, seen }, most, hasTarget) {
  if (high <= most) return hasTarget ? 'met' : 'not worse'
  if (low > most) return hasTarget ? 'not met' : 'worse'
  return `open: ${seen === null ? 'too few pairs' : seenWords(seen)}`
}

/** @param {string} name @param {Load} load @param {Sides} sides @returns {string[][]} */
function rowsOf(name, { targets }, { a, b }) {
  const titles = Object.keys(a[0])
  const ratios = titles.map(title => ratioOf(a.map((before, pair) => [before[title], b[pair][title]])))
  const changed = shownChanged(ratios)
  return titles.map((title, place) => {
    const { ratio, interval } = ratios[place]
    const most = targets[title] ?? NOT_WORSE
    return [
      ...[name, title],
      ...[a, b].map(side => significant(median(side.map(run => run[title])))),
      ratio.toFixed(3),
      `${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}`,
      changed[place] ? 'yes' : 'no',
      `≤ ${most}`,
      verdictOf(ratios[place], most, title in targets)
    ]
  })
}

/**
 * against holds this checkout against another commit: the same loads through index.js of each, with its own locked dependencies, in turns
 * (ABBA), fresh processes each time. A is the commit, B what is here.
 *
 * @param {{ commit: string, pairs: number, only: string, keep: boolean }} options - `only`: of the loads
 */
export async function against({ commit: name, pairs, only, keep }) {
  const loads = Object.entries(LOADS).filter(([load]) => minimatch(load, only))
  if (loads.length === 0) throw new Error(`--only ${only}: must name one of ${Object.keys(LOADS).join('; ')}`)
  const { folder, commit: whole } = checkoutOf(name)
  const commit = whole.slice(0, 7)
  /** @type {Record<string, string[]>} */
  const rows = {}
  const head = ['Load', 'Figure', commit, 'Today', 'Ratio', '95 % interval', 'Changed', 'Target', 'Shown']
  const title = `Today against ${commit}: ${pairs} pairs of runs in turns; today ÷ then, medians, with 95 % intervals`
  for (const [load, does] of loads) {
    const sides = await runsOf(does, { a: folder, b: ROOT }, { pairs, name: load, commit })
    const found = Object.fromEntries(rowsOf(load, does, sides).map(row => [`${row[0]}: ${row[1]}`, row]))
    Object.assign(rows, found)
    if (keep) await kept(`against-${commit}`, { title, head, rows: [] }, found)
  }
  return { title, head, rows: Object.values(rows) }
}
