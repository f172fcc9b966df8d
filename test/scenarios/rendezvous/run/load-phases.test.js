import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Meter } from '../../../../src/measure/operations.js'
import { RunFailure } from '../../../../src/run/run.js'
import { Measurement } from '../../../../src/scenarios/rendezvous/measurement.js'
import {
  runMeasurement,
  startFaults,
  watchStoreWork
} from '../../../../src/scenarios/rendezvous/run/load-phases.js'
import { planned } from '../../../plan/planned.js'
import { until } from '../../../until.js'

const LOAD_MS = 100

/** @param {string} outcome - of the one operation */
function intervalOf(outcome) {
  const meter = new Meter()
  meter.record('rt', 'DISCOVER', outcome, 1e6)
  return meter.take(0)
}

/**
 * A run of one operation.
 *
 * @param {Promise<{ outcome: string }>} over - the only operation, as if it had lasted for LOAD_MS
 * @param {{ faults?: object[], handles?: object | null }} [fault]
 */
function measuring(over, { faults = [], handles = null } = {}) {
  const measurement = new Measurement(1)
  const failure = new RunFailure()
  const pool = {
    ...{ begin: async () => {}, prepare: async () => {}, abort: async () => {} },
    run() {
      const startNs = process.hrtime.bigint()
      const ended = over.then(({ outcome }) => {
        measurement.addLoad(intervalOf(outcome), 0)
        return [{ endNs: startNs + BigInt(LOAD_MS * 1e6), succeeded: [] }]
      })
      return { startNs, ended, over: Promise.resolve() }
    }
  }
  const parts = {
    plan: { ...planned({ benchmarkType: 'DISCOVER', benchmarkRuns: 1 }), faults },
    target: { control: null, reading: null, faults: handles },
    ...{ pool, failure, log: { progress() {}, interval() {} }, figures: () => ({}) }
  }
  return { measurement, failure, done: runMeasurement(/** @type {any} */ (parts), measurement) }
}

/** @param {Measurement} measurement */
const measuredBy = ({ measuredMs, load }) => [measuredMs, load.operations]

describe('the measurement', () => {
  it('is counted once where nothing was answered in it', async () => {
    const { measurement, done } = measuring(Promise.resolve({ outcome: 'TIMEOUT' }))
    await assert.rejects(done, { code: 'SERVER_HUNG' })
    assert.deepEqual(measuredBy(measurement), [LOAD_MS, 1])
  })

  it('is over with its last operation, and counted once, though a fault outlasts it and the run is broken off then', async () => {
    const paused = Promise.withResolvers()
    const resumed = Promise.withResolvers()
    const { measurement, failure, done } = measuring(
      paused.promise.then(() => ({ outcome: 'OK' })),
      {
        faults: [{ kind: 'pause', atMs: 0, forMs: 0, cpus: null }],
        handles: { pause: async () => paused.resolve(null), resume: () => resumed.promise }
      }
    )
    await until(() => measurement.measuredMs > 0)
    const { coveredMs, soFarMs } = measurement
    failure.raise(new Error('throughput is too low'))
    resumed.resolve(null)
    await assert.rejects(done, /too low/)
    assert.deepEqual([coveredMs, soFarMs, measuredBy(measurement)], [LOAD_MS, LOAD_MS, [LOAD_MS, 1]])
  })

  it('that is broken off is counted up to then', async () => {
    const { measurement, failure, done } = measuring(new Promise(() => {}))
    await until(() => measurement.runningSinceNs !== null)
    measurement.addLoad(intervalOf('OK'), 0)
    failure.raise(new Error('interrupted'))
    await assert.rejects(done, /interrupted/)
    assert.equal(measurement.load.operations, 1)
    assert.equal(measurement.coveredMs, measurement.measuredMs)
  })
})

/**
 * @typedef {import('../../../../src/scenarios/rendezvous/options.js').Fault} Fault
 * @typedef {import('../../../../src/scenarios/rendezvous/outcome.js').FaultEvent} FaultEvent
 */

/** @param {Partial<Fault>} parts @returns {Fault} */
const fault = parts => ({ kind: 'pause', atMs: 20, forMs: 30, cpus: null, ...parts })

/**
 * @param {Fault[]} faults
 * @param {{ registrations?: number[], broken?: boolean, timeoutMs?: number, clock?: () => bigint,
 *   state?: (signal: AbortSignal) => Promise<{ registrations: number | undefined }> }} [server]
 */
function started(faults, { registrations = [], broken = false, timeoutMs = 0, clock, state } = {}) {
  /** @type {string[]} */
  const done = []
  /** @type {FaultEvent[]} */
  const events = []
  /** @type {Error[]} */
  const raised = []
  const deed = (/** @type {string} */ name) => async () => {
    done.push(name)
    if (broken && name === 'up') throw new Error('the port is taken')
  }
  const target = /** @type {any} */ ({
    faults: {
      ...Object.fromEntries(['pause', 'resume', 'kill', 'down', 'up'].map(name => [name, deed(name)])),
      limitCpus: async (/** @type {number | null} */ cpus) => done.push(`cpus ${cpus}`)
    },
    control: { state: state ?? (async () => ({ registrations: registrations.shift() })) }
  })
  const running = startFaults({
    plan: { faults, timeoutMs },
    target,
    failure: { raise: error => void raised.push(error) },
    ...{ startNs: process.hrtime.bigint(), events, clock }
  })
  return { running, done, events, raised }
}

describe('the faults of a plan', () => {
  /** @type {[Fault, string[]][]} */
  const deeds = [
    [fault({}), ['pause', 'resume']],
    [fault({ kind: 'restart' }), ['down', 'up']],
    [fault({ kind: 'kill', forMs: null }), ['kill']],
    [fault({ kind: 'cpu', cpus: 0.5 }), ['cpus 0.5', 'cpus null']],
    [fault({ kind: 'cpu', cpus: 0.5, forMs: null }), ['cpus 0.5']]
  ]
  for (const [planned, expected] of deeds)
    it(`are done: ${expected.join(', ')}`, async () => {
      const { running, done, events } = started([planned])
      await until(() => done.length >= expected.length && (planned.forMs === null || events[0].toMs !== null))
      await running.over()
      assert.deepEqual(done, expected)
      const [{ fromMs, toMs }] = events
      assert.ok(fromMs >= 18, `${fromMs}`)
      assert.equal(toMs === null, planned.forMs === null)
      if (toMs !== null) assert.ok(toMs - fromMs >= 28)
    })

  it('are done to the server of several that is meant; those that are left hold what it held', async () => {
    /** @type {string[]} */
    const done = []
    const member = (/** @type {string} */ name) => ({ faults: { kill: async () => void done.push(name) } })
    /** @type {FaultEvent[]} */
    const events = []
    const running = startFaults({
      plan: { faults: [fault({ kind: 'kill', forMs: null, server: 2 })], timeoutMs: 0 },
      target: /** @type {any} */ ({
        faults: {},
        control: { state: async () => ({ registrations: 7 }) },
        members: ['one', 'two', 'three'].map(member)
      }),
      failure: { raise: error => assert.fail(error) },
      startNs: process.hrtime.bigint(),
      events
    })
    await until(() => events[0]?.registrationsLost === 0)
    await running.over()
    assert.deepEqual([done, events[0].server], [['two'], 2])
    assert.ok(Number(events[0].toMs) >= events[0].fromMs)
  })

  it('that the round was too short for do not come', async () => {
    const { running, done } = started([fault({ atMs: 60_000 })])
    await running.over()
    assert.deepEqual(done, [])
  })

  it('that go on when the round is over are undone first', async () => {
    const { running, done } = started([fault({ atMs: 0, forMs: 80 }), fault({ atMs: 60_000 })])
    await until(() => done.length > 0)
    await running.over()
    assert.deepEqual(done, ['pause', 'resume'])
  })

  it('end at once when the run does; a server that is down stays so', async () => {
    const { running, done, events } = started([fault({ kind: 'restart', atMs: 0, forMs: 60_000 })])
    await until(() => done.length > 0)
    await running.stop()
    assert.deepEqual([done, events[0].toMs], [['down'], null])
  })

  it('that cannot be undone end the run', async () => {
    const { running, raised } = started([fault({ kind: 'restart', atMs: 0, forMs: 1 })], { broken: true })
    await until(() => raised.length > 0)
    await running.over()
    const actual = raised.map(({ message }) => message)
    assert.deepEqual(actual, ['the port is taken'])
  })

  it('tell how many registrations a restart lost, as the server counts', async () => {
    const registrations = [105, 3]
    const { running, events } = started([fault({ kind: 'restart' })], { registrations })
    await until(() => registrations.length === 0)
    await running.over()
    assert.equal(events[0].registrationsLost, 102)
  })

  it('count what a restart left for longer than what was there before: a server that comes back is busy', async () => {
    const counts = [105, 3]
    /** @param {AbortSignal} signal */
    const state = async signal => {
      const registrations = counts.shift()
      if (counts.length === 0) await sleep(700, undefined, { signal })
      return { registrations }
    }
    const { running, events } = started([fault({ kind: 'restart' })], { state })
    await until(() => counts.length === 0)
    await running.over()
    assert.equal(events[0].registrationsLost, 102)
  })

  it('excuse a silent server while they last, and as long as what was sent may time out', async () => {
    let laterNs = 0n
    const clock = () => process.hrtime.bigint() + laterNs
    const { running, events } = started([fault({ atMs: 20, forMs: 20 })], { timeoutMs: 60_000, clock })
    assert.equal(running.excused(), false)
    await until(() => events.length > 0)
    assert.equal(running.excused(), true, 'it lasts')
    await until(() => events[0].toMs !== null)
    laterNs = 30_000_000_000n
    assert.equal(running.excused(), true, 'what was sent may still time out')
    laterNs = 61_000_000_000n
    assert.equal(running.excused(), false)
    await running.over()
  })
})

/** A member whose pool says one thing after the other. @param {string} name @param {(object | Error)[]} said */
const member = (name, ...said) => ({
  name,
  control: {
    state: async () => {
      const pool = said.shift()
      if (pool instanceof Error) throw pool
      return { store: { pool } }
    }
  }
})

/** @param {object} target */
async function workOf(target) {
  const storeWork = new Map()
  const add = await watchStoreWork(/** @type {any} */ (target))
  await add({ storeWork })
  return Object.fromEntries([...storeWork].map(([name, { wallMs, ...work }]) => [name, work]))
}

describe('what pools and the database did meanwhile', () => {
  it('is what their counts grew by, or all of it where they began anew', async () => {
    const members = [
      member('a', { connections: 4, queries: 10, waited: 7 }, { connections: 5, queries: 25, waited: 2 })
    ]
    const databases = [{ fsyncs: 3 }, { fsyncs: 8 }]
    const work = await workOf({ members, databaseWork: async () => databases.shift() })
    assert.deepEqual(work, { a: { connections: 5, queries: 15, waited: 2 }, database: { fsyncs: 5 } })
  })

  it('is not known of a member that does not answer, and counts from nothing where it did not before', async () => {
    const gone = new Error('it is paused')
    const members = [
      member('a', { queries: 1 }, gone),
      member('b', gone, { queries: 4 }),
      { name: 'c', control: null }
    ]
    assert.deepEqual(await workOf({ members }), { b: { queries: 4 } })
  })

  it('adds up over the parts of a run', async () => {
    const storeWork = new Map()
    const target = /** @type {any} */ ({
      members: [member('a', { queries: 1 }, { queries: 3 }, { queries: 10 }, { queries: 15 })]
    })
    for (let part = 0; part < 2; part++)
      await (await watchStoreWork(target))(/** @type {any} */ ({ storeWork }))
    assert.equal(storeWork.get('a').queries, 2 + 5)
    assert.ok(storeWork.get('a').wallMs >= 0)
  })

  it('is nothing of a server without either', async () => assert.deepEqual(await workOf({}), {}))
})
