// What a run had to meet: its thresholds judged, told to CI servers as checks.

import { byGroup, present, sumOf } from '../kit/collections.js'
import { counted, withUnit } from '../kit/numbers.js'
import { html } from '../kit/safe-text.js'
import { asMarkdown, literal } from '../kit/text-layout.js'
import { conditionOf } from '../plan/threshold.js'

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

/**
 * isUpperBound says whether a condition keeps a figure from being too large.
 *
 * @param {Condition} condition
 */
export const isUpperBound = ({ operator }) => operator.startsWith('<')

/**
 * judge holds a metric against its threshold. Only what is shown passes: a metric without a figure fails, and so does one
 * that is known only to be at least as large as a figure below its upper bound.
 *
 * @param {Threshold} threshold
 * @param {import('../measure/figure.js').Outcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @returns {ThresholdResult}
 */
export function judge(threshold, outcome, figures) {
  const { text } = threshold
  const condition = conditionOf(threshold, figures)
  const { figure, operator, limit, unit } = condition
  const { value, missing, atLeast } = figure.read(outcome)
  const met = value !== null && MEETS[operator](value, limit)
  const reasons = [missing, atLeast].filter(reason => reason !== undefined)
  return {
    text,
    metric: figure.name,
    operator,
    limit,
    unit,
    actual: value,
    passed: met && !(isUpperBound(condition) && atLeast !== undefined),
    ...(reasons.length !== 0 && { reason: reasons.join('; ') })
  }
}

/**
 * judgeAll judges the thresholds of a run. One that broke it off has failed, whatever was measured after it was judged.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {import('../measure/figure.js').Outcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @param {ThresholdResult | null} [brokeOff]
 * @returns {ThresholdResult[]}
 */
export const judgeAll = (thresholds, outcome, figures, brokeOff = null) =>
  thresholds.map(threshold =>
    threshold.text === brokeOff?.text ? brokeOff : judge(threshold, outcome, figures)
  )

/**
 * failedThresholds are those of a result that did not pass.
 *
 * @param {{ outcome: { thresholds?: ThresholdResult[] } }} result - also of a version without thresholds
 */
export const failedThresholds = ({ outcome }) => (outcome.thresholds ?? []).filter(({ passed }) => !passed)

/**
 * Whether a threshold can be judged before the end: there are enough samples, and what is missing to a lower bound will not
 * come by itself.
 *
 * @param {Threshold} threshold
 * @param {import('../measure/figure.js').Outcome} outcome
 * @param {readonly Figure[]} figures
 */
function canBeJudged(threshold, outcome, figures) {
  const condition = conditionOf(threshold, figures)
  const { grows = false, live = 0, read } = condition.figure
  if (grows && !isUpperBound(condition)) return false
  const { value, samples } = read(outcome)
  return value !== null && samples >= live
}

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
   * @param {import('../measure/figure.js').Outcome} outcome - so far
   * @param {number} nowMs
   * @returns {{ results: ThresholdResult[], brokeOff: ThresholdResult | null }} `results`: of those that can be judged;
   *   `brokeOff`: one with abortOnFail that has failed for its grace time
   */
  look(outcome, nowMs) {
    const judged = this.#thresholds
      .filter(threshold => canBeJudged(threshold, outcome, this.#figures))
      .map(threshold => ({ threshold, result: judge(threshold, outcome, this.#figures) }))
    this.#failing = new Map(
      judged
        .filter(({ result }) => !result.passed)
        .map(({ threshold }) => [threshold, this.#failing.get(threshold) ?? nowMs])
    )
    const last = judged.find(({ threshold }) => this.#isOver(threshold, nowMs))
    return {
      results: judged.map(({ result }) => result),
      brokeOff: last === undefined ? null : brokenOff(last.threshold, last.result)
    }
  }

  /** @param {Threshold} threshold @param {number} nowMs */
  #isOver(threshold, nowMs) {
    const sinceMs = this.#failing.get(threshold)
    return (
      threshold.abortOnFail === true && sinceMs !== undefined && nowMs - sinceMs >= Number(threshold.graceMs)
    )
  }
}

/** @param {Threshold} threshold @param {ThresholdResult} result @returns {ThresholdResult} */
const brokenOff = ({ graceMs = 0 }, { reason, ...result }) => ({
  ...result,
  reason: [
    ...(reason === undefined ? [] : [reason]),
    `broke off the run${graceMs === 0 ? '' : ` after ${graceMs / 1000} s of failing`}`
  ].join('; ')
})

/** ThresholdError ends a run because a threshold with abortOnFail failed. */
export class ThresholdError extends Error {
  name = 'ThresholdError'
  code = 'THRESHOLD_FAILED'

  /** @param {ThresholdResult} brokeOff - its figure when it did */
  constructor(brokeOff) {
    const { text, actual, unit } = brokeOff
    super(`threshold ${text} failed at ${withUnit(Number(actual), unit)}`)
    this.brokeOff = brokeOff
  }
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 */

/** A figure this near to its limit is written with more digits, so that it does not read like the limit itself. */
const NEAR = 0.01

/** @param {number} actual @param {ThresholdResult} threshold */
function figure(actual, { limit, unit }) {
  if (actual === limit || Math.abs(actual - limit) > NEAR * limit) return withUnit(actual, unit)
  return `${Number(actual.toPrecision(6))}${unit.startsWith('/') ? '' : ' '}${unit}`.trimEnd()
}

/**
 * thresholdFound says what a threshold was held against: `83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export function thresholdFound(threshold) {
  const { actual, reason } = threshold
  return present([actual !== null && figure(actual, threshold), reason]).join(', ')
}

/**
 * thresholdLine says what became of a threshold: `✖ DISCOVER.p99 < 50ms: 83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export const thresholdLine = threshold =>
  `${threshold.passed ? '✔' : '✖'} ${threshold.text}: ${thresholdFound(threshold)}`

/**
 * thresholdVerdict says whether all thresholds of a run hold.
 *
 * @param {{ outcome: Pick<AnyResult['outcome'], 'thresholds'> }} result - also of a version without thresholds
 * @returns {'PASS' | 'FAIL' | null} null: none was set
 */
export function thresholdVerdict(result) {
  if ((result.outcome.thresholds ?? []).length === 0) return null
  return failedThresholds(result).length === 0 ? 'PASS' : 'FAIL'
}

/**
 * failedTexts names the thresholds of a run that failed.
 *
 * @param {{ outcome: Pick<AnyResult['outcome'], 'thresholds'> }} result
 */
export const failedTexts = result =>
  failedThresholds(result)
    .map(({ text }) => text)
    .join('; ')

/**
 * @typedef {'pass' | 'fail' | 'error' | 'undecided' | 'not tested'} CheckVerdict - `error`: what was to be held to something came to no end
 *
 * @typedef {object} Check - something that was held to what it should be
 * @property {string} group - the same in every run of a plan: CI servers tell by it, and by the name, what became of a check over time
 * @property {string} name - `DISCOVER.p99 < 50ms`
 * @property {CheckVerdict} verdict
 * @property {string} found - what it was, or why there is no verdict; may be empty where it passed
 * @property {string} [because] - the sentence it stands for
 * @property {number} [ms] - that it took
 *
 * @typedef {object} Checked - what a run, a study or an examination was held to
 * @property {string} kind - `rendezvous`, `ab`, `conform`
 * @property {string} name - of the run, the study or the target
 * @property {string} startedAt - ISO 8601
 * @property {readonly Check[]} checks
 * @property {boolean} [allowUndecided] - what is left open is no failure
 * @property {() => string} [figures] - markdown: what was measured
 */

/** ENDED is the name of the check that each run has: it came to its end. */
export const ENDED = 'comes to its end'

/**
 * isMet says whether a check is no failure.
 *
 * @param {Check} check
 * @param {Pick<Checked, 'allowUndecided'>} checked - it is one of
 */
const isMet = ({ verdict }, { allowUndecided = false }) =>
  verdict === 'pass' || verdict === 'not tested' || (verdict === 'undecided' && allowUndecided)

/** unmet are the checks that failed. @param {Checked} checked */
const unmet = checked => checked.checks.filter(check => !isMet(check, checked))

/**
 * isHeld says whether anything was asked for beside that it comes to its end, or whether it did not.
 *
 * @param {Checked} checked
 */
export const isHeld = checked =>
  checked.checks.some(({ name }) => name !== ENDED) || unmet(checked).length > 0

/**
 * thresholdChecks say what became of the thresholds of a run.
 *
 * @param {string} group
 * @param {{ outcome: { thresholds?: import('./schema.js').ThresholdResult[] } }} result - also of a version without thresholds
 * @returns {Check[]}
 */
export const thresholdChecks = (group, { outcome }) =>
  (outcome.thresholds ?? []).map(threshold => ({
    group,
    name: threshold.text,
    verdict: threshold.passed ? 'pass' : 'fail',
    found: thresholdFound(threshold)
  }))

/**
 * tookMs is how long a run or a study took.
 *
 * @param {{ startedAt: string, finishedAt: string | null }} times - ISO 8601; `finishedAt`: null: its end is not known
 * @returns {number | undefined}
 */
export const tookMs = ({ startedAt, finishedAt }) =>
  finishedAt === null ? undefined : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))

/**
 * endChecks say whether a run or a study came to its end, and with --strict whether it is of what was to be measured: what the exit code follows from
 * beside what it was held to.
 *
 * @param {{ status: string, reason: { message: string } | null }} document - of a run or a study
 * @param {{ brokenOff?: boolean, failed?: boolean, generatorLimited?: boolean, nothing?: boolean, errors?: readonly string[] }} verdict
 * @param {{ group: string, strict: boolean, why?: readonly string[], ms?: number }} how - `why`: --strict fails, where that is
 *   known; `ms`: that it took
 * @returns {Check[]}
 */
export function endChecks({ status, reason }, verdict, { group, strict, why: limitedWhy = [], ms }) {
  const {
    brokenOff = false,
    failed = false,
    nothing = false,
    generatorLimited = false,
    errors = []
  } = verdict
  const whole = status === 'complete' && !failed && !nothing
  const why = [...(reason === null ? [] : [reason.message]), ...errors]
  /** @type {Check[]} */
  const checks = [
    {
      group,
      name: ENDED,
      // what a threshold broke off did what was asked for, and need not have left a run to tell of it
      verdict: brokenOff ? 'fail' : whole ? 'pass' : 'error',
      found: whole ? '' : why.join('; ') || (nothing ? 'there is nothing to show' : 'it did not'),
      ...(ms !== undefined && { ms })
    }
  ]
  if (strict)
    checks.push({
      group,
      name: 'is of what was to be measured (--strict)',
      verdict: generatorLimited ? 'fail' : 'pass',
      found: generatorLimited ? limitedWhy.join('; ') || 'the load generator limited it' : ''
    })
  return checks
}

/** Signs that XML 1.0 has no place for, escaped or not: https://www.w3.org/TR/xml/#charsets. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** What is no pass, and what is said of one. @param {Check} check @param {Checked} checked */
function resultOf(check, checked) {
  const { verdict, found, because } = check
  if (isMet(check, checked)) {
    if (verdict === 'pass') return found === '' ? null : html`<system-out>${found}</system-out>`
    return html`<skipped message="${verdict === 'undecided' ? `undecided: ${found}` : found}"/>`
  }
  return verdict === 'error'
    ? html`<error message="${found}" type="${verdict}">${because}</error>`
    : html`<failure message="${found}" type="${verdict}">${because}</failure>`
}

/** @param {Check} check @param {Checked} checked */
const testcase = (check, checked) =>
  html`    <testcase classname="${checked.kind}.${check.group}" name="${check.name}" time="${((check.ms ?? 0) / 1000).toFixed(3)}">${resultOf(check, checked)}</testcase>\n`

/** @param {readonly Check[]} checks @param {Checked} checked */
function totals(checks, checked) {
  const unmet = checks.filter(check => !isMet(check, checked))
  const errors = unmet.filter(({ verdict }) => verdict === 'error').length
  const skipped = checks.filter(check => check.verdict !== 'pass' && isMet(check, checked)).length
  const seconds = sumOf(checks, ({ ms = 0 }) => ms / 1000).toFixed(3)
  return html`tests="${checks.length}" failures="${unmet.length - errors}" errors="${errors}" skipped="${skipped}" time="${seconds}"`
}

/**
 * junitOf is what was held to something as JUnit XML: a suite for each group. It is written by hand, for it is four elements that the
 * pages' own templates escape.
 *
 * @param {Checked} checked
 * @returns {string}
 */
export const junitOf = checked =>
  String(html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${checked.kind} ${checked.name}" ${totals(checked.checks, checked)}>
${byGroup(checked.checks).map(
  ([group, checks]) =>
    html`  <testsuite name="${group}" ${totals(checks, checked)} timestamp="${checked.startedAt.replace(/\..*/, '')}">\n${checks.map(check => testcase(check, checked))}  </testsuite>\n`
)}</testsuites>
`).replace(NOT_IN_XML, '')

/** GitHub shows as many of each kind of a step: https://docs.github.com/en/rest/checks/runs, and the runner's limits. */
const MAX_SHOWN = 10

/** @param {string} text - as the value of a workflow command */
const escaped = text => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** @param {string} text - as that of one of its properties */
const asProperty = text => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** @param {'error' | 'warning'} kind @param {string} title @param {string} text */
const annotation = (kind, title, text) => `::${kind} title=${asProperty(title)}::${escaped(text)}`

/** @param {Check} check */
const saidOf = ({ verdict, found, because }) =>
  `${[verdict === 'undecided' ? 'undecided' : '', found, because ?? ''].filter(text => text !== '').join(': ') || verdict}`

/**
 * annotations are workflow commands of GitHub Actions that show what failed beside the run, and in pull requests:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
 *
 * @param {Checked} checked
 * @returns {string[]} lines
 */
export function annotations(checked) {
  const failed = unmet(checked)
  const open = checked.checks.filter(check => check.verdict === 'undecided' && !failed.includes(check))
  const shown = failed.length > MAX_SHOWN ? failed.slice(0, MAX_SHOWN - 1) : failed
  const where = `${checked.kind} ${checked.name}`
  return [
    ...shown.map(check => annotation('error', check.name, `${saidOf(check)} (${check.group}, ${where})`)),
    ...(shown.length < failed.length
      ? [
          annotation(
            'error',
            `${counted(failed.length - shown.length, 'more check')} failed`,
            `see the step's summary (${where})`
          )
        ]
      : []),
    ...open
      .slice(0, MAX_SHOWN)
      .map(check => annotation('warning', check.name, `${saidOf(check)} (${check.group}, ${where})`))
  ]
}

/** So many are all listed; of more only those that did not pass. */
const MAX_LISTED = 25
/** A step has 1 MiB for its summary, and may run several commands. */
const MAX_FIGURES = 100_000

/** @param {string} text - of others, on one line of a table */
const cell = text => literal(text.replaceAll(/\s+/g, ' '))

/** @param {Check} check @param {Checked} checked */
const signOf = (check, checked) =>
  isMet(check, checked)
    ? check.verdict === 'pass'
      ? '✅'
      : '➖'
    : check.verdict === 'undecided'
      ? '❔'
      : '❌'

/** @param {Check} check @param {Checked} checked */
const foundIn = (check, checked) =>
  [check.found, isMet(check, checked) ? '' : (check.because ?? '')].filter(text => text !== '').join(': ')

/** @param {readonly Check[]} checks @param {Checked} checked */
const tableOf = (checks, checked) =>
  asMarkdown({
    headings: ['', 'Check', 'Of', 'Found'],
    align: ['l', 'l', 'l', 'l'],
    rows: checks.map(check => [
      `${signOf(check, checked)} ${check.verdict}`,
      cell(check.name),
      cell(check.group),
      cell(foundIn(check, checked))
    ])
  })

/** @param {Checked} checked */
function verdictWords(checked) {
  const failed = unmet(checked)
  const all = counted(checked.checks.length, 'check')
  if (failed.length === 0) return `✅ ${all}, none failed.`
  const decided = failed.filter(({ verdict }) => verdict !== 'undecided').length
  const open = failed.length - decided
  const said = [decided > 0 ? `${decided} failed` : '', open > 0 ? `${open} undecided` : '']
  return `❌ ${all}, ${said.filter(text => text !== '').join(', ')}.`
}

/**
 * stepSummary is what was held to something as markdown for the summary of a step of GitHub Actions.
 *
 * @param {Checked} checked
 * @returns {string}
 */
export function stepSummary(checked) {
  const { kind, name, checks } = checked
  const figures = checked.figures?.().trim() ?? ''
  const few = checks.length <= MAX_LISTED
  const listed = few ? checks : checks.filter(({ verdict }) => verdict !== 'pass')
  const parts = [
    `### ${cell(kind)} ${cell(name)}`,
    verdictWords(checked),
    ...(listed.length === 0 ? [] : [tableOf(listed, checked)]),
    ...(few ? [] : [`${counted(checks.length - listed.length, 'check')} that passed left out.`]),
    ...(figures === '' || figures.length > MAX_FIGURES
      ? []
      : [`<details><summary>What was measured</summary>\n\n${figures}\n\n</details>`])
  ]
  return `${parts.join('\n\n')}\n\n`
}
