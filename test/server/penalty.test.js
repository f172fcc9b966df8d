import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Penalty } from '../../src/server/penalty.js'

/** @param {{ now: number, penalty: Penalty }} at @param {number} ms - throughout which somebody must wait, 10 ms at a time */
function lateFor(at, ms) {
  for (const end = at.now + ms; at.now < end; at.now += 10) at.penalty.late(10)
}

function begun() {
  const clock = { now: 1e6 }
  return Object.assign(clock, { penalty: new Penalty(4, () => clock.now) })
}

describe('the price of the event loop', () => {
  it('is what it is for whoever stays within its share, or goes beyond it for a moment', () => {
    const at = begun()
    assert.equal(at.penalty.price, 1)
    for (let i = 0; i < 100; i++) {
      lateFor(at, 140)
      assert.equal(at.penalty.price, 1)
      at.now += 100
    }
  })

  it('doubles each 150 ms for whoever stays beyond it, up to 16 times: of 150 ms a second are left 9.4', () => {
    const at = begun()
    const prices = []
    for (let i = 0; i < 6; i++) {
      lateFor(at, 150)
      at.penalty.late(10)
      prices.push(at.penalty.price)
    }
    assert.deepEqual(prices, [2, 4, 8, 16, 16, 16])
  })

  it('does not go up faster when many ask, nor when each has to wait long', () => {
    const at = begun()
    for (let i = 0; i < 1000; i++) at.penalty.late(10)
    assert.equal(at.penalty.price, 1)
    const slow = begun()
    for (let i = 0; i < 3; i++, slow.now += 400) slow.penalty.late(400)
    assert.equal(slow.penalty.price, 4, 'asked again as soon as it may')
  })

  it('halves each 5 s once nobody has to wait', () => {
    const at = begun()
    lateFor(at, 700)
    assert.equal(at.penalty.price, 16)
    const prices = []
    for (let i = 0; i < 5; i++) {
      at.now += 5010
      prices.push(at.penalty.price)
    }
    assert.deepEqual(prices, [8, 4, 2, 1, 1])
  })

  it('does not go down while it is being paid', () => {
    const at = begun()
    lateFor(at, 20_000)
    assert.equal(at.penalty.price, 16)
    at.now += 4900
    assert.equal(at.penalty.price, 16)
    at.penalty.late(10)
    at.now += 4900
    assert.equal(at.penalty.price, 16, 'and starts anew')
    assert.equal(at.penalty.idle, false)
    at.now += 20_200
    assert.equal(at.penalty.idle, true)
  })
})
