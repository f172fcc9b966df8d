import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { withoutStackTraces, withStackTraces } from '../../src/libp2p/stack-traces.js'

const usual = Error.stackTraceLimit
afterEach(() => assert.equal(Error.stackTraceLimit, usual))

it('a listener without stack traces has none, those it calls may have them again', () => {
  /** @type {number[]} */
  const limits = []
  const inner = withStackTraces(() => limits.push(Error.stackTraceLimit))
  const outer = withoutStackTraces(() => {
    limits.push(Error.stackTraceLimit)
    inner()
    limits.push(Error.stackTraceLimit)
  })
  outer({})
  assert.deepEqual(limits, [0, usual, 0])
})

it('the limit is put back when a listener throws', () => {
  const fail = () => {
    throw new Error('no')
  }
  assert.throws(() => withoutStackTraces(fail)({}), /no/)
  assert.throws(() => withStackTraces(fail)({}), /no/)
})

it('the same listener is wrapped once, so that it can be removed; what is no function stays', () => {
  const listener = () => {}
  assert.equal(withoutStackTraces(listener), withoutStackTraces(listener))
  const object = { handleEvent: listener }
  assert.equal(withStackTraces(object), object)
  assert.equal(withStackTraces(null), null)
})
