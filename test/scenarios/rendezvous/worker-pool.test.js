import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Meter } from '../../../src/measure/operations.js'
import { MAX_STARTING } from '../../../src/run/workers.js'
import { describeFloor } from '../../../src/scenarios/rendezvous/operation-description.js'
import { measuresFloor } from '../../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import {
  hasSpareCore,
  makeFloorPlan,
  measureFloor,
  startGenerators
} from '../../../src/scenarios/rendezvous/worker-pool.js'
import { planned } from '../../plan/planned.js'
import { SLOW_START, startedAtOnce } from '../../run/started-at-once.js'

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

describe('a load generator keeps a core to itself', () => {
  it('beside one server on two cores', () =>
    assert.equal(hasSpareCore({ workers: 1, servers: 1, targets: null, store: 'memory' }, 2), true))

  it('not beside another one on two cores', () => assert.equal(hasSpareCore({ workers: 2 }, 2), false))

  it('not beside three servers on three cores', () => {
    assert.equal(hasSpareCore({ workers: 1, servers: 3 }, 3), false)
    assert.equal(hasSpareCore({ workers: 1, servers: 1, targets: ['a', 'b', 'c'] }, 3), false)
  })

  it('not where a database needs the last one', () => {
    assert.equal(hasSpareCore({ workers: 1, servers: 1, store: 'postgres' }, 2), false)
    assert.equal(hasSpareCore({ workers: 1, servers: 1, store: 'postgres' }, 3), true)
  })
})

/** A load generator that sends so many operations of an outcome in each stretch, in no time. */
class ModelledPool {
  /** @type {readonly string[]} */
  servers = []
  /** @type {any} */
  measurement

  /** @param {Record<string, number>} outcomes - how often each */
  constructor(outcomes) {
    this.outcomes = outcomes
  }

  /** @param {unknown} _ @param {readonly string[]} servers */
  async moveTo(_, servers) {
    this.servers = servers
  }

  async begin() {}
  async prepare() {}
  async abort() {}

  run() {
    const meter = new Meter()
    for (const [outcome, count] of Object.entries(this.outcomes))
      for (let i = 0; i < count; i++) meter.record('rt', 'REGISTER', outcome, 240_000)
    this.measurement.addLoad(meter.take(0), 0)
    const startNs = process.hrtime.bigint()
    return { startNs, ended: Promise.resolve([{ endNs: startNs + 1n }]), over: Promise.resolve() }
  }
}

/** @param {ModelledPool} pool @param {AbortSignal} [signal] */
const floorOf = (pool, signal = new AbortController().signal) =>
  measureFloor(planned({ rate: '1000/s', workers: 1 }), {
    pool: /** @type {any} */ (pool),
    measuring: measurement => {
      pool.measurement = measurement
    },
    signal
  })

describe('the floor of this generator', { timeout: 120_000 }, () => {
  it('is what its clients measure of a null server, which is gone then', async () => {
    const pool = new ModelledPool({ OK: 1000 })
    const floor = await floorOf(pool)
    assert.deepEqual([floor.ratePerSecond, floor.clients, floor.operations], [1000, 4, 1000])
    assert.equal(describeFloor(floor), 'p50 0.240 ms, p99 0.240 ms at 1,000/s')
    assert.match(pool.servers[0], /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\//)
  })

  it('is none where operations fail, or none is sent, or the run is interrupted', async () => {
    await assert.rejects(floorOf(new ModelledPool({ OK: 10, LOST: 2 })), /2 of 12 operations failed.*LOST/)
    await assert.rejects(floorOf(new ModelledPool({})), /nothing was sent/)
    const hanging = new ModelledPool({})
    const stopping = new AbortController()
    hanging.moveTo = async () => {
      stopping.abort(new Error('interrupted'))
      return new Promise(() => {})
    }
    await assert.rejects(floorOf(hanging, stopping.signal), /interrupted/)
  })

  it('of few operations has no p99, and of the closed model no rate', () => {
    const rt = { count: 100, p50: { ms: 2.5, censored: false }, p99: null }
    const floor = /** @type {any} */ ({ ratePerSecond: null, clients: 4, operations: 100, rt })
    assert.equal(describeFloor(floor), 'p50 2.50 ms at full load')
    assert.equal(describeFloor({ ...floor, rt: { ...rt, p50: null } }), 'too few operations at full load')
  })

  it('is measured after 5 s, where clients reach a server on this machine by loopback', () => {
    assert.equal(measuresFloor({ network: 'loopback' }, 4000), false)
    assert.equal(measuresFloor({ network: 'loopback' }, 5000), true)
    assert.equal(measuresFloor({ network: 'namespaces' }, 60_000), false)
  })

  it('has the rate of the run, of all roles together, and a hundred clients at most', () => {
    const open = makeFloorPlan(planned({ benchmarkType: 'MIXED', rate: '500/s', nClients: 1000 }))
    assert.deepEqual([open.ratePerSecond, open.nClients, open.benchmarkType], [500, 100, 'REGISTER'])
    const roles = { providers: 20, discoverers: 30, duration: '5s' }
    const both = makeFloorPlan(planned({ ...roles, providerRate: '30/s', discovererRate: '40/s' }))
    assert.deepEqual([both.ratePerSecond, both.nClients, both.providers], [70, 50, null])
    const closed = makeFloorPlan(planned({ thinkTime: '100ms' }))
    assert.deepEqual([closed.ratePerSecond, closed.thinkTimeMs], [null, null])
  })
})
