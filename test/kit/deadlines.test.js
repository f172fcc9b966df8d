import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { Deadlines } from '../../src/kit/time.js'

/** @param {number} timeoutMs */
function deadlinesAt(timeoutMs) {
  const time = { ms: 0 }
  const deadlines = new Deadlines(timeoutMs, () => time.ms)
  deadlines.stop()
  /** @param {number} ms */
  const at = ms => {
    time.ms = ms
    deadlines.sweep()
  }
  return { deadlines, at, time }
}

describe('a deadline', () => {
  for (const [ms, aborted] of /** @type {[number, boolean][]} */ ([
    [0, false],
    [99, false],
    [105, true],
    [5000, true]
  ])) {
    it(`of 100 ms ${aborted ? 'has' : 'has not'} passed after ${ms} ms`, () => {
      const { deadlines, at } = deadlinesAt(100)
      const { signal } = deadlines.guard()
      at(ms)
      assert.equal(signal.aborted, aborted)
    })
  }

  it('says that it was a timeout', () => {
    const { deadlines, at } = deadlinesAt(100)
    const { signal } = deadlines.guard()
    at(105)
    assert.equal(signal.reason.name, 'TimeoutError')
  })

  it('ends only what is old enough', () => {
    const { deadlines, at, time } = deadlinesAt(100)
    const signals = [0, 10, 20].map(ms => {
      time.ms = ms
      return deadlines.guard().signal
    })
    at(115)
    assert.deepEqual(
      signals.map(signal => signal.aborted),
      [true, true, false]
    )
    at(125)
    assert.ok(signals[2].aborted)
  })

  it('is never early, and one for what begins within 5 ms', () => {
    const { deadlines, at, time } = deadlinesAt(100)
    const guards = [0, 4.9, 5].map(ms => {
      time.ms = ms
      return deadlines.guard()
    })
    const [first, second, third] = guards.map(({ signal }) => signal)
    assert.equal(first, second)
    assert.notEqual(second, third)
    guards[0].release()
    at(104.9)
    assert.ok(!second.aborted)
    at(105)
    assert.deepEqual([second.aborted, third.aborted], [true, false])
  })

  it('that nobody waits for any more is none, also where more begins in the same 5 ms', async () => {
    const { deadlines, at, time } = deadlinesAt(100)
    deadlines.guard().release()
    time.ms = 1
    const { signal, release } = deadlines.guard()
    release()
    at(200)
    assert.ok(!signal.aborted)
    await deadlines.lastReplies(60_000)
  })

  it('takes as many listeners as there are operations', async () => {
    const { deadlines } = deadlinesAt(100)
    const warned = mock.fn()
    process.on('warning', warned)
    for (let i = 0; i < 100; i++) deadlines.guard().signal.addEventListener('abort', () => {})
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', warned)
    assert.equal(warned.mock.callCount(), 0)
  })

  it('does not hold for what was released', () => {
    const { deadlines, at } = deadlinesAt(100)
    const released = deadlines.guard()
    released.release()
    at(50)
    const kept = deadlines.guard()
    at(200)
    assert.deepEqual([kept.signal.aborted, released.signal.aborted], [true, false])
  })

  it('may be released when it has passed already, and twice', () => {
    const { deadlines, at } = deadlinesAt(100)
    const guard = deadlines.guard()
    at(200)
    guard.release()
    guard.release()
    assert.ok(guard.signal.aborted)
  })

  for (const [what, released, most] of /** @type {[string, boolean, number][]} */ ([
    ['until the last one is released', true, 60_000],
    ['no longer than told', false, 50]
  ]))
    it(`is waited for ${what}`, async () => {
      const deadlines = new Deadlines(60_000)
      const { signal, release } = deadlines.guard()
      if (released) setTimeout(release, 30)
      await deadlines.lastReplies(most)
      assert.ok(!signal.aborted)
      deadlines.stop()
    })

  it('ends early with all others, with the reason given', () => {
    const { deadlines, at } = deadlinesAt(100)
    const guards = [deadlines.guard(), deadlines.guard()]
    const reason = new Error('interrupted')
    deadlines.abortAll(reason)
    at(200)
    assert.deepEqual(
      guards.map(({ signal }) => signal.reason),
      [reason, reason]
    )
  })

  it('is looked at every 50 ms until all are stopped', () => {
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      let now = 0
      const deadlines = new Deadlines(100, () => now)
      const { signal } = deadlines.guard()
      now = 120
      mock.timers.tick(49)
      assert.ok(!signal.aborted)
      mock.timers.tick(1)
      assert.ok(signal.aborted)
      const later = deadlines.guard()
      deadlines.stop()
      now = 1000
      mock.timers.tick(1000)
      assert.ok(!later.signal.aborted)
    } finally {
      mock.timers.reset()
    }
  })
})
