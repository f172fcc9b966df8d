import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayLine } from '../../src/libp2p/line.js'

describe('a delay line', () => {
  it('runs nothing after it was stopped, even by what it runs', async () => {
    const line = new DelayLine(5)
    /** @type {string[]} */
    const ran = []
    line.push(() => ran.push('first'))
    line.push(() => line.stop())
    line.push(() => ran.push('second'))
    await sleep(20)
    line.push(() => ran.push('third'))
    await sleep(20)
    assert.deepEqual(ran, ['first'])
  })

  it('keeps each its own time', async () => {
    const line = new DelayLine(20)
    /** @type {number[]} */
    const took = []
    for (let i = 0; i < 20; i++) {
      const pushedMs = performance.now()
      line.push(() => took.push(performance.now() - pushedMs))
      await sleep(3)
    }
    await sleep(100)
    for (const ms of took) assert.ok(ms >= 20, `${ms} ms`)
  })
})
