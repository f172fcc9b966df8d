import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingTables } from '../../../../../src/scenarios/gossip/view/page/missing-table.js'
import { aGossipResult } from '../a-gossip-result.js'

const LOSSY = aGossipResult({ gone: [3] })

/** @param {object} missing */
const shown = missing =>
  String(
    missingTables({
      ...LOSSY,
      outcome: { ...LOSSY.outcome, missing: { ...LOSSY.outcome.missing, ...missing } }
    })
  )

/** @param {number} count */
const listed = count => Array.from({ length: count }, () => LOSSY.outcome.missing.listed[0])

test('deliveries that did not come are listed up to twenty, and the rest is said to be in the result', () => {
  const few = shown({ pairs: 20, listed: listed(20), listedAll: true })
  assert.doesNotMatch(few, /The first|undefined/)
  const many = shown({ pairs: 21, listed: listed(21), listedAll: true })
  assert.match(many, /The first 20 of 21; all are in result\.json\./)
  assert.equal(many.match(/<tr/g)?.length, few.match(/<tr/g)?.length)
  const cut = shown({ pairs: 5000, listed: listed(1000), listedAll: false })
  assert.match(cut, /The first 20 of 5,000; the first 1,000 are in result\.json\./)
})

test('a topic that the plan does not name stands by its number', () => {
  const [one] = listed(1)
  assert.match(shown({ listed: [{ ...one, topic: 77 }] }), />77</)
  assert.match(shown({ listed: [one] }), />topic-0</)
})

test('nothing is shown where nothing is missing', () => {
  assert.equal(missingTables(aGossipResult()), null)
})
