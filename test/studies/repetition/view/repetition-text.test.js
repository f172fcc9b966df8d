import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { repetitionText } from '../../../../src/studies/repetition/view/repetition-text.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'
import { sideOf } from '../../../scenarios.js'

/**
 * @typedef {import('../../../../src/result/types.js').Result} Result
 * @typedef {import('../../../../src/measure/doubt.js').Cause} Cause
 */

/** @param {Cause} [cause] - of the doubt in p50; none: there is none */
const runWith = cause => {
  const p50 = { ...time(9, { doubtful: cause !== undefined }), ...(cause && { cause }) }
  return sampleResult({
    outcome: { operations: { REGISTER: operation({ all: summary(500, { p50 }) }) } }
  })
}

/** @param {Result[]} results */
const textOf = results =>
  repetitionText(
    {
      ...{ schemaVersion: 1, id: 'x', status: 'complete', reason: null },
      ...{ startedAt: '2026-11-20T07:12:00.000Z', finishedAt: '2026-11-20T07:20:00.000Z' },
      ...{ plan: results[0].plan, failOn: [], baseline: null, held: null },
      runs: results.map((_, i) => `runs/${i + 1}`)
    },
    sideOf('x', results)
  )

describe('the text of repeated runs', () => {
  test('says what the marks of figures mean', () => {
    const text = textOf([runWith('generator'), runWith()])
    assert.match(text, /p50.* 9\.00\* /)
    assert.match(text, /^\* doubtful: the load generator itself added more than a tenth of it\.$/m)
  })

  test('marks what the machine added, and only the generator where both did', () => {
    assert.match(textOf([runWith(), runWith('machine')]), / 9\.00\*m .*\n\n\*m doubtful: the machine, /s)
    const both = textOf([runWith('machine'), runWith('generator')])
    assert.match(both, /^\* doubtful: the load generator /m)
    assert.doesNotMatch(both, /\*m/)
  })

  test('says what the mark of a rate means, which no time is in', () => {
    const REGISTER = operation({ throughputIsLowerBound: true })
    const bound = sampleResult({ outcome: { operations: { REGISTER } } })
    assert.match(
      textOf([bound, bound]),
      /^\* doubtful: the load generator had too large a part in it; what differs may be its own part\.$/m
    )
  })

  test('explains no mark where there is none', () =>
    assert.doesNotMatch(textOf([runWith(), runWith()]), /doubtful/))
})
