import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from '../../src/measure/histogram.js'
import { maxMeasuringMs, NamespaceNetwork, RouterTraffic } from '../../src/network/namespace-network.js'
import { makeNetworkPlan } from '../../src/scenarios/namespace-run.js'

const USAGE = {
  ...{ packets: 10, bytes: 1000, lost: 1, cut: 2, overflowed: 0 },
  ...{ wallMs: 2000, cpuMicros: 50, waitedMs: 500, lateness: new Histogram().toData() }
}

/** @param {number[]} droppedAt - by process */
function carriedBy(droppedAt) {
  const carried = new RouterTraffic(pid => droppedAt[pid])
  carried.hold([...droppedAt.keys()])
  return carried
}

describe('what went over a network', () => {
  it('is told by the router', () => {
    const of = (/** @type {typeof USAGE | { waitedMs: null }} */ told) => {
      const carried = carriedBy([])
      carried.tell({ ...USAGE, ...told })
      return carried.figures.router
    }
    const router = of(USAGE)
    assert.deepEqual(
      [router?.packetsPerSecond, router?.cpuMicrosPerPacket, router?.waitedShare],
      [5, 5, 0.25]
    )
    assert.equal(of({ waitedMs: null })?.waitedShare, null)
  })

  it('is counted from when it is measured, though devices count from when they are there', () => {
    const dropped = [3, 4]
    const carried = carriedBy(dropped)
    carried.tell(USAGE)
    carried.begin()
    assert.deepEqual(carried.figures, { router: null, dropped: 0 })
    dropped[1] = 9
    assert.equal(carried.figures.dropped, 5)
    carried.begin()
    assert.equal(carried.figures.dropped, 0)
  })

  it('stays as it is when it is over, whatever becomes of the processes, until it is measured anew', () => {
    const dropped = [3]
    const carried = carriedBy(dropped)
    carried.tell(USAGE)
    carried.keep()
    dropped[0] = 0
    carried.tell({ ...USAGE, packets: 999 })
    assert.deepEqual([carried.figures.router?.packets, carried.figures.dropped], [10, 3])
    carried.begin()
    carried.tell({ ...USAGE, packets: 999 })
    assert.deepEqual([carried.figures.router?.packets, carried.figures.dropped], [999, 0])
  })
})

/** There is no such process: nothing is tried in its namespaces. */
const NOBODY = 2 ** 30

/** @param {(method: string, ...args: any[]) => Promise<unknown>} call - of its router */
function networkOf(call) {
  const plan = makeNetworkPlan({ seed: 1 }, 2)
  return new NamespaceNetwork(/** @type {any} */ (plan), {
    router: /** @type {any} */ ({ pid: NOBODY, call, stop: async () => {} }),
    namespaces: { pid: NOBODY, descriptors: [3, 4], congestion: 'reno' },
    originNs: 0n,
    until: new AbortController().signal,
    onFailure: () => {}
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
