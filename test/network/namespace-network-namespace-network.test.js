import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxMeasuringMs, NamespaceNetwork } from '../../src/network/namespace-network.js'
import { makeNetworkPlan } from '../../src/scenarios/namespace-run.js'

/** There is no such process: nothing is tried in its namespaces. */
const NOBODY = 2 ** 30

/** @param {(method: string, ...args: any[]) => Promise<unknown>} call - of its router */
function networkOf(call) {
  const plan = makeNetworkPlan({ seed: 1 }, 2)
  return new NamespaceNetwork(/** @type {any} */ (plan), {
    router: /** @type {any} */ ({ pid: NOBODY, call, stop: async () => {} }),
    held: { pid: NOBODY, descriptors: [3, 4], congestion: 'reno' },
    originNs: 0n,
    until: new AbortController().signal,
    onTrouble: () => {}
  })
}

describe('a network of namespaces', () => {
  for (const what of /** @type {const} */ (['begin', 'cut', 'over', 'relink']))
    it(`waits for a frozen router no longer than a minute (${what})`, async context => {
      const network = networkOf(() => new Promise(() => {}))
      context.mock.timers.enable({ apis: ['setTimeout'] })
      const failed = assert.rejects(network[what](/** @type {any} */ (makeNetworkPlan({ seed: 1 }, 2))), {
        message: /^the router did not answer \(\w+\) within 60 s$/
      })
      // what it waits for before it asks
      while (!(await settled(failed))) context.mock.timers.tick(60_000)
      await failed
      context.mock.timers.reset()
      await network.stop()
    })

  it('has nobody cut off before it is told since when', async () => {
    /** @type {unknown[][]} */
    const calls = []
    const network = networkOf(async (...call) => calls.push(call))
    await network.begin()
    await network.cut(5)
    assert.deepEqual(calls, [['begin'], ['cut', 5]])
    await network.stop()
  })

  it('may take as long to be measured as its links have what goes there and back', () => {
    const none = maxMeasuringMs(/** @type {any} */ (makeNetworkPlan({ seed: 1 }, 2)))
    const linkLatency = /** @type {const} */ ({ kind: 'constant', ms: 5000 })
    const slow = maxMeasuringMs(/** @type {any} */ (makeNetworkPlan({ seed: 1, linkLatency }, 2)))
    assert.ok(slow - none >= 9 * 2 * 5000)
  })
})

/** @param {Promise<unknown>} promise */
const settled = promise =>
  Promise.race([
    promise.then(
      () => true,
      () => true
    ),
    new Promise(resolve => setImmediate(resolve, false))
  ])
