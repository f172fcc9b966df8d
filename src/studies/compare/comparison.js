// Compares the runs of two or more plans by statistical tests, with a verdict for each figure. Also finds differences
// between plans, machines and versions.

import { isDeepStrictEqual } from 'node:util'
import { median, omitMissing } from '../../kit/collections.js'
import { formatSignificant } from '../../kit/numbers.js'
import { summarize } from '../../measure/histogram.js'
import {
  estimateHodgesLehmann,
  estimateTheilSen,
  MAX_EXACT_VALUES,
  testSignFlip
} from '../../measure/statistics.js'
import { judgeRule } from '../../plan/fail-rules.js'
import { listComparedFigures } from '../../plan/threshold.js'
import { poolTimes } from '../../report/result-folder.js'
import { adjustByHolm, findDetectableChange } from '../statistics.js'
import { COMPARISON_VERSION, sideLetter } from './comparison-document.js'

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} Result
 * @typedef {import('../../scenarios/index.js').ComparableScenario} Scenario
 * @typedef {import('../../plan/fail-rules.js').JudgedRule} JudgedRule
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
 * @typedef {object} SideComparison - how a candidate compares with its base
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
 * @property {JudgedRule[]} rules - of --fail-on
 *
 * @typedef {object} SideThreshold - what became of a threshold in the runs of a side
 * @property {string} side - its letter
 * @property {string} text - `DISCOVER.p99 < 50ms`
 * @property {number} runs - that it was judged in
 * @property {number} passed - of them
 *
 * @typedef {object} Comparison - of the runs of one plan with one another, or of those of several with the first
 * @property {readonly Side[]} sides
 * @property {FigureSpread[][]} spreads - of each side: the figures that decide
 * @property {SideComparison[]} against - of each further side: how it compares with the first
 * @property {SideThreshold[]} thresholds
 * @property {import('./baseline.js').BaselineVerdict | null} baseline - how the last side stands against earlier runs; null: it was not asked for
 */

/** IncomparableError says why results cannot be compared. */
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
  const differences = obstacles(base, candidate, scenario)
  if (differences.length === 0) return
  const lines = differences.map(difference =>
    [difference.what, shown(difference.base), 'and', shown(difference.candidate)].join(' ')
  )
  throw new IncomparableError(`these cannot be compared, they measure different things: ${lines.join('; ')}`)
}

/** @param {Pick<Side, 'label' | 'results'>} side @returns {SideInfo} */
const info = ({ label, results }) => ({
  label,
  runs: results.map(({ id }) => id),
  startedAt: results[0].run.startedAt,
  version: results[0].run.versions['libp2p-loadtest'] ?? null
})

/**
 * computeMinPairsOfPlan is the number of pairs of runs of a plan that a verdict needs.
 *
 * @param {import('../../scenarios/index.js').Scenario} scenario
 * @param {Result['plan']} plan
 */
export const computeMinPairsOfPlan = ({ compared }, plan) =>
  computeMinPairs((compared && listComparedFigures(compared, plan).length) || 1)

/**
 * comparePairs compares the runs of a candidate with those of a base, in pairs.
 *
 * @param {Side} base - at least one run
 * @param {Side} candidate - at least one run
 * @param {{ alternated?: boolean }} [how]
 * @returns {SideComparison}
 * @throws {IncomparableError}
 */
export function comparePairs(base, candidate, { alternated = false } = {}) {
  const [one, other] = [base.results[0], candidate.results[0]]
  assertComparable(one.plan, other.plan, base.scenario)
  const { compared } = base.scenario
  const figures = listComparedFigures(compared, one.plan)
  const pairs = Math.min(base.results.length, candidate.results.length, MAX_PAIRS)
  const [bases, candidates] = [base, candidate].map(({ results }) =>
    results.slice(0, pairs).map(result => readComparedFigures(result, figures))
  )
  return {
    scenario: one.scenario,
    compared,
    base: info(base),
    candidate: info(candidate),
    alternated,
    pairs,
    leastPairs: computeMinPairs(figures.length),
    differences: {
      plan: findPlanDifferences(one.plan, other.plan),
      machine: [...findMachineDifferences(one.run, other.run), ...findServerDifferences(one, other)],
      versions: findVersionDifferences(one.run, other.run)
    },
    metrics: compareMetrics(
      bases.map((base, place) => ({ base, candidate: candidates[place] })),
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
      side: sideLetter(place),
      ...{ text, runs: own.length, passed: own.filter(({ passed }) => passed).length }
    }
  })
}

/** Whether the runs of two sides took turns. @param {Side} base @param {Side} candidate */
const tookTurns = (base, candidate) =>
  base.study !== undefined && base.study === candidate.study && base.results[0].id !== candidate.results[0].id

/**
 * compareAllSides compares the runs of every side with those of the first, and measures the spread of each side.
 *
 * @param {readonly Side[]} sides - each with at least one run
 * @param {{ rules?: readonly import('../../plan/fail-rules.js').FailRule[], held?: Comparison['baseline'] }} [to] - rules, and the verdict of a baseline
 * @returns {Comparison}
 * @throws {IncomparableError}
 */
export function compareAllSides(sides, { rules = [], held = null } = {}) {
  const [base, ...others] = sides
  const figures = listComparedFigures(base.scenario.compared, base.results[0].plan)
  return {
    sides,
    against: others.map(side => {
      const comparison = comparePairs(base, side, { alternated: tookTurns(base, side) })
      return { ...comparison, rules: rules.map(rule => judgeRule(rule, comparison.metrics)) }
    }),
    spreads: sides.map(side => measureSpreads(side.results, figures)),
    thresholds: sides.flatMap(thresholdsOf),
    baseline: held
  }
}

/**
 * makeComparisonDocument is a comparison as stored: it has the names of figures only.
 *
 * @param {Comparison} comparison
 * @param {Partial<import('./comparison-document.js').ComparisonDocument>} [document] - of its study
 */
export const makeComparisonDocument = ({ sides, spreads, against, thresholds, baseline }, document) => ({
  schemaVersion: COMPARISON_VERSION,
  ...document,
  scenario: sides[0].results[0].scenario,
  sides: sides.map((side, place) => ({
    plan: side.results[0].plan,
    ...info(side),
    ...document?.sides?.[place],
    thresholds: thresholds.filter(threshold => threshold.side === sideLetter(place)),
    figures: spreads[place].map(({ figure: { name: metric }, ...spreading }) => ({ metric, ...spreading })),
    against: place === 0 ? null : withoutFigures(against[place - 1])
  })),
  held: baseline
})

/** @param {SideComparison} against */
const withoutFigures = ({ scenario, compared, base, candidate, metrics, ...against }) => ({
  ...against,
  metrics: metrics.map(({ figure, ...metric }) => metric)
})

/**
 * judgeComparison says whether a rule, the baseline or a threshold of a run failed, or is undecided.
 *
 * @param {Comparison} comparison
 */
export function judgeComparison({ against, thresholds, baseline }) {
  const verdicts = [...against.flatMap(({ rules }) => rules), ...(baseline?.rules ?? [])].map(
    ({ verdict }) => verdict
  )
  return {
    notMet: verdicts.includes('FAIL') || thresholds.some(({ runs, passed }) => passed < runs),
    undecided: verdicts.includes('UNDECIDED')
  }
}

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {{ base: ComparedFigures, candidate: ComparedFigures }} Pair - of runs
 *
 * @typedef {'different' | 'same within 5 %' | 'undecided' | 'too few runs to tell' | 'not measured'} MetricVerdict
 *
 * @typedef {object} MetricComparison - ratios are candidate ÷ base
 * @property {string} metric - its name
 * @property {Figure} figure - what it is; no part of a document
 * @property {{ base: ComparedFigure | null, candidate: ComparedFigure | null }[]} pairs
 * @property {number | null} ratio - estimate; null: no pair has both figures
 * @property {{ low: number, high: number } | null} interval - 95 %, of the ratio; 0 and Infinity where nothing bounds it; null:
 *   too few pairs
 * @property {import('../statistics.js').DetectableChange | null} seen - what could have been seen; null: too few pairs, or nothing bounds it
 * @property {boolean} same - the 90 % interval lies within the margin
 * @property {number | null} p - two-sided; null: too few pairs
 * @property {number | null} adjustedP - by Holm over the metrics
 * @property {MetricVerdict} verdict
 */

/** MAX_PAIRS is the largest number of pairs that is tested. */
export const MAX_PAIRS = MAX_EXACT_VALUES

/** MIN_CHANGE that is called a difference: smaller changes are of no interest, even if significant. */
export const MIN_CHANGE = 0.05

/** Pairs whose interval at this confidence lies within the margin are the same: two one-sided tests at 5 % (D. J. Schuirmann, 1987). */
const EQUIVALENCE_CONFIDENCE = 0.9

/** SIGNIFICANCE_LEVEL of significance of adjusted p values. */
export const SIGNIFICANCE_LEVEL = 0.05

/**
 * computeMinPairs says how many pairs are needed to tell anything: with fewer, Holm over so many metrics leaves no p below 0.05,
 * whatever is measured. The smallest p of n pairs is 2 / 2^n.
 *
 * @param {number} metrics - how many there are
 * @returns {number}
 */
export const computeMinPairs = metrics => Math.floor(Math.log2((2 * metrics) / SIGNIFICANCE_LEVEL)) + 1

/** @param {ComparedFigure | null | undefined} figure a logarithm needs a value above 0 */
const usable = figure => figure != null && figure.value > 0

/**
 * Log-ratio with its bounds: a figure that is known only to be at least something leaves one side open.
 *
 * @param {{ base: ComparedFigure, candidate: ComparedFigure }} pair
 */
function logRatio({ base, candidate }) {
  const value = Math.log(candidate.value / base.value)
  return {
    value,
    low: base.atLeast ? -Infinity : value,
    high: candidate.atLeast ? Infinity : value
  }
}

/** @param {{ low: number, high: number }} logs */
const asRatios = ({ low, high }) => ({ low: Math.exp(low), high: Math.exp(high) })

/**
 * @param {Figure} figure
 * @param {readonly Pair[]} pairs
 * @param {number} minPairs - pairs that are needed
 * @returns {Omit<MetricComparison, 'adjustedP' | 'verdict'>}
 */
function estimated(figure, pairs, minPairs) {
  const { name: metric } = figure
  const figures = pairs.map(({ base, candidate }) => ({
    base: base[metric] ?? null,
    candidate: candidate[metric] ?? null
  }))
  const whole = /** @type {{ base: ComparedFigure, candidate: ComparedFigure }[]} */ (
    figures.filter(({ base, candidate }) => usable(base) && usable(candidate))
  )
  const ratios = whole.slice(0, MAX_PAIRS).map(logRatio)
  const ratio = ratios.length === 0 ? null : Math.exp(estimateHodgesLehmann(ratios.map(({ value }) => value)))
  const known = { metric, figure, pairs: figures, ratio }
  // a figure may be missing because of the change itself: then no test is made
  if (ratios.length < minPairs || whole.length < figures.length)
    return { ...known, interval: null, seen: null, same: false, p: null }
  const lows = ratios.map(({ low }) => low)
  const isKnown = ratios.every(({ low, high }) => low === high)
  // the same array lets testSignFlip enumerate all subsets once
  const highs = isKnown ? lows : ratios.map(({ high }) => high)
  const { p, interval: logs, intervalAt } = testSignFlip(lows, highs)
  const interval = asRatios(logs)
  const seen = findDetectableChange(interval, ratios.length, { wanted: MIN_CHANGE, maxPairs: MAX_PAIRS })
  const narrow = asRatios(intervalAt(EQUIVALENCE_CONFIDENCE))
  const same = narrow.low >= 1 / (1 + MIN_CHANGE) && narrow.high <= 1 + MIN_CHANGE
  return { ...known, interval, seen, same, p }
}

/** @param {Omit<MetricComparison, 'verdict'>} comparison @param {number} minPairs - pairs that are needed @returns {MetricVerdict} */
function metricVerdict({ ratio, adjustedP, pairs, same }, minPairs) {
  if (ratio === null) return 'not measured'
  if (adjustedP === null) return pairs.length < minPairs ? 'too few runs to tell' : 'not measured'
  if (adjustedP < SIGNIFICANCE_LEVEL && Math.abs(ratio - 1) > MIN_CHANGE) return 'different'
  return same ? 'same within 5 %' : 'undecided'
}

/**
 * compareMetrics compares the primary metrics of pairs of runs. A metric is *different* when it changed by more than 5 % and
 * chance would show as much in one of the metrics in fewer than 5 of 100 comparisons. It is the *same* when its 90 % interval lies within
 * 5 %; a difference that was not found is none of these.
 *
 * @param {readonly Pair[]} pairs
 * @param {readonly Figure[]} figures - that are decided on
 * @returns {MetricComparison[]}
 */
export function compareMetrics(pairs, figures) {
  const minPairs = computeMinPairs(figures.length)
  const metrics = figures.map(figure => estimated(figure, pairs, minPairs))
  const tested = metrics.filter(({ p }) => p !== null)
  const adjusted = adjustByHolm(tested.map(({ p }) => Number(p)))
  return metrics.map(comparison => {
    const place = tested.indexOf(comparison)
    const whole = { ...comparison, adjustedP: place < 0 ? null : adjusted[place] }
    return { ...whole, verdict: metricVerdict(whole, minPairs) }
  })
}

/**
 * @typedef {object} ComparedFigure - a figure of one run
 * @property {number} value
 * @property {boolean} atLeast - operations without a reply reach into it: it would be larger
 *
 * @typedef {Readonly<Record<string, ComparedFigure | null>>} ComparedFigures - by name
 */

/**
 * Merges histograms of operations.
 *
 * @param {readonly Readonly<Record<string, string>>[]} parts - histograms by outcome
 */
function pool(parts) {
  const { all, answered } = poolTimes(parts)
  return summarize(all, { answered })
}

/**
 * readComparedFigures reads the figures of a run by which it is compared.
 *
 * @param {Pick<import('../../scenarios/index.js').AnyResult, 'outcome' | 'run'>} result
 * @param {readonly Figure[]} figures
 * @returns {ComparedFigures}
 */
export const readComparedFigures = (result, figures) =>
  Object.fromEntries(
    figures.map(({ name, read }) => {
      const reading = read(result.outcome, result.run, pool)
      const compared = { value: reading.value, atLeast: reading.atLeast !== undefined }
      return [name, reading.value === null ? null : /** @type {ComparedFigure} */ (compared)]
    })
  )

/**
 * @typedef {object} FigureSpread - a figure of all runs of a side
 * @property {Figure} figure - what it is; no part of a document
 * @property {Spread} spread
 * @property {boolean} atLeast - operations without a reply reach into that of any of the runs
 *
 * @typedef {object} Spread - of a figure over runs
 * @property {number} median
 * @property {number} least
 * @property {number} most
 * @property {number[]} outliers - places of runs, from 0
 * @property {number | null} drift - by which it changed from the first to the last run, as a ratio; null: none was shown
 */

/** Modified z-scores beyond this are outliers: B. Iglewicz, D. C. Hoaglin, How to Detect and Handle Outliers (1993), 3. */
const OUTLIER = 3.5
/** The median absolute deviation of a normal distribution is this share of its standard deviation. */
const MAD_OF_NORMAL = 0.6745
const MIN_RUNS = 5
/** With this quantile one of 100 series without drift is reported as drifting: strict, since several figures are tested. */
const Z_99 = 2.575829

/** @param {readonly number[]} logs @returns {number[]} */
function outliersOf(logs) {
  if (logs.length < MIN_RUNS) return []
  const middle = median(logs)
  const deviation = median(logs.map(log => Math.abs(log - middle)))
  const isOut = (/** @type {number} */ log) =>
    MAD_OF_NORMAL * Math.abs(log - middle) > OUTLIER * deviation &&
    Math.abs(log - middle) > Math.log1p(MIN_CHANGE)
  return logs.flatMap((log, place) => (isOut(log) ? [place] : []))
}

/** @param {readonly number[]} logs @returns {number | null} */
function driftOf(logs) {
  const points = logs.map((y, x) => ({ x, y }))
  const slope = logs.length < MIN_RUNS ? null : estimateTheilSen(points, { z: Z_99, independent: true })
  if (slope === null || slope.low * slope.high <= 0) return null
  const change = slope.slope * (logs.length - 1)
  return Math.abs(change) > Math.log1p(MIN_CHANGE) ? Math.exp(change) : null
}

/**
 * measureSpread measures the spread of a figure over runs, finds outliers, and says whether it drifts. Deviations smaller than MIN_CHANGE count as
 * neither.
 *
 * @param {readonly number[]} values - in the order of the runs, at least one
 * @returns {Spread}
 */
export function measureSpread(values) {
  const logs = values.every(value => value > 0) ? values.map(Math.log) : []
  return {
    median: median(values),
    least: Math.min(...values),
    most: Math.max(...values),
    outliers: outliersOf(logs),
    drift: driftOf(logs)
  }
}

/**
 * measureSpreads are the figures that every run has.
 *
 * @param {readonly Result[]} results
 * @param {readonly Figure[]} figures
 * @returns {FigureSpread[]}
 */
export function measureSpreads(results, figures) {
  const runs = results.map(result => readComparedFigures(result, figures))
  return figures.flatMap(figure => {
    const readings = runs.flatMap(run => run[figure.name] ?? [])
    if (readings.length < runs.length) return []
    const atLeast = readings.some(each => each.atLeast)
    return [{ figure, spread: measureSpread(readings.map(({ value }) => value)), atLeast }]
  })
}

/**
 * @typedef {import('../../scenarios/index.js').AnyPlan} Plan
 * @typedef {Pick<Result['run'], 'machine' | 'versions'>} Environment
 *
 * @typedef {object} Difference
 * @property {string} what
 * @property {unknown} base
 * @property {unknown} candidate
 */

/** Parameters of a plan that change no figure. */
const IRRELEVANT_PARAMETERS = new Set(['iOwnTheTarget', 'targetPid', 'targetContainer', 'thresholds'])

/**
 * Differences for which results of two plans cannot be compared.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @param {Scenario} scenario - of the first one
 * @returns {Difference[]} none: they can
 */
const obstacles = (base, candidate, { compared }) =>
  Object.entries({
    scenario: (/** @type {Plan} */ { scenario }) => scenario,
    ...(base.scenario === candidate.scenario ? compared.same : {})
  })
    .map(([what, of]) => ({ what, base: of(base), candidate: of(candidate) }))
    .filter(difference => !isDeepStrictEqual(difference.base, difference.candidate))

/**
 * findPlanDifferences are the parameters in which two plans differ, as far as they can change a figure.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @returns {Difference[]}
 */
export function findPlanDifferences(base, candidate) {
  const [one, other] = /** @type {Record<string, unknown>[]} */ ([{ ...base }, { ...candidate }])
  return Object.keys({ ...one, ...other })
    .filter(
      key => !IRRELEVANT_PARAMETERS.has(key) && !isDeepStrictEqual(one[key] ?? null, other[key] ?? null)
    )
    .map(what => ({ what, base: one[what] ?? null, candidate: other[what] ?? null }))
}

/** formatDifferences writes differences in one line. @param {readonly Difference[]} differences */
export const formatDifferences = differences =>
  differences
    .map(({ what, base, candidate }) => `${what} ${base ?? 'none'} → ${candidate ?? 'none'}`)
    .join('; ')

/** Facts by which machines are told apart. */
const MACHINE = /** @type {const} */ (['platform', 'arch', 'cpu', 'cores', 'memoryBytes'])

/**
 * findMachineDifferences are what tells the machines of two runs apart.
 *
 * @param {Environment} base
 * @param {Environment} candidate
 * @returns {Difference[]}
 */
export const findMachineDifferences = (base, candidate) =>
  MACHINE.map(what => ({ what, base: base.machine[what], candidate: candidate.machine[what] })).filter(
    difference => difference.base !== difference.candidate
  )

/**
 * findVersionDifferences are the programs and packages of which two runs had other versions.
 *
 * @param {Environment} base
 * @param {Environment} candidate
 * @returns {Difference[]}
 */
export const findVersionDifferences = (base, candidate) =>
  Object.keys({ ...base.versions, ...candidate.versions })
    .map(what => ({
      what,
      base: base.versions[what] ?? null,
      candidate: candidate.versions[what] ?? null
    }))
    .filter(difference => difference.base !== difference.candidate)

/**
 * findServerDifferences are what tells apart where the servers of two runs ran.
 *
 * @param {Pick<Result, 'outcome'>} base
 * @param {Pick<Result, 'outcome'>} candidate
 * @returns {Difference[]}
 */
export function findServerDifferences(base, candidate) {
  const [one, other] = [base, candidate].map(({ outcome }) =>
    // those of transfers are an address, or ours: nothing is told of where it ran
    'target' in outcome ? (outcome.target?.kind ?? null) : null
  )
  return one === other ? [] : [{ what: 'server in', base: one, candidate: other }]
}

/**
 * Writes a ratio as a change: 1.1 is `+10.0 %`.
 *
 * @param {number} ratio - 0 or above; Infinity where nothing bounds it
 */
function change(ratio) {
  const percent = 100 * (ratio - 1)
  if (ratio === Infinity) return 'any more'
  if (ratio === 0) return 'any less'
  const size = Math.abs(percent)
  return `${percent < 0 ? '−' : '+'}${size < 99.95 ? size.toFixed(1) : formatSignificant(size)} %`
}

/** formatPercent writes a share as a percentage of two digits. @param {number} share */
export const formatPercent = share => `${Number(Math.max(0.1, 100 * share).toPrecision(2))} %`

/**
 * describeDetectableChange say which changes a comparison could have detected.
 *
 * @param {import('../statistics.js').DetectableChange} seen
 */
export function describeDetectableChange({ pairs, change: smallest, more }) {
  const shown = `with ${pairs} pairs a change below ${formatPercent(smallest)} does not show`
  return more === null ? shown : `${shown}; ${more.pairs} pairs would show ${formatPercent(more.change)}`
}

/**
 * describeRuleFigures says by which figures a rule was decided, or why it is undecided.
 *
 * @param {JudgedRule} rule
 * @returns {string} empty when there is nothing to say
 */
export function describeRuleFigures({ why, ratio, interval, seen }) {
  const span = interval === null ? '' : ` (${change(interval.low)} … ${change(interval.high)})`
  const sentence = omitMissing([ratio !== null && `measured ${change(ratio)}${span}`, why]).join(', ')
  return seen === null ? sentence : `${sentence}: ${describeDetectableChange(seen)}`
}

/** @type {Readonly<Record<import('../../plan/fail-rules.js').RuleVerdict, import('../../report/checks.js').CheckVerdict>>} */
const VERDICTS = { PASS: 'pass', FAIL: 'fail', UNDECIDED: 'undecided' }

/**
 * makeRuleChecks makes checks of the rules of a comparison.
 *
 * @param {string} group
 * @param {readonly import('../../plan/fail-rules.js').JudgedRule[]} rules
 * @returns {import('../../report/checks.js').ReportCheck[]}
 */
export const makeRuleChecks = (group, rules) =>
  rules.map(rule => ({
    group,
    // the text of a rule is the condition under which it fails
    name: `fails if ${rule.text}`,
    verdict: VERDICTS[rule.verdict],
    observed: describeRuleFigures(rule)
  }))

/** @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict */

/**
 * describeBaselineVerdict writes the verdict of a baseline in one line.
 *
 * @param {BaselineVerdict} held
 */
export function describeBaselineVerdict({ verdict, baseline: { label, startedAt, version, runs } }) {
  const whose = `${runs} ${runs === 1 ? 'run' : 'runs'}, ${startedAt.slice(0, 10)}, libp2p-loadtest ${version ?? 'unknown'}`
  return `${verdict} against the baseline ${label} (${whose})`
}
