import { abuseResult } from '../abuse-types.js'

/** @typedef {import('../abuse-types.js').Stretch} Stretch */

const KEYS = /** @type {const} */ ([
  'asked',
  'failed',
  'p50Ms',
  'p99Ms',
  'longestTurnMs',
  'rssBytes',
  'cpuPercent'
])

/** stretchesCsv are all stretches, a line each. @param {unknown} result */
export function stretchesCsv(result) {
  const lines = abuseResult(result).outcome.cases.flatMap(({ name, pairs }) =>
    pairs.flatMap(({ quiet, abused }, pair) => [
      [name, pair, 'quiet', ...KEYS.map(key => quiet[key]), '', ''],
      [name, pair, 'abused', ...KEYS.map(key => abused[key]), abused.notSent, abused.recoveryMs]
    ])
  )
  const headings = ['abuse', 'pair', 'stretch', ...KEYS, 'notSent', 'recoveryMs']
  return `${[headings, ...lines].map(cells => cells.map(cell => cell ?? '').join(',')).join('\n')}\n`
}
