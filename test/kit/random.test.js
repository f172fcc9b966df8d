import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'

/** @param {() => number} random @param {number} count */
const draws = (random, count) => Array.from({ length: count }, random)

describe('a stream of random numbers', () => {
  it('is the same for the same seed and name, in every run', () => {
    // a change of these numbers means that no earlier run can be repeated
    assert.deepEqual(draws(makeSubStream(7, 'arrivals'), 3), EXPECTED)
    assert.deepEqual(draws(makeSubStream(7, 'arrivals'), 3), EXPECTED)
  })

  it('is not shifted by draws from another one', () => {
    const [arrivals, mix] = [makeSubStream(7, 'arrivals'), makeSubStream(7, 'mix', 0)]
    const found = EXPECTED.map(() => {
      mix()
      return arrivals()
    })
    assert.deepEqual(found, EXPECTED)
  })

  it('differs for each seed, concern and client', () => {
    const firsts = [0, 1, 7, -1, 2 ** 31, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER].flatMap(seed => [
      makeSubStream(seed, 'arrivals')(),
      makeSubStream(seed, 'mix')(),
      ...Array.from({ length: 100 }, (_, client) => makeSubStream(seed, 'mix', client)())
    ])
    assert.equal(new Set(firsts).size, firsts.length)
  })

  it('is uniform from 0 up to but not including 1', () => {
    const found = draws(makeSubStream(7, 'uniform'), 20_000)
    const tenths = Array(10).fill(0)
    for (const draw of found) tenths[Math.floor(draw * 10)]++
    assert.equal(tenths.length, 10)
    for (const count of tenths) assert.ok(Math.abs(count / 2000 - 1) < 0.1, `${tenths}`)
  })

  it('is uniform over the clients too, in each of their first draws', () => {
    const clients = Array.from({ length: 5000 }, (_, client) =>
      draws(makeSubStream(7, 'namespaces', client), 4)
    )
    for (const k of [0, 1, 2, 3]) {
      const tenths = Array(10).fill(0)
      for (const found of clients) tenths[Math.floor(found[k] * 10)]++
      for (const count of tenths) assert.ok(Math.abs(count / 500 - 1) < 0.2, `${k}: ${tenths}`)
    }
  })
})

const EXPECTED = [0.09905497146538256, 0.34224670097965193, 0.17890589565788417]
