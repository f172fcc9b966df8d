import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { HOST, VirtualTime } from '../../../src/simulator/virtual-time.js'

/** Everything that happens, in order. @param {VirtualTime} time */
function runAll(time) {
  while (time.runNext(Number.POSITIVE_INFINITY));
}

describe('what is to happen', () => {
  test('happens in the order of times, then of nodes, then of asking', () => {
    const time = new VirtualTime()
    /** @type {string[]} */
    const happened = []
    for (const [name, atNs, node] of /** @type {[string, number, number][]} */ ([
      ['later', 20, 0],
      ['node 2', 10, 2],
      ['node 1', 10, 1],
      ['node 1 again', 10, 1],
      ['no node', 10, HOST],
      ['first', 5, 9]
    ]))
      time.at(atNs, node, () => void happened.push(`${name} at ${time.nowNs} of ${time.node}`))
    runAll(time)
    assert.deepEqual(happened, [
      'first at 5 of 9',
      'no node at 10 of -1',
      'node 1 at 10 of 1',
      'node 1 again at 10 of 1',
      'node 2 at 10 of 2',
      'later at 20 of 0'
    ])
  })

  test('happens in the order of who it comes from, whoever asked first', () => {
    const senders = [HOST, 0, 3, 7]
    const orders = [senders, senders.toReversed(), [3, HOST, 7, 0]].map(asking => {
      const time = new VirtualTime()
      /** @type {string[]} */
      const happened = []
      const happen = (/** @type {string} */ name) => () => void happened.push(name)
      for (const sender of asking) {
        time.at(10, 5, happen(`${sender} first`), sender)
        time.at(10, 5, happen(`${sender} next`), sender)
        time.at(10, 5, happen(`${sender} in its place`), sender, -1)
      }
      runAll(time)
      return happened
    })
    assert.deepEqual(orders[1], orders[0])
    assert.deepEqual(orders[2], orders[0])
    assert.deepEqual(orders[0].slice(0, 4), ['-1 in its place', '-1 first', '-1 next', '0 in its place'])
  })

  test('is the same for thousands at random as sorting them', () => {
    const random = subStream(1, 'virtual time')
    const draw = (/** @type {number} */ below) => Math.floor(random() * below)
    const time = new VirtualTime()
    /** @type {[number, number, number][]} */
    const asked = Array.from({ length: 5000 }, (_, order) => [draw(200), draw(10), order])
    /** @type {[number, number, number][]} */
    const happened = []
    for (const [atNs, node, order] of asked)
      time.at(atNs, node, () => void happened.push([atNs, node, order]))
    runAll(time)
    const byTime = asked.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    assert.deepEqual(happened, byTime)
  })

  test('may ask for more, also for the same moment', () => {
    const time = new VirtualTime()
    /** @type {number[]} */
    const happened = []
    const again = (/** @type {number} */ left) => () => {
      happened.push(time.nowNs)
      if (left > 0) time.at(time.nowNs + (left % 2), 0, again(left - 1))
    }
    time.at(0, 0, again(4))
    runAll(time)
    assert.deepEqual(happened, [0, 0, 1, 1, 2])
  })

  test('does not happen once it is cancelled', () => {
    const time = new VirtualTime()
    const event = time.at(1, 0, () => assert.fail('it happened'))
    time.at(2, 0, () => {})
    time.cancel(event)
    runAll(time)
    assert.equal(time.nowNs, 2)
    assert.equal(time.pending, false)
  })

  for (const atNs of [9, 10.5, Number.NaN, Number.POSITIVE_INFINITY])
    test(`cannot happen at ${atNs} ns when it is 10`, () => {
      const time = new VirtualTime()
      time.rest(10)
      assert.throws(() => time.at(atNs, 0, () => {}), /it must be a whole number of ns, now \(10\) or later/)
    })
})

test('the clock goes no further than it is asked to', () => {
  const time = new VirtualTime()
  time.at(30, 0, () => {})
  assert.equal(time.runNext(29), false)
  assert.equal(time.nowNs, 0)
  time.rest(29)
  assert.equal(time.nowNs, 29)
  assert.equal(time.runNext(30), true)
  assert.equal(time.nowNs, 30)
})

test('begun anew it is 0, and nothing of before happens', () => {
  const time = new VirtualTime()
  time.at(5, 3, () => {})
  time.at(9, 3, () => assert.fail('it happened'))
  time.runNext(5)
  time.restart()
  assert.deepEqual([time.nowNs, time.node, time.pending], [0, HOST, false])
})
