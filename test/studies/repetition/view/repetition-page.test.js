import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { repetitionPage } from '../../../../src/studies/repetition/view/repetition-page.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'
import { viewOf } from '../../../report/shown.js'
import { sideOf } from '../../../scenarios.js'

const RESULTS = [10, 10.2, 9.9, 10.1, 10, 9.8, 10.1, 20].map(ms =>
  sampleResult({ outcome: { operations: { REGISTER: operation({ all: summary(500, { p50: time(ms) }) }) } } })
)
const [{ plan }] = RESULTS

/** @type {import('../../../../src/studies/repetition/repetition-document.js').RepetitionDocument} */
const DOCUMENT = {
  ...{ schemaVersion: 1, id: 'x', status: 'complete', reason: null },
  ...{ startedAt: '2026-11-20T07:12:00.000Z', finishedAt: '2026-11-20T07:20:00.000Z' },
  ...{ plan, failOn: [], baseline: null, held: null },
  runs: RESULTS.map((_, i) => `runs/${i + 1}`)
}

/** @param {Partial<typeof DOCUMENT>} [parts] @param {[string, string][]} [links] */
const pageOf = (parts, links = []) =>
  repetitionPage({ ...DOCUMENT, ...parts }, sideOf('x', RESULTS), {
    links: new Map(links),
    view: viewOf(plan)
  })

describe('the page of repeated runs', () => {
  test('has medians, every run, and what lies far out', () => {
    const page = pageOf()
    assert.match(page, /Complete: every run came to its end\./)
    assert.match(page, /Median of/)
    assert.match(page, /<li>run 8<\/li>/)
    assert.doesNotMatch(page, /baseline:|Partial|not complete/)
  })

  test('leads to the runs that have pages, and names those that are not complete', () => {
    const page = pageOf({ runs: ['runs/1', 'runs/2', null] }, [['runs/1', 'runs/1/report.html']])
    assert.match(page, /<li><a href="runs\/1\/report\.html">run 1<\/a><\/li>/)
    assert.match(page, /<li>run 2<\/li>/)
    assert.match(page, /<li>run 3: not complete<\/li>/)
  })

  test('of one that was broken off says why, or that it was ended from outside', () => {
    const reason = { code: 'X', message: 'the server died' }
    assert.match(pageOf({ status: 'partial', reason }), /Partial: the server died\./)
    assert.match(pageOf({ status: 'running' }), /Partial: it was ended from outside\./)
  })

  test('says how the runs stand against a baseline, by which rules', () => {
    const rule = {
      ...{ verdict: /** @type {const} */ ('FAIL'), text: 'p99 > +10%', metric: 'p99', why: null },
      ...{ ratio: 1.3, interval: null, seen: null }
    }
    const baseline = { label: 'old/a', startedAt: '2026-11-01T00:00:00.000Z', version: '0.0.9', runs: 8 }
    const page = pageOf({ held: { verdict: 'FAIL', baseline, rules: [rule] } })
    assert.match(page, /FAIL against the baseline old\/a \(8 runs, 2026-11-01, libp2p-loadtest 0\.0\.9\)\./)
    assert.match(page, /Against the baseline/)
    const text = page.replace(/<[^>]+>/g, '').replace(/[\s\u00a0]+/g, ' ')
    assert.match(text, /FAIL p99 (>|&gt;) \+10%: measured \+30\.0 %/)
  })
})
