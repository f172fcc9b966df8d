import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  endOnAbort,
  generateRecords,
  InterruptedError,
  makeRunDocument,
  Phases,
  Run,
  RunFailure
} from '../../src/run/run.js'
import { RunLog } from '../../src/run/run-header.js'

const PLAN = { scenario: 'made-up' }

/** @param {AbortSignal} [signal] */
function running(signal) {
  /** @type {any[]} */
  const records = []
  const run = new Run({
    emit: record => void records.push(record),
    signal,
    documentOf: makeRunDocument({ id: 'x', plan: PLAN, packages: [] }, header => ({
      ...header.ending(),
      complete: header.complete
    }))
  })
  return { run, records }
}

describe('a run', () => {
  test('begins with its plan and ends with its result', () => {
    const { run, records } = running()
    run.begin()
    run.document.header.completed()
    run.end()
    const [start, ended, ...more] = records
    assert.deepEqual([start.type, start.id, start.plan], ['start', 'x', PLAN])
    assert.equal(start.run.versions.node, process.version)
    assert.deepEqual([ended.type, ended.result.status, more], ['result', 'complete', []])
  })

  test('that fails keeps why', () => {
    const { run, records } = running()
    run.begin()
    run.fail(Object.assign(new Error('out of memory'), { code: 'DIED' }))
    run.end()
    const { status, reason } = records[1].result
    assert.deepEqual([status, reason], ['partial', { code: 'DIED', message: 'out of memory' }])
  })

  test('that trouble ended keeps the trouble, not what failed for it', () => {
    const { run, records } = running()
    run.begin()
    run.interrupted(Object.assign(new Error('the server died'), { code: 'SERVER' }))
    run.fail(Object.assign(new Error('a connection was lost'), { code: 'LOST' }))
    run.end()
    assert.equal(records[1].result.reason.code, 'SERVER')
  })

  test('is interrupted by its signal until it has ended', () => {
    const controller = new AbortController()
    const { run } = running(controller.signal)
    run.begin()
    assert.equal(run.failure.error, null)
    controller.abort()
    assert.match(String(run.failure.error), /interrupted/)
    const later = new AbortController()
    const { run: over } = running(later.signal)
    over.begin()
    over.end()
    later.abort()
    assert.equal(over.failure.error, null)
  })

  test('ends all that was started, whatever becomes of one of them, and keeps the failure', async () => {
    const { run, records } = running()
    /** @type {string[]} */
    const ended = []
    run.begin()
    run.document.header.completed()
    await run.endAll([
      () => void ended.push('first'),
      async () => {
        throw Object.assign(new Error('it hangs'), { code: 'HUNG' })
      },
      async () => void ended.push('last')
    ])
    run.end()
    assert.deepEqual(ended, ['first', 'last'])
    assert.deepEqual(records[1].result.reason, { code: 'HUNG', message: 'it hangs' })
    assert.equal(records[1].result.status, 'partial')
  })
})

/** @param {any} record */
const told = ({ type, name, state, result }) => [type, ...(type === 'phase' ? [name, state] : [result])]

function runningPhases() {
  /** @type {any[]} */
  const records = []
  const emit = (/** @type {any} */ record) => void records.push(record)
  const failure = new RunFailure()
  const log = new RunLog(emit)
  let results = 0
  const result = () => /** @type {any} */ (`result ${++results}`)
  return { records, failure, phases: new Phases({ log, failure, emit, result }) }
}

describe('a phase', () => {
  test('is told when it begins and ends, with the result so far after it', async () => {
    const { records, phases } = runningPhases()
    await phases.guarded('peer', async () => '7 connections')
    assert.deepEqual(records.map(told), [
      ['phase', 'peer', 'begin'],
      ['phase', 'peer', 'done'],
      ['partial', 'result 1']
    ])
    assert.equal(records[1].detail, '7 connections')
  })

  test('that is guarded is left at once when there is trouble', async () => {
    const { records, phases, failure: trouble } = runningPhases()
    const left = phases.guarded('peer', () => new Promise(() => {}))
    trouble.raise(new Error('worker 0 ended'))
    await assert.rejects(left, /worker 0 ended/)
    assert.deepEqual(records.map(told).at(-1), ['phase', 'peer', 'failed'])
  })

  test('that is plain comes to its own end', async () => {
    const { phases, failure: trouble } = runningPhases()
    const work = Promise.withResolvers()
    const ended = phases.plain('publish', () => work.promise.then(() => {}))
    trouble.raise(new Error('worker 0 ended'))
    work.resolve(undefined)
    await ended
  })
})

describe('an interruption', () => {
  test('is trouble', () => {
    const [controller, trouble] = [new AbortController(), new RunFailure()]
    endOnAbort(controller.signal, trouble)
    assert.equal(trouble.error, null)
    controller.abort()
    const { name, code, message } = /** @type {import('../../src/run/run.js').InterruptedError} */ (
      /** @type {unknown} */ (trouble.error)
    )
    assert.deepEqual([name, code, message], ['InterruptedError', 'INTERRUPTED', 'interrupted'])
  })

  test('before the run began is trouble too', () => {
    const trouble = new RunFailure()
    endOnAbort(AbortSignal.abort(), trouble)
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  test('after the run has ended is none of its business', () => {
    const [controller, trouble] = [new AbortController(), new RunFailure()]
    endOnAbort(controller.signal, trouble)()
    controller.abort()
    assert.equal(trouble.error, null)
  })
})

describe('the records of a run', () => {
  test('come in order until it has ended', async () => {
    /** @type {any[]} */
    const seen = []
    const records = generateRecords(async emit => {
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
    const records = generateRecords(async emit => {
      emit(/** @type {any} */ ('a'))
      throw new Error('lost the thread')
    })
    await assert.rejects(async () => {
      for await (const record of records) seen.push(record)
    }, /lost the thread/)
    assert.deepEqual(seen, ['a'])
  })
})

const never = () => new Promise(() => {})

describe('without trouble', () => {
  it('what is waited for comes', async () => {
    const trouble = new RunFailure()
    assert.equal(await trouble.guard(Promise.resolve(5)), 5)
    assert.equal(trouble.error, null)
  })

  it('what fails, fails with its own error', async () => {
    await assert.rejects(new RunFailure().guard(Promise.reject(new Error('own'))), /own/)
  })
})

describe('trouble', () => {
  it('ends everything that waits', async () => {
    const trouble = new RunFailure()
    const waiting = [trouble.guard(never()), trouble.guard(never())]
    trouble.raise(new Error('the server is gone'))
    for (const wait of waiting) await assert.rejects(wait, /the server is gone/)
  })

  it('ends what begins to wait later, even for what is there already', async () => {
    const trouble = new RunFailure()
    trouble.raise(new Error('the server is gone'))
    await assert.rejects(trouble.guard(never()), /the server is gone/)
    await assert.rejects(trouble.guard(Promise.resolve(5)), /the server is gone/)
    await assert.rejects(trouble.guard(Promise.reject(new Error('a consequence'))), /the server is gone/)
  })

  it('is the first that was raised: what follows is its consequence', async () => {
    const trouble = new RunFailure()
    trouble.raise(new InterruptedError('interrupted'))
    trouble.raise(new Error('a worker died'))
    await assert.rejects(trouble.guard(never()), { code: 'INTERRUPTED' })
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  it('that nobody waits for ends no process', async () => {
    const trouble = new RunFailure()
    trouble.raise(new Error('unheard'))
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(trouble.error?.message, 'unheard')
  })
})
