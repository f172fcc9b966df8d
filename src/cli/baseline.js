import { baselineLines } from '../report/baseline-lines.js'
import { heldAgainst } from '../studies/comparison/baseline.js'
import { readSide } from '../studies/comparison/sides.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 */

/**
 * againstBaseline says how a run stands against its baseline. One run has no interval, so it never decides: the exit code is
 * that of the run.
 *
 * @param {Pick<Output, 'baseline' | 'failOn'>} output
 * @param {AnyResult | null} result
 * @param {FindScenario} find
 * @returns {Promise<string>} empty: there is nothing to be held against
 */
export async function againstBaseline({ baseline, failOn }, result, find) {
  if (baseline === null || result?.status !== 'complete') return ''
  const side = await readSide(baseline, find)
  const candidate = { label: result.id, results: [result], scenario: side.scenario }
  const lines = baselineLines(heldAgainst(side, candidate, failOn ?? undefined))
  return `\n${lines}One run cannot decide: ab --baseline repeats it.\n`
}
