import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { computeRunExitCode } from '../../src/cli/scenario-command.js'
import { sampleResult } from '../report/sample-result.js'

/**
 * @typedef {import('../../src/report/result-folder.js').DeliveredRecords} DeliveredRecords
 * @typedef {import('../../src/report/schema.js').ThresholdResult} ThresholdResult
 */

/** @param {boolean} passed @returns {ThresholdResult} */
const threshold = passed => ({
  text: 'REGISTER.p50 < 20ms',
  metric: 'REGISTER.p50',
  operator: '<',
  limit: 20,
  unit: 'ms',
  actual: passed ? 15 : 25,
  passed
})

const PASSED = { outcome: { thresholds: [threshold(true)] } }
const FAILED = { outcome: { thresholds: [threshold(true), threshold(false)] } }
const NOT_SENT = { warnings: [{ code: 'DROPPED', values: { count: 3 } }] }
const LIMITED = {
  warnings: [{ code: 'GENERATOR_LIMITED', values: { busy: { worker: 0, utilization: 0.97 }, overheads: [] } }]
}
const LOST = { warnings: [{ code: 'REGISTRATIONS_MISSING', values: { missing: 1, lookedUp: 40 } }] }
const NOTHING = { warnings: [{ code: 'NOTHING_SUCCEEDED', values: { count: 40 } }] }
const HARMLESS = { warnings: [{ code: 'NAMESPACES_ADDED', values: { count: 3 } }] }

/** @param {string} code @returns {{ result: { status: 'partial', reason: import('../../src/report/schema.js').Reason } }} */
const ended = code => ({ result: { status: 'partial', reason: { code, message: 'it ended' } } })

const LOOSE = { interrupted: false, strict: false }
const STRICT = { interrupted: false, strict: true }
const INTERRUPTED = { interrupted: true, strict: true }

/** @type {[string, Parameters<typeof sampleResult>[0] | null, Partial<DeliveredRecords>, typeof LOOSE, number][]} */
const CASES = [
  ['complete', {}, {}, STRICT, 0],
  ['complete, thresholds met', PASSED, {}, STRICT, 0],
  ['complete, a threshold failed', FAILED, {}, LOOSE, 3],
  ['a threshold broke it off', { ...FAILED, ...ended('THRESHOLD_FAILED') }, {}, LOOSE, 3],
  ['Ctrl-C while that one was cleared up', { ...FAILED, ...ended('THRESHOLD_FAILED') }, {}, INTERRUPTED, 3],
  ['generator-limited', LIMITED, {}, LOOSE, 0],
  ['generator-limited, strict', LIMITED, {}, STRICT, 4],
  ['operations not sent, strict', NOT_SENT, {}, STRICT, 4],
  ['another warning, strict', HARMLESS, {}, STRICT, 0],
  ['generator-limited and a threshold failed, strict', { ...FAILED, ...LIMITED }, {}, STRICT, 3],
  ['complete, but the server lost registrations', { ...LOST, ...FAILED }, {}, STRICT, 1],
  ['complete, but nothing succeeded', NOTHING, {}, LOOSE, 1],
  [
    'nothing had succeeded when a threshold broke it off',
    { ...NOTHING, ...FAILED, ...ended('THRESHOLD_FAILED') },
    {},
    LOOSE,
    3
  ],
  ['failed', { ...LIMITED, ...ended('SERVER_DIED') }, {}, STRICT, 1],
  ['failed, and so did a threshold', { ...FAILED, ...ended('SERVER_DIED') }, {}, LOOSE, 1],
  ['interrupted, and a threshold failed', { ...FAILED, ...ended('INTERRUPTED') }, {}, INTERRUPTED, 130],
  ['interrupted once complete', {}, {}, INTERRUPTED, 0],
  ['complete, but an output failed', FAILED, { errors: [new Error('disk full')] }, LOOSE, 1],
  ['no result', null, {}, LOOSE, 1],
  ['no result, interrupted', null, {}, INTERRUPTED, 130],
  ['never finished', {}, { finished: false }, LOOSE, 1]
]

describe('the exit code of a run:', () => {
  for (const [what, parts, delivered, how, code] of CASES)
    test(`${what}: ${code}`, () => {
      const result = parts === null ? null : sampleResult(parts)
      assert.equal(computeRunExitCode({ result, finished: true, errors: [], ...delivered }, how), code)
    })
})
