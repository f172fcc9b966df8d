import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { EventEmitter, getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startForkedProcess } from '../../src/run/workers.js'

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
