import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mersenneTwister } from '../../../src/network/topology/mersenne-twister.js'

/** From CPython 3.11: getrandbits(32), (1), (7) and, 1,500 draws later, (32) of random.Random(seed). */
const CPYTHON = [
  { seed: 0, draws: [3626764237, 0, 97, 3745107114] },
  { seed: 1, draws: [577090037, 1, 108, 3613727055] },
  { seed: 42, draws: [2746317213, 0, 3, 3318068090] },
  { seed: -7, draws: [1390851128, 1, 19, 1632644590] },
  { seed: 4294967295, draws: [2728839433, 1, 26, 145724248] },
  { seed: 4294967296, draws: [485306839, 0, 53, 766678394] },
  { seed: 123456789012345678901234567890n, draws: [3124625047, 0, 20, 1979390561] }
]

describe('the random numbers of CPython', () => {
  for (const { seed, draws } of CPYTHON) {
    it(`are those of Random(${seed})`, () => {
      const { getrandbits } = mersenneTwister(seed)
      const first = [getrandbits(32), getrandbits(1), getrandbits(7)]
      for (let i = 0; i < 1500; i++) getrandbits(32)
      assert.deepEqual([...first, getrandbits(32)], draws)
    })
  }

  it('choose an item as Random(42).choice does', () => {
    const { choice } = mersenneTwister(42)
    const letters = [...'abcdefghijk']
    assert.equal(Array.from({ length: 12 }, () => choice(letters)).join(''), CHOSEN)
  })

  it('are refused for what is no seed, and for more bits than one draw has', () => {
    assert.throws(() => mersenneTwister(0.5), RangeError)
    for (const bits of [0, 33, 1.5]) assert.throws(() => mersenneTwister(1).getrandbits(bits), /from 1 to 32/)
  })
})

const CHOSEN = 'kbaeddcbkibj'
