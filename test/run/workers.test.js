import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { EventEmitter, getEventListeners, once } from 'node:events'
import { describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  isStopped,
  MAX_STARTING,
  ProcessGroup,
  startForkedProcess,
  startTogether,
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
