import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ForwardingStream } from '../../src/libp2p/forwarding-stream.js'
import { ForwardingMuxer } from '../../src/libp2p/generation-3/coalescing.js'

/** What tells of each call, and gives back a thing of its own for each name. @param {readonly string[]} fields */
function recorder(fields) {
  /** @type {[name: string | symbol, ...args: any[]][]} */
  const calls = []
  const inner = new Proxy(/** @type {Record<string | symbol, any>} */ ({}), {
    get: (own, name) =>
      fields.includes(/** @type {string} */ (name))
        ? (own[name] ?? `the ${String(name)}`)
        : (/** @type {any[]} */ ...args) => {
            calls.push([name, ...args])
            return `done ${String(name)}`
          }
  })
  return { inner, calls }
}

/** @type {Set<string | symbol>} */
const WITHOUT_ARGUMENTS = new Set(['pause', 'resume', Symbol.asyncIterator])

/** @param {any} outer @param {ReturnType<typeof recorder>} of @param {readonly (string | symbol)[]} methods */
function handsOn(outer, { calls }, methods) {
  for (const name of methods) {
    const takes = WITHOUT_ARGUMENTS.has(name) ? 0 : outer[name].length || 2
    const given = [{ first: name }, { second: name }].slice(0, takes)
    const got = outer[name](...given)
    assert.deepEqual(calls.at(-1), [name, ...given])
    assert.ok(got === undefined || got === `done ${String(name)}`, String(name))
  }
  const found = calls.map(([name]) => name)
  assert.deepEqual(found, methods)
}

/** @param {any} outer @param {readonly string[]} names */
const gives = (outer, names) =>
  assert.deepEqual(
    names.map(name => outer[name]),
    names.map(name => `the ${name}`)
  )

const STREAM_FIELDS = [
  ...['status', 'timeline', 'log', 'direction', 'maxReadBufferLength', 'maxWriteBufferLength'],
  ...['inactivityTimeout', 'writableNeedsDrain', 'readableEnded', 'readBufferLength', 'writeBufferLength']
]
const STREAM_METHODS = [
  ...['send', 'close', 'abort', 'pause', 'resume', 'push', 'unshift', 'onDrain', 'addEventListener'],
  ...['removeEventListener', 'listenerCount', 'dispatchEvent', 'safeDispatchEvent']
]
const MUXER_FIELDS = ['protocol', 'status', 'streams']
const MUXER_METHODS = [
  ...['close', 'abort', 'listenerCount', 'dispatchEvent', 'safeDispatchEvent'],
  ...['addEventListener', 'removeEventListener', 'createStream']
]

describe('a stream that forwards', () => {
  test('looks like the one behind it, and has that do everything', () => {
    const behind = recorder(STREAM_FIELDS)
    const stream = new ForwardingStream(/** @type {any} */ (behind.inner))
    gives(stream, STREAM_FIELDS)
    handsOn(stream, behind, [...STREAM_METHODS, Symbol.asyncIterator])
  })

  test('gives the answers of the one behind it', async () => {
    const behind = recorder(STREAM_FIELDS)
    const stream = new ForwardingStream(/** @type {any} */ (behind.inner))
    const data = new Uint8Array(1)
    assert.deepEqual(
      [stream.send(data), stream.close(), stream.onDrain(), stream.listenerCount('close')],
      ['done send', 'done close', 'done onDrain', 'done listenerCount']
    )
    assert.deepEqual(
      [stream.dispatchEvent(new Event('x')), stream.safeDispatchEvent('close')],
      ['done dispatchEvent', 'done safeDispatchEvent']
    )
  })

  test('writes to the log that it is told to', () => {
    const { inner } = recorder(STREAM_FIELDS)
    const stream = new ForwardingStream(/** @type {any} */ (inner))
    const log = /** @type {any} */ (() => {})
    stream.log = log
    assert.equal(inner.log, log)
    assert.equal(stream.log, log)
  })
})

describe('a muxer that forwards', () => {
  test('looks like the one behind it, and has that do everything', () => {
    const behind = recorder(MUXER_FIELDS)
    const muxer = new ForwardingMuxer(/** @type {any} */ (behind.inner))
    gives(muxer, MUXER_FIELDS)
    handsOn(muxer, behind, MUXER_METHODS)
  })

  test('gives the answers of the one behind it', () => {
    const muxer = new ForwardingMuxer(/** @type {any} */ (recorder(MUXER_FIELDS).inner))
    assert.deepEqual(
      [muxer.close(), muxer.listenerCount('x'), muxer.dispatchEvent(new Event('x')), muxer.createStream()],
      ['done close', 'done listenerCount', 'done dispatchEvent', 'done createStream']
    )
    assert.equal(muxer.safeDispatchEvent('stream'), 'done safeDispatchEvent')
  })
})
