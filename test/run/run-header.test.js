import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { describe, it, mock, test } from 'node:test'
import {
  RunHeader,
  RunLog,
  readMachineFacts,
  readPackageVersions,
  readVersions
} from '../../src/run/run-header.js'

/** A log whose time a test sets, in ms since the run began. */
function runLog() {
  const time = { ms: 50_000 }
  /** @type {import('../../src/report/schema.js').RunRecord[]} */
  const records = []
  const log = new RunLog(
    record => records.push(record),
    () => time.ms
  )
  /** @param {number} ms */
  const at = ms => {
    time.ms = 50_000 + ms
  }
  return { log, records, at }
}

describe('a phase', () => {
  it('is told when it begins and when it is done, and kept', async () => {
    const { log, records, at } = runLog()
    at(100)
    await log.phase('connect', async () => {
      assert.deepEqual(log.phases, [
        { name: 'connect', state: 'running', startMs: 100, durationMs: null, detail: null }
      ])
      at(350)
      return { detail: '4 clients' }
    })
    assert.deepEqual(records, [
      { type: 'phase', name: 'connect', state: 'begin', atMs: 100 },
      { type: 'phase', name: 'connect', state: 'done', atMs: 350, detail: '4 clients' }
    ])
    assert.deepEqual(log.phases, [
      { name: 'connect', state: 'done', startMs: 100, durationMs: 250, detail: '4 clients' }
    ])
  })

  it('that fails is told and kept as failed, and fails who waits for it', async () => {
    const { log, records, at } = runLog()
    const failing = log.phase('setup', async () => {
      at(7)
      throw new Error('no server')
    })
    await assert.rejects(failing, /no server/)
    assert.deepEqual(records.at(-1), {
      type: 'phase',
      name: 'setup',
      state: 'failed',
      atMs: 7,
      detail: undefined
    })
    assert.deepEqual(log.phases, [
      { name: 'setup', state: 'failed', startMs: 0, durationMs: 7, detail: null }
    ])
  })

  it('need not have a detail', async () => {
    const { log } = runLog()
    await log.phase('teardown', async () => ({}))
    assert.equal(log.phases[0].detail, null)
  })
})

describe('the log of a run', () => {
  it('keeps phases in their order', async () => {
    const { log } = runLog()
    for (const name of ['setup', 'measure', 'teardown']) await log.phase(name, async () => ({}))
    const names = log.phases.map(({ name }) => name)
    assert.deepEqual(names, ['setup', 'measure', 'teardown'])
  })

  it('tells progress, and keeps none of it', () => {
    const { log, records } = runLog()
    log.progress({ phase: 'measure', done: 5, total: 10, unit: 'operations' })
    assert.deepEqual(records, [
      { type: 'progress', phase: 'measure', done: 5, total: 10, unit: 'operations' }
    ])
  })

  it('tells and keeps warnings', () => {
    const { log, records } = runLog()
    log.warn('STORE_NOT_RESTORED', { expected: 1, actual: 2 })
    log.warn('SERVER_NOT_SAMPLED')
    const warnings = [
      { code: 'STORE_NOT_RESTORED', values: { expected: 1, actual: 2 } },
      { code: 'SERVER_NOT_SAMPLED', values: {} }
    ]
    assert.deepEqual(log.warnings, warnings)
    assert.deepEqual(
      records,
      warnings.map(warning => ({ type: 'warning', warning }))
    )
  })

  it('counts time from its beginning', () => {
    const { log, at } = runLog()
    at(1234)
    assert.equal(log.elapsedMs, 1234)
    assert.equal(log.sinceBegin(50_500), 500)
  })
})

describe('what a run was made on', () => {
  test('is this machine', () => {
    const { cpu, cores, memoryBytes, arch, loadAverage } = readMachineFacts()
    assert.deepEqual([cores, memoryBytes, arch], [os.availableParallelism(), os.totalmem(), os.arch()])
    assert.ok(cpu.length > 0)
    assert.equal(loadAverage.length, 3)
  })

  test('has a processor that is not known where the system does not tell', () => {
    const cpus = mock.method(os, 'cpus', () => [])
    syncBuiltinESMExports()
    try {
      assert.equal(readMachineFacts().cpu, 'unknown')
    } finally {
      cpus.mock.restore()
      syncBuiltinESMExports()
    }
  })
})

describe('versions of a run', () => {
  test('are of this tool, of Node and of the packages that are named', () => {
    const found = readVersions(['libp2p'])
    assert.deepEqual(Object.keys(found), ['libp2p-loadtest', 'node', 'libp2p'])
    assert.equal(found.node, process.version)
    assert.match(found.libp2p, /^\d+\.\d+\.\d+/)
  })

  test('of a package that is not installed are unknown', () =>
    assert.deepEqual(readPackageVersions(['no-such-package-here']), { 'no-such-package-here': 'unknown' }))

  test('of a package that is installed twice are both', () => {
    const { libp2p } = readPackageVersions(['libp2p'])
    assert.deepEqual(readPackageVersions(['libp2p', 'libp2p']), { libp2p: `${libp2p} and ${libp2p}` })
  })
})

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
        message: 'the run had not ended when this was written: it is still running, or it was killed'
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
