import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOMParser } from '@xmldom/xmldom'
import {
  describeConformance,
  formatCheckOutcome,
  makeConformanceChecks
} from '../../src/conformance/report.js'
import { writeJunit } from '../../src/report/checks.js'
import { digestOf, valid, widthOf } from '../description-digest.js'
import { isAsRecorded } from '../recorded.js'

/** @param {string} id @param {string} verdict @param {string | null} [sentence] @returns {import('../../src/conformance/examination.js').CheckOutcome} */
const outcome = (id, verdict, sentence = 'It is so.') => ({
  id,
  group: id < 'c' ? 'One' : 'Two & more',
  title: `check ${id}`,
  sentence,
  verdict,
  found: verdict === 'pass' ? '' : 'answered by OK',
  ms: 1500
})

const DOCUMENT = {
  address: '/ip4/127.0.0.1/tcp/1/p2p/Qm',
  version: '0.1.0',
  startedAt: '2026-11-21T08:00:00.123Z',
  outcomes: [
    outcome('a', 'pass'),
    outcome('b', 'fail'),
    outcome('c', 'differs', null),
    outcome('d', 'not tested')
  ],
  left: 2
}

describe('the description of conformance', () => {
  test('is as recorded, and its first table fits a terminal', () => {
    const description = valid(describeConformance(DOCUMENT))
    assert.ok(widthOf(description.tables[0]) <= 80)
    isAsRecorded('description-conformance.json', digestOf(description))
  })

  test('of a server that passed all has no warning', () => {
    const { headline, warnings } = valid(
      describeConformance({ ...DOCUMENT, outcomes: [outcome('a', 'pass')], left: 0 })
    )
    assert.equal(headline, '1 of 1 check passed.')
    assert.deepEqual(warnings, [])
  })

  test('says where registrations may be left behind', () => {
    const [, { text }] = describeConformance({ ...DOCUMENT, left: null }).warnings
    assert.match(text, /not known/)
  })
})

const NASTY = `<script>"'&]]> a | b`

/** @param {string} id @param {string} verdict @param {string | null} [sentence] @returns {import('../../src/conformance/examination.js').CheckOutcome} */
const outcomeConformChecks = (id, verdict, sentence = 'It `is` so.') => ({
  id,
  group: id < 'c' ? 'One' : 'Two & more',
  title: `check ${id}`,
  sentence,
  verdict,
  found: verdict === 'pass' ? '' : NASTY,
  ms: 1500
})

const DOCUMENTConformChecks = {
  address: '/ip4/127.0.0.1/tcp/1/p2p/Qm',
  version: '0.1.0',
  startedAt: '2026-11-21T08:00:00.123Z',
  outcomes: [
    outcomeConformChecks('a', 'pass'),
    outcomeConformChecks('b', 'fail'),
    outcomeConformChecks('c', 'differs', null),
    outcomeConformChecks('d', 'not tested')
  ],
  left: 2
}

test('JUnit XML: a suite for each group, failures and what was not tested with their reasons', () => {
  const xml = new DOMParser({ errorHandler: (_, text) => assert.fail(String(text)) }).parseFromString(
    writeJunit(makeConformanceChecks(DOCUMENTConformChecks)),
    'text/xml'
  )
  const all = (/** @type {string} */ name) => Array.from(xml.getElementsByTagName(name))
  const root = all('testsuites')[0]
  assert.deepEqual(
    ['tests', 'failures', 'skipped', 'errors', 'time'].map(name => root.getAttribute(name)),
    ['4', '1', '1', '0', '6.000']
  )
  assert.deepEqual(
    all('testsuite').map(suite => [
      suite.getAttribute('name'),
      suite.getAttribute('tests'),
      suite.getAttribute('timestamp')
    ]),
    [
      ['One', '2', '2026-11-21T08:00:00'],
      ['Two & more', '2', '2026-11-21T08:00:00']
    ]
  )
  assert.deepEqual(
    all('testcase').map(one => one.getAttribute('name')),
    ['a: check a', 'b: check b', 'c: check c', 'd: check d']
  )
  assert.equal(all('failure')[0].getAttribute('message'), NASTY)
  assert.equal(all('failure')[0].textContent, 'It `is` so.')
  assert.equal(all('skipped')[0].getAttribute('message'), NASTY)
  assert.equal(all('system-out')[0].textContent, `differs: ${NASTY}`)
})

test('JUnit XML: what came to no end has an error, with why', () => {
  for (const [about, error] of /** @type {const} */ ([
    [DOCUMENTConformChecks, 'interrupted'],
    [
      { address: DOCUMENTConformChecks.address, startedAt: DOCUMENTConformChecks.startedAt },
      new Error('nothing listens there')
    ]
  ]))
    assert.match(
      writeJunit(makeConformanceChecks(about, error)),
      /errors="1" [\s\S]*<error message="(interrupted|nothing listens there)" type="error">/
    )
})

test('the terminal: a sign and the title, what was found unless it passed, the sentence where it failed', () => {
  assert.equal(formatCheckOutcome(DOCUMENTConformChecks.outcomes[0]), '  ✔ check a\n')
  assert.equal(
    formatCheckOutcome(DOCUMENTConformChecks.outcomes[1]),
    `  ✘ check b\n      fail, b: ${NASTY}\n      It \`is\` so.\n`
  )
  assert.equal(
    formatCheckOutcome(DOCUMENTConformChecks.outcomes[2]),
    `  ≠ check c (beyond)\n      differs, c: ${NASTY}\n`
  )
})
