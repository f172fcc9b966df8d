import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { delayConnection } from '../../../src/libp2p/generation-2/line-connection.js'
import { until } from '../../until.js'

const LINE = { latencyMs: 5, bytesPerSecond: null }
/** So that its buffer is full at once, and room comes only as it drains. */
const NARROW = { latencyMs: 1, bytesPerSecond: 20_000_000 }

/** @param {number} count @param {number} bytes */
async function* chunks(count, bytes) {
  for (let i = 0; i < count; i++) yield new Uint8Array(bytes).fill(i)
}

function fake({ source = chunks(0, 0) } = {}) {
  const inner = {
    source,
    timeline: { open: 1 },
    received: 0,
    /** @type {any[]} */
    did: [],
    /** @param {AsyncIterable<any>} source */
    async sink(source) {
      for await (const chunk of source) inner.received += chunk.byteLength
      inner.did.push('sunk')
    },
    async close() {
      inner.did.push('closed')
    },
    /** @param {Error} error */
    abort(error) {
      inner.did.push(error)
    }
  }
  return inner
}

/** @param {ReturnType<typeof fake>} inner @param {Partial<import('../../../src/libp2p/layers/transports.js').LineEnds>} ends */
const lined = (inner, ends) =>
  /** @type {any} */ (delayConnection(/** @type {any} */ (inner), { sent: null, received: null, ...ends }))

describe('a connection of generation 2 with lines', () => {
  for (const [name, line] of /** @type {[string, any][]} */ ([
    ['late', LINE],
    ['although there is little room', NARROW],
    ['at once, without a line', null]
  ])) {
    test(`brings all that is read, ${name}, and counts it`, async () => {
      const traffic = { sentBytes: 0, receivedBytes: 0 }
      const connection = lined(fake({ source: chunks(40, 16_384) }), { received: line, traffic })
      let bytes = 0
      for await (const chunk of connection.source) bytes += chunk.byteLength
      assert.deepEqual([bytes, traffic], [40 * 16_384, { sentBytes: 0, receivedBytes: 40 * 16_384 }])
    })

    test(`brings all that is written, ${name}, and counts it`, async () => {
      const traffic = { sentBytes: 0, receivedBytes: 0 }
      const inner = fake()
      await lined(inner, { sent: line, traffic }).sink(chunks(40, 16_384))
      assert.deepEqual([inner.received, inner.did], [40 * 16_384, ['sunk']])
      assert.deepEqual(traffic, { sentBytes: 40 * 16_384, receivedBytes: 0 })
    })
  }

  test('has a source that can be put in the place of its own, and all else of the one below', () => {
    const inner = fake()
    const connection = lined(inner, { received: LINE })
    const rest = chunks(1, 1)
    connection.source = rest
    connection.remote = 'there'
    assert.equal(connection.source, rest)
    assert.notEqual(inner.source, rest)
    assert.deepEqual([connection.timeline, /** @type {any} */ (inner).remote], [{ open: 1 }, 'there'])
  })

  test('closes behind what was written', async () => {
    const inner = fake()
    const connection = lined(inner, { sent: LINE })
    await connection.close()
    assert.deepEqual(inner.did, ['closed'])
  })

  test('does not wait for that longer than it may', async () => {
    const connection = lined(fake(), { sent: { latencyMs: 500, bytesPerSecond: null } })
    const ending = new AbortController()
    const closed = connection.close({ signal: ending.signal })
    ending.abort(new Error('too late'))
    await assert.rejects(closed, /too late/)
    connection.abort(new Error('over'))
  })

  test('is reset for the far end when the line is over', async () => {
    const inner = fake()
    const connection = lined(inner, { sent: LINE })
    const error = new Error('reset')
    connection.abort(error)
    await until(() => inner.did.length > 0)
    assert.deepEqual(inner.did, [error])
  })

  test('fails who reads with the error of the one below, late', async () => {
    const source = /** @type {any} */ (
      (async function* () {
        yield new Uint8Array(3)
        throw new Error('ECONNRESET')
      })()
    )
    const read = async () => {
      let bytes = 0
      try {
        for await (const chunk of lined(fake({ source }), { received: LINE }).source)
          bytes += chunk.byteLength
      } catch (error) {
        return [bytes, /** @type {Error} */ (error).message]
      }
    }
    assert.deepEqual(await read(), [3, 'ECONNRESET'])
  })
})
