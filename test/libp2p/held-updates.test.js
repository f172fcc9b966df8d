import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import { DelayedWindowUpdates } from '../../src/libp2p/generation-3/coalescing.js'
import { DATA, FIN, RST, SYN, WINDOW_UPDATE } from '../../src/libp2p/yamux.js'
import { encodeYamuxFrame } from '../../src/scenarios/rendezvous/hostile/hostile-worker.js'

/** What is owed to each stream by what was sent. @param {(Uint8Array | Uint8ArrayList | undefined)[]} sent */
function granted(sent) {
  const bytes = Buffer.concat(sent.filter(each => each !== undefined).map(each => each.subarray()))
  /** @type {Record<number, number>} */
  const streams = {}
  for (let at = 0; at < bytes.length; at += 12) {
    const stream = bytes.readUInt32BE(at + 4)
    assert.deepEqual([...bytes.subarray(at, at + 2)], [0, WINDOW_UPDATE])
    assert.ok([0, FIN].includes(bytes.readUInt16BE(at + 2)), 'its flags')
    streams[stream] = (streams[stream] ?? 0) + bytes.readUInt32BE(at + 8)
  }
  return streams
}

describe('held updates of windows', () => {
  it('wait until they are worth a frame', () => {
    const held = new DelayedWindowUpdates()
    for (let i = 1; i < 64; i++)
      assert.equal(held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 1024)), undefined)
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 1024)),
      encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 65_536)
    )
    assert.equal(held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 1024)), undefined)
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 200_000)),
      encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 201_024)
    )
  })

  it('leave whatever else is sent as it is', () => {
    const held = new DelayedWindowUpdates()
    const others = [
      encodeYamuxFrame(WINDOW_UPDATE, SYN, 1, 262_144),
      encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 0),
      encodeYamuxFrame(WINDOW_UPDATE, RST, 3, 0),
      encodeYamuxFrame(WINDOW_UPDATE, 0, 0xfffffffe, 0xffffff00),
      encodeYamuxFrame(DATA, 0, 1, 5, Buffer.from('hello'))
    ]
    for (const each of others) assert.equal(held.pass(each), each)
    const list = new Uint8ArrayList(encodeYamuxFrame(DATA, FIN, 1, 0), Buffer.from('hello'))
    assert.equal(held.pass(list), list)
  })

  it('go out with the end of their stream, and not with its reset', () => {
    const held = new DelayedWindowUpdates()
    for (const stream of [1, 3]) held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, stream, 500))
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 0)),
      encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 500)
    )
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 0)),
      encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 0)
    )
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, RST, 3, 0)),
      encodeYamuxFrame(WINDOW_UPDATE, RST, 3, 0)
    )
    assert.deepEqual(
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, FIN, 3, 0)),
      encodeYamuxFrame(WINDOW_UPDATE, FIN, 3, 0)
    )
  })

  it('are few, however many streams have one, and none is lost', () => {
    const held = new DelayedWindowUpdates()
    const sent = Array.from({ length: 1000 }, (_, i) =>
      held.pass(encodeYamuxFrame(WINDOW_UPDATE, 0, 2 * i + 1, i + 1))
    )
    sent.push(
      ...Array.from({ length: 1000 }, (_, i) => held.pass(encodeYamuxFrame(WINDOW_UPDATE, FIN, 2 * i + 1, 0)))
    )
    const expected = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [2 * i + 1, i + 1]))
    assert.deepEqual(granted(sent), expected)
  })
})
