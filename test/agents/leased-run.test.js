import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NotAdmittedError } from '../../src/agents/admission.js'
import { LeasedRun } from '../../src/agents/agent.js'

/** A run on an agent, and what it has told. @param {number} [workers] - of it */
function leased(workers = 2) {
  /** @type {any[]} */
  const told = []
  /** @type {number[]} */
  const ends = []
  const telling = {
    /** @param {any} value */
    tell: async value => void told.push(value),
    /** @param {number} withinMs */
    end: async withinMs => void ends.push(withinMs)
  }
  const admit = (/** @type {any} */ given) => {
    if (given === 'forbidden') throw new NotAdmittedError('its owner allows no such thing')
  }
  const run = new LeasedRun({ run: 'r', plan: {}, workers, telling: /** @type {any} */ (telling), admit })
  const take = async (/** @type {any} */ asked) => {
    await run.take({ id: 7, worker: 0, name: '', calls: [], args: [], ...asked })
    return told.at(-1)
  }
  return { run, told, ends, take }
}

/** Of a worker that does nothing by itself. */
const SETUP = { plan: { measures: ['upload'] } }

describe('what is asked of workers of an agent', () => {
  test('is refused in words where no such worker was started', async () => {
    const { take } = leased()
    for (const kind of ['call', 'stop', 'kill']) {
      const { kind: told, id, error } = await take({ kind, worker: 3 })
      assert.deepEqual([told, id, error.message], ['result', 7, 'there is no worker 3'])
    }
  })

  test('names one of the programs that agents have, and no file', async () => {
    const { take } = leased()
    for (const entry of ['/tmp/evil.js', 'toString', undefined]) {
      const { error } = await take({ kind: 'start', entry })
      assert.match(error.message, /^an agent runs no /)
    }
  })

  test('is refused, with its code, where the owner of the machine does not allow the start', async () => {
    const { take } = leased()
    const { error } = await take({ kind: 'start', entry: 'transfer-requestor', setup: 'forbidden' })
    assert.deepEqual(error, { message: 'its owner allows no such thing', code: 'NOT_ADMITTED' })
    assert.match((await take({ kind: 'call', method: 'close' })).error.message, /no worker 0/)
  })

  test('reaches the worker, unless it writes a file or is not allowed; the end of the run ends the worker', async t => {
    const { run, told, ends, take } = leased()
    t.after(() => run.end({ brokenOff: null }))
    const start = { kind: 'start', entry: 'transfer-requestor', name: 'w', setup: SETUP, calls: ['report'] }
    assert.deepEqual(await take(start), { kind: 'result', id: 7, result: undefined })
    assert.match((await take(start)).error.message, /worker 0 was started already/)
    for (const method of ['startProfile', 'stopProfile', 'startAllocations', 'stopAllocations'])
      assert.match((await take({ kind: 'call', method })).error.message, /writes no files/)
    assert.equal(
      (await take({ kind: 'call', method: 'exchanges', args: ['forbidden'] })).error.code,
      'NOT_ADMITTED'
    )
    assert.match(
      (await take({ kind: 'call', method: 'nothing' })).error.message,
      /nothing here is called nothing/
    )
    await run.end({ brokenOff: 'the coordinator is gone' })
    assert.ok(ends.length === 1 && ends[0] > 0)
    const found = told.filter(({ kind }) => kind === 'died')
    assert.deepEqual(found, [])
    assert.match((await take({ kind: 'call', method: 'exchanges' })).error.message, /ended with SIGKILL/)
  })

  test('is no more workers than the run was let in with, even where some have ended, and none is set up twice', async t => {
    const { run, take } = leased(1)
    t.after(() => run.end({ brokenOff: null }))
    const start = { kind: 'start', entry: 'transfer-requestor', name: 'worker', setup: SETUP }
    assert.equal((await take(start)).error, undefined)
    assert.match((await take({ kind: 'call', method: 'setup', args: [{}] })).error.message, /set up already/)
    for (const end of ['stop', 'kill']) {
      const { error } = await take({ ...start, worker: 1 })
      assert.deepEqual(error, {
        message: 'this agent runs at most 1 of the workers of the run',
        code: 'NOT_ADMITTED'
      })
      await take({ kind: end })
    }
  })

  test('ends it as asked, without telling that it died', async t => {
    const { run, told, take } = leased()
    t.after(() => run.end({ brokenOff: null }))
    for (const [worker, kind] of ['stop', 'kill'].entries()) {
      await take({
        kind: 'start',
        worker,
        entry: 'transfer-requestor',
        name: 'worker',
        setup: SETUP,
        graceMs: 100
      })
      assert.deepEqual(await take({ kind, worker }), { kind: 'result', id: 7, result: undefined })
    }
    assert.ok(told.every(({ kind }) => kind === 'result'))
  })
})
