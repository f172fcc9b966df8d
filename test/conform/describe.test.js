import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeConformance } from '../../src/conformance/report.js'
import { digestOf, valid, widthOf } from '../description-digest.js'
import { isAsRecorded } from '../recorded.js'

/** @param {string} id @param {string} verdict @param {string | null} [sentence] @returns {import('../../src/conformance/examination.js').Outcome} */
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
