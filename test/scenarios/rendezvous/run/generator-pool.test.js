import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MAX_STARTING } from '../../../../src/run/workers.js'
import { startGenerators } from '../../../../src/scenarios/rendezvous/worker-pool.js'
import { SLOW_START, startedAtOnce } from '../../../workers/started-at-once.js'

it('processes that share a load, each in a namespace, are not all started at once on this machine', async () => {
  const nothing = () => {}
  const options = {
    plan: /** @type {any} */ ({ workers: MAX_STARTING + 4, ratePerSecond: null }),
    ...{ onInterval: nothing, onConnected: nothing, onDied: nothing },
    // as a namespace is entered: by a command that becomes the process
    enter: () => ['/usr/bin/env']
  }
  const most = await startedAtOnce(async setup => {
    const started = await Promise.all(startGenerators(options, SLOW_START, () => setup))
    await Promise.all(started.map(process => process.stop()))
  })
  assert.ok(most <= MAX_STARTING, `${most} at once`)
})
