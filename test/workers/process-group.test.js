import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_STARTING, ProcessGroup } from '../../src/run/workers.js'
import { SLOW_START, startedAtOnce } from './started-at-once.js'

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
