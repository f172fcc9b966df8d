import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventLoopThrottle } from '../../../src/network/publisher.js'

/** An event loop whose turns take as long as is said, the last one for ever. @param {number[]} turnsMs */
function eventLoop(turnsMs) {
  let nowMs = 0
  let turns = 0
  return {
    now: () => nowMs * 1e6,
    turn: async () => {
      nowMs += turnsMs[Math.min(turns++, turnsMs.length - 1)]
    },
    /** Turns that were taken. */
    get turns() {
      return turns
    }
  }
}

const { signal } = new AbortController()

describe('a turnstile', () => {
  it('lets one pass after each short turn', async () => {
    const loop = eventLoop([1])
    const turnstile = new EventLoopThrottle(loop)
    await Promise.all([turnstile.pass(signal), turnstile.pass(signal), turnstile.pass(signal)])
    assert.equal(loop.turns, 3)
  })

  it('holds back while turns are long', async () => {
    const loop = eventLoop([300, 200, 100, 5])
    await new EventLoopThrottle(loop).pass(signal)
    assert.equal(loop.turns, 4)
  })

  it('lets somebody pass every 2 s where no turn is short', async () => {
    const loop = eventLoop([500])
    await new EventLoopThrottle(loop).pass(signal)
    assert.equal(loop.now() / 1e9, 2)
  })

  it('keeps the order of those who come', async () => {
    const turnstile = new EventLoopThrottle(eventLoop([1]))
    /** @type {number[]} */
    const passed = []
    await Promise.all([0, 1, 2].map(who => turnstile.pass(signal).then(() => passed.push(who))))
    assert.deepEqual(passed, [0, 1, 2])
  })

  it('holds nobody back any more once it is over', async () => {
    const controller = new AbortController()
    const loop = eventLoop([500])
    const turnstile = new EventLoopThrottle({ ...loop, turn: async () => controller.abort() })
    await Promise.all([turnstile.pass(controller.signal), turnstile.pass(controller.signal)])
  })
})
