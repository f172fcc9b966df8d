import { warningText } from '../report/description/describe-run.js'
import { errorsOf } from '../result/strict.js'

/**
 * runErrors are the errors that runs of a study came to their end with.
 *
 * @param {Iterable<readonly [name: string, result: import('../result/types.js').AnyResult]>} results
 * @param {Parameters<typeof errorsOf>[1]} [of]
 * @returns {{ failed: boolean, errors: string[] }} parts of a verdict
 */
export function runErrors(results, of) {
  const errors = [...results].flatMap(([name, result]) =>
    errorsOf(result, of).map(error => `${name}: ${warningText(error, result)}`)
  )
  return { failed: errors.length > 0, errors }
}
