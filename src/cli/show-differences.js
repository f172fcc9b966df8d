import { onTerminal } from '../report/terminal-text.js'
import { readResult } from '../result/read-result.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/scenario.js').Differences} Differences
 * @typedef {{ results: [base: AnyResult, candidate: AnyResult], differences: Differences }} Pair
 */

/**
 * undecidedPair reads the results of two runs of a scenario that shows differences and decides nothing.
 *
 * @param {string[]} words - paths
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<Pair | null>} null: they are something else
 */
export async function undecidedPair(words, find) {
  if (words.length !== 2) return null
  const [base, candidate] = await Promise.all(words.map(word => readResult(word, find).catch(() => null)))
  if (base === null || base.scenario !== candidate?.scenario) return null
  const differences = await (await find(base.scenario))?.differences?.()
  return differences === undefined ? null : { results: [base, candidate], differences }
}

/**
 * showDifferences of two runs.
 *
 * @param {Pair} pair
 * @param {{ json: boolean, page?: string, failOn?: unknown, junit: string | null }} own - options of the command
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {number} exit code
 */
export function showDifferences({ results, differences }, { json, page, failOn, junit }, surroundings) {
  const { them, missing, list, text } = differences
  for (const result of results) {
    const allowed = missing(result)
    if (allowed !== null) return refuse('compare', [{ flag: result.id, value: '', allowed }], surroundings)
  }
  if (failOn !== undefined) {
    const allowed = `is about figures that decide, and ${them} have none: leave it out to compare them`
    return refuse('compare', [{ flag: '--failOn', value: '', allowed }], surroundings)
  }
  if (junit !== null) {
    const allowed = `is about what is held to something, and ${them} are not: leave it out to compare them`
    return refuse('compare', [{ flag: '--junit', value: junit, allowed }], surroundings)
  }
  if (page !== undefined) {
    const allowed = `is of runs that have figures to decide, and ${them} have none: leave it out to compare them`
    return refuse('compare', [{ flag: '--page', value: page, allowed }], surroundings)
  }
  const { stdout } = surroundings
  stdout.write(json ? `${JSON.stringify(list(...results), null, 2)}\n` : onTerminal(text(...results), stdout))
  return EXIT.DONE
}
