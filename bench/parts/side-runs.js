import { formatSignificant } from '../../src/kit/numbers.js'
import { describeDetectableChange } from '../../src/studies/compare/comparison.js'
import { orderRuns } from '../../src/studies/compare/study.js'
import { NOT_WORSE } from './against-loads.js'
import { median } from './median.js'
import { ratioOf, shownChanged } from './ratio-rows.js'
import { timedRun } from './timed-run.js'

/**
 * @typedef {import('./against-loads.js').Load} Load
 * @typedef {Record<string, number>} Figures - of a run, by title
 *
 * @typedef {object} Side
 * @property {string} name
 * @property {string} folder - of its checkout
 * @property {string} [node] - the program that runs it, if not this one
 * @property {boolean} isToday - it knows what a load asks of today's program
 *
 * @typedef {Record<'a' | 'b', Figures[]>} Sides
 */

/** @param {Load} load @param {import('./timed-run.js').TimedRun} run @returns {Figures} */
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
 * @param {Record<'a' | 'b', Side>} arms
 * @param {{ pairs: number, name: string }} of
 * @returns {Promise<Sides>}
 */
export async function runsOf(load, arms, { pairs, name }) {
  /** @type {Sides} */
  const sides = { a: [], b: [] }
  for (const { pair, arm } of orderRuns(pairs, ['a', 'b'])) {
    const { folder, node, isToday, name: side } = arms[arm]
    const run = await timedRun(folder, [...load.args, ...(isToday ? (load.today ?? []) : [])], node)
    const figures = figuresOf(load, run)
    sides[arm].push(figures)
    const said = Object.entries(figures).map(([title, value]) => `${title} ${value.toPrecision(4)}`)
    process.stderr.write(
      `  ${name}, pair ${pair + 1} of ${pairs}, ${side}: ${said.join('; ')}; CPU pressure ${pressureWords(run.pressure)}\n`
    )
  }
  return sides
}

/** @param {import('./ratio-rows.js').Ratio} ratio @param {number} most @param {boolean} hasTarget */
function verdictOf({ interval: { low, high }, seen }, most, hasTarget) {
  if (high <= most) return hasTarget ? 'met' : 'not worse'
  if (low > most) return hasTarget ? 'not met' : 'worse'
  return `open: ${seen === null ? 'too few pairs' : describeDetectableChange(seen)}`
}

/** headOf is above the rows of loads. @param {string} a @param {string} b @param {string} bound - what the most of a ratio is called */
export const headOf = (a, b, bound) => [
  ...['Load', 'Figure', 'Pairs', a, b, 'Ratio', '95 % interval', 'Changed', bound, 'Shown']
]

/** rowsOf are the rows of a load: b over a. @param {string} name @param {Load} load @param {Sides} sides @returns {string[][]} */
export function rowsOf(name, { targets }, { a, b }) {
  const titles = Object.keys(a[0])
  const ratios = titles.map(title => ratioOf(a.map((before, pair) => [before[title], b[pair][title]])))
  const changed = shownChanged(ratios)
  return titles.map((title, place) => {
    const { ratio, interval } = ratios[place]
    const most = targets[title] ?? NOT_WORSE
    return [
      ...[name, title, String(a.length)],
      ...[a, b].map(side => formatSignificant(median(side.map(run => run[title])))),
      ratio.toFixed(3),
      `${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}`,
      changed[place] ? 'yes' : 'no',
      `≤ ${most}`,
      verdictOf(ratios[place], most, title in targets)
    ]
  })
}
