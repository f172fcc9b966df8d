import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sameAgain } from '../../../src/studies/comparison/same-again.js'
import { aGossipResult } from '../../scenarios/gossip/view/a-gossip-result.js'

/** @param {{ digest?: string, status?: 'complete' | 'partial', node?: string, delivered?: number }} [parts] */
function simulated({ digest = 'aa', status = 'complete', node = 'v20.0.0', delivered } = {}) {
  const result = aGossipResult()
  const { delivery } = result.outcome
  const outcome = {
    ...result.outcome,
    digest,
    delivery: { ...delivery, delivered: delivered ?? delivery.delivered }
  }
  return /** @type {any} */ ({
    ...result,
    ...{ id: 'first', status, outcome },
    run: { ...result.run, versions: { ...result.run.versions, node } }
  })
}

describe('a simulated run that is repeated', () => {
  test('is the same where all deliveries are', () => {
    assert.deepEqual(sameAgain(simulated(), simulated()), {
      same: true,
      line: 'the same as first: digest aa'
    })
  })

  test('is not where they are not, and it is said what differs', () => {
    const { same, line } = sameAgain(simulated(), simulated({ digest: 'bb', delivered: 7 })) ?? {}
    assert.equal(same, false)
    assert.match(String(line), /^not the same as first, digest aa → bb: delivery\.delivered \d+ → 7$/)
  })

  test('may differ in single deliveries alone', () => {
    const { line } = sameAgain(simulated(), simulated({ digest: 'bb' })) ?? {}
    assert.equal(line, 'not the same as first, digest aa → bb: the times of single deliveries')
  })

  test('cannot be compared over versions or engines, nor where it is not complete', () => {
    const newer = sameAgain(simulated(), simulated({ node: 'v21.0.0' }))
    assert.deepEqual(newer, {
      same: null,
      line: 'cannot be compared with first: other versions, node v20.0.0 → v21.0.0'
    })
    assert.equal(sameAgain(simulated(), simulated({ status: 'partial' }))?.same, null)
    assert.deepEqual(sameAgain(simulated(), simulated({ digest: 'engine-2:aa' })), {
      same: null,
      line: 'cannot be compared with first: simulated by other engines, engine-1 → engine-2'
    })
  })
})

test('of a real run nobody expects the same', () => {
  const real = /** @type {any} */ (aGossipResult())
  assert.equal(sameAgain(real, real), null)
})
