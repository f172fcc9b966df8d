import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HeldStreams } from '../../../src/server/admission/connection-guard.js'
import { Account, UNTIMED } from '../../../src/server/admission/fair-share.js'
import { until } from '../../until.js'
import { FakeStream } from '../fake-stream.js'

const LIMIT = 100
const KEPT_BYTES = 1000
const SOON = { mostMs: 20_000 }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** @param {number} count - of streams that begin one after the other */
function begun(count) {
  const held = new HeldStreams(UNTIMED, KEPT_BYTES)
  const streams = Array.from({ length: count }, () => /** @type {any} */ (new FakeStream()))
  return {
    held,
    streams,
    readable: () => streams.filter(({ readStatus }) => readStatus === 'readable').length,
    add() {
      for (const stream of streams) held.add(stream)
    }
  }
}

describe('streams that begin on a connection', () => {
  it('are let in at once where those before it are asked something', () => {
    const { held, streams, readable } = begun(1000)
    for (const stream of streams) {
      held.add(stream)
      held.spoke(stream)
    }
    assert.equal(readable(), 1000)
  })

  it('wait while nothing is asked on 32 others, in order, and not without end', async () => {
    const { held, streams, readable, add } = begun(70)
    add()
    assert.equal(readable(), 32)
    held.spoke(streams[5])
    await until(() => readable() === 33)
    assert.equal(streams[32].readStatus, 'readable')
    await until(() => readable() === 70)
  })

  it('wait while replies are not taken', async () => {
    const { held, streams, readable, add } = begun(4)
    held.replies = new Account(LIMIT, new Account(Infinity))
    held.replies.add(LIMIT)
    add()
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    assert.equal(readable(), 0)
    held.replies.remove(LIMIT)
    await until(() => readable() === 4)
    assert.ok(streams.every(({ readStatus }) => readStatus === 'readable'))
  })

  it('hold up nobody when they have gone meanwhile', async () => {
    const { held, streams, add } = begun(3)
    held.replies = new Account(LIMIT, new Account(Infinity))
    held.replies.add(LIMIT)
    add()
    for (const stream of streams.slice(0, 2)) stream.abort(new Error('gone'))
    held.replies.remove(LIMIT)
    await until(() => streams[2].readStatus === 'readable')
  })

  it('are forgotten when they end, however long others wait', async () => {
    const { held } = begun(0)
    held.replies = new Account(LIMIT, new Account(Infinity))
    held.replies.add(LIMIT)
    const endedStream = () => {
      const stream = /** @type {any} */ (new FakeStream())
      held.add(stream)
      stream.abort(new Error('gone'))
      held.ended(stream)
      return new WeakRef(stream)
    }
    /** @type {WeakRef<object>[]} */
    const ended = []
    for (let i = 0; i < 100; i++) {
      ended.push(endedStream())
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    await until(() => {
      collect()
      return ended.every(stream => stream.deref() === undefined)
    }, SOON)
    const alive = /** @type {any} */ (new FakeStream())
    held.add(alive)
    assert.equal(alive.readStatus, 'paused')
    held.replies.remove(LIMIT)
    await until(() => alive.readStatus === 'readable', SOON)
  })

  it('are let in though all that waited before them ended while nothing was asked on others', async () => {
    const { held, streams, add } = begun(33)
    add()
    held.ended(streams[32])
    const late = /** @type {any} */ (new FakeStream())
    held.add(late)
    assert.equal(late.readStatus, 'paused')
    for (const stream of streams) held.spoke(stream)
    await until(() => late.readStatus === 'readable', SOON)
  })

  it('keep a few bytes each while they wait, and as many as ever behind that', async () => {
    const { held, streams, add } = begun(2)
    const { maxReadBufferLength } = streams[0]
    held.replies = new Account(LIMIT, new Account(Infinity))
    held.replies.add(LIMIT)
    add()
    streams[0].arrive(new Uint8Array(KEPT_BYTES + 1))
    streams[1].arrive(new Uint8Array(KEPT_BYTES))
    assert.deepEqual(
      streams.map(({ status }) => status),
      ['aborted', 'open']
    )
    held.replies.remove(LIMIT)
    await until(() => streams[1].readStatus === 'readable', SOON)
    assert.equal(streams[1].maxReadBufferLength, maxReadBufferLength)
  })
})
