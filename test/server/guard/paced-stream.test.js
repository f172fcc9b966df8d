import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Uint8ArrayList } from 'uint8arraylist'
import { NotTakenError, PacedStream } from '../../../src/server/admission/connection-guard.js'
import { until } from '../../until.js'
import { FakeStream } from '../fake-stream.js'

/**
 * A stream whose turns are given by the test, and how many are held.
 *
 * @param {(bytes: Uint8ArrayList) => Uint8ArrayList | undefined} cut
 */
function pacedStream(cut) {
  const turns = { held: 0, give: () => {} }
  const inner = new FakeStream()
  const paced = new PacedStream(/** @type {any} */ (inner), {
    cut,
    turn: () =>
      new Promise(resolve => {
        turns.give = () => {
          turns.held++
          resolve()
        }
      }),
    began: () => {},
    done: () => turns.held--,
    stallTimeoutMs: 1000
  })
  paced.addEventListener('message', () => {})
  return { inner, paced, turns }
}

const whole = (/** @type {Uint8ArrayList} */ bytes) => {
  const piece = bytes.sublist()
  bytes.consume(piece.byteLength)
  return piece
}

/** @type {Array<[when: string, cut: typeof whole, meanwhile: (parts: ReturnType<typeof pacedStream>) => void]>} */
const CASES = [
  ['a piece was handed on', whole, () => {}],
  ['the stream was closed while it waited', whole, ({ inner }) => inner.abort(new Error('gone'))],
  ['its reader has had enough', whole, ({ paced }) => paced.pause()],
  [
    'what arrived must end the connection',
    () => {
      throw new Error('a frame that no stream could take')
    },
    () => {}
  ]
]

describe('a turn to hand on what arrived is given back', () => {
  for (const [when, cut, meanwhile] of CASES) {
    it(`when ${when}`, async () => {
      const parts = pacedStream(cut)
      parts.inner.arrive(/** @type {any} */ (new Uint8ArrayList(Uint8Array.of(1, 2, 3))))
      await turn()
      meanwhile(parts)
      parts.turns.give()
      await turn()
      assert.equal(parts.turns.held, 0)
    })
  }
})

describe('a stream whose other side takes nothing', () => {
  /** @param {number} stallTimeoutMs */
  function stalled(stallTimeoutMs) {
    const inner = new FakeStream()
    /** @type {Error[]} */
    const errors = []
    inner.abort = error => {
      errors.push(error)
      FakeStream.prototype.abort.call(inner, error)
    }
    /** @type {string[]} */
    const read = []
    const nothing = () => {}
    const pace = { cut: whole, turn: () => undefined, began: nothing, done: nothing, stallTimeoutMs }
    const paced = new PacedStream(/** @type {any} */ (inner), pace)
    paced.addEventListener('message', (/** @type {any} */ { data }) =>
      read.push(Buffer.from(data.subarray()).toString())
    )
    inner.writableNeedsDrain = true
    inner.arrive(Buffer.from('a'))
    return { inner, errors, read }
  }

  it('is not read until it takes something, and goes on then', async () => {
    const { inner, errors, read } = stalled(60_000)
    await turn()
    inner.arrive(Buffer.from('b'))
    await turn()
    assert.deepEqual([inner.readStatus, read], ['paused', ['a']])
    inner.take(1)
    await until(() => read.length === 2)
    assert.deepEqual([read, errors], [['a', 'b'], []])
  })

  it('is ended when it has taken nothing for too long', async () => {
    const { inner, errors } = stalled(5)
    await until(() => inner.status !== 'open')
    assert.deepEqual([errors[0] instanceof NotTakenError, inner.status], [true, 'aborted'])
  })
})
