import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InterruptedError, Trouble } from '../../src/run/run.js'

const never = () => new Promise(() => {})

describe('without trouble', () => {
  it('what is waited for comes', async () => {
    const trouble = new Trouble()
    assert.equal(await trouble.guard(Promise.resolve(5)), 5)
    assert.equal(trouble.error, null)
  })

  it('what fails, fails with its own error', async () => {
    await assert.rejects(new Trouble().guard(Promise.reject(new Error('own'))), /own/)
  })
})

describe('trouble', () => {
  it('ends everything that waits', async () => {
    const trouble = new Trouble()
    const waiting = [trouble.guard(never()), trouble.guard(never())]
    trouble.raise(new Error('the server is gone'))
    for (const wait of waiting) await assert.rejects(wait, /the server is gone/)
  })

  it('ends what begins to wait later, even for what is there already', async () => {
    const trouble = new Trouble()
    trouble.raise(new Error('the server is gone'))
    await assert.rejects(trouble.guard(never()), /the server is gone/)
    await assert.rejects(trouble.guard(Promise.resolve(5)), /the server is gone/)
    await assert.rejects(trouble.guard(Promise.reject(new Error('a consequence'))), /the server is gone/)
  })

  it('is the first that was raised: what follows is its consequence', async () => {
    const trouble = new Trouble()
    trouble.raise(new InterruptedError('interrupted'))
    trouble.raise(new Error('a worker died'))
    await assert.rejects(trouble.guard(never()), { code: 'INTERRUPTED' })
    assert.equal(trouble.error?.code, 'INTERRUPTED')
  })

  it('that nobody waits for ends no process', async () => {
    const trouble = new Trouble()
    trouble.raise(new Error('unheard'))
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(trouble.error?.message, 'unheard')
  })
})
