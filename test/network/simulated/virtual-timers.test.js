import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { VirtualTime, virtualTimerPromises, virtualTimers } from '../../../src/simulator/virtual-time.js'

const MS = 1e6

/** Timers, with what they called and when (ms). */
function timersAndCalls() {
  const time = new VirtualTime()
  /** @type {[string, number][]} */
  const calls = []
  const call = (/** @type {string} */ name) => void calls.push([name, time.nowNs / MS])
  const passMs = (/** @type {number} */ ms) => {
    while (time.runNext(ms * MS));
    time.rest(ms * MS)
  }
  return { time, timers: virtualTimers(time), calls, call, passMs }
}

describe('setTimeout', () => {
  for (const [asked, ms] of /** @type {[unknown, number][]} */ ([
    [5, 5],
    [5.9, 5],
    ['7', 7],
    [0, 1],
    [-3, 1],
    [undefined, 1],
    [Number.NaN, 1],
    [2 ** 31, 1],
    [2 ** 31 - 1, 2 ** 31 - 1]
  ]))
    test(`of ${asked} comes after ${ms} ms, as Node's does`, () => {
      const { timers, calls, call, time } = timersAndCalls()
      timers.setTimeout(call, asked, 'it')
      time.runNext(Number.POSITIVE_INFINITY)
      assert.deepEqual(calls, [['it', ms]])
    })

  test('comes at the node at which it was set', () => {
    const { timers, time } = timersAndCalls()
    /** @type {number[]} */
    const nodes = []
    for (const node of [4, 2]) time.at(0, node, () => timers.setTimeout(() => nodes.push(time.node), 1))
    while (time.runNext(MS));
    assert.deepEqual(nodes, [2, 4])
  })

  test('can be cleared by itself, its number, or the text of it, also twice, or when it is none', () => {
    const { timers, calls, call, passMs } = timersAndCalls()
    const [a, b, c] = ['a', 'b', 'c'].map(name => timers.setTimeout(call, 1, name))
    timers.clearTimeout(a)
    timers.clearTimeout(a)
    timers.clearTimeout(Number(b))
    timers.clearInterval(String(c))
    for (const none of [undefined, null, 12_345, 'x', {}]) timers.clearTimeout(none)
    passMs(10)
    assert.deepEqual(calls, [])
  })

  test('has the shape of a Timeout of Node', () => {
    const { timers, calls, call, passMs } = timersAndCalls()
    const timer = timers.setTimeout(call, 5, 'it')
    assert.equal(timer.hasRef(), true)
    assert.equal(timer.unref().hasRef(), false)
    assert.equal(timer.ref().hasRef(), true)
    passMs(4)
    assert.equal(timer.refresh(), timer)
    passMs(8)
    assert.deepEqual(calls, [])
    passMs(20)
    timer.refresh()
    passMs(30)
    assert.deepEqual(calls, [
      ['it', 9],
      ['it', 25]
    ])
    assert.equal(timer.close(), timer)
  })

  test('takes functions only', () => {
    const { timers } = timersAndCalls()
    assert.throws(() => timers.setTimeout('code', 1), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => timers.setImmediate(undefined), { code: 'ERR_INVALID_ARG_TYPE' })
  })
})

test('setInterval comes again and again until it is cleared, also by what it calls', () => {
  const { timers, calls, call, passMs } = timersAndCalls()
  const timer = timers.setInterval(() => {
    call('it')
    if (calls.length === 3) timers.clearInterval(timer)
  }, 10)
  passMs(100)
  assert.deepEqual(calls, [
    ['it', 10],
    ['it', 20],
    ['it', 30]
  ])
})

test('setImmediate comes at the same moment, after what was asked for before, unless it is cleared', () => {
  const { timers, calls, call, passMs, time } = timersAndCalls()
  time.at(0, time.node, () => call('before'))
  timers.setImmediate(call, 'immediate')
  timers.clearImmediate(timers.setImmediate(call, 'cleared'))
  passMs(1)
  assert.deepEqual(calls, [
    ['before', 0],
    ['immediate', 0]
  ])
})

test('an immediate has the shape of one of Node', () => {
  const { timers, calls, call, passMs } = timersAndCalls()
  const immediate = timers.setImmediate(call, 'it')
  assert.equal(immediate.hasRef(), true)
  assert.equal(immediate.unref().hasRef(), false)
  assert.equal(immediate.ref().hasRef(), true)
  assert.equal(immediate.close(), immediate)
  passMs(1)
  assert.deepEqual(calls, [])
})

describe('promises of timers', () => {
  const turns = () => new Promise(resolve => setImmediate(resolve))

  test('are kept in virtual time', async () => {
    const { timers, calls, call, passMs } = timersAndCalls()
    const promises = virtualTimerPromises(timers)
    promises.setTimeout(3, 'slept').then(value => call(`${value}`))
    promises.setImmediate('turned').then(value => call(`${value}`))
    promises.scheduler.wait(2, {}).then(() => call('waited'))
    for (const ms of [0, 2, 3]) {
      passMs(ms)
      await turns()
    }
    assert.deepEqual(calls, [
      ['turned', 0],
      ['waited', 2],
      ['slept', 3]
    ])
  })

  test('are broken when they are aborted, at once or while they wait', async () => {
    const { timers, time } = timersAndCalls()
    const promises = virtualTimerPromises(timers)
    const controller = new AbortController()
    const waiting = promises.setTimeout(10, undefined, { signal: controller.signal })
    controller.abort('reason')
    await assert.rejects(waiting, { name: 'AbortError', code: 'ABORT_ERR', cause: 'reason' })
    await assert.rejects(promises.setImmediate(undefined, { signal: AbortSignal.abort() }), {
      code: 'ABORT_ERR'
    })
    assert.equal(time.pending, false, 'nothing is left to come')
  })

  test('of the scheduler yield to what is due now', async () => {
    const { timers, calls, call, passMs, time } = timersAndCalls()
    time.at(0, time.node, () => call('before'))
    virtualTimerPromises(timers)
      .scheduler.yield()
      .then(() => call('yielded'))
    passMs(0)
    await turns()
    assert.deepEqual(calls, [
      ['before', 0],
      ['yielded', 0]
    ])
  })

  test('listen to their signal no longer than they wait', async () => {
    const { timers, passMs, time } = timersAndCalls()
    const controller = new AbortController()
    const slept = virtualTimerPromises(timers).setTimeout(3, 'slept', { signal: controller.signal })
    passMs(3)
    assert.equal(await slept, 'slept')
    controller.abort()
    assert.equal(time.pending, false)
  })

  test('setInterval gives each value that was due while nobody asked', async () => {
    const { timers, passMs, time } = timersAndCalls()
    const iterator = virtualTimerPromises(timers).setInterval(5, 'value')
    const first = iterator.next()
    passMs(15)
    assert.equal((await first).value, 'value')
    assert.deepEqual([(await iterator.next()).value, (await iterator.next()).value], ['value', 'value'])
    await iterator.return(undefined)
    assert.equal(time.pending, false)
  })

  test('setInterval gives a value each time', async () => {
    const { timers, passMs } = timersAndCalls()
    const iterator = virtualTimerPromises(timers).setInterval(5, 'value')
    const first = iterator.next()
    passMs(5)
    assert.deepEqual(await first, { value: 'value', done: false })
    passMs(15)
    assert.deepEqual([(await iterator.next()).value, (await iterator.next()).value], ['value', 'value'])
    assert.equal((await iterator.return(undefined)).done, true)
  })
})
