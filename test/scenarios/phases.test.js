import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { interruptedBy, recordsOf } from '../../src/scenarios/phases.js'
import { Trouble } from '../../src/scenarios/trouble.js'

describe('an interruption', () => {
  test('is trouble for the run', () => {
    const controller = new AbortController()
    const trouble = new Trouble()
    interruptedBy(controller.signal, trouble)
    controller.abort()
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  test('that came before the run began is trouble at once', () => {
    const trouble = new Trouble()
    interruptedBy(AbortSignal.abort(), trouble)
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  test('concerns a run that has ended no longer', () => {
    const controller = new AbortController()
    const trouble = new Trouble()
    for (let run = 0; run < 20; run++) interruptedBy(controller.signal, trouble)()
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
    controller.abort()
    assert.equal(trouble.error, null)
  })
})

describe('the records of a run', () => {
  /** @param {AsyncIterable<unknown>} records */
  const all = async records => {
    const found = []
    for await (const record of records) found.push(record)
    return found
  }
  const one = /** @type {any} */ ({ type: 'warning' })
  const other = /** @type {any} */ ({ type: 'phase' })

  test('come in order, until it has ended', async () => {
    assert.deepEqual(
      await all(
        recordsOf(async emit => {
          emit(one)
          emit(other)
        })
      ),
      [one, other]
    )
  })

  test('end with what it throws', async () => {
    const run = recordsOf(async emit => {
      emit(one)
      throw new Error('it broke')
    })
    await assert.rejects(all(run), /it broke/)
  })
})
