import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ended } from '../acceptance/gossip-network.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { outside, startBetweenNamespaces, WHERE_POSSIBLE } from '../acceptance/namespaces.js'
import { assertBrokenOff } from '../acceptance/never-began.js'
import { send } from '../acceptance/processes.js'

/** @typedef {import('../acceptance/loadtest.js').Loadtest} Loadtest */

const LONG = '--heartbeat_interval 200ms --linkLatency 300ms --duration 50s --rate 10/s'.split(' ')
const ROUTER = /namespaces\/router-entry\.js/
const MUX = /^perl .*mux\.pl/
const PROBE = /namespaces\/probe-entry\.js/
const NODE = /gossip\/run\/gossip-entry\.js/
const HUNG = /^router has not reported for \d+ s/

/** When a phase has begun. */
const BEGUN = {
  provision: /3 nodes, tuned, in 3 processes/,
  peer: /✔ 3 nodes started/,
  warmup: /✔ nodes connected/,
  publish: /✔ warm-up/
}

/** @param {RegExp} command @param {NodeJS.Signals} signal */
const sendTo = (command, signal) => async (/** @type {Loadtest} */ loadtest) =>
  send(await loadtest.pid(command), signal)

/** @param {RegExp} command */
const kill = command => sendTo(command, 'SIGKILL')

/** @param {RegExp} command */
const stopped = command => async (/** @type {Loadtest} */ loadtest) => {
  await sendTo(command, 'SIGSTOP')(loadtest)
  loadtest.ctrlC()
}

/** @type {[string, keyof typeof BEGUN, (loadtest: Loadtest) => Promise<void> | void, string, RegExp][]} */
const BROKEN = [
  ['a probe dies', 'provision', kill(PROBE), 'WORKER_DIED', /^probe of node [01] .*SIGKILL/],
  ['a probe is stopped, and Ctrl-C comes', 'provision', stopped(PROBE), 'INTERRUPTED', /^interrupted$/],
  ['the router is stopped', 'warmup', sendTo(ROUTER, 'SIGSTOP'), 'WORKER_HUNG', HUNG],
  ['the router is killed', 'publish', kill(ROUTER), 'WORKER_DIED', /^router \(pid \d+\) ended with SIGKILL/],
  [
    'what holds the namespaces is killed',
    'peer',
    kill(MUX),
    'NETWORK_DIED',
    /^the process that holds the namespaces .*SIGKILL/
  ],
  ['what holds the namespaces is stopped', 'publish', sendTo(MUX, 'SIGSTOP'), 'WORKER_HUNG', HUNG],
  ['a node is killed', 'publish', kill(NODE), 'WORKER_DIED', /^worker \d/],
  ['Ctrl-C', 'provision', loadtest => loadtest.ctrlC(), 'INTERRUPTED', /^interrupted$/]
]

describe('a run between namespaces that is broken off says why, and leaves nothing', WHERE_POSSIBLE, () => {
  const was = WHERE_POSSIBLE.skip ? null : outside()

  for (const [what, phase, breakIt, reason, message] of BROKEN)
    test(`${what} in the phase ${phase}`, TIMEOUT, async () => {
      const loadtest = startBetweenNamespaces(LONG, { ownGroup: true })
      await loadtest.line(BEGUN[phase])
      await breakIt(loadtest)
      assertBrokenOff(await ended(loadtest), reason, message)
      assert.deepEqual(await loadtest.leftAfter(), [])
      assert.deepEqual(outside(), was)
    })

  test(
    'kill -9 of the program, when what holds the namespaces is stopped: all of it is gone',
    TIMEOUT,
    async () => {
      const loadtest = startBetweenNamespaces(LONG)
      await loadtest.line(BEGUN.peer)
      await sendTo(MUX, 'SIGSTOP')(loadtest)
      await sendTo(/index\.js gossip/, 'SIGKILL')(loadtest)
      assert.deepEqual(await loadtest.leftAfter(), [])
      assert.deepEqual(outside(), was)
    }
  )
})
