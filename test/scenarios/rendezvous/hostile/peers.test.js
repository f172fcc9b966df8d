import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letIn } from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'

test('who is refused a connection tries again, and gets what there is then', async () => {
  let tries = 0
  const act = async () => {
    if (++tries < 3) throw new Error('too many connections')
    return 'served'
  }
  assert.equal(await letIn(act), 'served')
  assert.equal(tries, 3)
})
