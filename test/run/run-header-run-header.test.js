import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { RunHeader, RunLog } from '../../src/run/run-header.js'

const header = (log = new RunLog(() => {})) => new RunHeader('20261120-0712-gossip-1', log, ['libp2p'])

/** @param {string} code */
const error = code => Object.assign(new Error(`${code} happened`), { code })

describe('the header of a result', () => {
  test('of a run that goes on says so', () => {
    assert.deepEqual(header().ending(), {
      schemaVersion: 2,
      id: '20261120-0712-gossip-1',
      status: 'partial',
      reason: {
        code: 'UNFINISHED',
        message: 'the run had not ended when this was written: it still goes on, or it was killed'
      }
    })
  })

  test('of a run that measured everything has no reason to give', () => {
    const run = header()
    assert.equal(run.complete, false)
    run.completed()
    const { status, reason } = run.ending()
    assert.deepEqual([run.complete, status, reason], [true, 'complete', null])
  })

  test('gives the first reason, and the threshold that broke the run off', () => {
    const run = header()
    const brokeOff = /** @type {any} */ ({ text: 'deliveryRatio >= 99%' })
    run.failed(Object.assign(error('THRESHOLD_FAILED'), { brokeOff }))
    run.failed(error('WORKER_DIED'))
    assert.deepEqual(run.ending().reason, { code: 'THRESHOLD_FAILED', message: 'THRESHOLD_FAILED happened' })
    assert.equal(run.brokeOff, brokeOff)
  })

  test('gives an error without a code one', () => {
    const run = header()
    run.failed(new Error('lost the thread'))
    assert.deepEqual(run.ending().reason, { code: 'RUN_FAILED', message: 'lost the thread' })
  })

  test('ended after it began, though the clock of the machine was set back meanwhile', () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
    try {
      const run = header()
      mock.timers.setTime(0)
      run.finished()
      const { startedAt, finishedAt } = run.run([], [])
      assert.ok(Date.parse(String(finishedAt)) >= Date.parse(startedAt), `${startedAt} to ${finishedAt}`)
    } finally {
      mock.timers.reset()
    }
  })

  test('says when the run began and ended, where, with what, and what is to be known of it', async () => {
    const log = new RunLog(() => {})
    await log.phase('provision', async () => ({ detail: '8 nodes' }))
    const run = header(log)
    assert.equal(run.run([], []).finishedAt, null)
    run.finished()
    const warnings = [
      { code: 'GENERATOR_LIMITED', values: { busy: { worker: 0, utilization: 0.97 }, overheads: [] } }
    ]
    const told = run.run([], warnings, { server: '1.2' })
    assert.ok(Date.parse(String(told.finishedAt)) >= Date.parse(told.startedAt))
    assert.ok(told.machine.cores >= 1)
    assert.match(told.versions.libp2p, /^\d+\.\d+\.\d+/)
    assert.deepEqual([told.versions.node, told.versions.server], [process.version, '1.2'])
    const rows = told.phases.map(({ name, state, detail }) => [name, state, detail])
    assert.deepEqual(rows, [['provision', 'done', '8 nodes']])
    assert.deepEqual(told.warnings, warnings)
  })
})
