import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CallerQueues } from '../../../src/server/store/sql/backpressure.js'

const BUSY = { code: 'ERR_STORE_UNAVAILABLE', message: 'the store is busy' }

/** Lanes, and what goes on in them until it is ended. @param {Partial<import('../../../src/server/store/sql/backpressure.js').CallerQueuesInit>} [init] */
function watched(init) {
  const clock = { now: 0 }
  const lanes = new CallerQueues({
    atOnce: 1,
    maxWaiting: 2,
    maxWaitingInAll: 3,
    now: () => clock.now,
    ...init
  })
  /** @type {string[]} */
  const begun = []
  /** @type {Array<(error?: Error) => void>} */
  const ends = []
  const go = (/** @type {string} */ caller, /** @type {string} */ what = caller) =>
    lanes.through(caller, () => {
      begun.push(what)
      return new Promise((resolve, reject) => ends.push(error => (error ? reject(error) : resolve(what))))
    })
  const end = async (/** @type {Error | undefined} */ error = undefined) => {
    ends.shift()?.(error)
    await nextTurn()
  }
  return { clock, lanes, begun, go, end }
}

describe('what one caller asks at once', () => {
  it('goes on one after the other, in its order, and holds up nobody else', async () => {
    const { begun, go, end } = watched()
    const done = Promise.all([go('a', 'a1'), go('a', 'a2'), go('a', 'a3'), go('b'), go('c')])
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b', 'c'])
    await end()
    assert.deepEqual(begun, ['a1', 'b', 'c', 'a2'])
    for (let i = 0; i < 4; i++) await end()
    assert.deepEqual(await done, ['a1', 'a2', 'a3', 'b', 'c'])
  })

  it('goes on so many at a time where several may', async () => {
    const { begun, go, end } = watched({ atOnce: 2 })
    const done = Promise.all([go('a', 'a1'), go('a', 'a2'), go('a', 'a3')])
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'a2'])
    for (let i = 0; i < 3; i++) await end()
    assert.deepEqual(await done, ['a1', 'a2', 'a3'])
  })

  it('goes on behind what has failed', async () => {
    const { begun, go, end } = watched()
    const failed = assert.rejects(go('a', 'a1'), /no such thing/)
    const next = go('a', 'a2')
    await end(new Error('no such thing'))
    await failed
    await end()
    assert.deepEqual([await next, begun], ['a2', ['a1', 'a2']])
  })

  it('waits so many of one caller, and of all: what is beyond is refused', async () => {
    const { lanes, go, end } = watched()
    const done = [go('a'), go('a'), go('a')]
    assert.throws(() => lanes.admit('a'), BUSY)
    await assert.rejects(go('a'), BUSY)
    done.push(go('b'), go('b'), go('c'))
    assert.equal(lanes.waiting, 3)
    await assert.rejects(go('b'), BUSY)
    await assert.rejects(go('c'), BUSY)
    lanes.admit('d')
    for (let i = 0; i < 6; i++) await end()
    await Promise.all(done)
    assert.equal(lanes.waiting, 0)
    lanes.admit('a')
  })

  it('is refused when its turn comes too late', async () => {
    const { clock, begun, go, end } = watched()
    const first = go('a', 'a1')
    const late = assert.rejects(go('a', 'a2'), { message: 'the store is slow' })
    clock.now = 60_000
    await end()
    await late
    const next = go('a', 'a3')
    await end()
    assert.deepEqual([await first, await next, begun], ['a1', 'a3', ['a1', 'a3']])
  })
})
