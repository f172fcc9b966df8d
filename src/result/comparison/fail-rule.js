import { METRIC_NAMES } from './metrics.js'

/**
 * @typedef {import('./metrics.js').MetricName} MetricName
 * @typedef {import('./compare-metrics.js').MetricComparison} MetricComparison
 *
 * @typedef {object} FailRule - what fails a comparison
 * @property {string} text - `p99 > +10%`
 * @property {MetricName} metric
 * @property {'>' | '<'} operator
 * @property {number} ratio - candidate ÷ base
 *
 * @typedef {'PASS' | 'FAIL' | 'N/A'} RuleVerdict
 *
 * @typedef {object} Judged
 * @property {string} text
 * @property {MetricName} metric
 * @property {RuleVerdict} verdict
 * @property {string | null} why - it is N/A
 * @property {number | null} ratio - that was measured
 * @property {{ low: number, high: number } | null} interval - of it
 */

/** FAIL_RULE says how a rule is written. */
export const FAIL_RULE =
  'must be a metric (throughput, p50, p99 or cpu), > or <, and a change in %, such as "p99 > +10%" or "throughput < -5%"'

/**
 * readFailRule reads what --fail-on gives.
 *
 * @param {unknown} raw
 * @returns {{ value: FailRule } | { allowed: string }}
 */
export function readFailRule(raw) {
  const [, name, operator, sign, number] =
    /^\s*([a-z]\w*)\s*([<>])\s*([+-]?)\s*(\d*\.?\d+)\s*%\s*$/i.exec(String(raw)) ?? []
  const metric = METRIC_NAMES.find(known => known === name?.toLowerCase())
  const percent = Number(`${sign}${number}`)
  if (metric === undefined || !(percent > -100)) return { allowed: FAIL_RULE }
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
 * BASELINE_RULES are those of a comparison with a baseline when no others are given: nothing may have become worse by more
 * than what counts as a difference.
 *
 * @type {readonly FailRule[]}
 */
export const BASELINE_RULES = Object.freeze(
  ['throughput < -5%', 'p50 > +5%', 'p99 > +5%', 'cpu > +5%'].map(
    text => /** @type {{ value: FailRule }} */ (readFailRule(text)).value
  )
)

/** @param {FailRule} rule @param {{ low: number, high: number }} interval @returns {RuleVerdict} */
function decided({ operator, ratio }, { low, high }) {
  const [nearest, farthest] = operator === '>' ? [low, high] : [high, low]
  const beyond = (/** @type {number} */ limit) => (operator === '>' ? limit > ratio : limit < ratio)
  if (beyond(nearest)) return 'FAIL'
  return beyond(farthest) ? 'N/A' : 'PASS'
}

/**
 * judgeRule decides a rule by the interval of its metric, and only by it: what the interval leaves open is N/A.
 *
 * @param {FailRule} rule
 * @param {readonly MetricComparison[]} metrics
 * @returns {Judged}
 */
export function judgeRule(rule, metrics) {
  const { text, metric } = rule
  const {
    ratio,
    interval,
    verdict: found
  } = /** @type {MetricComparison} */ (metrics.find(comparison => comparison.metric === metric))
  const known = { text, metric, ratio, interval }
  if (interval === null) {
    const partly = found === 'not measured' && ratio !== null
    return { ...known, verdict: 'N/A', why: partly ? 'but not in every run' : found }
  }
  const verdict = decided(rule, interval)
  return { ...known, verdict, why: verdict === 'N/A' ? 'the interval is too wide to tell' : null }
}
