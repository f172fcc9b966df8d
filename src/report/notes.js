import { doubtsOf } from '../result/doubtful.js'
import { describeWarning } from '../result/warnings.js'
import { resultTable } from './result-table.js'
import { thresholdLine } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Warning} Warning
 * @typedef {import('./view.js').View} View
 */

/** @param {AnyResult} result */
function incomplete({ status, reason }) {
  return status === 'partial' ? [`Partial result: ${reason?.message ?? 'the run did not end'}`] : []
}

/** @param {AnyResult} result also of a version without them */
const thresholds = ({ outcome }) => (outcome.thresholds ?? []).map(thresholdLine)

/**
 * signs say what the signs in the rows of a table mean, each only where it stands.
 *
 * @param {string} table - markdown
 * @param {import('./view.js').ScenarioNotes['signs']} meanings
 * @returns {string[]}
 */
export function signs(table, meanings) {
  const cells = table.split('\n').slice(2).join('\n')
  return meanings.flatMap(([sign, meaning]) => (sign.test(cells) ? [meaning] : []))
}

/**
 * What differs from the defaults of the libraries and the specification, by name; values and reasons are in the result.
 *
 * @param {AnyResult} result
 * @param {View} view
 */
function settings(result, { settings: { path, read } }) {
  /** @type {Map<string, string[]>} */
  const named = new Map()
  for (const { whose, name } of read(result)) named.set(whose, [...(named.get(whose) ?? []), name])
  const changed = [...named].map(([whose, names]) => `${whose} ${names.join(', ')}`.trimStart())
  return changed.length === 0
    ? []
    : [`Set other than the defaults (values in result.json, ${path}): ${changed.join('; ')}.`]
}

/**
 * inWords says a warning in words. A result of a later version may carry a code that this one has no text for.
 *
 * @param {Warning} warning
 * @param {import('../result/advice.js').Advised} [about] - the result that carries it
 * @returns {string}
 */
export function inWords(warning, about) {
  try {
    return describeWarning(warning, about)
  } catch {
    return `${warning.code} ${JSON.stringify(warning.values)}`
  }
}

/** @param {Warning[]} same */
const together = ([first, ...others]) => ({
  ...first,
  values: {
    ...first.values,
    others: others.map(({ values: { type, percentiles } }) => ({ type, percentiles }))
  }
})

/** Percentiles that are doubtful for one cause are one doubt, whatever operations they are of. @param {AnyResult} result @returns {Warning[]} */
function doubtsTogether(result) {
  /** @type {Map<string, Warning[]>} */
  const groups = new Map()
  for (const doubt of doubtsOf(result)) {
    const { type, percentiles, ...values } = doubt.values
    const key = JSON.stringify([doubt.code, percentiles === undefined ? doubt.values : values])
    groups.set(key, [...(groups.get(key) ?? []), doubt])
  }
  return [...groups.values()].map(same => (same.length === 1 ? same[0] : together(same)))
}

/** @param {AnyResult} result */
const warnings = result => told(result.run.warnings, result)

/** @param {readonly Warning[]} all @param {AnyResult} result */
const told = (all, result) => all.map(warning => `⚠ ${inWords(warning, result)}`)

/**
 * tableNotes say how the figures of a result are to be read.
 *
 * @param {AnyResult} result
 * @param {View} view
 * @returns {string[]}
 */
export const tableNotes = (result, view) => [
  ...view.notes.reading(result),
  ...signs(resultTable(result, view), view.notes.signs)
]

/**
 * resultNotes are the lines under the table of a result.
 *
 * @param {AnyResult} result
 * @param {View} view
 * @returns {string[]}
 */
export const resultNotes = (result, view) => [
  ...incomplete(result),
  ...thresholds(result),
  ...tableNotes(result, view),
  ...view.notes.failures(result),
  ...view.notes.references(result),
  ...view.notes.further(result),
  ...settings(result, view),
  ...warnings(result)
]

/** Legends of doubtful times. */
const DOUBT = /^\*[m?]? doubtful: /

/**
 * doubtNotes say what the marks of doubtful times mean, each only where it is shown.
 *
 * @param {string} shown
 * @param {View} view
 * @returns {string[]}
 */
export const doubtNotes = (shown, view) =>
  view.notes.signs.flatMap(([sign, meaning]) => (DOUBT.test(meaning) && sign.test(shown) ? [meaning] : []))

const MOST_NOTES = 3

/**
 * terminalNotes are the lines under the figures of a result at a terminal: doubt comes first, then what failed, then advice.
 *
 * @param {AnyResult} result
 * @param {View} view
 * @returns {{ verdicts: string[], notes: string[], more: number }} `verdicts`: why a run did not end as it should, and thresholds; `more`: notes that
 *   stand in its report
 */
export function terminalNotes(result, view) {
  const doubts = doubtsOf(result)
  const others = result.run.warnings.filter(warning => !doubts.includes(warning))
  const answer = view.notes.answer?.(result) ?? []
  const inOrder = [
    ...told(doubtsTogether(result), result),
    ...(answer.length > 0 ? told(others, result) : []),
    ...answer,
    ...view.notes.failures(result),
    ...(answer.length > 0 ? [] : told(others, result)),
    ...view.notes.further(result),
    // a table that does not fit is shown without some of its times
    ...tableNotes(result, view).filter(note => !DOUBT.test(note)),
    ...view.notes.references(result).filter(note => !answer.includes(note)),
    ...settings(result, view)
  ]
  // however many warnings there are, what it was run for is not left out
  const most = Math.max(MOST_NOTES, ...answer.map(note => inOrder.indexOf(note) + 1))
  const notes = inOrder.slice(0, most)
  const verdicts = [...incomplete(result), ...thresholds(result)]
  return { verdicts, notes, more: inOrder.length - notes.length }
}
