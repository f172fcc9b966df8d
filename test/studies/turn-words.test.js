import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatEndLine, formatEta, formatRunTitle } from '../../src/cli/progress.js'
import { sampleResult } from '../report/sample-result.js'
import { viewOf } from '../report/shown.js'

const { plan } = sampleResult()
/** @type {import('../../src/cli/progress.js').RunPlace} */
const PLACE = {
  row: { id: 'run-a', plan, status: 'complete', reason: null, tookMs: 12_345 },
  ...{ index: 3, total: 12, etaMs: 90_000, paceKnown: true }
}

describe('a run of a study, in a line', () => {
  test('is named with its place', () => assert.equal(formatRunTitle(PLACE), ' 3/12  run-a'))

  test('is said with what it took and what it came to', () =>
    assert.match(
      formatEndLine(PLACE, sampleResult(), viewOf),
      /^ 3\/12 {2}run-a {3}12\.3 s {3}REGISTER 250\/s {3}p50 15\.0 ms/
    ))

  test('without a result says why, or that there is none', () => {
    const failed = { ...PLACE.row, status: /** @type {const} */ ('failed'), tookMs: null }
    const reason = { code: 'LOST', message: 'the server ended' }
    assert.equal(
      formatEndLine({ ...PLACE, row: { ...failed, reason } }, null, viewOf),
      ' 3/12  run-a   0.0 s   failed: the server ended'
    )
    assert.equal(
      formatEndLine({ ...PLACE, row: failed }, null, viewOf),
      ' 3/12  run-a   0.0 s   failed: no result'
    )
  })

  test('says once that it was interrupted', () => {
    const status = /** @type {const} */ ('interrupted')
    const said = (/** @type {string} */ message) => {
      const row = { ...PLACE.row, status, reason: { code: 'INTERRUPTED', message } }
      return formatEndLine({ ...PLACE, row }, null, viewOf)
    }
    assert.equal(said('interrupted by SIGINT'), ' 3/12  run-a   12.3 s   interrupted by SIGINT')
    assert.equal(said('the time is up'), ' 3/12  run-a   12.3 s   interrupted: the time is up')
  })

  test('leaves a range for the end of the study until a run has shown how long runs take', () => {
    assert.equal(formatEta({ etaMs: 90_000, paceKnown: true }), 'ETA 1 min 30 s')
    assert.equal(formatEta({ etaMs: 30_000, paceKnown: false }), 'ETA 30.0 s to 1 min 30 s')
  })
})
