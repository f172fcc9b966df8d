import { comparedIn, metricNamed } from './metric-names.js'
import { removedFigure } from './removed-options.js'

/**
 * @typedef {import('../measure/figure.js').Comparable} Comparable
 * @typedef {import('../studies/comparison/compare-metrics.js').MetricComparison} MetricComparison
 *
 * @typedef {object} FailRule - what fails a comparison
 * @property {string} text - `p99 > +10%`
 * @property {string} metric
 * @property {'>' | '<'} operator
 * @property {number} ratio - candidate ÷ base
 *
 * @typedef {'PASS' | 'FAIL' | 'UNDECIDED'} RuleVerdict
 *
 * @typedef {object} Judged
 * @property {string} text
 * @property {string} metric
 * @property {RuleVerdict} verdict
 * @property {string | null} why - it is undecided
 * @property {number | null} ratio - that was measured
 * @property {{ low: number, high: number } | null} interval - of it
 * @property {import('../studies/statistics/power.js').Seen | null} seen - what could have been seen
 */

/** @param {Comparable} compared */
const named = ({ figures }) =>
  figures
    .map(({ name }) => name)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')

/**
 * failRuleWords say how a rule is written.
 *
 * @param {Comparable} compared
 */
export const failRuleWords = compared =>
  `must be a metric (${named(compared)}), > or <, and a change in %, such as ${compared.example}`

/** @param {unknown} raw */
function parts(raw) {
  const [, name, operator, sign, number] =
    /^\s*([a-z][\w.]*)\s*([<>])\s*([+-]?)\s*(\d*\.?\d+)\s*%\s*$/i.exec(String(raw)) ?? []
  const percent = Number(`${sign}${number}`)
  return name === undefined || !(percent > -100) ? null : { name, operator, percent }
}

/** isFailRule says whether a text is written as a rule is, whatever the metrics. @param {unknown} raw */
export const isFailRule = raw => parts(raw) !== null

/**
 * readFailRule reads what --fail-on gives.
 *
 * @param {unknown} raw
 * @param {Comparable} compared
 * @returns {{ value: FailRule } | { allowed: string }}
 */
export function readFailRule(raw, compared) {
  const written = parts(raw)
  if (written === null) return { allowed: failRuleWords(compared) }
  const { name, operator, percent } = written
  const all = [compared, ...(compared.variants ?? [])].flatMap(({ figures }) => figures)
  const figureNow = (/** @type {string} */ of) => metricNamed(of, all)
  const metric = figureNow(name)?.name
  if (metric === undefined) return { allowed: removedFigure(name, figureNow) ?? failRuleWords(compared) }
  return {
    value: Object.freeze({
      text: `${metric} ${operator} ${percent < 0 ? '' : '+'}${percent}%`,
      metric,
      operator: /** @type {'>' | '<'} */ (operator),
      ratio: 1 + percent / 100
    })
  }
}

/**
 * baselineRules are those of a comparison with a baseline when no others are given: nothing may have become worse by more
 * than what counts as a difference.
 *
 * @param {Comparable} compared
 * @param {object} plan - of the runs
 * @returns {readonly FailRule[]}
 */
export const baselineRules = (compared, plan) =>
  comparedIn(compared, plan).map(({ name, better }) => {
    const text = better === 'higher' ? `${name} < -5%` : `${name} > +5%`
    return /** @type {{ value: FailRule }} */ (readFailRule(text, compared)).value
  })

/** @param {FailRule} rule @param {{ low: number, high: number }} interval @returns {RuleVerdict} */
function decided({ operator, ratio }, { low, high }) {
  const [nearest, farthest] = operator === '>' ? [low, high] : [high, low]
  const beyond = (/** @type {number} */ limit) => (operator === '>' ? limit > ratio : limit < ratio)
  if (beyond(nearest)) return 'FAIL'
  return beyond(farthest) ? 'UNDECIDED' : 'PASS'
}

/**
 * undecided is a rule that nothing can decide.
 *
 * @param {FailRule} rule
 * @param {string} why
 * @returns {Judged}
 */
export const undecided = ({ text, metric }, why) => ({
  text,
  metric,
  verdict: 'UNDECIDED',
  why,
  ratio: null,
  interval: null,
  seen: null
})

/**
 * judgeRule decides a rule by the interval of its metric, and only by it: what the interval leaves open is undecided.
 *
 * @param {FailRule} rule
 * @param {readonly MetricComparison[]} metrics
 * @returns {Judged}
 */
export function judgeRule(rule, metrics) {
  const { text, metric } = rule
  const compared = metrics.find(comparison => comparison.metric === metric)
  if (compared === undefined) return undecided(rule, 'no figure of these runs')
  const { ratio, interval, seen, verdict: found } = compared
  const known = { text, metric, ratio, interval, seen }
  if (interval === null) {
    const partly = found === 'not measured' && ratio !== null
    return { ...known, verdict: 'UNDECIDED', why: partly ? 'but not in every run' : found }
  }
  const verdict = decided(rule, interval)
  return { ...known, verdict, why: verdict === 'UNDECIDED' ? 'the interval is too wide to tell' : null }
}
