import { significant } from '../../../../kit/numbers.js'
import { NO_ANSWER, timeFigure } from '../../../../report/page/answer.js'
import { operationsOf, throughput } from '../../../../report/table.js'
import { percentileCurve } from '../plots/percentile-curve.js'

/** @typedef {import('../../../../result/types.js').Result} Result */

/** The operation there are most of. @param {Result} result */
const mainOf = result => operationsOf(result).toSorted(([, a], [, b]) => b.count - a.count)[0]

/**
 * operationsAnswer gives the figures of the operation there are most of.
 *
 * @param {Result} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function operationsAnswer(result) {
  const main = mainOf(result)
  if (main === undefined) return NO_ANSWER
  const [type, operation] = main
  const { rt, count, errors } = operation
  return {
    figures: [
      [`${type} per second`, throughput(operation)],
      ['p50', timeFigure(rt.all.p50)],
      ['p99', timeFigure(rt.all.p99)],
      ['Without success', `${significant((100 * errors) / count)} %`]
    ],
    plots: percentileCurve(result)
  }
}
