import '../../src/node-shim.js'
import { describe, test } from 'node:test'
import {
  assertBroken,
  assertInterrupted,
  assertWorkerKilled,
  aWorker,
  brokenIn,
  ORDER
} from '../acceptance/broken-gossip-run.js'
import { THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

describe('a gossip run that is broken off in any phase says why, keeps what it has, and leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  test('a worker is stopped while the nodes connect: it is named as hung too', TIMEOUT, async () => {
    const outcome = await brokenIn('peer', async loadtest => send(await aWorker(loadtest), 'SIGSTOP'))
    assertBroken(outcome, 'peer', {
      exitCode: 1,
      code: 'WORKER_HUNG',
      message: /^worker [01] has told nothing/
    })
  })

  // what is left out is in test/acceptance
  for (const phase of ORDER.filter(each => each !== 'publish'))
    test(`Ctrl-C in the phase ${phase}: exit code 130`, TIMEOUT, () => assertInterrupted(phase))

  for (const phase of ORDER.filter(each => each !== 'cooldown'))
    test(`a worker is killed in the phase ${phase}: exit code 1, and it is named`, TIMEOUT, () =>
      assertWorkerKilled(phase)
    )
})
