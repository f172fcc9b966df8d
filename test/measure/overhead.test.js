import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import {
  decodedOverheads,
  encodedOverheads,
  isEncodedOverheads,
  mergedOverheads,
  Overheads
} from '../../src/measure/client-overhead.js'
import { summarize } from '../../src/measure/histogram.js'
import { histogramOf, range, SHAPES } from './samples.js'

/** @typedef {[us: number, overheadUs: number]} Operation */

/** @param {readonly Operation[]} operations */
function overheadsOf(operations) {
  const overheads = new Overheads()
  for (const [us, overheadUs] of operations) overheads.record(us, overheadUs)
  return overheads
}

/** What is held, whatever order it was counted in. @param {Overheads} overheads */
function held(overheads) {
  const { values, counts, ...totals } = overheads.toData()
  return { ...totals, cells: Array.from(values, (value, i) => [value, counts[i]]).sort(([a], [b]) => a - b) }
}

const random = subStream(7, 'overheads')

/** Of each, some part is overhead. @param {number} count @returns {Operation[]} */
const someOperations = count =>
  range(1, count).map(() => {
    const us = SHAPES['heavy-tailed'](random)
    return [us, us * random()]
  })

/** @param {number} found @param {number} expected @param {number} share */
const assertWithin = (found, expected, share) =>
  assert.ok(Math.abs(found - expected) <= share * expected, `${found}, expected ${expected}`)

describe('the client overhead of operations that took about as long', () => {
  it('is known to 6 %, however long or short it is', () => {
    for (let us = 1; us < 2 ** 31; us = Math.ceil(us * 1.37))
      for (const share of [1, 0.5, 0.013]) {
        const overheadUs = Math.round(us * share)
        const found = Number(overheadsOf(Array(10).fill([us, overheadUs])).near(us))
        assertWithin(found, overheadUs, 0.06)
      }
  })

  it('is of operations whose time is told apart to 3 %', () => {
    for (let us = 100; us < 2 ** 30; us = Math.ceil(us * 1.7)) {
      const near = Array(10).fill([us, us / 2])
      // 5 %, and what buckets are wide
      const beyond = Array(1000).fill([us * 1.081, 0])
      assertWithin(Number(overheadsOf([...near, ...beyond]).near(us)), us / 2, 0.06)
      const within = Array(1000).fill([us * 1.019, 0])
      assert.equal(overheadsOf([...near, ...within]).near(us), 0)
    }
  })

  it('is their median', () => {
    const overheads = overheadsOf(range(1, 99).map(i => [10_000, 10 * i]))
    assertWithin(Number(overheads.near(10_000)), 500, 0.06)
  })

  it('is that of the ten nearest where fewer are within 5 %', () => {
    /** @type {Operation[]} */
    const near = Array(9).fill([10_000, 100])
    const further = /** @type {Operation[]} */ (Array(20).fill([20_000, 8000]))
    const far = /** @type {Operation[]} */ (Array(500).fill([90_000, 90_000]))
    assertWithin(Number(overheadsOf([...near, ...further, ...far]).near(10_000)), 8000, 0.06)
    assertWithin(Number(overheadsOf([...near, [10_000, 100], ...further, ...far]).near(10_000)), 100, 0.06)
    assertWithin(Number(overheadsOf(near).near(10_000)), 100, 0.06)
    assertWithin(Number(overheadsOf(near).near(1e7)), 100, 0.06)
  })

  it('is never a difference of percentiles: where short operations waited and long ones did not, that at p99 is none', () => {
    /** @type {Operation[]} */
    const operations = [...Array(9800).fill([1000, 990]), ...Array(200).fill([50_000, 0])]
    const overheads = overheadsOf(operations)
    const { p50, p99 } = summarize(histogramOf(operations.map(([us]) => us)), { overheads })
    assertWithin(Number(p50?.overheadMs), 0.99, 0.06)
    assert.equal(p99?.overheadMs, 0)
    // and the other way round
    const late = overheadsOf(operations.map(([us]) => [us, us === 1000 ? 0 : 49_000]))
    const other = summarize(histogramOf(operations.map(([us]) => us)), { overheads: late })
    assert.equal(other.p50?.overheadMs, 0)
    assertWithin(Number(other.p99?.overheadMs), 49, 0.06)
  })

  it('is never more than they took', () =>
    assert.ok(Number(overheadsOf(Array(20).fill([1001, 1001])).near(1001)) <= 1001))

  it('is not known of no operations', () => assert.equal(new Overheads().near(1000), null))

  it('is at least 0, and at most what has room', () => {
    const overheads = overheadsOf([
      [-5, -7],
      [1e12, 1e12]
    ])
    assert.equal(overheads.count, 2)
    assert.deepEqual(held(overheads), held(decodedOverheads(encodedOverheads(overheads))))
    assert.equal(overheads.near(0), 0)
  })
})

describe('overheads of several workers, or runs', () => {
  const [a, b, c] = [300, 1, 2000].map(count => overheadsOf(someOperations(count)))

  it('are, together, exactly those of all operations, in whatever order they are merged', () => {
    const operations = someOperations(3000)
    const parts = [0, 1, 2].map(part => overheadsOf(operations.filter((_, i) => i % 3 === part)))
    assert.deepEqual(held(mergedOverheads(parts)), held(overheadsOf(operations)))
    assert.deepEqual(held(mergedOverheads([a, b, c])), held(mergedOverheads([c, a, b])))
    assert.deepEqual(
      held(mergedOverheads([mergedOverheads([a, b]), c])),
      held(mergedOverheads([a, mergedOverheads([b, c])]))
    )
    assert.deepEqual(held(mergedOverheads([a, new Overheads()])), held(a))
    assert.equal(mergedOverheads([]).count, 0)
  })

  it('leave each as it was', () => {
    const before = held(a)
    mergedOverheads([a, b]).record(5, 5)
    assert.deepEqual(held(a), before)
  })

  it('count operations alike at once, as one by one', () => {
    const once = new Overheads()
    once.record(5000, 70, 30)
    assert.deepEqual(held(once), held(overheadsOf(Array(30).fill([5000, 70]))))
  })
})

describe('overheads of operations of any time', () => {
  it('have a histogram, with their exact sum and maximum', () => {
    const operations = someOperations(2000)
    const { count, sum, max, ...histogram } = overheadsOf(operations).histogram()
    const rounded = operations.map(([, us]) => Math.round(us))
    assert.deepEqual([count, max], [2000, Math.max(...rounded)])
    assert.equal(
      sum,
      rounded.reduce((all, us) => all + us, 0)
    )
    assert.ok(histogram)
    const exact = rounded.sort((a, b) => a - b)[999]
    assertWithin(overheadsOf(operations).histogram().quantile(0.5), exact, 0.07)
  })
})

describe('overheads in a result', () => {
  it('are read as they were written', () => {
    for (const count of [0, 1, 5000]) {
      const overheads = overheadsOf(someOperations(count))
      assert.deepEqual(held(decodedOverheads(encodedOverheads(overheads))), held(overheads))
      assert.ok(isEncodedOverheads(encodedOverheads(overheads)))
    }
  })

  it('take tens of kB at most, however many operations there were', () => {
    const encoded = encodedOverheads(overheadsOf(someOperations(100_000)))
    assert.ok(encoded.length < 40_000, `${encoded.length} bytes`)
  })

  const whole = Buffer.from(encodedOverheads(overheadsOf(someOperations(50))), 'base64')
  for (const [what, text] of /** @type {const} */ ([
    ['nothing', ''],
    ['a word', 'garbage'],
    ['something that is cut off', whole.subarray(0, -1).toString('base64')],
    ['something that has more to it', Buffer.concat([whole, Buffer.of(1)]).toString('base64')],
    [
      'other counts than it says',
      Buffer.concat([Buffer.of(whole[0] ^ 1), whole.subarray(1)]).toString('base64')
    ]
  ]))
    it(`are not ${what}`, () => {
      assert.throws(() => decodedOverheads(text), RangeError)
      assert.equal(isEncodedOverheads(text), false)
    })
})
