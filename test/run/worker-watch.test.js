import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { makeWorkerNames, WorkerWatch } from '../../src/run/workers.js'

/** withMadeUpTimers is for a describe: outside of any, hooks would be those of all files in this process. */
function withMadeUpTimers() {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())
}

/** @param {{ workers?: number, elsewhere?: boolean, stopped?: (pid: number) => boolean | null }} [options] */
function watching({ workers = 2, elsewhere = false, stopped = () => null } = {}) {
  const time = { ms: 50_000 }
  /** @type {(Error & { code?: string })[]} */
  const troubles = []
  const watch = new WorkerWatch(makeWorkerNames(workers), error => troubles.push(error), {
    clock: () => time.ms,
    pidOf: worker => (elsewhere ? null : 4000 + worker),
    stopped
  })
  /** Seconds pass in which some workers tell something. @param {number} seconds @param {number[]} [heard] */
  const pass = (seconds, heard = []) => {
    for (let i = 0; i < seconds; i++) {
      time.ms += 1000
      for (const worker of heard) watch.heard(worker, time.ms * 1e6)
      mock.timers.tick(1000)
    }
  }
  return { watch, troubles, pass, time }
}

describe('a worker', () => {
  withMadeUpTimers()

  it('that tells something every second is there', () => {
    const { watch, troubles, pass } = watching()
    pass(60, [0, 1])
    assert.deepEqual([troubles, watch.gone], [[], []])
  })

  it('that was never heard of is not missed: it is still being started', () => {
    const { watch, troubles, pass } = watching()
    pass(60, [0])
    assert.deepEqual([troubles, watch.gone], [[], []])
  })

  it('that was started and is never heard of hangs', () => {
    const { watch, troubles, pass } = watching()
    watch.begin()
    pass(7, [0])
    assert.equal(troubles.length, 0)
    pass(2, [0])
    const codes = troubles.map(({ code }) => code)
    assert.deepEqual(codes, ['WORKER_HUNG'])
  })

  it('that falls silent for eight seconds hangs, is named once, and was gone since it was last heard of', () => {
    const { watch, troubles, pass, time } = watching()
    pass(3, [0, 1])
    const lastNs = time.ms * 1e6
    pass(7, [0])
    assert.deepEqual([troubles, watch.gone], [[], []])
    pass(2, [0])
    assert.deepEqual(
      troubles.map(({ code, message }) => [code, message]),
      [['WORKER_HUNG', 'worker 1 has told nothing for 8 s: it is stopped, or its event loop does not turn']]
    )
    assert.deepEqual(watch.gone, [{ worker: 1, atNs: lastNs }])
  })

  it('on another machine hangs after twenty seconds: the bus between may be away', () => {
    const { troubles, pass } = watching({ elsewhere: true })
    pass(1, [0, 1])
    pass(19, [0])
    assert.deepEqual(troubles, [])
    pass(2, [0])
    assert.equal(troubles.length, 1)
  })

  it('that runs and tells nothing may be busy: it hangs after a minute, one that is stopped after eight', () => {
    const { troubles, pass } = watching({ stopped: pid => pid === 4001 })
    pass(1, [0, 1])
    pass(9)
    const found = troubles.map(({ message }) => message.slice(0, 8))
    assert.deepEqual(found, ['worker 1'])
    pass(50)
    assert.equal(troubles.length, 1)
    pass(2)
    assert.match(troubles[1]?.message, /^worker 0 has told nothing for 60 s/)
  })

  it('that comes back in time is there', () => {
    const { troubles, pass } = watching()
    pass(1, [0, 1])
    pass(7, [0])
    pass(1, [0, 1])
    pass(7, [0])
    assert.equal(troubles.length, 0)
  })

  it('that died is gone since it was last heard of, and does not hang besides', () => {
    const { watch, troubles, pass, time } = watching()
    pass(2, [0, 1])
    const error = new Error('worker 0 ended with SIGKILL')
    const lastNs = time.ms * 1e6
    time.ms += 500
    watch.died(error, 0)
    pass(20, [1])
    assert.deepEqual([troubles, watch.gone], [[error], [{ worker: 0, atNs: lastNs }]])
  })

  it('is not said to hang where this process itself was stopped for a minute', () => {
    const { troubles, pass, time } = watching()
    pass(2, [0, 1])
    time.ms += 60_000
    pass(1)
    pass(10, [0, 1])
    assert.equal(troubles.length, 0)
    pass(16, [0])
    const codes = troubles.map(({ code }) => code)
    assert.deepEqual(codes, ['WORKER_HUNG'])
  })

  it('is not watched any more once the watch was stopped', () => {
    const { watch, troubles, pass } = watching()
    pass(1, [0, 1])
    watch.stop()
    pass(60)
    assert.deepEqual(troubles, [])
  })

  it('whose machine was lost is gone since it was last heard of, without trouble: the run goes on', () => {
    const { watch, troubles, pass, time } = watching()
    pass(2, [0, 1])
    const lastNs = time.ms * 1e6
    watch.lost(1)
    pass(70, [0])
    assert.deepEqual([troubles, watch.gone], [[], [{ worker: 1, atNs: lastNs }]])
  })

  it('whose process is not known hangs after eight seconds of silence', () => {
    const time = { ms: 0 }
    /** @type {Error[]} */
    const troubles = []
    const watch = new WorkerWatch(['worker 0', 'worker 1'], error => troubles.push(error), {
      clock: () => time.ms,
      stopped: () => false
    })
    watch.begin()
    for (time.ms = 0; time.ms < 7900; time.ms += 1000) watch.look()
    assert.deepEqual(troubles, [])
    time.ms = 8000
    watch.look()
    assert.equal(troubles.length, 2)
    watch.stop()
  })

  it('is watched by the clock of this process unless another one is given', () => {
    /** @type {Error[]} */
    const troubles = []
    const watch = new WorkerWatch(['worker 0'], error => troubles.push(error))
    watch.begin()
    watch.look()
    watch.heard(0)
    watch.stop()
    assert.deepEqual([troubles, watch.gone], [[], []])
  })
})
