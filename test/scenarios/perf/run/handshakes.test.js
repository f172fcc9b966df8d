import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { handshakes } from '../../../../src/scenarios/perf/run/handshakes.js'

const HOW = { handshakeRatePerSecond: 100, handshakeForMs: 20, timeoutMs: 60_000 }

/** @param {() => unknown} connect */
const counted = async connect => {
  const client = /** @type {any} */ ({ connect })
  const { due, failed, failure, completed } = await handshakes([client, client], HOW)
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

  it('are done once the connection is set up, however it ends', async () => {
    assert.deepEqual(await counted(async () => ({ close: broken })), {
      due: 4,
      failed: 0,
      failure: null,
      done: 4
    })
  })
})
