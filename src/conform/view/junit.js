import { html } from '../../kit/html.js'
import { grouped } from '../document.js'

/**
 * @typedef {import('../document.js').Document} Document
 * @typedef {import('../examine.js').Outcome} Outcome
 */

/** What is no pass: a failure, or skipped; what differs passes, and says how. @param {Outcome} outcome */
function resultOf({ verdict, found, sentence }) {
  if (verdict === 'fail')
    return html`<failure message="${found}">${sentence ?? 'beyond the specification'}</failure>`
  if (verdict === 'not tested') return html`<skipped message="${found}"/>`
  return verdict === 'differs' ? html`<system-out>differs: ${found}</system-out>` : null
}

/** @param {Outcome} outcome */
const testcase = outcome =>
  html`    <testcase classname="conform.${outcome.group}" name="${outcome.id}: ${outcome.title}" time="${(outcome.ms / 1000).toFixed(3)}">${resultOf(outcome)}</testcase>\n`

/** @param {readonly Outcome[]} outcomes */
function totals(outcomes) {
  const many = (/** @type {string} */ verdict) =>
    outcomes.filter(outcome => outcome.verdict === verdict).length
  const seconds = outcomes.reduce((sum, { ms }) => sum + ms / 1000, 0).toFixed(3)
  return html`tests="${outcomes.length}" failures="${many('fail')}" errors="0" skipped="${many('not tested')}" time="${seconds}"`
}

/**
 * junitOf is an examination as JUnit XML, a suite for each group. Texts hold no signs that XML has no place for: examine leaves none.
 *
 * @param {Document} document
 */
export const junitOf = ({ address, startedAt, outcomes }) =>
  String(html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conform ${address}" ${totals(outcomes)}>
${grouped(outcomes).map(
  ([title, group]) =>
    html`  <testsuite name="${title}" ${totals(group)} timestamp="${startedAt.replace(/\..*/, '')}">\n${group.map(testcase)}  </testsuite>\n`
)}</testsuites>
`)
