import { figuresIn } from '../../plan/metric-names.js'
import { compareMetrics, leastPairs, MOST_PAIRS } from './compare-metrics.js'
import { comparedFigures } from './compared-figures.js'
import { machineDifferences, serverDifferences, versionDifferences } from './environment-differences.js'
import { obstacles, planDifferences } from './plan-differences.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} Result
 * @typedef {import('../../scenarios/scenario.js').ComparableScenario} Scenario
 * @typedef {import('./plan-differences.js').Difference} Difference
 * @typedef {import('./compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../../plan/fail-rule.js').Judged} Judged
 * @typedef {import('../../measure/figure.js').Comparable} Comparable
 *
 * @typedef {object} Side - runs of one plan
 * @property {string} label - what it is called: a folder, a plan file, options
 * @property {Result[]} results - complete, in the order they were run
 * @property {Scenario} scenario - of them
 *
 * @typedef {object} SideInfo
 * @property {string} label
 * @property {string[]} runs - ids
 * @property {string} startedAt - of the first, ISO 8601
 * @property {string | null} version - of libp2p-loadtest
 *
 * @typedef {object} Comparison - of a candidate with a base
 * @property {1} schemaVersion
 * @property {Result['scenario']} scenario
 * @property {Comparable} compared - what it went by; no part of a document
 * @property {SideInfo} base
 * @property {SideInfo} candidate
 * @property {boolean} alternated - runs of both sides took turns, so that a drifting machine could not decide
 * @property {number} pairs - of runs that are compared
 * @property {number} leastPairs - that are needed to tell anything
 * @property {{ plan: Difference[], machine: Difference[], versions: Difference[] }} differences - `machine`: also whether
 *   the server ran in a process or in Docker
 * @property {MetricComparison[]} metrics
 * @property {Judged[]} rules - of --fail-on
 */

/** IncomparableError says why results cannot be held against each other. */
export class IncomparableError extends Error {
  name = 'IncomparableError'
  code = 'INCOMPARABLE'
}

/** @param {unknown} value */
const shown = value => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * assertComparable throws when the figures of two plans are different things.
 *
 * @param {Result['plan']} base
 * @param {Result['plan']} candidate
 * @param {Scenario} scenario - of the first one
 * @throws {IncomparableError}
 */
export function assertComparable(base, candidate, scenario) {
  const found = obstacles(base, candidate, scenario)
  if (found.length === 0) return
  const said = found.map(difference =>
    [difference.what, shown(difference.base), 'and', shown(difference.candidate)].join(' ')
  )
  throw new IncomparableError(`these cannot be compared, they measure different things: ${said.join('; ')}`)
}

/** @param {Pick<Side, 'label' | 'results'>} side @returns {SideInfo} */
const info = ({ label, results }) => ({
  label,
  runs: results.map(({ id }) => id),
  startedAt: results[0].run.startedAt,
  version: results[0].run.versions['libp2p-loadtest'] ?? null
})

/**
 * comparisonDocument is a comparison as it is written: figures are told by their names.
 *
 * @param {Comparison} comparison
 */
export const comparisonDocument = comparison => ({
  ...comparison,
  compared: undefined,
  metrics: comparison.metrics.map(({ figure, ...metric }) => metric)
})

/**
 * leastPairsOf says how many pairs of runs of a plan are needed to tell anything.
 *
 * @param {import('../../scenarios/scenario.js').Scenario} scenario
 * @param {Result['plan']} plan
 */
export const leastPairsOf = ({ compared }, plan) =>
  leastPairs(figuresIn(compared?.figures ?? [], plan).length || 1)

/**
 * compare holds the runs of a candidate against those of a base, in pairs.
 *
 * @param {Side} base - at least one run
 * @param {Side} candidate - at least one run
 * @param {{ alternated?: boolean }} [how]
 * @returns {Comparison}
 * @throws {IncomparableError}
 */
export function compare(base, candidate, { alternated = false } = {}) {
  const [one, other] = [base.results[0], candidate.results[0]]
  assertComparable(one.plan, other.plan, base.scenario)
  const { compared } = base.scenario
  const figures = figuresIn(compared.figures, one.plan)
  const pairs = Math.min(base.results.length, candidate.results.length, MOST_PAIRS)
  const [bases, candidates] = [base, candidate].map(({ results }) =>
    results.slice(0, pairs).map(result => comparedFigures(result, figures))
  )
  return {
    schemaVersion: 1,
    scenario: one.scenario,
    compared,
    base: info(base),
    candidate: info(candidate),
    alternated,
    pairs,
    leastPairs: leastPairs(figures.length),
    differences: {
      plan: planDifferences(one.plan, other.plan),
      machine: [...machineDifferences(one.run, other.run), ...serverDifferences(one, other)],
      versions: versionDifferences(one.run, other.run)
    },
    metrics: compareMetrics(
      bases.map((found, place) => ({ base: found, candidate: candidates[place] })),
      figures
    ),
    rules: []
  }
}
