import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeRouterProblem } from '../../src/network/namespaces.js'
import { containersOf, startInContainers } from '../acceptance/containers.js'
import { NEEDS_DOCKER } from '../acceptance/docker.js'
import { ended } from '../acceptance/gossip-network.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { assertBrokenOff } from '../acceptance/never-began.js'
import { send } from '../acceptance/processes.js'
import { until } from '../until.js'

/** @typedef {ReturnType<typeof startInContainers>} Started */

const LONG = ['--topology', 'ring', '--nodes', '3', '--duration', '50s', '--rate', '10/s']
const AS_THEY_ARE = ['--linkLatency', '0']
const ROUTED = ['--linkLatency', '100ms']

/** When a phase has begun. */
const BEGUN = {
  provision: /3 nodes, tuned, in 3 containers/,
  peer: /✔ 3 nodes started/,
  warmup: /✔ nodes connected/,
  publish: /✔ warm-up/
}

/** @param {(container: import('dockerode').Container) => Promise<unknown>} what */
const toContainer =
  what =>
  async (/** @type {Started} */ { seed }) => {
    const [container] = await containersOf(seed, 1)
    await what(container)
  }

/** An engine on a busy machine does not manage it at once. @param {import('dockerode').Container} container */
const pause = container =>
  until(
    () =>
      container.pause().then(
        () => true,
        error => {
          if (!/unable to freeze/.test(error.message)) throw error
          return false
        }
      ),
    { everyMs: 200 }
  )

/** @param {RegExp} command @param {NodeJS.Signals} signal */
const toProcess =
  (command, signal) =>
  async (/** @type {Started} */ { loadtest }) => {
    const [pid] = await loadtest.pids(command)
    send(pid, signal)
  }

/** @type {[string, keyof typeof BEGUN, string[], (started: Started) => Promise<unknown>, string, RegExp][]} */
const BROKEN = [
  [
    'a container is killed',
    'publish',
    AS_THEY_ARE,
    toContainer(container => container.kill()),
    'WORKER_DIED',
    /^worker \d \(pid \d+\) ended with signal SIGKILL$/
  ],
  [
    'a container is removed',
    'warmup',
    AS_THEY_ARE,
    toContainer(container => container.remove({ force: true })),
    'WORKER_DIED',
    /^worker \d/
  ],
  [
    'a container is frozen',
    'publish',
    AS_THEY_ARE,
    toContainer(pause),
    'WORKER_HUNG',
    /^worker \d has not reported for \d+ s/
  ],
  [
    'the router is killed',
    'publish',
    ROUTED,
    toProcess(/namespaces\/router-entry\.js/, 'SIGKILL'),
    'WORKER_DIED',
    /^router \(pid \d+\) ended with SIGKILL/
  ],
  ['Ctrl-C', 'provision', [], async ({ loadtest }) => loadtest.ctrlC(), 'INTERRUPTED', /^interrupted$/]
]

describe('a run in containers that is broken off says why, and leaves nothing', NEEDS_DOCKER, () => {
  for (const [what, phase, args, breakIt, reason, message] of BROKEN)
    test(`${what} in the phase ${phase}`, {
      ...TIMEOUT,
      skip: args === ROUTED ? (describeRouterProblem() ?? false) : false
    }, async () => {
      const started = startInContainers([...LONG, ...args], { ownGroup: true })
      await started.loadtest.line(BEGUN[phase])
      await breakIt(started)
      assertBrokenOff(await ended(started.loadtest), reason, message)
      assert.deepEqual(await started.left(), [])
      assert.deepEqual(await started.loadtest.leftAfter(), [])
    })

  test('kill -9 of the program, when a container is frozen: all of it is gone', TIMEOUT, async () => {
    const started = startInContainers([...LONG, ...AS_THEY_ARE])
    await started.loadtest.line(BEGUN.peer)
    await toContainer(pause)(started)
    await toProcess(/index\.js gossip/, 'SIGKILL')(started)
    assert.deepEqual(await started.left(), [])
    assert.deepEqual(await started.loadtest.leftAfter(), [])
  })
})
