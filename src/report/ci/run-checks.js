import { errorsOf, failsStrict, strictWarnings } from '../../result/strict.js'
import { warningText } from '../description/describe-run.js'
import { endChecks, tookMs } from './end-checks.js'
import { thresholdChecks } from './threshold-checks.js'

/**
 * runChecks are what a run was held to.
 *
 * @param {import('../../plan/plan.js').AnyPlan} plan
 * @param {{ result: import('../../result/types.js').AnyResult | null, whole: boolean, errors: readonly string[] }} ended - `whole`: it came to
 *   its end, or a threshold broke it off; `errors`: of what takes its records
 * @param {{ id: string, startedAt: string, finishedAt: string, strict: boolean, figures?: () => string }} how - when it began and ended, where no
 *   result says so
 * @returns {import('./checks.js').Checked}
 */
export function runChecks(plan, { result, whole, errors }, { strict, ...about }) {
  const kept = result !== null
  const words = kept ? errorsOf(result).map(error => warningText(error, result)) : []
  const all = [...words, ...errors]
  const { id, startedAt, finishedAt, figures } = about
  return {
    kind: plan.scenario,
    name: id,
    startedAt,
    figures,
    checks: [
      ...endChecks(
        { status: whole ? 'complete' : 'partial', reason: (!whole && result?.reason) || null },
        { failed: all.length > 0, errors: all, generatorLimited: kept && failsStrict(result) },
        {
          group: 'run',
          strict,
          ms: tookMs(result?.run.finishedAt ? result.run : { startedAt, finishedAt }),
          why: kept ? strictWarnings(result).map(warning => warningText(warning, result)) : []
        }
      ),
      ...(kept ? thresholdChecks('thresholds', result) : [])
    ]
  }
}
