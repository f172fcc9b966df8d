import { html } from '../../kit/html.js'
import { byGroup, sumOf } from '../../kit/lists.js'
import { isMet } from './checks.js'

/**
 * @typedef {import('./checks.js').Check} Check
 * @typedef {import('./checks.js').Checked} Checked
 */

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
