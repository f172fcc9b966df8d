// Judges the thresholds of a run, also while it runs, and writes them as checks: text, JUnit, GitHub Actions.
import { computeSum, groupBy, omitMissing } from '../kit/collections.js'
import { formatCount, formatWithUnit } from '../kit/numbers.js'
import { html } from '../kit/safe-text.js'
import { escapeMarkdown, formatMarkdownTable } from '../kit/text-layout.js'
import { parseCondition } from '../plan/threshold.js'

/**
 * @typedef {import('./schema.js').ThresholdResult} ThresholdResult
 * @typedef {import('../plan/threshold.js').Threshold} Threshold
 * @typedef {import('../plan/threshold.js').Condition} Condition
 * @typedef {import('../measure/figure.js').Figure} Figure
 */

/** @type {Record<Condition['operator'], (value: number, limit: number) => boolean>} */
const MEETS = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit
}

/** @param {Condition} condition - may keep a figure from being too large, or from being too small */
const isUpperBound = ({ operator }) => operator.startsWith('<')

/**
 * judgeThreshold compares a figure with its threshold. A figure that is not known fails, and so does one below an upper bound of which only a lower
 * bound is known.
 *
 * @param {Threshold} threshold
 * @param {import('../measure/figure.js').MeasuredOutcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @returns {ThresholdResult}
 */
export function judgeThreshold(threshold, outcome, figures) {
  const condition = parseCondition(threshold, figures)
  const { figure, operator, limit, unit } = condition
  const { value, missing, atLeast } = figure.read(outcome)
  const met = value !== null && MEETS[operator](value, limit)
  const reasons = omitMissing([missing, atLeast])
  return {
    text: threshold.text,
    ...{ metric: figure.name, operator, limit, unit, actual: value },
    passed: met && !(isUpperBound(condition) && atLeast !== undefined),
    ...(reasons.length !== 0 && { reason: reasons.join('; ') })
  }
}

/**
 * judgeThresholds judges the thresholds of a run. One that broke it off has failed, whatever was measured after it was judged.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {import('../measure/figure.js').MeasuredOutcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @param {ThresholdResult | null} [brokeOff]
 * @returns {ThresholdResult[]}
 */
export const judgeThresholds = (thresholds, outcome, figures, brokeOff = null) =>
  thresholds.map(threshold =>
    threshold.text === brokeOff?.text ? brokeOff : judgeThreshold(threshold, outcome, figures)
  )

/**
 * listFailedThresholds are those of a result that did not pass.
 *
 * @param {{ outcome: { thresholds?: ThresholdResult[] } }} result - also of a version without thresholds
 */
export const listFailedThresholds = ({ outcome }) =>
  (outcome.thresholds ?? []).filter(({ passed }) => !passed)

/** LiveThresholds judges the thresholds of a run while it goes on. */
export class LiveThresholds {
  #thresholds
  #figures
  /** @type {Map<Threshold, number>} since when they have been failing, ms */
  #failing = new Map()

  /** @param {readonly Threshold[]} thresholds @param {readonly Figure[]} figures - of the scenario */
  constructor(thresholds, figures) {
    this.#thresholds = thresholds
    this.#figures = figures
  }

  /**
   * look judges what was measured so far.
   *
   * @param {import('../measure/figure.js').MeasuredOutcome} outcome - so far
   * @param {number} nowMs
   * @returns {{ results: ThresholdResult[], brokeOff: ThresholdResult | null }} `results`: of those that can be judged;
   *   `brokeOff`: one with abortOnFail that has failed for its grace time
   */
  look(outcome, nowMs) {
    const judged = this.#thresholds
      .filter(threshold => this.#canBeJudged(threshold, outcome))
      .map(threshold => ({ threshold, result: judgeThreshold(threshold, outcome, this.#figures) }))
    this.#failing = new Map(
      judged
        .filter(({ result }) => !result.passed)
        .map(({ threshold }) => [threshold, this.#failing.get(threshold) ?? nowMs])
    )
    const last = judged.find(
      ({ threshold: { abortOnFail, graceMs }, threshold }) =>
        abortOnFail && nowMs - (this.#failing.get(threshold) ?? Infinity) >= Number(graceMs)
    )
    const results = judged.map(({ result }) => result)
    if (last === undefined) return { results, brokeOff: null }
    const { graceMs = 0 } = last.threshold
    const why = `broke off the run${graceMs === 0 ? '' : ` after ${graceMs / 1000} s of failing`}`
    return {
      results,
      brokeOff: { ...last.result, reason: omitMissing([last.result.reason, why]).join('; ') }
    }
  }

  /**
   * Before the end there must be enough samples, and a figure that can only grow is not held to a lower bound: it may still reach it.
   *
   * @param {Threshold} threshold
   * @param {import('../measure/figure.js').MeasuredOutcome} outcome
   */
  #canBeJudged(threshold, outcome) {
    const condition = parseCondition(threshold, this.#figures)
    const { grows = false, live = 0, read } = condition.figure
    if (grows && !isUpperBound(condition)) return false
    const { value, samples } = read(outcome)
    return value !== null && samples >= live
  }
}

/** ThresholdError ends a run because a threshold with abortOnFail failed. */
export class ThresholdError extends Error {
  name = 'ThresholdError'
  code = 'THRESHOLD_FAILED'

  /** @param {ThresholdResult} brokeOff - its figure when it did */
  constructor(brokeOff) {
    const { text, actual, unit } = brokeOff
    super(`threshold ${text} failed at ${formatWithUnit(Number(actual), unit)}`)
    this.brokeOff = brokeOff
  }
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 */

/** A figure this near to its limit is written with more digits, so that it does not read like the limit itself. */
const NEAR = 0.01

/**
 * formatThresholdFigure writes the figure that was compared with a threshold: `83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export function formatThresholdFigure({ actual, limit, unit, reason }) {
  if (actual === null) return reason ?? ''
  const isNear = actual !== limit && Math.abs(actual - limit) <= NEAR * limit
  const exact = () => `${Number(actual.toPrecision(6))}${unit.startsWith('/') ? '' : ' '}${unit}`.trimEnd()
  return omitMissing([isNear ? exact() : formatWithUnit(actual, unit), reason]).join(', ')
}

/**
 * formatThreshold says what became of a threshold: `✖ DISCOVER.p99 < 50ms: 83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export const formatThreshold = threshold =>
  `${threshold.passed ? '✔' : '✖'} ${threshold.text}: ${formatThresholdFigure(threshold)}`

/**
 * summarizeThresholds says whether all thresholds of a run hold.
 *
 * @param {{ outcome: Pick<AnyResult['outcome'], 'thresholds'> }} result - also of a version without thresholds
 * @returns {'PASS' | 'FAIL' | null} null: none was set
 */
export function summarizeThresholds(result) {
  if ((result.outcome.thresholds ?? []).length === 0) return null
  return listFailedThresholds(result).length === 0 ? 'PASS' : 'FAIL'
}

/**
 * @typedef {'pass' | 'fail' | 'error' | 'undecided' | 'not tested'} CheckVerdict - `error`: what was to be held to something came to no end
 *
 * @typedef {object} ReportCheck - something that was held to what it should be
 * @property {string} group - the same in every run of a plan: CI servers tell by it, and by the name, what became of a check over time
 * @property {string} name - `DISCOVER.p99 < 50ms`
 * @property {CheckVerdict} verdict
 * @property {string} observed - what it was, or why there is no verdict; may be empty where it passed
 * @property {string} [because] - the sentence it stands for
 * @property {number} [ms] - that it took
 *
 * @typedef {object} CheckReport - what a run, a study or an examination was held to
 * @property {string} kind - `rendezvous`, `ab`, `conform`
 * @property {string} name - of the run, the study or the target
 * @property {string} startedAt - ISO 8601
 * @property {readonly ReportCheck[]} checks
 * @property {boolean} [allowUndecided] - what is left open is no failure
 * @property {() => string} [figures] - markdown: what was measured
 */

/** END_CHECK_NAME is the name of the check that each run has: it came to its end. */
export const END_CHECK_NAME = 'completes'

/**
 * isMet says whether a check is no failure.
 *
 * @param {ReportCheck} check
 * @param {Pick<CheckReport, 'allowUndecided'>} checked - it is one of
 */
const isMet = ({ verdict }, { allowUndecided = false }) =>
  verdict === 'pass' || verdict === 'not tested' || (verdict === 'undecided' && allowUndecided)

/** unmet are the checks that failed. @param {CheckReport} checked */
const unmet = checked => checked.checks.filter(check => !isMet(check, checked))

/**
 * hasRequirements says whether anything was asked for beside that it comes to its end, or whether it did not.
 *
 * @param {CheckReport} checked
 */
export const hasRequirements = checked =>
  checked.checks.some(({ name }) => name !== END_CHECK_NAME) || unmet(checked).length > 0

/**
 * makeThresholdChecks say what became of the thresholds of a run.
 *
 * @param {string} group
 * @param {{ outcome: { thresholds?: import('./schema.js').ThresholdResult[] } }} result - also of a version without thresholds
 * @returns {ReportCheck[]}
 */
export const makeThresholdChecks = (group, { outcome }) =>
  (outcome.thresholds ?? []).map(threshold => ({
    group,
    name: threshold.text,
    verdict: threshold.passed ? 'pass' : 'fail',
    observed: formatThresholdFigure(threshold)
  }))

/**
 * computeTookMs is how long a run or a study took.
 *
 * @param {{ startedAt: string, finishedAt: string | null }} times - ISO 8601; `finishedAt`: null: its end is not known
 * @returns {number | undefined}
 */
export const computeTookMs = ({ startedAt, finishedAt }) =>
  finishedAt === null ? undefined : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))

/**
 * makeEndChecks say whether a run or a study came to its end, and with --strict whether it is of what was to be measured: what the exit code follows from
 * beside what it was held to.
 *
 * @param {{ status: string, reason: { message: string } | null }} document - of a run or a study
 * @param {{ brokenOff?: boolean, failed?: boolean, generatorLimited?: boolean, nothing?: boolean, errors?: readonly string[] }} verdict
 * @param {{ group: string, strict: boolean, why?: readonly string[], ms?: number }} how - `why`: --strict fails, where that is
 *   known; `ms`: that it took
 * @returns {ReportCheck[]}
 */
export function makeEndChecks({ status, reason }, verdict, { group, strict, why: limitedWhy = [], ms }) {
  const { brokenOff = false, failed = false, nothing = false } = verdict
  const { generatorLimited = false, errors = [] } = verdict
  const whole = status === 'complete' && !failed && !nothing
  const why = [...(reason === null ? [] : [reason.message]), ...errors]
  /** @type {ReportCheck[]} */
  const checks = [
    {
      group,
      name: END_CHECK_NAME,
      // what a threshold broke off did what was asked for, and need not have left a run to tell of it
      verdict: brokenOff ? 'fail' : whole ? 'pass' : 'error',
      observed: whole ? '' : why.join('; ') || (nothing ? 'there is nothing to show' : 'it did not'),
      ...(ms !== undefined && { ms })
    }
  ]
  if (strict)
    checks.push({
      group,
      name: 'measured what was planned (--strict)',
      verdict: generatorLimited ? 'fail' : 'pass',
      observed: generatorLimited ? limitedWhy.join('; ') || 'the load generator limited it' : ''
    })
  return checks
}

/** Characters that XML 1.0 does not allow, escaped or not: https://www.w3.org/TR/xml/#charsets. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** What is no pass, and what is said of one. @param {ReportCheck} check @param {CheckReport} checked */
function resultOf(check, checked) {
  const { verdict, observed, because } = check
  if (isMet(check, checked)) {
    if (verdict === 'pass') return observed === '' ? null : html`<system-out>${observed}</system-out>`
    return html`<skipped message="${verdict === 'undecided' ? `undecided: ${observed}` : observed}"/>`
  }
  return verdict === 'error'
    ? html`<error message="${observed}" type="${verdict}">${because}</error>`
    : html`<failure message="${observed}" type="${verdict}">${because}</failure>`
}

/** @param {readonly ReportCheck[]} checks @param {CheckReport} checked */
function totals(checks, checked) {
  const unmet = checks.filter(check => !isMet(check, checked))
  const errors = unmet.filter(({ verdict }) => verdict === 'error').length
  const skipped = checks.filter(check => check.verdict !== 'pass' && isMet(check, checked)).length
  const seconds = computeSum(checks, ({ ms = 0 }) => ms / 1000).toFixed(3)
  return html`tests="${checks.length}" failures="${unmet.length - errors}" errors="${errors}" skipped="${skipped}" time="${seconds}"`
}

/**
 * writeJunit writes checks as JUnit XML: a suite for each group. It has four elements, which the templates of pages escape: no library is needed.
 *
 * @param {CheckReport} checked
 * @returns {string}
 */
export function writeJunit(checked) {
  const { kind, name, checks: all, startedAt } = checked
  const testcase = (/** @type {ReportCheck} */ check) =>
    html`    <testcase classname="${kind}.${check.group}" name="${check.name}" time="${((check.ms ?? 0) / 1000).toFixed(3)}">${resultOf(check, checked)}</testcase>\n`
  const suites = groupBy(all, ({ group }) => group).map(
    ([group, checks]) =>
      html`  <testsuite name="${group}" ${totals(checks, checked)} timestamp="${startedAt.replace(/\..*/, '')}">\n${checks.map(testcase)}  </testsuite>\n`
  )
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${kind} ${name}" ${totals(all, checked)}>
${suites}</testsuites>
`
  return String(document).replace(NOT_IN_XML, '')
}

/** GitHub shows as many of each kind of a step: https://docs.github.com/en/rest/checks/runs, and the runner's limits. */
const MAX_SHOWN = 10

/** @param {string} text - the value of a workflow command */
const escapeValue = text => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** @param {'error' | 'warning'} kind @param {string} title @param {string} text */
const annotation = (kind, title, text) =>
  `::${kind} title=${escapeValue(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeValue(text)}`

/** @param {readonly (string | undefined)[]} texts */
const joinTexts = texts => texts.filter(Boolean).join(': ')

/**
 * makeAnnotations are workflow commands of GitHub Actions that show what failed beside the run, and in pull requests:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
 *
 * @param {CheckReport} checked
 * @returns {string[]} lines
 */
export function makeAnnotations(checked) {
  const failed = unmet(checked)
  const open = checked.checks.filter(check => check.verdict === 'undecided' && !failed.includes(check))
  const shown = failed.length > MAX_SHOWN ? failed.slice(0, MAX_SHOWN - 1) : failed
  const where = `${checked.kind} ${checked.name}`
  const left = failed.length - shown.length
  const ofCheck = (/** @type {'error' | 'warning'} */ kind, /** @type {ReportCheck} */ check) => {
    const { name, group, verdict, observed, because } = check
    const text = joinTexts([verdict === 'undecided' ? verdict : '', observed, because]) || verdict
    return annotation(kind, name, `${text} (${group}, ${where})`)
  }
  return [
    ...shown.map(check => ofCheck('error', check)),
    ...(left === 0
      ? []
      : [
          annotation(
            'error',
            `${formatCount(left, 'more check')} failed`,
            `see the step's summary (${where})`
          )
        ]),
    ...open.slice(0, MAX_SHOWN).map(check => ofCheck('warning', check))
  ]
}

/** So many are all listed; of more only those that did not pass. */
const MAX_LISTED = 25
/** A step has 1 MiB for its summary, and may run several commands. */
const MAX_FIGURES = 100_000

/** @param {string} text - of others, on one line of a table */
const cell = text => escapeMarkdown(text.replaceAll(/\s+/g, ' '))

/** @param {readonly ReportCheck[]} checks @param {CheckReport} checked */
const checksTable = (checks, checked) =>
  formatMarkdownTable({
    headings: ['', 'Check', 'Of', 'Found'],
    align: ['l', 'l', 'l', 'l'],
    rows: checks.map(check => {
      const { verdict, name, group, observed, because } = check
      const met = isMet(check, checked)
      const sign = met ? (verdict === 'pass' ? '✅' : '➖') : verdict === 'undecided' ? '❔' : '❌'
      return [`${sign} ${verdict}`, cell(name), cell(group), cell(joinTexts([observed, met ? '' : because]))]
    })
  })

/** @param {CheckReport} checked */
function verdictWords(checked) {
  const failed = unmet(checked)
  const all = formatCount(checked.checks.length, 'check')
  if (failed.length === 0) return `✅ ${all}, none failed.`
  const decided = failed.filter(({ verdict }) => verdict !== 'undecided').length
  const open = failed.length - decided
  return `❌ ${all}, ${omitMissing([decided > 0 && `${decided} failed`, open > 0 && `${open} undecided`]).join(', ')}.`
}

/**
 * writeStepSummary writes checks as markdown for the summary of a step of GitHub Actions.
 *
 * @param {CheckReport} checked
 * @returns {string}
 */
export function writeStepSummary(checked) {
  const { kind, name, checks } = checked
  const figures = checked.figures?.().trim() ?? ''
  const few = checks.length <= MAX_LISTED
  const listed = few ? checks : checks.filter(({ verdict }) => verdict !== 'pass')
  const parts = [
    `### ${cell(kind)} ${cell(name)}`,
    verdictWords(checked),
    ...(listed.length === 0 ? [] : [checksTable(listed, checked)]),
    ...(few ? [] : [`${formatCount(checks.length - listed.length, 'check')} that passed left out.`]),
    ...(figures === '' || figures.length > MAX_FIGURES
      ? []
      : [`<details><summary>What was measured</summary>\n\n${figures}\n\n</details>`])
  ]
  return `${parts.join('\n\n')}\n\n`
}
