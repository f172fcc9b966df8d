import { hodgesLehmann } from '../../../src/measure/hodges-lehmann.js'
import { signFlip } from '../../../src/measure/sign-flip.js'

/**
 * @typedef {object} Measured - in results/reference/abuse.json
 * @property {string} abuse
 * @property {number} times - its rate
 * @property {number} seconds - of a stretch
 * @property {boolean} awake - cores were kept from sleeping
 * @property {string[]} dates - of the pieces it was measured in
 * @property {import('./measure.js').Pair[]} pairs
 * @property {import('./measure.js').Pair[]} setAside - others of the host took more than a percent of the cores
 * @property {import('./measure.js').Left | null} left - null: nobody waited
 */

const MOST = new Map([
  [1, 2],
  [10, 3]
])
const MB = 1e6

export const HEAD = [
  'Abuse',
  'Pairs',
  'Set aside',
  'p99 quiet, ms',
  'p99 abused, ms',
  'Ratio of p99',
  '95 % interval',
  'Target',
  'Not answered',
  'Server CPU quiet → abused, %',
  'Longest turn, ms',
  'RSS quiet → abused, MB',
  'Heap, external left, %',
  'Not sent, %'
]

/** nameOf is what a table calls an abuse. @param {string} abuse @param {number} times */
export const nameOf = (abuse, times) => (times === 1 ? abuse : `${abuse} ×${times}`)

/** @param {number[]} values */
const highest = values => Math.max(...values)

/** @param {number[]} logs - of ratios */
function intervalOf(logs) {
  const { low, high } = signFlip(logs).interval
  if (!Number.isFinite(low + high)) return 'too few pairs'
  return `${Math.exp(low).toFixed(2)} to ${Math.exp(high).toFixed(2)}`
}

/** rowOf is a row under HEAD. @param {Measured} measured @returns {string[]} */
export function rowOf({ abuse, times, pairs, setAside, left }) {
  const quiet = pairs.map(pair => pair.quiet)
  const abused = pairs.map(pair => pair.abused)
  const logs = pairs.map(pair => Math.log(pair.abused.p99Ms / pair.quiet.p99Ms))
  const [quietMs, abusedMs] = [quiet, abused].map(each => hodgesLehmann(each.map(({ p99Ms }) => p99Ms)))
  const cpu = [quiet, abused].map(each => hodgesLehmann(each.map(({ cpuPercent }) => cpuPercent)))
  const rss = [quiet, abused].map(each => highest(each.map(({ rssBytes }) => rssBytes)) / MB)
  return [
    nameOf(abuse, times),
    String(pairs.length),
    String(setAside.length),
    quietMs.toFixed(2),
    abusedMs.toFixed(2),
    Math.exp(hodgesLehmann(logs)).toFixed(2),
    intervalOf(logs),
    `≤ ${MOST.get(times)}`,
    String(abused.reduce((sum, { failed }) => sum + failed, 0)),
    cpu.map(percent => percent.toFixed(0)).join(' → '),
    highest(abused.map(({ longestTurnMs }) => longestTurnMs)).toFixed(0),
    rss.map(mb => mb.toFixed(0)).join(' → '),
    left === null ? '–' : [left.heap, left.external].map(share => (100 * share).toFixed(0)).join(', '),
    (100 * highest(abused.map(({ skipped = 0 }) => skipped))).toFixed(1)
  ]
}
