import assert from 'node:assert/strict'
import { decodeHistogram } from '../../src/measure/distribution.js'
import { describeWarning } from '../../src/report/warnings.js'

/**
 * @typedef {import('../../src/report/schema.js').Result} Result
 * @typedef {import('../../src/report/schema.js').OperationType} OperationType
 * @typedef {import('../../src/report/schema.js').OperationResult} OperationResult
 */

/** @param {Iterable<number>} numbers */
export const sum = numbers => [...numbers].reduce((total, n) => total + n, 0)

/** operations of a result, by type. @param {Result} result */
export const operations = ({ outcome }) =>
  /** @type {[OperationType, OperationResult][]} */ (Object.entries(outcome.operations))

/**
 * operation is what a result says of one type, which it must have.
 *
 * @param {Result} result
 * @param {OperationType} type
 */
export function operation(result, type) {
  const found = result.outcome.operations[type]
  assert.ok(found, `nothing is said of ${type}`)
  return found
}

/** assertSumsAgree holds the figures of a result against each other. @param {Result} result */
export function assertSumsAgree(result) {
  for (const [type, measured] of operations(result)) assertOperationAgrees(type, measured, result)
  for (const warning of result.run.warnings) assert.ok(describeWarning(warning).length > 0)
}

/**
 * Without another end a run has just the operations that were asked for. CONNECT is part of the operation after it.
 *
 * @param {Result} result
 * @param {number} benchmarkRuns
 */
function assertSent(result, benchmarkRuns) {
  const { durationMs, minDurationMs } = result.plan
  const counted = operations(result).filter(([type]) => type !== 'CONNECT')
  const sent = sum(counted.map(([, { count }]) => count))
  if (durationMs !== null) assert.ok(sent <= benchmarkRuns, `${sent} operations`)
  else if (minDurationMs > 0) assert.ok(sent >= benchmarkRuns, `${sent} operations`)
  else assert.equal(sent, benchmarkRuns)
}

/** @param {OperationType} type @param {OperationResult} measured @param {Result} result */
function assertOperationAgrees(type, { count, errors, outcomes, rt, histograms, ...more }, { outcome }) {
  assert.equal(sum(Object.values(outcomes)), count, `${type}: outcomes`)
  assert.equal(count - (outcomes.OK ?? 0), errors, `${type}: errors`)
  assert.deepEqual([rt.all.count, rt.ok.count], [count, outcomes.OK ?? 0], `${type}: response times`)
  for (const summary of [more.service, more.lag]) if (summary) assert.equal(summary.count, count, type)
  assert.deepEqual(
    Object.fromEntries(Object.entries(histograms).map(([name, text]) => [name, countOf(text)])),
    outcomes
  )
  assert.deepEqual(perSecondOutcomes(type, outcome.perSecond), outcomes, `${type}: per second`)
  const perSecond = ((outcomes.OK ?? 0) * 1000) / outcome.measuredMs
  assertClose(`${type}: op/s`, more.throughputPerSecond, outcome.measuredMs > 0 ? perSecond : 0)
}

/** @param {string} what @param {number} value @param {number} expected */
const assertClose = (what, value, expected) =>
  assert.ok(Math.abs(value - expected) <= 1e-9 * expected, `${what}: ${value}, not ${expected}`)

/** @param {string} encoded */
const countOf = encoded => decodeHistogram(encoded).count

/** @param {OperationType} type @param {Result['outcome']['perSecond']} perSecond */
function perSecondOutcomes(type, perSecond) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const entry of perSecond.filter(other => other.type === type))
    counts[entry.outcome] = (counts[entry.outcome] ?? 0) + sum(entry.histogram.map(([, n]) => n))
  return counts
}

/**
 * assertComplete holds a run against what every good run of its plan must give.
 *
 * @param {import('./loadtest.js').Outcome} outcome
 */
export function assertComplete({ code, stderr, result }) {
  assert.equal(code, 0, stderr)
  assert.deepEqual([result.status, result.reason], ['complete', null])
  for (const { name, state } of result.run.phases) assert.equal(state, 'done', name)
  assert.ok(result.run.finishedAt)
  assertSumsAgree(result)
  const { benchmarkRuns, initialRegistrations, target } = result.plan
  if (benchmarkRuns !== null) assertSent(result, benchmarkRuns)
  if (target === null) {
    const { before, after } = result.outcome.registrations
    assert.deepEqual([before, after], [initialRegistrations, initialRegistrations])
  }
}

/** warningCodes of a result. @param {Result} result */
export const warningCodes = ({ run }) => run.warnings.map(({ code }) => code)
