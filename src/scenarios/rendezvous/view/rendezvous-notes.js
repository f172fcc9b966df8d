import { counted, grouped, significant, spell } from '../../../kit/numbers.js'
import { ADDED } from '../../../measure/doubt.js'
import { driftOfType } from '../../../measure/stationarity.js'
import { doubtSigns, FIGURES, figure, operationsOf } from '../../../report/table.js'
import { namespaceNotes } from '../../namespaces/namespace-notes.js'
import { linksOf } from '../plan/namespaces.js'
import { saturatedInWords } from './busiest.js'
import { faultNotes } from './fault-words.js'
import { dueInWords, fairnessInWords } from './role-words.js'
import { serverNotes } from './server-notes.js'
import { soakNotes } from './soak-words.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../report/view.js').ScenarioNotes<import('../rendezvous-types.js').OperationsResult>} ScenarioNotes
 */

/** @param {Result['plan']} plan */
function thinking({ thinkTimeMs: range }) {
  if (range == null) return ''
  const ms =
    range.min === range.max ? significant(range.min) : `${significant(range.min)}–${significant(range.max)}`
  return ` and then thinks for ${ms} ms`
}

/**
 * loadModel says when operations are sent and from when their times count.
 *
 * @param {Pick<Result, 'plan'>} result
 * @returns {string}
 */
export function loadModel({ plan }) {
  if (plan.ratePerSecond === null)
    return `Response times in ms, closed model: each client waits for its reply${thinking(plan)} before it sends again, so that they are clients ÷ throughput, and no latency at a load.`
  return `Response times in ms, open model: ${dueInWords(plan)} whatever the replies do, and count from when they were due.`
}

/**
 * OPERATION_SIGNS are the signs in a table of operations.
 *
 * @type {ScenarioNotes['signs']}
 */
export const OPERATION_SIGNS = [
  ...doubtSigns(ADDED),
  [/≥ /, '≥ lower bound: the load generator was more than 90 % busy and could not send more.'],
  [/> \d/, '> at least: operations without a reply reach into this figure.'],
  [/–/, '– too few samples: a percentile needs 10 beyond it, CPU and memory 5 samples.'],
  [
    /UNREGISTER/,
    'UNREGISTER has no reply in the protocol: timed until the reply to a DISCOVER of limit 1 sent behind it.'
  ]
]

/** failuresInWords say what became of operations without success. @param {Result} result */
export const failuresInWords = result =>
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

/**
 * The warm-up, and whether p50 had settled by its end: that is a warning where the measurement shows that it had not.
 *
 * @param {Result} result
 */
function warmedUp(result) {
  const { warmUp } = result.outcome
  if (warmUp === null) return []
  const { durationMs, operations, lastMove, settled } = warmUp
  const lasted = `Warm-up: ${spell(durationMs)}, ${counted(operations, 'operation')} that are not counted`
  if (result.run.warnings.some(({ code }) => code === 'NOT_STATIONARY')) return [`${lasted}.`]
  if (settled || operationsOf(result).some(([type]) => driftOfType(result.outcome, type) !== null))
    return [`${lasted}; p50 had settled at its end.`]
  if (lastMove === null) return [`${lasted}.`]
  return [
    `${lasted}; p50 still moved by ${significant(100 * lastMove)} % at its end, so a longer --warmup may show other times.`
  ]
}

/** @param {Result} result */
function registrations({ outcome: { registrations } }) {
  const { before, after, namespaces } = registrations
  if (before === null && after === null) return []
  const inside = namespaces === null ? '' : ` in ${counted(namespaces, 'namespace')}`
  const count = (/** @type {number | null} */ n) => (n === null ? 'not known' : grouped(n))
  return [`Registrations on the server: ${count(before)} before${inside}, ${count(after)} after.`]
}

/** A share of all, in percent. @param {number} share */
const inPercent = share => String(Number((100 * share).toPrecision(2)))

/** @param {NonNullable<Result['outcome']['lookUp']>} lookUp */
function proves({ missing, interval }) {
  if (interval === null) return ''
  const { low, high } = interval
  const share = missing === 0 ? `fewer than ${inPercent(high)}` : `${inPercent(low)} to ${inPercent(high)}`
  return `: ${share} % at 95 %`
}

/** @param {Result} result */
function lookUp({ outcome: { lookUp: found } }) {
  if (found == null) return []
  const { registrations: all, drawn, lookedUp, missing, problem } = found
  if (lookedUp === 0)
    return problem === null ? ['Registrations looked up at the end: none, for all may have expired.'] : []
  const from = drawn < all ? `, drawn from ${grouped(all)}` : ''
  return [
    `Registrations looked up at the end${from}: ${grouped(missing)} of ${grouped(lookedUp)} missing${proves(found)}.`
  ]
}

/** @param {Summary} summary @param {string} [of] */
function spread(summary, of = 'operations') {
  const shown = FIGURES.filter(([key]) => ['p50', 'p99', 'max'].includes(key) && summary[key] !== null)
  const figures = shown.map(([key, heading]) => `${heading.toLowerCase()} ${figure(summary[key])} ms`)
  return `${figures.join(', ')} (${grouped(summary.count)} ${of})`
}

/** Of operations below this rate it was measured that they take longer. */
const SELDOM_PER_SECOND = 300

/** @param {Result} result */
function seldom({ plan }) {
  const rates = [plan.ratePerSecond ?? Infinity].filter(rate => rate < SELDOM_PER_SECOND)
  return rates.length === 0
    ? []
    : [
        `At ${rates.map(rate => significant(rate)).join(' and ')}/s an operation takes more of the processor, and longer, than at high rates: caches are cold, and code is not compiled (docs/metrics.md).`
      ]
}

/** @param {Result} result */
function sights({ outcome: { staleness } }) {
  if (staleness === undefined) return []
  const { notSeen } = staleness
  const never = notSeen === 0 ? '' : `; ${counted(notSeen, 'of them was', 'of them were')} not seen`
  return [
    `From an acknowledged REGISTER at one server to its first sight at another, with a DISCOVER in it: ${spread(staleness, 'registrations')}${never}.`
  ]
}

/** @param {Result} result */
const serverDurations = ({ outcome }) =>
  Object.entries(outcome.server?.durations ?? {})
    .filter(([, { count }]) => count > 0)
    .map(
      ([type, summary]) =>
        `The server's own time for ${type}, from decoded request to reply handed over: ${spread(summary)}.`
    )

/** @param {Result} result */
const reading = result => (operationsOf(result).length > 0 ? [loadModel(result)] : [])

/** @param {Result} result */
function joined({ plan, outcome: { namespaces } }) {
  const links = linksOf(plan)
  return links === null ? [] : namespaceNotes(namespaces, links)
}

/** RENDEZVOUS_NOTES are the lines about a result of the rendezvous scenario. @type {ScenarioNotes} */
export const RENDEZVOUS_NOTES = {
  signs: OPERATION_SIGNS,
  reading,
  failures: (/** @type {Result} */ result) => [...failuresInWords(result), ...faultNotes(result)],
  references: (/** @type {Result} */ result) => [
    ...sights(result),
    ...serverDurations(result),
    ...seldom(result)
  ],
  further: (/** @type {Result} */ result) => [
    ...joined(result),
    ...serverNotes(result),
    ...saturatedInWords(result),
    ...warmedUp(result),
    ...serverCost(result),
    ...fairnessInWords(result),
    ...replySizes(result),
    ...registrations(result),
    ...lookUp(result),
    ...soakNotes(result)
  ]
}
