import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOMParser } from '@xmldom/xmldom'
import {
  computeTookMs,
  END_CHECK_NAME,
  hasRequirements,
  makeAnnotations,
  makeEndChecks,
  writeJunit,
  writeStepSummary
} from '../../src/report/checks.js'

/**
 * @typedef {import('../../src/report/checks.js').ReportCheck} ReportCheck
 * @typedef {import('../../src/report/checks.js').CheckReport} CheckReport
 */

/** @param {ReportCheck['verdict']} verdict @param {Partial<ReportCheck>} [more] @returns {ReportCheck} */
const check = (verdict, more) => ({
  group: 'thresholds',
  name: `it is a ${verdict}`,
  verdict,
  observed: '83.1 ms',
  ...more
})

/** @param {ReportCheck[]} checks @param {Partial<CheckReport>} [more] @returns {CheckReport} */
const checked = (checks, more) => ({
  kind: 'rendezvous',
  name: 'run-1',
  startedAt: '2026-11-20T07:12:00.123Z',
  checks,
  ...more
})

const ALL = [
  check('pass', { observed: '', ms: 1500 }),
  check('fail', { because: 'It must.' }),
  check('error', { group: 'run', observed: 'the server died' }),
  check('undecided'),
  check('not tested')
]

/** @param {CheckReport} checked */
function suites(checked) {
  const text = writeJunit(checked)
  const xml = new DOMParser({
    errorHandler: (/** @type {string} */ _, /** @type {unknown} */ error) => assert.fail(String(error))
  }).parseFromString(text, 'text/xml')
  const all = (/** @type {string} */ name) => Array.from(xml.getElementsByTagName(name))
  const [root] = all('testsuites')
  return {
    all,
    totals: ['tests', 'failures', 'errors', 'skipped'].map(name => Number(root.getAttribute(name)))
  }
}

describe('JUnit XML', () => {
  test('has a suite for each group, with what failed, what came to no end, and what is left open', () => {
    const { all, totals } = suites(checked(ALL))
    assert.deepEqual(totals, [5, 2, 1, 1])
    assert.deepEqual(
      all('testsuite').map(suite => [suite.getAttribute('name'), suite.getAttribute('tests')]),
      [
        ['thresholds', '4'],
        ['run', '1']
      ]
    )
    assert.deepEqual(
      all('failure').map(failure => [failure.getAttribute('type'), failure.textContent]),
      [
        ['fail', 'It must.'],
        ['undecided', '']
      ]
    )
    assert.equal(all('error')[0].getAttribute('message'), 'the server died')
    assert.equal(all('testcase')[0].getAttribute('classname'), 'rendezvous.thresholds')
    assert.equal(all('testcase')[0].getAttribute('time'), '1.500')
  })

  test('has the time that a run took on its end, and in the sum of all: a threshold takes none of its own', () => {
    const took = computeTookMs({
      startedAt: '2026-11-20T07:12:00.000Z',
      finishedAt: '2026-11-20T07:12:06.250Z'
    })
    const whole = { status: 'complete', reason: null }
    const ends = makeEndChecks(whole, {}, { group: 'run', strict: true, ms: took })
    const { all } = suites(checked([...ends, check('pass')]))
    const times = (/** @type {string} */ name) => all(name).map(each => each.getAttribute('time'))
    assert.deepEqual(times('testsuites'), ['6.250'])
    assert.deepEqual(times('testsuite'), ['6.250', '0.000'])
    assert.deepEqual(times('testcase'), ['6.250', '0.000', '0.000'])
  })

  test('has no time of what did not write its end', () => {
    assert.equal(computeTookMs({ startedAt: '2026-11-20T07:12:00.000Z', finishedAt: null }), undefined)
  })

  test('skips what is left open where that is allowed', () => {
    const { all, totals } = suites(checked(ALL, { allowUndecided: true }))
    assert.deepEqual(totals, [5, 1, 1, 2])
    assert.equal(all('skipped')[0].getAttribute('message'), 'undecided: 83.1 ms')
  })

  test('can be read whatever was observed: signs that XML has no place for are left out', () => {
    const observed = `<a b="c">&'\u0000\u001b[31m\ufffe]]> ✖ 🙂`
    const { all } = suites(checked([check('fail', { observed })]))
    assert.equal(all('failure')[0].getAttribute('message'), `<a b="c">&'[31m]]> ✖ 🙂`)
  })
})

describe('annotations of GitHub Actions', () => {
  test('are an error for each check that failed, with what it was', () => {
    assert.deepEqual(makeAnnotations(checked(ALL)), [
      '::error title=it is a fail::83.1 ms: It must. (thresholds, rendezvous run-1)',
      '::error title=it is a error::the server died (run, rendezvous run-1)',
      '::error title=it is a undecided::undecided: 83.1 ms (thresholds, rendezvous run-1)'
    ])
  })

  test('are a warning for what may be left open', () => {
    assert.deepEqual(makeAnnotations(checked([check('undecided')], { allowUndecided: true })), [
      '::warning title=it is a undecided::undecided: 83.1 ms (thresholds, rendezvous run-1)'
    ])
  })

  test('cannot be broken out of by what was found', () => {
    const [line] = makeAnnotations(
      checked([check('fail', { name: 'a: 5%, b', observed: 'x\n::error::y\r' })])
    )
    assert.equal(line, '::error title=a%3A 5%25%2C b::x%0A::error::y%0D (thresholds, rendezvous run-1)')
  })

  test('are ten at most, as GitHub shows, and the last one says how many more there are', () => {
    const lines = makeAnnotations(checked(Array.from({ length: 12 }, () => check('fail'))))
    assert.equal(lines.length, 10)
    assert.equal(lines[9], "::error title=3 more checks failed::see the step's summary (rendezvous run-1)")
  })
})

describe('the summary of a step', () => {
  test('says how many failed, lists all checks, and has what was measured behind a line', () => {
    const text = writeStepSummary(checked(ALL, { figures: () => '| a |\n| - |\n| 1 |' }))
    assert.match(text, /^### rendezvous run-1\n\n❌ 5 checks, 2 failed, 1 undecided\.\n/)
    assert.match(text, /^\| ✅ pass +\| it is a pass +\| thresholds \| +\|$/m)
    assert.match(text, /^\| ❌ fail +\| it is a fail +\| thresholds \| 83\.1 ms: It must\. \|$/m)
    assert.match(text, /<details><summary>What was measured<\/summary>\n\n\| a \|\n/)
  })

  test('lists of many checks only those that did not pass', () => {
    const text = writeStepSummary(
      checked([...Array.from({ length: 40 }, () => check('pass')), check('fail')])
    )
    assert.doesNotMatch(text, /✅/)
    assert.match(text, /it is a fail/)
    assert.match(text, /^40 checks that passed left out\.$/m)
  })

  test('takes what was found for text', () => {
    const text = writeStepSummary(checked([check('fail', { observed: 'a | <b>\n# c' })]))
    assert.match(text, /a \\+\| \\<b> # c/)
  })
})

describe('a run', () => {
  const GOOD = { status: 'complete', reason: null }
  const how = { group: 'run', strict: false }

  test('that was held to nothing and came to its end is not told of', () => {
    assert.equal(hasRequirements(checked(makeEndChecks(GOOD, {}, how))), false)
    assert.equal(hasRequirements(checked(makeEndChecks({ ...GOOD, status: 'partial' }, {}, how))), true)
    assert.equal(hasRequirements(checked(makeEndChecks(GOOD, {}, { ...how, strict: true }))), true)
  })

  test('that a threshold broke off fails, and one that could not be measured is an error', () => {
    const early = { status: 'partial', reason: { message: 'p99 < 5ms failed' } }
    const verdictOf = (/** @type {object} */ verdict) => makeEndChecks(early, verdict, how)[0]
    assert.deepEqual(verdictOf({ brokenOff: true }), {
      group: 'run',
      name: END_CHECK_NAME,
      verdict: 'fail',
      observed: 'p99 < 5ms failed'
    })
    assert.deepEqual(verdictOf({}).verdict, 'error')
    assert.deepEqual(makeEndChecks(GOOD, { nothing: true }, how)[0].observed, 'there is nothing to show')
  })

  test('that the load generator limited fails with --strict, and says why where that is known', () => {
    const strict = (/** @type {string[]} */ ...why) =>
      makeEndChecks(GOOD, { generatorLimited: true }, { ...how, strict: true, why })[1]
    assert.deepEqual([strict('a', 'b').verdict, strict('a', 'b').observed], ['fail', 'a; b'])
    assert.equal(strict().observed, 'the load generator limited it')
  })
})
