import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns } from '../../src/server/admission/fair-share.js'

/** @param {string} group */
const callerOf = group => ({ group, address: `${group}.1`, peer: group })

/** Turns of a loop that the test turns, in which a hostile group has had more than a turn's time and wants more. */
function busyTurns() {
  const clock = { now: 0 }
  /** @type {Array<() => void>} */
  const next = []
  const turns = new Turns({ now: () => clock.now, nextTurn: go => next.push(go) })
  const hostile = callerOf('10.0.0')
  turns.take(hostile)
  clock.now += 5
  turns.done()
  // the first behind a long one waits for the next turn of the loop
  turns.take(hostile)
  next.shift()?.()
  clock.now += 5
  turns.done()
  const waits = turns.take(hostile)
  return { turns, waits, clock, next }
}

describe('a request behind a pause', () => {
  it('is served at once, also after others of its group', () => {
    /** @type {Array<() => void>} */
    const next = []
    const turns = new Turns({ now: () => 5 * next.length, nextTurn: go => next.push(go) })
    for (let i = 0; i < 100; i++) {
      assert.equal(turns.take(callerOf('10.0.0')), undefined)
      turns.done()
      next.at(-1)?.()
    }
  })
})

describe('a turn of the loop that took long', () => {
  it('lets a group that had nothing of it be served at once, and only once', () => {
    const { turns, waits } = busyTurns()
    assert.ok(waits instanceof Promise)
    const honest = callerOf('10.0.1')
    assert.equal(turns.take(honest), undefined)
    turns.done()
    assert.ok(turns.take(honest) instanceof Promise)
  })

  it('lets so many groups be served at once, however many come', () => {
    const { turns } = busyTurns()
    const served = Array.from({ length: 100 }, (_, i) => {
      const wait = turns.take(callerOf(`10.1.${i}`))
      turns.done()
      return wait === undefined
    })
    assert.ok(served[0])
    assert.ok(served.filter(Boolean).length <= 32)
  })
})
