import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { MessageNumbers } from '../../../../src/scenarios/gossip/measure/receipts.js'

describe('message numbers', () => {
  it('are those that were added', () => {
    const random = subStream(7, 'numbers')
    const numbers = new MessageNumbers()
    const known = new Set()
    for (let i = 0; i < 5000; i++) {
      const number = Math.floor(random() * 2 ** (8 + random() * 24))
      assert.equal(numbers.has(number), known.has(number))
      numbers.add(number)
      known.add(number)
      assert.ok(numbers.has(number))
    }
  })

  it('of full pages are still known, and their neighbours are not', () => {
    const numbers = new MessageNumbers()
    for (let number = 100_000; number >= 0; number--) numbers.add(number)
    numbers.add(5)
    for (const number of [0, 5, 32_767, 32_768, 65_535, 100_000]) assert.ok(numbers.has(number), `${number}`)
    for (const number of [100_001, 131_072, 2 ** 32 - 1]) assert.ok(!numbers.has(number), `${number}`)
  })
})
