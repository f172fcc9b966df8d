import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { againMs, warmUpIsOver, warmUpResult, warmUpStretchMs } from '../../src/measure/steady-state.js'

/**
 * A stretch whose operations all took as long.
 *
 * @param {number} p50Ms
 * @param {{ type?: string, operations?: number }} [of]
 * @returns {import('../../src/measure/steady-state.js').Stretch}
 */
const stretch = (p50Ms, { type = 'DISCOVER', operations = 1000 } = {}) => ({
  operations,
  times: { [type]: [[p50Ms * 1000, operations]] }
})

/**
 * How long a warm-up of 3 s takes where successive seconds have these medians.
 *
 * @param {number[]} medians
 */
function lastsFor(medians) {
  for (let seconds = 0; seconds <= medians.length; seconds++) {
    const stretches = medians.slice(0, seconds).map(p50 => stretch(p50))
    if (warmUpIsOver({ warmupMs: 3000, ms: seconds * 1000, stretches })) return seconds
  }
  throw new Error('it does not end')
}

/** @param {import('../../src/measure/steady-state.js').Stretch[]} stretches */
const found = stretches => {
  const { lastMove, settled } = warmUpResult({ ms: 3000, stretches }) ?? {}
  return [lastMove, settled]
}

describe('a warm-up of 3 s', () => {
  for (const [name, medians, seconds] of /** @type {[string, number[], number][]} */ ([
    ['takes 3 s when nothing moves', [1, 1, 1, 1], 3],
    ['takes 3 s when p50 moves by less than 10 %', [1, 0.95, 0.91], 3],
    ['goes on while p50 falls by more', [10, 8, 6.4, 6.3, 6.3, 6.2], 5],
    ['goes on while p50 grows', [1, 1.06, 1.12, 1.14, 1.15], 4],
    ['takes 15 s at most', Array.from({ length: 20 }, (_, i) => 0.8 ** i), 15]
  ]))
    it(name, () => assert.equal(lastsFor(medians), seconds))
})

describe('what a warm-up goes by', () => {
  it('are three stretches: fewer say nothing of moving', () => {
    const [one, two] = [[stretch(1)], [stretch(1), stretch(1)]]
    assert.equal(warmUpIsOver({ warmupMs: 1000, ms: 1200, stretches: two }), false)
    assert.equal(warmUpIsOver({ warmupMs: 1000, ms: 1200, stretches: [...one, ...two] }), true)
    assert.deepEqual(found(two), [null, false])
  })

  it('is the type of operation that moves most', () => {
    const both = (/** @type {number} */ ms) => ({
      operations: 2000,
      times: { ...stretch(1).times, ...stretch(ms, { type: 'REGISTER' }).times }
    })
    assert.deepEqual(found([both(2), both(2), both(2)]), [0, true])
    assert.deepEqual(found([both(2), both(2), both(1.5)]), [0.25, false])
  })

  it('is none with --warmup 0', () => assert.equal(warmUpIsOver({ warmupMs: 0, ms: 0, stretches: [] }), true))

  it('is the rate alone where all is warm: a second at most, whatever moves', () => {
    assert.deepEqual(
      [10_000, 1000, 300, 0].map(warmupMs => againMs({ warmupMs })),
      [1000, 1000, 300, 0]
    )
    const moving = { warmupMs: 1000, ms: 1000, stretches: [stretch(10), stretch(7), stretch(5)] }
    assert.deepEqual([warmUpIsOver(moving), warmUpIsOver({ ...moving, again: true })], [false, true])
    assert.equal(warmUpIsOver({ ...moving, ms: 700, again: true }), false)
  })

  it('is not known where there were next to no operations: more time would not show it either', () => {
    const few = [1, 2, 3].map(ms => stretch(ms, { operations: 2 }))
    assert.equal(warmUpIsOver({ warmupMs: 2000, ms: 2000, stretches: few }), true)
    assert.deepEqual(found(few), [null, false])
    assert.deepEqual(found([1, 2, 3].map(() => ({ operations: 0, times: {} }))), [null, false])
  })

  it('is at full load 5,000 operations, too: until then code is not compiled, whatever p50 shows', () => {
    const stretches = [1, 1, 1, 1].map(ms => stretch(ms))
    const soFar = { warmupMs: 3000, ms: 4000, stretches }
    assert.deepEqual([warmUpIsOver(soFar), warmUpIsOver({ ...soFar, fullLoad: true })], [true, false])
    assert.equal(warmUpIsOver({ ...soFar, stretches: [...stretches, stretch(1)], fullLoad: true }), true)
    assert.equal(warmUpIsOver({ ...soFar, ms: 15_000, fullLoad: true }), true)
  })

  it('is p50 of stretches of a second, of a third of a shorter warm-up', () =>
    assert.deepEqual([10_000, 3000, 1500, 1000, 0].map(warmUpStretchMs), [1000, 1000, 500, 1000 / 3, 50]))
})
