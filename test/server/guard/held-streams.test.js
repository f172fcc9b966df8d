import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Account } from '../../../src/server/account.js'
import { HeldStreams } from '../../../src/server/guard/held-streams.js'
import { UNTIMED } from '../../../src/server/loop-time.js'
import { until } from '../../until.js'
import { FakeStream } from '../fake-stream.js'

const LIMIT = 100

/** @param {number} count - of streams that begin one after the other */
function begun(count) {
  const held = new HeldStreams(UNTIMED)
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
})
