import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dealt, handOf, sharesOf } from '../../src/kit/collections.js'
import { subStream } from '../../src/kit/random.js'

const random = subStream(7, 'shares')
const totals = [0, 1, 2, 3, 5, 999, 1000, 2 ** 31 + 1, Math.floor(random() * 1e6)]

describe('a total shared out', () => {
  for (const parts of [1, 2, 3, 7, 100]) {
    it(`among ${parts} loses nothing and differs by at most one`, () => {
      for (const total of totals) {
        const shares = sharesOf(total, parts)
        assert.equal(shares.length, parts)
        assert.equal(
          shares.reduce((sum, n) => sum + n, 0),
          total
        )
        assert.ok(Math.max(...shares) - Math.min(...shares) <= 1)
        assert.ok(shares.every(share => Number.isInteger(share) && share >= 0))
      }
    })
  }

  it('gives the first ones what is left over', () => assert.deepEqual(sharesOf(8, 3), [3, 3, 2]))
})

describe('indices dealt like cards', () => {
  for (const [total, hands, expected] of /** @type {[number, number, number[][]][]} */ ([
    [5, 1, [[0, 1, 2, 3, 4]]],
    [
      5,
      2,
      [
        [0, 2, 4],
        [1, 3]
      ]
    ],
    [2, 3, [[0], [1], []]],
    [0, 2, [[], []]]
  ])) {
    it(`are ${JSON.stringify(expected)} for ${total} among ${hands}`, () => {
      assert.deepEqual(
        expected.map((_, hand) => dealt(total, hand, hands)),
        expected
      )
    })
  }

  for (const hands of [1, 2, 3, 7]) {
    it(`reach each of ${hands} hands evenly, every index once`, () => {
      for (const total of [1, 6, 1000, Math.floor(random() * 5000)]) {
        const all = Array.from({ length: hands }, (_, hand) => dealt(total, hand, hands))
        assert.deepEqual(
          all.flat().sort((a, b) => a - b),
          Array.from({ length: total }, (_, i) => i)
        )
        assert.deepEqual(
          all.map(hand => hand.length),
          sharesOf(total, hands)
        )
      }
    })
  }

  it('give each client of a worker as many operations as it was prepared for', () => {
    // the open loop sends a worker's operations to its clients in turn
    for (const [operations, workers, clients] of [
      [100, 3, 4],
      [7, 2, 5],
      [1, 3, 2]
    ]) {
      for (let worker = 0; worker < workers; worker++) {
        const own = dealt(operations, worker, workers)
        const sent = Array(clients).fill(0)
        for (let arrival = 0; arrival < own.length; arrival++) sent[arrival % clients]++
        assert.deepEqual(sharesOf(own.length, clients), sent)
      }
    }
  })
})

describe('indices dealt back and forth', () => {
  it('begin each round where the last one ended', () => {
    assert.deepEqual(
      Array.from({ length: 8 }, (_, index) => handOf(index, 3)),
      [0, 1, 2, 2, 1, 0, 0, 1]
    )
  })

  it('make hands alike of what gets less and less', () => {
    const sums = [0, 0]
    for (let index = 0; index < 100; index += 1) sums[handOf(index, 2)] += 100 - index
    assert.equal(sums[0], sums[1])
  })
})
