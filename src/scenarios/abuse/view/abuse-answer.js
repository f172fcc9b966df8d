import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { NO_ANSWER } from '../../../report/page/answer.js'
import { abusePlots } from './plots.js'
import { worstOf } from './worst-case.js'

/** @param {import('../abuse-types.js').RatioRow | null} ratio */
const change = ratio =>
  ratio === null
    ? 'too few'
    : `${significant(ratio.quietMs)} → ${ratio.atLeast ? '> ' : ''}${significant(ratio.abusedMs)} ms`

/**
 * abuseAnswer gives what honest clients see of the kind that does worst.
 *
 * @param {import('../abuse-types.js').AbuseResult} result
 * @returns {import('../../../report/page/answer.js').Answer}
 */
export function abuseAnswer(result) {
  const { cases } = result.outcome
  const row = cases.find(({ name }) => name === worstOf(cases)?.name) ?? cases[0]
  if (row === undefined) return NO_ANSWER
  const { p50, p99, failed, recoveryMs } = row
  return {
    figures: [
      ['p50 of honest clients', change(p50)],
      ['p99 of honest clients', change(p99)],
      ['Failed', `${grouped(failed.quiet)} → ${grouped(failed.abused)}`],
      ['Recovered after', recoveryMs === null ? MISSING : `${grouped(recoveryMs)} ms`]
    ],
    plots: abusePlots({ ...result, outcome: { ...result.outcome, cases: [row] } })
  }
}
