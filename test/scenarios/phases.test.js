import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { interruptedBy, Phases, recordsOf, Trouble } from '../../src/run/run.js'
import { RunLog } from '../../src/run/run-header.js'

/** @param {any} record */
const told = ({ type, name, state, result }) => [type, ...(type === 'phase' ? [name, state] : [result])]

function running() {
  /** @type {any[]} */
  const records = []
  const emit = (/** @type {any} */ record) => void records.push(record)
  const trouble = new Trouble()
  const log = new RunLog(emit)
  let results = 0
  const result = () => /** @type {any} */ (`result ${++results}`)
  return { records, trouble, phases: new Phases({ log, trouble, emit, result }) }
}

describe('a phase', () => {
  test('is told when it begins and ends, with the result so far after it', async () => {
    const { records, phases } = running()
    await phases.guarded('peer', async () => '7 connections')
    assert.deepEqual(records.map(told), [
      ['phase', 'peer', 'begin'],
      ['phase', 'peer', 'done'],
      ['partial', 'result 1']
    ])
    assert.equal(records[1].detail, '7 connections')
  })

  test('that is guarded is left at once when there is trouble', async () => {
    const { records, phases, trouble } = running()
    const left = phases.guarded('peer', () => new Promise(() => {}))
    trouble.raise(new Error('worker 0 ended'))
    await assert.rejects(left, /worker 0 ended/)
    assert.deepEqual(records.map(told).at(-1), ['phase', 'peer', 'failed'])
  })

  test('that is plain comes to its own end', async () => {
    const { phases, trouble } = running()
    const work = Promise.withResolvers()
    const ended = phases.plain('publish', () => work.promise.then(() => {}))
    trouble.raise(new Error('worker 0 ended'))
    work.resolve(undefined)
    await ended
  })
})

describe('an interruption', () => {
  test('is trouble', () => {
    const [controller, trouble] = [new AbortController(), new Trouble()]
    interruptedBy(controller.signal, trouble)
    assert.equal(trouble.error, null)
    controller.abort()
    const { name, code, message } = /** @type {import('../../src/run/run.js').InterruptedError} */ (
      /** @type {unknown} */ (trouble.error)
    )
    assert.deepEqual([name, code, message], ['InterruptedError', 'INTERRUPTED', 'interrupted'])
  })

  test('before the run began is trouble too', () => {
    const trouble = new Trouble()
    interruptedBy(AbortSignal.abort(), trouble)
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  test('after the run has ended is none of its business', () => {
    const [controller, trouble] = [new AbortController(), new Trouble()]
    interruptedBy(controller.signal, trouble)()
    controller.abort()
    assert.equal(trouble.error, null)
  })
})

describe('the records of a run', () => {
  test('come in order until it has ended', async () => {
    /** @type {any[]} */
    const seen = []
    const records = recordsOf(async emit => {
      emit(/** @type {any} */ ('a'))
      await new Promise(resolve => setImmediate(resolve))
      emit(/** @type {any} */ ('b'))
    })
    for await (const record of records) seen.push(record)
    assert.deepEqual(seen, ['a', 'b'])
  })

  test('end with the error that the run threw', async () => {
    /** @type {any[]} */
    const seen = []
    const records = recordsOf(async emit => {
      emit(/** @type {any} */ ('a'))
      throw new Error('lost the thread')
    })
    await assert.rejects(async () => {
      for await (const record of records) seen.push(record)
    }, /lost the thread/)
    assert.deepEqual(seen, ['a'])
  })
})
