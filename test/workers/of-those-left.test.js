import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromRemaining } from '../../src/run/workers.js'

const lost = () => Promise.reject(Object.assign(new Error('agent b is lost'), { code: 'AGENT_LOST' }))

describe('what several workers do', () => {
  it('is that of those that are left', async () => {
    assert.deepEqual(await fromRemaining([Promise.resolve(1), lost(), Promise.resolve(3)]), [1, 3])
  })

  it('fails with what one failed with, without waiting for others', async () => {
    await assert.rejects(
      fromRemaining([new Promise(() => {}), lost(), Promise.reject(new Error('broken'))]),
      /broken/
    )
  })

  it('fails where none is left', async () => {
    await assert.rejects(fromRemaining([lost(), lost()]), { code: 'AGENT_LOST' })
  })

  it('is nothing where there are none', async () => {
    assert.deepEqual(await fromRemaining([]), [])
  })
})
