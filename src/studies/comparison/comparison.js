import { judgeRule } from '../../plan/fail-rule.js'
import { comparedIn } from '../../plan/metric-names.js'
import { compareMetrics, leastPairs, MOST_PAIRS } from './compare-metrics.js'
import { comparedFigures } from './compared-figures.js'
import { letterOf, VERSION } from './comparison-document.js'
import {
  machineDifferences,
  obstacles,
  planDifferences,
  serverDifferences,
  versionDifferences
} from './differences.js'
import { spreadsOf } from './spread.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} Result
 * @typedef {import('../../scenarios/scenario.js').ComparableScenario} Scenario
 * @typedef {import('./differences.js').Difference} Difference
 * @typedef {import('./compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../../plan/fail-rule.js').Judged} Judged
 * @typedef {import('../../measure/figure.js').Comparable} Comparable
 *
 * @typedef {object} Side - runs of one plan
 * @property {string} label - what it is called: a folder, a plan file, options
 * @property {Result[]} results - complete, in the order they were run
 * @property {Scenario} scenario - of them
 * @property {string} [study] - folder of the comparison that they were run for
 *
 * @typedef {object} SideInfo
 * @property {string} label
 * @property {string[]} runs - ids
 * @property {string} startedAt - of the first, ISO 8601
 * @property {string | null} version - of libp2p-loadtest
 *
 * @typedef {object} Against - how a candidate compares with its base
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
 *
 * @typedef {object} SideThreshold - what became of a threshold in the runs of a side
 * @property {string} side - its letter
 * @property {string} text - `DISCOVER.p99 < 50ms`
 * @property {number} runs - that it was judged in
 * @property {number} passed - of them
 *
 * @typedef {object} Comparison - of the runs of one plan with one another, or of those of several with the first
 * @property {readonly Side[]} sides
 * @property {import('./spread.js').Spreading[][]} spreads - of each side: the figures that decide
 * @property {Against[]} against - of each further side: how it compares with the first
 * @property {SideThreshold[]} thresholds
 * @property {import('./baseline.js').BaselineVerdict | null} baseline - how the last side stands against earlier runs; null: it was not asked for
 */

/** IncomparableError says why results cannot be held against each other. */
export class IncomparableError extends Error {
  name = 'IncomparableError'
  code = 'INCOMPARABLE'
}

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll(/[{}"]/g, '')
}

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
 * leastPairsOf says how many pairs of runs of a plan are needed to tell anything.
 *
 * @param {import('../../scenarios/scenario.js').Scenario} scenario
 * @param {Result['plan']} plan
 */
export const leastPairsOf = ({ compared }, plan) =>
  leastPairs((compared && comparedIn(compared, plan).length) || 1)

/**
 * compare holds the runs of a candidate against those of a base, in pairs.
 *
 * @param {Side} base - at least one run
 * @param {Side} candidate - at least one run
 * @param {{ alternated?: boolean }} [how]
 * @returns {Against}
 * @throws {IncomparableError}
 */
export function compare(base, candidate, { alternated = false } = {}) {
  const [one, other] = [base.results[0], candidate.results[0]]
  assertComparable(one.plan, other.plan, base.scenario)
  const { compared } = base.scenario
  const figures = comparedIn(compared, one.plan)
  const pairs = Math.min(base.results.length, candidate.results.length, MOST_PAIRS)
  const [bases, candidates] = [base, candidate].map(({ results }) =>
    results.slice(0, pairs).map(result => comparedFigures(result, figures))
  )
  return {
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

/** @param {Side} side @param {number} place @returns {SideThreshold[]} */
function thresholdsOf({ results }, place) {
  const judged = results.flatMap(({ outcome }) => outcome.thresholds ?? [])
  return [...new Set(judged.map(({ text }) => text))].map(text => {
    const own = judged.filter(threshold => threshold.text === text)
    return {
      side: letterOf(place),
      ...{ text, runs: own.length, passed: own.filter(({ passed }) => passed).length }
    }
  })
}

/** Whether the runs of two sides took turns. @param {Side} base @param {Side} candidate */
const tookTurns = (base, candidate) =>
  base.study !== undefined && base.study === candidate.study && base.results[0].id !== candidate.results[0].id

/**
 * compareSides compares the runs of every further side with those of the first, and says how those of each scatter.
 *
 * @param {readonly Side[]} sides - each with at least one run
 * @param {{ rules?: readonly import('../../plan/fail-rule.js').FailRule[], held?: Comparison['baseline'] }} [to] - what they are held to
 * @returns {Comparison}
 * @throws {IncomparableError}
 */
export function compareSides(sides, { rules = [], held = null } = {}) {
  const [base, ...others] = sides
  const figures = comparedIn(base.scenario.compared, base.results[0].plan)
  return {
    sides,
    against: others.map(side => {
      const found = compare(base, side, { alternated: tookTurns(base, side) })
      return { ...found, rules: rules.map(rule => judgeRule(rule, found.metrics)) }
    }),
    spreads: sides.map(side => spreadsOf(side.results, figures)),
    thresholds: sides.flatMap(thresholdsOf),
    baseline: held
  }
}

/**
 * comparisonDocument is a comparison as it is written: figures are told by their names.
 *
 * @param {Comparison} comparison
 * @param {Partial<import('./comparison-document.js').ComparisonDocument>} [document] - of its study
 */
export const comparisonDocument = ({ sides, spreads, against, thresholds, baseline }, document) => ({
  schemaVersion: VERSION,
  ...document,
  scenario: sides[0].results[0].scenario,
  sides: sides.map((side, place) => ({
    plan: side.results[0].plan,
    ...info(side),
    ...document?.sides?.[place],
    thresholds: thresholds.filter(threshold => threshold.side === letterOf(place)),
    figures: spreads[place].map(({ figure: { name: metric }, ...spreading }) => ({ metric, ...spreading })),
    against: place === 0 ? null : withoutFigures(against[place - 1])
  })),
  held: baseline
})

/** @param {Against} against */
const withoutFigures = ({ scenario, compared, base, candidate, metrics, ...against }) => ({
  ...against,
  metrics: metrics.map(({ figure, ...metric }) => metric)
})

/**
 * verdictOf says whether a comparison fails what it was asked to, a rule, the baseline, or a threshold of a run, or leaves it open.
 *
 * @param {Comparison} comparison
 */
export function verdictOf({ against, thresholds, baseline }) {
  const rules = [...against.flatMap(found => found.rules), ...(baseline?.rules ?? [])]
  const came = (/** @type {string} */ to) => rules.some(({ verdict }) => verdict === to)
  return {
    notMet: came('FAIL') || thresholds.some(({ runs, passed }) => passed < runs),
    undecided: came('UNDECIDED')
  }
}
