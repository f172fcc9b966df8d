import { ENDED } from './checks.js'

/** @typedef {import('./checks.js').Check} Check */

/**
 * tookMs is how long a run or a study took.
 *
 * @param {{ startedAt: string, finishedAt: string | null }} times - ISO 8601; `finishedAt`: null: its end is not known
 * @returns {number | undefined}
 */
export const tookMs = ({ startedAt, finishedAt }) =>
  finishedAt === null ? undefined : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))

/**
 * endChecks say whether a run or a study came to its end, and with --strict whether it is of what was to be measured: what the exit code follows from
 * beside what it was held to.
 *
 * @param {{ status: string, reason: { message: string } | null }} document - of a run or a study
 * @param {{ brokenOff?: boolean, failed?: boolean, generatorLimited?: boolean, nothing?: boolean, errors?: readonly string[] }} verdict
 * @param {{ group: string, strict: boolean, why?: readonly string[], ms?: number }} how - `why`: --strict fails, where that is
 *   known; `ms`: that it took
 * @returns {Check[]}
 */
export function endChecks({ status, reason }, verdict, { group, strict, why: limitedWhy = [], ms }) {
  const {
    brokenOff = false,
    failed = false,
    nothing = false,
    generatorLimited = false,
    errors = []
  } = verdict
  const whole = status === 'complete' && !failed && !nothing
  const why = [...(reason === null ? [] : [reason.message]), ...errors]
  /** @type {Check[]} */
  const checks = [
    {
      group,
      name: ENDED,
      // what a threshold broke off did what was asked for, and need not have left a run to tell of it
      verdict: brokenOff ? 'fail' : whole ? 'pass' : 'error',
      found: whole ? '' : why.join('; ') || (nothing ? 'there is nothing to show' : 'it did not'),
      ...(ms !== undefined && { ms })
    }
  ]
  if (strict)
    checks.push({
      group,
      name: 'is of what was to be measured (--strict)',
      verdict: generatorLimited ? 'fail' : 'pass',
      found: generatorLimited ? limitedWhy.join('; ') || 'the load generator limited it' : ''
    })
  return checks
}
