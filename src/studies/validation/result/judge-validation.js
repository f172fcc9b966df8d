import { join } from 'node:path'
import { engineOf } from '../../../network/simulated/engine.js'
import { readResult } from '../../../result/read-result.js'
import { LEAST_PAIRS } from '../../statistics/equivalence.js'
import { conditionsOf } from './conditions.js'
import { counterChecks } from './counter-checks.js'
import { judgeGoodput } from './goodput.js'
import { judgeMeasures } from './judge-measures.js'
import { observationOf } from './observation.js'
import { SIDES } from './validation-document.js'

/**
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./validation-document.js').SideName} SideName
 * @typedef {import('./validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('./validation-document.js').ValidationVerdict} ValidationVerdict
 *
 * @typedef {Record<SideName, GossipResult[]>} SideResults - of the runs that are complete
 */

/** LEAST_RUNS of each side that something can be said of: two have a scatter. That they agree takes more. */
export const LEAST_RUNS = 2

/**
 * readSideResults reads what is kept of the complete runs of a validation.
 *
 * @param {string} folder
 * @param {Pick<ValidationDocument, 'runs'>} document
 * @param {import('../../../scenarios/index.js').FindScenario} find
 * @returns {Promise<SideResults>}
 * @throws {import('../../../result/read-result.js').ResultFileError}
 */
export async function readSideResults(folder, { runs }, find) {
  /** @type {SideResults} */
  const results = { real: [], simulated: [], slower: [] }
  for (const side of SIDES)
    for (const { status, run } of runs[side])
      if (status === 'complete' && run !== null)
        results[side].push(/** @type {GossipResult} */ (await readResult(join(folder, run), find)))
  return results
}

/**
 * observationsOf are what is compared of the runs of a validation. Times are counted in the latency of the real links, for both.
 *
 * @param {SideResults} results
 */
export function observationsOf({ real, simulated, slower }) {
  const unitMs = /** @type {number} */ (real[0].plan.linkLatencyMs)
  const sides = [real, simulated, slower].map(side => side.map(result => observationOf(result, unitMs)))
  // what is compared is of the same seeds: where one delivered nothing, the others have nothing to stand beside
  const isPaired = (/** @type {number} */ place) => sides.every(side => side[place] !== null)
  const [ofReal, ofSimulated, ofSlower] = sides.map(side =>
    side.flatMap((each, place) => (each !== null && isPaired(place) ? [each] : []))
  )
  return { unitMs, real: ofReal, simulated: ofSimulated, slower: ofSlower }
}

/**
 * judgeValidation says what a validation came to.
 *
 * @param {Pick<ValidationDocument, 'runs'>} document
 * @param {SideResults} results
 * @returns {ValidationVerdict | null} null: too few runs are complete
 */
export function judgeValidation({ runs }, results) {
  if (results.real.length === 0) return null
  const observations = observationsOf(results)
  const { real, simulated, slower, unitMs } = observations
  if (Math.min(...[real, simulated, slower].map(({ length }) => length)) < LEAST_RUNS) return null
  const conditions = conditionsOf(results.real, results.simulated)
  // a short study must not say that the simulated connections are unlike the formula
  const seeds = Array.from({ length: Math.max(LEAST_PAIRS, real.length) }, (_, seed) => seed)
  const measures = [...judgeMeasures(real, simulated, unitMs), judgeGoodput(unitMs, seeds)]
  const counter = counterChecks(observations, seeds)
  const whole = SIDES.every(side => results[side].length === runs[side].length)
  const passed =
    conditions.every(({ met }) => met) &&
    measures.every(({ verdict }) => verdict === 'agrees') &&
    counter.every(({ verdict }) => verdict === 'differs')
  return { passed: whole ? passed : null, engines: enginesOf(results), conditions, measures, counter }
}

/** @param {SideResults} results */
const enginesOf = ({ simulated, slower }) => [
  ...new Set(
    [...simulated, ...slower].flatMap(({ outcome: { digest } }) => (digest == null ? [] : engineOf(digest)))
  )
]
