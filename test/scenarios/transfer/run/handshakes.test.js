import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { performHandshakes } from '../../../../src/scenarios/transfer/run/requestors.js'

const HOW = { handshakeRatePerSecond: 100, handshakeForMs: 20, timeoutMs: 60_000 }

/** @param {() => unknown} connect */
const counted = async connect => {
  const client = /** @type {any} */ ({ connect })
  const { due, failed, failure, completed } = await performHandshakes([client, client], HOW)
  return { due, failed, failure, done: completed }
}

const broken = async () => {
  throw new Error('it broke')
}

describe('handshakes', () => {
  it('are as many as are due, each done or failed', async () => {
    assert.deepEqual(await counted(async () => ({ close: () => {} })), {
      due: 4,
      failed: 0,
      failure: null,
      done: 4
    })
    assert.deepEqual(await counted(broken), { due: 4, failed: 4, failure: 'it broke', done: 0 })
  })

  it('each have their time, how late they began, and whether they were done', async () => {
    let calls = 0
    const connect = async () => (calls++ === 1 ? broken() : { close: () => {} })
    const client = /** @type {any} */ ({ connect })
    const { times, completed, activeMs, elapsedMs } = await performHandshakes([client, client], HOW)
    const actual = times.flatMap(([ms, lateMs, done]) => [ms >= lateMs, done])
    assert.deepEqual([actual, completed], [[true, true, true, false, true, true, true, true], 3])
    assert.ok(activeMs >= 0 && activeMs <= elapsedMs + 1)
  })

  it('are done once the connection is set up, however it ends', async () =>
    assert.deepEqual(await counted(async () => ({ close: broken })), {
      due: 4,
      failed: 0,
      failure: null,
      done: 4
    }))
})
