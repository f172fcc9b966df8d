import { baselineLines } from '../report/baseline-lines.js'
import { heldAgainst } from '../studies/comparison/baseline.js'
import { readSide } from '../studies/comparison/sides.js'
import { unreadable } from './refuse.js'

/**
 * @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 */

/**
 * baselineProblem says why a baseline cannot be read, before anything is started.
 *
 * @param {string} path
 * @param {FindScenario} find
 * @returns {Promise<import('../plan/read-options.js').Problem | null>}
 */
export async function baselineProblem(path, find) {
  try {
    await readSide(path, find)
    return null
  } catch (error) {
    const { flag: file, allowed } = unreadable(error)
    return { flag: '--baseline', value: path, allowed: file === path ? allowed : `${file} ${allowed}` }
  }
}

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
  if (baseline === null || result?.status !== 'complete' || result.scenario !== 'rendezvous') return ''
  const side = await readSide(baseline, find)
  const candidate = { label: result.id, results: [result], scenario: side.scenario }
  const lines = baselineLines(heldAgainst(side, candidate, failOn ?? undefined))
  return `\n${lines}One run cannot decide: ab --baseline repeats it.\n`
}
