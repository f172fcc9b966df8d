import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { EventEmitter, getEventListeners, once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { after, afterEach, beforeEach, describe, it, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  isStopped,
  MAX_STARTING,
  makeWorkerNames,
  ProcessGroup,
  setLowestPriority,
  startForkedProcess,
  startTogether,
  WorkerWatch,
  waitForRemaining
} from '../../src/run/workers.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { SLOW_START, startedAtOnce } from './started-at-once.js'

const GUARD = 'LOADTEST_TEST_PROGRAM_RAN'

/** A user's program without a file. Where a worker runs it, too, it ends before it starts others. */
const PROGRAM = `
if (process.env.${GUARD}) process.exit(3)
process.env.${GUARD} = '1'
const { makePlan, runPlan } = await import(${JSON.stringify(new URL('../../src/index.js', import.meta.url).href)})
const { plan } = await makePlan('gossip', { network: 'simulated', nodes: 5, topology: 'full', messages: 5, rate: '50/s' })
for await (const record of runPlan(plan, { id: 'run' }))
  if (record.type === 'result') console.log(record.result.status, record.result.reason?.message)
`

test('a run that is asked for on the command line of Node has workers, which do not run that program again', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    timeout: 300_000
  })
  assert.match(stdout, /^complete/)
})

describe('a process that cannot be started', () => {
  const asked = {
    ...{ entry: new URL('file:///none.js'), name: 'none', setup: {}, handlers: {} },
    onDied: () => assert.fail('it never was')
  }
  const timers = () => process.getActiveResourcesInfo().filter(resource => resource === 'Timeout').length

  test('leaves nothing that would keep its parent from ending', async () => {
    const { signal } = new AbortController()
    const before = timers()
    await assert.rejects(startForkedProcess({ ...asked, through: ['/no/such/command'], signal }), {
      code: 'ENOENT'
    })
    assert.equal(timers(), before)
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  test('is not killed: it has no number, and a kill without one ends its parent', async () => {
    const failed = new Error('spawn EAGAIN')
    const kill = () => assert.fail('killed')
    const child = Object.assign(new EventEmitter(), { pid: undefined, connected: true, kill })
    const begin = async () => {
      setImmediate(() => child.emit('error', failed))
      return /** @type {any} */ (child)
    }
    await assert.rejects(startForkedProcess({ ...asked, begin, signal: AbortSignal.abort() }), failed)
  })
})

const PROCESS = { entry: SLOW_START, name: 'one of them', handlers: {}, onDied: () => {} }
const MORE = MAX_STARTING + 2

describe('processes that end together', () => {
  it('are not all started at once on this machine', async () => {
    const most = await startedAtOnce(async setup => {
      const group = new ProcessGroup()
      await Promise.all(Array.from({ length: MORE }, () => group.start({ ...PROCESS, setup })))
      await group.end({ failed: false })
    })
    assert.ok(most <= MAX_STARTING, `${most} at once`)
  })

  it('are not started any more once it ends', async () => {
    const group = new ProcessGroup()
    const starting = Array.from({ length: MORE }, () =>
      group.start({ ...PROCESS, setup: { log: '/dev/null' } })
    )
    const settled = Promise.allSettled(starting)
    await group.end({ failed: true })
    const reasons = (await settled).map(each => each.status === 'rejected' && each.reason.name)
    assert.deepEqual(new Set(reasons), new Set(['AbortError']))
  })

  it('are all started at once elsewhere', async () => {
    const group = new ProcessGroup()
    let started = 0
    const start = () => {
      started += 1
      return new Promise(() => {})
    }
    for (let i = 0; i < MORE; i++) group.start({ ...PROCESS, setup: {} }, start)
    assert.equal(started, MORE)
  })
})

/** @param {string} name @param {string[]} stopped */
const started = (name, stopped) => ({ name, stop: async () => void stopped.push(name) })

test('processes that started are given in their order', async () => {
  const processes = ['a', 'b'].map(name => started(name, []))
  const late = new Promise(resolve => setImmediate(resolve)).then(() => processes[0])
  assert.deepEqual(await startTogether(() => [late, Promise.resolve(processes[1])]), processes)
})

test('where one does not start, the others are stopped first, and its error is told', async () => {
  /** @type {string[]} */
  const stopped = []
  const starting = [
    Promise.resolve(started('a', stopped)),
    Promise.reject(new Error('no room')),
    Promise.resolve(started('c', stopped))
  ]
  await assert.rejects(
    startTogether(() => starting),
    /no room/
  )
  assert.deepEqual(stopped, ['a', 'c'])
})

describe('nobody waits for processes that hang while they start', () => {
  const hangs = (/** @type {AbortSignal} */ until) =>
    new Promise((_, reject) => until.addEventListener('abort', () => reject(new Error('killed'))))

  test('where another one does not start', async () => {
    const broken = Promise.reject(new Error('no room'))
    await assert.rejects(
      startTogether(until => [hangs(until), broken]),
      /no room/
    )
  })

  test('where they are to end', async () => {
    const ending = new AbortController()
    setImmediate(() => ending.abort())
    await assert.rejects(
      startTogether(until => [hangs(until), hangs(until)], ending.signal),
      /killed/
    )
  })
})

const lost = () => Promise.reject(Object.assign(new Error('agent b is lost'), { code: 'AGENT_LOST' }))

describe('what several workers do', () => {
  it('is that of those that are left', async () => {
    assert.deepEqual(await waitForRemaining([Promise.resolve(1), lost(), Promise.resolve(3)]), [1, 3])
  })

  it('fails with what one failed with, without waiting for others', async () => {
    await assert.rejects(
      waitForRemaining([new Promise(() => {}), lost(), Promise.reject(new Error('broken'))]),
      /broken/
    )
  })

  it('fails where none is left', async () => {
    await assert.rejects(waitForRemaining([lost(), lost()]), { code: 'AGENT_LOST' })
  })

  it('is nothing where there are none', async () => {
    assert.deepEqual(await waitForRemaining([]), [])
  })
})

test(
  'a process is stopped after SIGSTOP, no more after SIGCONT, and nothing is known of one that is gone',
  ON_LINUX,
  async () => {
    const child = spawn('sleep', ['60'])
    const pid = Number(child.pid)
    const becomes = async (/** @type {boolean} */ stopped) => {
      for (let i = 0; i < 100 && isStopped(pid) !== stopped; i++) await sleep(20)
      return isStopped(pid)
    }
    assert.equal(isStopped(pid), false)
    child.kill('SIGSTOP')
    assert.equal(await becomes(true), true)
    child.kill('SIGCONT')
    assert.equal(await becomes(false), false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(isStopped(pid), null)
  }
)

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
    assert.deepEqual([troubles, watch.lostWorkers], [[], []])
  })

  it('that was never heard of is not missed: it is still being started', () => {
    const { watch, troubles, pass } = watching()
    pass(60, [0])
    assert.deepEqual([troubles, watch.lostWorkers], [[], []])
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
    assert.deepEqual([troubles, watch.lostWorkers], [[], []])
    pass(2, [0])
    assert.deepEqual(
      troubles.map(({ code, message }) => [code, message]),
      [['WORKER_HUNG', 'worker 1 has not reported for 8 s: it is stopped, or its event loop is blocked']]
    )
    assert.deepEqual(watch.lostWorkers, [{ worker: 1, atNs: lastNs }])
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
    assert.match(troubles[1]?.message, /^worker 0 has not reported for 60 s/)
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
    assert.deepEqual([troubles, watch.lostWorkers], [[error], [{ worker: 0, atNs: lastNs }]])
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
    assert.deepEqual([troubles, watch.lostWorkers], [[], [{ worker: 1, atNs: lastNs }]])
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
    assert.deepEqual([troubles, watch.lostWorkers], [[], []])
  })
})

const NO_GROUPS = existsSync('/proc/self/autogroup') ? false : 'sessions do not share cores here'

/** @param {number | undefined} pid */
const groupOf = pid => readFileSync(`/proc/${pid}/autogroup`, 'utf8')

/** @param {boolean} detached - into a session of its own */
function sleeping(detached) {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached })
  after(() => child.kill('SIGKILL'))
  return /** @type {number} */ (child.pid)
}

describe('the lowest priority', { skip: NO_GROUPS }, () => {
  test('holds against processes of other sessions, too', () => {
    const pid = sleeping(true)
    setLowestPriority(pid)
    assert.match(groupOf(pid), /nice 19$/m)
  })

  test('changes nobody else who is in the same session', () => {
    const before = groupOf(process.pid)
    setLowestPriority(sleeping(false))
    assert.equal(groupOf(process.pid), before)
  })
})

describe('the priority that a process gets', () => {
  /** @param {import('node:test').TestContext} t @param {string} platform */
  function pretendToBe(t, platform) {
    const real = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, 'platform'))
    Object.defineProperty(process, 'platform', { ...real, value: platform })
    t.after(() => Object.defineProperty(process, 'platform', real))
  }

  test('is that of all where it cannot be changed, as of one that is gone', () => {
    assert.equal(setLowestPriority(2 ** 31 - 1), 'as all')
  })

  test('is the lowest there is on systems that know no idle ones', t => {
    const pid = sleeping(true)
    pretendToBe(t, 'darwin')
    assert.equal(setLowestPriority(pid), 'lowest')
    assert.equal(os.getPriority(pid), os.constants.priority.PRIORITY_LOW)
  })

  test('is nice 19 on Linux where no chrt can make it idle', { skip: process.platform !== 'linux' }, t => {
    const pid = sleeping(true)
    const { PATH } = process.env
    process.env.PATH = '/nowhere'
    t.after(() => {
      process.env.PATH = PATH
    })
    assert.equal(setLowestPriority(pid), 'nice 19')
    assert.equal(os.getPriority(pid), os.constants.priority.PRIORITY_LOW)
  })
})
