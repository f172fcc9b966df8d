import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CallerQueues, DatabaseLimiter } from '../../../src/server/store/sql/backpressure.js'

/** @param {string} code @param {string} [message] */
const failing =
  (code, message = code) =>
  async () => {
    throw Object.assign(new Error(message), { code })
  }

/** @param {number} [maxUnderWay] */
function makeGate(maxUnderWay = 10) {
  const clock = { now: 0 }
  /** @type {Array<string | undefined>} */
  const told = []
  const onChange = (/** @type {string | undefined} */ problem) => told.push(problem)
  return { clock, told, gate: new DatabaseLimiter({ maxUnderWay, now: () => clock.now, onChange }) }
}

describe('the gate before a database', () => {
  it('tries again what others were in the way of, and gives up at some time', async () => {
    const { gate } = makeGate()
    for (const [times, code] of /** @type {const} */ ([
      [3, '40001'],
      [3, '40P01']
    ])) {
      let tried = 0
      const work = async () => (++tried <= times ? failing(code)() : 'done')
      assert.equal(await gate.through(work), 'done')
    }
    await assert.rejects(gate.through(failing('40001')), { message: 'the store is busy' })
  })

  for (const [code, message, text] of [
    ['53100', 'could not extend file: No space left on device', 'the store is full'],
    [
      '53300',
      'sorry, too many clients already',
      'the store has too few connections (max_connections of the database)'
    ],
    ['57014', 'canceling statement due to statement timeout', 'the store is slow'],
    ['55P03', 'canceling statement due to lock timeout', 'the store is slow'],
    ['25006', 'cannot execute INSERT in a read-only transaction', 'the store is away'],
    ['57P01', 'terminating connection due to administrator command', 'the store is away'],
    ['ECONNREFUSED', 'connect ECONNREFUSED', 'the store is away'],
    ['', 'timeout exceeded when trying to connect', 'the store is slow'],
    ['', 'Connection terminated due to connection timeout', 'the store is away'],
    ['', 'Query read timeout', 'the store is away']
  ])
    it(`says that it is unavailable: ${code} ${message}`, async () => {
      const { gate } = makeGate()
      const error = { code: 'ERR_STORE_UNAVAILABLE', message: text }
      await assert.rejects(gate.through(failing(code, message)), error)
    })

  it('says what a defect of ours is', async () => {
    const { gate } = makeGate()
    await assert.rejects(gate.through(failing('42703')), { code: '42703' })
    await assert.rejects(gate.through(failing('', 'x is not a function')), { message: 'x is not a function' })
    assert.equal(gate.problem, undefined)
  })

  it('asks nothing of a database that is away, until it is seen again', async () => {
    const { gate, told } = makeGate()
    await assert.rejects(gate.through(failing('ECONNREFUSED', 'connect ECONNREFUSED')))
    let asked = false
    const work = async () => {
      asked = true
    }
    await assert.rejects(gate.through(work), { message: 'the store is away' })
    assert.deepEqual([asked, gate.problem], [false, 'connect ECONNREFUSED'])
    await gate.look(async () => {})
    await gate.through(work)
    assert.deepEqual([asked, gate.problem], [true, undefined])
    assert.deepEqual(told, ['connect ECONNREFUSED', undefined])
  })

  it('does not take an answer that was on its way when the database went for its return', async () => {
    const { gate, told } = makeGate()
    const { promise, resolve } = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers())
    const looked = gate.look(() => promise)
    await assert.rejects(gate.through(failing('57P01', 'terminating connection')))
    resolve()
    await looked
    assert.deepEqual([gate.problem, told], ['terminating connection', ['terminating connection']])
    await gate.look(async () => {})
    assert.deepEqual([gate.problem, told], [undefined, ['terminating connection', undefined]])
  })

  it('is told by a look that the database has gone, and why', async () => {
    const { gate, told } = makeGate()
    await gate.look(failing('ECONNREFUSED', 'connect ECONNREFUSED'))
    assert.deepEqual([gate.away, told], ['connect ECONNREFUSED', ['connect ECONNREFUSED']])
  })

  it('does not take a database that only keeps us waiting for gone, and says so for a while', async () => {
    for (const [code, message] of [
      ['', 'timeout exceeded when trying to connect'],
      ['57014', 'canceling statement due to statement timeout']
    ]) {
      const { gate, told, clock } = makeGate()
      await assert.rejects(gate.through(failing(code, message)))
      assert.equal(gate.problem, undefined)
      await gate.look(failing(code, message))
      assert.deepEqual([gate.problem, gate.away, told], [`slow: ${message}`, undefined, []])
      assert.equal(await gate.through(async () => 'page'), 'page')
      clock.now = 60_000
      assert.equal(gate.problem, undefined)
    }
  })

  it('is not told by a look that found no connection free that the database is back', async () => {
    const { gate } = makeGate()
    await gate.look(failing('ECONNREFUSED', 'connect ECONNREFUSED'))
    await gate.look(failing('', 'timeout exceeded when trying to connect'))
    assert.equal(gate.away, 'connect ECONNREFUSED')
  })

  it('goes on asking a database that is full, which reads may still be served by, and says so for a while', async () => {
    const { gate, clock } = makeGate()
    await assert.rejects(gate.through(failing('53100', 'no space left')))
    assert.equal(gate.problem, 'full: no space left')
    assert.equal(await gate.through(async () => 'page'), 'page')
    clock.now = 60_000
    assert.equal(gate.problem, undefined)
  })

  it('lets so many through and no more', async () => {
    const { gate } = makeGate(2)
    const { promise, resolve } = Promise.withResolvers()
    const under = [gate.through(() => promise), gate.through(() => promise)]
    await assert.rejects(
      gate.through(async () => {}),
      { message: 'the store is busy' }
    )
    resolve('done')
    assert.deepEqual(await Promise.all(under), ['done', 'done'])
    assert.equal(gate.underWay, 0)
  })
})

const BUSY = { code: 'ERR_STORE_UNAVAILABLE', message: 'the store is busy' }

/** Lanes, and what goes on in them until it is ended. @param {Partial<import('../../../src/server/store/sql/backpressure.js').CallerQueuesInit>} [init] */
function watched(init) {
  const clock = { now: 0 }
  const lanes = new CallerQueues({
    atOnce: 1,
    maxWaiting: 2,
    maxWaitingInAll: 3,
    now: () => clock.now,
    ...init
  })
  /** @type {string[]} */
  const begun = []
  /** @type {Array<(error?: Error) => void>} */
  const ends = []
  const go = (/** @type {string} */ caller, /** @type {string} */ what = caller) =>
    lanes.through(caller, () => {
      begun.push(what)
      return new Promise((resolve, reject) => ends.push(error => (error ? reject(error) : resolve(what))))
    })
  const end = async (/** @type {Error | undefined} */ error = undefined) => {
    ends.shift()?.(error)
    await nextTurn()
  }
  return { clock, lanes, begun, go, end }
}

describe('what one caller asks at once', () => {
  it('goes on one after the other, in its order, and holds up nobody else', async () => {
    const { begun, go, end } = watched()
    const done = Promise.all([go('a', 'a1'), go('a', 'a2'), go('a', 'a3'), go('b'), go('c')])
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b', 'c'])
    await end()
    assert.deepEqual(begun, ['a1', 'b', 'c', 'a2'])
    for (let i = 0; i < 4; i++) await end()
    assert.deepEqual(await done, ['a1', 'a2', 'a3', 'b', 'c'])
  })

  it('goes on so many at a time where several may', async () => {
    const { begun, go, end } = watched({ atOnce: 2 })
    const done = Promise.all([go('a', 'a1'), go('a', 'a2'), go('a', 'a3')])
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'a2'])
    for (let i = 0; i < 3; i++) await end()
    assert.deepEqual(await done, ['a1', 'a2', 'a3'])
  })

  it('goes on behind what has failed', async () => {
    const { begun, go, end } = watched()
    const failed = assert.rejects(go('a', 'a1'), /no such thing/)
    const next = go('a', 'a2')
    await end(new Error('no such thing'))
    await failed
    await end()
    assert.deepEqual([await next, begun], ['a2', ['a1', 'a2']])
  })

  it('waits so many of one caller, and of all: what is beyond is refused', async () => {
    const { lanes, go, end } = watched()
    const done = [go('a'), go('a'), go('a')]
    assert.throws(() => lanes.admit('a'), BUSY)
    await assert.rejects(go('a'), BUSY)
    done.push(go('b'), go('b'), go('c'))
    assert.equal(lanes.waiting, 3)
    await assert.rejects(go('b'), BUSY)
    await assert.rejects(go('c'), BUSY)
    lanes.admit('d')
    for (let i = 0; i < 6; i++) await end()
    await Promise.all(done)
    assert.equal(lanes.waiting, 0)
    lanes.admit('a')
  })

  it('is refused when its turn comes too late', async () => {
    const { clock, begun, go, end } = watched()
    const first = go('a', 'a1')
    const late = assert.rejects(go('a', 'a2'), { message: 'the store is slow' })
    clock.now = 60_000
    await end()
    await late
    const next = go('a', 'a3')
    await end()
    assert.deepEqual([await first, await next, begun], ['a1', 'a3', ['a1', 'a3']])
  })
})
