import { describeWarning } from '../result/warnings.js'
import { grouped, significant } from './numbers.js'
import { serverNotes } from './server-notes.js'
import { FIGURES, figure, operationsOf, resultTable } from './table.js'
import { thresholdLine } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').Warning} Warning
 */

/** Fewer samples of the probe say too little to stand beside the others. */
const PROBE_SAMPLES = 100

/** @param {Result} result */
function incomplete({ status, reason }) {
  return status === 'partial' ? [`Partial result: ${reason?.message ?? 'the run did not end'}`] : []
}

/** @param {Result} result also of a version without them */
const thresholds = ({ outcome }) => (outcome.thresholds ?? []).map(thresholdLine)

/**
 * loadModel says when operations are sent and from when their times count.
 *
 * @param {Pick<Result, 'plan'>} result
 * @returns {string}
 */
export function loadModel({ plan }) {
  if (plan.ratePerSecond === null)
    return 'Response times in ms, closed model: each client waits for its reply before it sends again.'
  const rate = significant(plan.ratePerSecond)
  return `Response times in ms, open model: operations are due at ${rate}/s (${plan.arrivals} arrivals) whatever the replies do, and count from when they were due.`
}

/**
 * signs say what the signs in the rows of a table mean, each only where it stands.
 *
 * @param {string} table - markdown
 * @returns {string[]}
 */
export function signs(table) {
  const cells = table.split('\n').slice(2).join('\n')
  return [
    [/\d\*/, '* doubtful: the load generator itself added more than a tenth of this time.'],
    [/≥ /, '≥ lower bound: the load generator was more than 90 % busy and could not send more.'],
    [/> \d/, '> at least: operations without a reply reach into this figure.'],
    [/–/, '– too few samples: a percentile needs 10 beyond it, CPU and memory 10 samples.'],
    [
      /UNREGISTER/,
      'UNREGISTER has no reply in the protocol: timed until the reply to a DISCOVER of limit 1 sent behind it.'
    ]
  ].flatMap(([sign, meaning]) => (/** @type {RegExp} */ (sign).test(cells) ? [String(meaning)] : []))
}

/** @param {Result} result */
const failures = result =>
  operationsOf(result).flatMap(([type, { errors, outcomes }]) => {
    const others = Object.entries(outcomes).filter(([outcome, count]) => outcome !== 'OK' && count > 0)
    const counts = others.map(([outcome, count]) => `${grouped(count)} ${outcome}`).join(', ')
    return errors === 0 ? [] : [`${type} without success: ${counts}.`]
  })

/** @param {Result} result */
function replySizes(result) {
  const sizes = operationsOf(result).flatMap(([type, { bytesPerReply }]) =>
    bytesPerReply === null ? [] : [`${type} ${grouped(bytesPerReply)}`]
  )
  return sizes.length === 0 ? [] : [`Bytes per reply: ${sizes.join(', ')}.`]
}

/** @param {Result} result */
const serverCost = result =>
  operationsOf(result).flatMap(([type, { serverCpuMicrosPerOperation: micros }]) =>
    micros === null ? [] : [`Server CPU per ${type}: ${significant(micros)} µs.`]
  )

/** @param {Result} result */
function registrations({ outcome: { registrations } }) {
  const { before, after, namespaces } = registrations
  if (before === null && after === null) return []
  const inside = namespaces === null ? '' : ` in ${grouped(namespaces)} namespaces`
  const count = (/** @type {number | null} */ n) => (n === null ? 'not known' : grouped(n))
  return [`Registrations on the server: ${count(before)} before${inside}, ${count(after)} after.`]
}

/** @param {Summary} summary */
function spread(summary) {
  const shown = FIGURES.filter(([key]) => ['p50', 'p99', 'max'].includes(key) && summary[key] !== null)
  const figures = shown.map(([key, heading]) => `${heading.toLowerCase()} ${figure(summary[key])} ms`)
  return `${figures.join(', ')} (${grouped(summary.count)} operations)`
}

/** @param {Result} result */
function probe({ plan, outcome }) {
  return Object.entries(outcome.probe?.operations ?? {}).map(([type, summary]) =>
    summary.count < PROBE_SAMPLES
      ? `An independent probe saw only ${grouped(summary.count)} ${type}, too few to compare (${PROBE_SAMPLES} are needed).`
      : `An independent probe, one client of its own process at ${significant(plan.probeRatePerSecond)}/s, saw ${type} ${spread(summary)}.`
  )
}

/** @param {Result} result */
const serverDurations = ({ outcome }) =>
  Object.entries(outcome.server?.durations ?? {})
    .filter(([, { count }]) => count > 0)
    .map(
      ([type, summary]) =>
        `The server's own time for ${type}, from decoded request to reply handed over: ${spread(summary)}.`
    )

/**
 * What differs from the defaults of the libraries and the specification, by name; values and reasons are in the result.
 *
 * @param {Result} result
 */
function settings({ outcome: { target } }) {
  const changed = Object.entries(target.settings)
    .map(([whose, changes]) => [whose, Object.keys(/** @type {object} */ (changes))])
    .filter(([, names]) => names.length > 0)
    .map(([whose, names]) => `${whose} ${/** @type {string[]} */ (names).join(', ')}`)
  return changed.length === 0
    ? []
    : [`Set other than the defaults (values in result.json, outcome.target.settings): ${changed.join('; ')}.`]
}

/**
 * inWords says a warning in words. A result of a later version may carry a code that this one has no text for.
 *
 * @param {Warning} warning
 * @returns {string}
 */
export function inWords(warning) {
  try {
    return describeWarning(warning)
  } catch {
    return `${warning.code} ${JSON.stringify(warning.values)}`
  }
}

/** @param {Result} result */
const warnings = ({ run }) => run.warnings.map(warning => `⚠ ${inWords(warning)}`)

/**
 * tableNotes say how the times of a result are to be read.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const tableNotes = result => [
  ...(operationsOf(result).length > 0 ? [loadModel(result)] : []),
  ...signs(resultTable(result))
]

/**
 * referenceNotes are what others saw of the same operations.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const referenceNotes = result => [...probe(result), ...serverDurations(result)]

/**
 * furtherNotes are figures that have no column in the table.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const furtherNotes = result => [
  ...serverNotes(result),
  ...serverCost(result),
  ...replySizes(result),
  ...registrations(result)
]

/**
 * resultNotes are the lines under the table of a result.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const resultNotes = result => [
  ...incomplete(result),
  ...thresholds(result),
  ...tableNotes(result),
  ...failures(result),
  ...referenceNotes(result),
  ...furtherNotes(result),
  ...settings(result),
  ...warnings(result)
]
