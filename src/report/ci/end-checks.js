import { ENDED } from './checks.js'

/** @typedef {import('./checks.js').Check} Check */

/**
 * endChecks say whether a run or a study came to its end, and with --strict whether it can be believed: what the exit code follows from
 * beside what it was held to.
 *
 * @param {{ status: string, reason: { message: string } | null }} document - of a run or a study
 * @param {{ brokenOff?: boolean, failed?: boolean, doubtful?: boolean, nothing?: boolean, errors?: readonly string[] }} verdict
 * @param {{ group: string, strict: boolean, doubts?: readonly string[] }} how - `doubts`: why it cannot be believed, where that is known
 * @returns {Check[]}
 */
export function endChecks({ status, reason }, verdict, { group, strict, doubts = [] }) {
  const { brokenOff = false, failed = false, nothing = false, doubtful = false, errors = [] } = verdict
  const whole = status === 'complete' && !failed && !nothing
  const why = [...(reason === null ? [] : [reason.message]), ...errors]
  /** @type {Check[]} */
  const checks = [
    {
      group,
      name: ENDED,
      // what a threshold broke off did what was asked for, and need not have left a run to tell of it
      verdict: brokenOff ? 'fail' : whole ? 'pass' : 'error',
      found: whole ? '' : why.join('; ') || (nothing ? 'there is nothing to show' : 'it did not')
    }
  ]
  if (strict)
    checks.push({
      group,
      name: 'can be believed (--strict)',
      verdict: doubtful ? 'fail' : 'pass',
      found: doubtful ? doubts.join('; ') || 'it is doubtful' : ''
    })
  return checks
}
