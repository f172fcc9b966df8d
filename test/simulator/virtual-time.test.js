import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  makeVirtualTimerPromises,
  makeVirtualTimers,
  NO_NODE,
  VirtualPacer,
  VirtualTime
} from '../../src/simulator/virtual-time.js'

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
      ['no node', 10, NO_NODE],
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
    const senders = [NO_NODE, 0, 3, 7]
    const orders = [senders, senders.toReversed(), [3, NO_NODE, 7, 0]].map(asking => {
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
    const random = makeSubStream(1, 'virtual time')
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
  assert.deepEqual([time.nowNs, time.node, time.pending], [0, NO_NODE, false])
})

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
  return { time, timers: makeVirtualTimers(time), calls, call, passMs }
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
    const promises = makeVirtualTimerPromises(timers)
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
    const promises = makeVirtualTimerPromises(timers)
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
    makeVirtualTimerPromises(timers)
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
    const slept = makeVirtualTimerPromises(timers).setTimeout(3, 'slept', { signal: controller.signal })
    passMs(3)
    assert.equal(await slept, 'slept')
    controller.abort()
    assert.equal(time.pending, false)
  })

  test('setInterval gives each value that was due while nobody asked', async () => {
    const { timers, passMs, time } = timersAndCalls()
    const iterator = makeVirtualTimerPromises(timers).setInterval(5, 'value')
    const first = iterator.next()
    passMs(15)
    assert.equal((await first).value, 'value')
    assert.deepEqual([(await iterator.next()).value, (await iterator.next()).value], ['value', 'value'])
    await iterator.return(undefined)
    assert.equal(time.pending, false)
  })

  test('setInterval gives a value each time', async () => {
    const { timers, passMs } = timersAndCalls()
    const iterator = makeVirtualTimerPromises(timers).setInterval(5, 'value')
    const first = iterator.next()
    passMs(5)
    assert.deepEqual(await first, { value: 'value', done: false })
    passMs(15)
    assert.deepEqual([(await iterator.next()).value, (await iterator.next()).value], ['value', 'value'])
    assert.equal((await iterator.return(undefined)).done, true)
  })
})

describe('the pacer of virtual time', () => {
  it('waits until an operation is due, to the nanosecond', async () => {
    const time = new VirtualTime()
    const waiting = new VirtualPacer(time).until(5n)
    assert.equal(time.nextNs, 5)
    time.runNext(5)
    await waiting
    assert.equal(time.nowNs, 5)
  })

  it('does not wait for what is due already, nor with a signal that is aborted', async () => {
    const time = new VirtualTime()
    const pacer = new VirtualPacer(time)
    await pacer.until(0n)
    await pacer.until(5n, AbortSignal.abort())
    assert.equal(time.pending, false)
  })

  it('waits no longer once its signal is aborted, and leaves nothing to happen', async () => {
    const time = new VirtualTime()
    const ending = new AbortController()
    const waiting = new VirtualPacer(time).until(5n, ending.signal)
    assert.equal(time.pending, true)
    ending.abort()
    await waiting
    assert.equal(time.pending, false)
    assert.equal(time.nowNs, 0)
  })

  it('listens to its signal no longer than it waits', async () => {
    const time = new VirtualTime()
    const ending = new AbortController()
    const { signal } = ending
    let listening = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (/** @type {any[]} */ ...args) => {
      listening += 1
      add(.../** @type {[any, any]} */ (args))
    }
    signal.removeEventListener = (/** @type {any[]} */ ...args) => {
      listening -= 1
      remove(.../** @type {[any, any]} */ (args))
    }
    const waiting = new VirtualPacer(time).until(5n, signal)
    assert.equal(listening, 1)
    time.runNext(5)
    await waiting
    assert.equal(listening, 0)
  })
})
