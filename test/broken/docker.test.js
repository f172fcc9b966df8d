import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { docker, NEEDS_DOCKER } from '../acceptance/docker.js'
import { assertBroken, assertInterrupted, breakInMidMeasure, breakOne } from '../acceptance/docker-run.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

const RUNS = Number(process.env.BROKEN_RUNS ?? 50)

/** From one broken run to the next: five of them are in all phases, and ten are broken in all ways, too. */
const STEP = 7

/** The phase measure is interrupted in test/timed. */
const PHASES = /** @type {const} */ (['setup', 'preload', 'connect', 'warmup'])

describe('the server in Docker', { ...NEEDS_DOCKER, ...ON_LINUX }, () => {
  before(() => void docker()) // fails where there is no engine

  for (const phase of PHASES)
    test(`Ctrl-C in the phase ${phase}: exit code 130, and nothing is left`, TIMEOUT, () =>
      assertInterrupted(phase)
    )

  test(
    'the container is removed: exit code 1, what was measured is kept, and nothing is left',
    TIMEOUT,
    async () => {
      const ended = await breakInMidMeasure([], container => container.remove({ force: true }))
      assertBroken(ended, 'SERVER_DIED', /the server's container ended with signal SIGKILL/)
    }
  )

  test(`${RUNS} broken runs, in every phase, leave no container, network or process`, {
    timeout: 30_000 + RUNS * 20_000
  }, async () => {
    const left = []
    for (let run = 0; run < RUNS; run += 2)
      left.push(...(await Promise.all([run, run + 1].map(each => breakOne(STEP * each)))).flat())
    assert.deepEqual(left, [])
  })
})
