import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentAround, Run } from '../../src/run/run.js'

const PLAN = { scenario: 'made-up' }

/** @param {AbortSignal} [signal] */
function running(signal) {
  /** @type {any[]} */
  const records = []
  const run = new Run({
    emit: record => void records.push(record),
    signal,
    documentOf: documentAround({ id: 'x', plan: PLAN, packages: [] }, header => ({
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
    assert.equal(run.trouble.error, null)
    controller.abort()
    assert.match(String(run.trouble.error), /interrupted/)
    const later = new AbortController()
    const { run: over } = running(later.signal)
    over.begin()
    over.end()
    later.abort()
    assert.equal(over.trouble.error, null)
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
