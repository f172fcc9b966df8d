import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualPacer, VirtualTime } from '../../../src/simulator/virtual-time.js'

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
