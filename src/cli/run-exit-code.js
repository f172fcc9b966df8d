import { failsStrict, hasErrors } from '../result/strict.js'
import { failedThresholds } from '../result/thresholds/judge.js'
import { exitCode } from './exit-codes.js'

/** A run that a threshold broke off did what was asked for. @param {import('../result/types.js').Reason | null} [reason] */
const ended = reason => reason?.code === 'THRESHOLD_FAILED'

/**
 * isWhole says whether a run came to its end, or was ended as was asked for.
 *
 * @param {Pick<import('../result/deliver.js').Delivered, 'result' | 'finished'>} delivered
 */
export const isWhole = ({ result, finished }) =>
  finished && (result?.status === 'complete' || ended(result?.reason))

/**
 * runExitCode says how a run went.
 *
 * @param {import('../result/deliver.js').Delivered} delivered
 * @param {{ interrupted: boolean, strict: boolean }} how
 * @returns {number}
 */
export function runExitCode({ result, finished, errors }, how) {
  const whole = isWhole({ result, finished })
  const verdict =
    result === null
      ? {}
      : {
          notMet: failedThresholds(result).length > 0,
          generatorLimited: failsStrict(result),
          failed: errors.length > 0 || hasErrors(result)
        }
  return exitCode({ status: whole ? 'complete' : 'partial' }, verdict, how)
}
