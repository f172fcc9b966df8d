import { writeDescription } from '../report/terminal.js'
import { readResult } from '../result/read-result.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'
import { writePage } from './write-page.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/scenario.js').Differences} Differences
 * @typedef {{ results: [base: AnyResult, candidate: AnyResult], differences: Differences }} Pair
 */

/**
 * undecidedPair reads the results of two runs of which differences are shown and nothing is decided.
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
  const isOf = differences?.ofPlan(base.plan) && differences.ofPlan(candidate.plan)
  return differences && isOf ? { results: [base, candidate], differences } : null
}

/** Options that need a verdict, with how each is refused. @param {{ failOn?: unknown, junit: string | null }} own */
const needVerdict = ({ failOn, junit }) => [
  ...(failOn === undefined ? [] : [{ flag: '--failOn', value: '' }]),
  ...(junit === null ? [] : [{ flag: '--junit', value: junit }])
]

/**
 * showDifferences of two runs.
 *
 * @param {Pair} pair
 * @param {{ json: boolean, page?: string, failOn?: unknown, junit: string | null }} own - options of the command
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function showDifferences({ results, differences }, { json, page, ...own }, surroundings) {
  const { missing, list, describe } = differences
  for (const result of results) {
    const allowed = missing(result)
    if (allowed !== null) return refuse('compare', [{ flag: result.id, value: '', allowed }], surroundings)
  }
  const allowed = 'needs figures that decide, and single profiled runs have none: leave it out'
  const refused = needVerdict(own).map(option => ({ ...option, allowed }))
  if (refused.length > 0) return refuse('compare', refused, surroundings)
  const description = describe(...results)
  if (json) surroundings.stdout.write(`${JSON.stringify(list(...results), null, 2)}\n`)
  else writeDescription(description, surroundings)
  if (page !== undefined) await writePage(page, description, surroundings)
  return EXIT.DONE
}
