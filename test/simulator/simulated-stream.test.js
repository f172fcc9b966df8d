import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { defaultLogger } from '@libp2p/logger'
import { MESSAGE_KIND, SimulatedStream } from '../../src/simulator/network/connection.js'

const NUMBER = 2

/** @type {SimulatedStream} */
let stream
/** @type {string[]} */
let heard
/** @type {number[]} */
let granted

/** @param {string} text - that the other end has written */
const comes = text =>
  stream.heard({ kind: MESSAGE_KIND.DATA, stream: NUMBER, text: '', data: new TextEncoder().encode(text) })

/** @param {string} name */
const listener = name => (/** @type {any} */ event) =>
  void heard.push(`${name}: ${new TextDecoder().decode(event.data.subarray())}`)

beforeEach(() => {
  const connection = /** @type {any} */ ({
    log: defaultLogger().forComponent('test'),
    carry: () => true,
    grantMore: (/** @type {number} */ number) => void granted.push(number)
  })
  stream = new SimulatedStream(connection, { number: NUMBER, direction: 'inbound' })
  heard = []
  granted = []
})

describe('what comes over a simulated stream', () => {
  it('goes to the only one who listens, at once and in order', () => {
    stream.addEventListener('message', listener('a'))
    comes('one')
    comes('two')
    assert.deepEqual(heard, ['a: one', 'a: two'])
    assert.deepEqual(granted, [NUMBER, NUMBER], 'the other end may send as much again')
  })

  it('goes to all who listen, and to the one who stays', () => {
    const [a, b] = [listener('a'), listener('b')]
    stream.addEventListener('message', a)
    stream.addEventListener('message', b)
    comes('one')
    stream.removeEventListener('message', b)
    comes('two')
    stream.removeEventListener('message', a)
    stream.addEventListener('message', b)
    comes('three')
    assert.deepEqual(heard, ['a: one', 'b: one', 'a: two', 'b: three'])
  })

  it('goes once to one who asked for one', () => {
    stream.addEventListener('message', listener('a'), { once: true })
    comes('one')
    comes('two')
    assert.deepEqual(heard, ['a: one'])
  })

  it('waits for the first who listens, and for one who pauses', async () => {
    comes('one ')
    comes('two')
    stream.addEventListener('message', listener('a'))
    await new Promise(resolve => setImmediate(resolve))
    stream.pause()
    comes('three ')
    comes('four')
    assert.deepEqual(heard, ['a: one two'])
    stream.resume()
    assert.deepEqual(heard, ['a: one two', 'a: three four'])
  })

  it('is not heard once its reader has closed', async () => {
    stream.addEventListener('message', listener('a'))
    await stream.closeRead()
    comes('one')
    assert.deepEqual(heard, [])
  })
})
