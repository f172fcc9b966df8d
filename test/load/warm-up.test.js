import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { againMs, lastMove, medianOf, settled, stretchMs, warmUpIsOver } from '../../src/load/warm-up.js'

/** A stretch of so many operations that its median is exact. @param {number} p50Ms @param {string} [type] */
const exact = (p50Ms, type = 'DISCOVER') => ({
  operations: 1e6,
  medians: { [type]: { p50Ms, lowMs: p50Ms, highMs: p50Ms } }
})

/**
 * How long a warm-up of 2 s takes where successive seconds have these medians.
 *
 * @param {number[]} medians
 */
function lastsFor(medians) {
  for (let seconds = 0; seconds <= medians.length; seconds++) {
    const stretches = medians.slice(0, seconds).map(p50 => exact(p50))
    if (warmUpIsOver({ warmupMs: 2000, ms: seconds * 1000, stretches })) return seconds
  }
  throw new Error('it does not end')
}

describe('a warm-up of 2 s', () => {
  for (const [name, medians, seconds] of /** @type {[string, number[], number][]} */ ([
    ['takes 2 s when nothing moves', [1, 1, 1, 1], 2],
    ['takes 2 s when p50 moves by less than 5 %', [1, 0.951, 0.95], 2],
    ['goes on while p50 falls by 5 % or more', [10, 8, 6.4, 6.3, 6.3], 4],
    ['goes on while p50 grows', [1, 1.06, 1.12, 1.13], 4],
    ['is not over because p50 is where it began', [1, 2, 1, 1.01], 4],
    ['takes 10 s at most', Array.from({ length: 20 }, (_, i) => 0.8 ** i), 10],
    ['takes 10 s when p50 comes and goes', Array.from({ length: 20 }, (_, i) => 1 + (i % 2)), 10]
  ]))
    it(name, () => assert.equal(lastsFor(medians), seconds))
})

describe('what a warm-up goes by', () => {
  it('needs two stretches: one alone says nothing of moving', () => {
    assert.equal(warmUpIsOver({ warmupMs: 1000, ms: 1200, stretches: [exact(1)] }), false)
    assert.equal(warmUpIsOver({ warmupMs: 1000, ms: 1200, stretches: [exact(1), exact(1)] }), true)
    assert.equal(lastMove([exact(1)]), null)
  })

  it('is the type of operation that moves most', () => {
    const both = (/** @type {number} */ register) => ({
      operations: 10,
      medians: { ...exact(1).medians, ...exact(register, 'REGISTER').medians }
    })
    assert.equal(settled([both(2), both(2)]), true)
    assert.equal(settled([both(2), both(1.5)]), false)
    assert.equal(lastMove([both(2), both(1.5)]), 0.25)
  })

  it('is none with --warmup 0', () => assert.equal(warmUpIsOver({ warmupMs: 0, ms: 0, stretches: [] }), true))

  it('is the rate alone where all is warm: a second at most, whatever moves', () => {
    assert.deepEqual(
      [10_000, 1000, 300, 0].map(warmupMs => againMs({ warmupMs })),
      [1000, 1000, 300, 0]
    )
    const moving = { warmupMs: 1000, ms: 1000, stretches: [exact(10), exact(5)] }
    assert.deepEqual([warmUpIsOver(moving), warmUpIsOver({ ...moving, again: true })], [false, true])
    assert.equal(warmUpIsOver({ ...moving, ms: 700, again: true }), false)
  })

  it('takes no move for one that few operations explain by chance', () => {
    const few = (/** @type {number} */ p50Ms) => ({
      operations: 8,
      medians: { DISCOVER: { p50Ms, lowMs: p50Ms * 0.8, highMs: p50Ms * 1.2 } }
    })
    assert.equal(settled([few(1), few(1.3)]), true)
    assert.equal(settled([few(1), few(1.6)]), false)
    // each step is one that chance explains, both together are not
    assert.equal(settled([few(2), few(1.5), few(1.2)]), false)
    assert.equal(settled([few(2), few(1.2), few(1.2)]), true)
  })

  it('is p50 of stretches of a second, of a third of a shorter warm-up', () =>
    assert.deepEqual([10_000, 3000, 1500, 1000, 0].map(stretchMs), [1000, 1000, 500, 1000 / 3, 50]))
})

it('the interval of a median holds 95 % of those of samples, and is narrow where there are many', () => {
  /** Uniform times from 0 to 2 ms. @param {number} count */
  const uniform = count => medianOf({ count, quantile: share => share * 2000 })
  assert.deepEqual(uniform(1e6).p50Ms, 1)
  assert.ok(uniform(1e6).highMs - uniform(1e6).lowMs < 0.01)
  // the 40th and the 60th of 100: https://online.stat.psu.edu/stat415/lesson/19
  assert.ok(Math.abs(uniform(100).lowMs - 0.804) < 1e-9 && Math.abs(uniform(100).highMs - 1.196) < 1e-9)
  assert.deepEqual(uniform(1), { p50Ms: 1, lowMs: 0, highMs: 2 })
})
