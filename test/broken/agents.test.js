import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NO_NATS } from '../acceptance/bus.js'
import { operation, warningCodes } from '../acceptance/consistent.js'
import { QUICK, start, TIMEOUT } from '../acceptance/loadtest.js'
import { localAgents, workersOf } from '../acceptance/local-agents.js'
import { preloading } from '../acceptance/preloading.js'
import { send } from '../acceptance/processes.js'
import { until } from '../until.js'

/** @typedef {import('../acceptance/program.js').Program} Program */

const BLOCKED_MS = 5000
const BLOCKABLE = preloading('./blocked-worker.js')
/** A run of two clients that send at a rate. @param {string} duration */
const steady = duration => [
  ...QUICK,
  ...['--nClients', '2', '--rate', '40/s', '--registerMode', 'refresh', '--skipLookUp'],
  ...['--duration', duration]
]
/** A run that goes on until somebody ends it, or is lost: on a busy machine, too, no run is over before. */
const ENDLESS = steady('10m')

describe('agents on a bus', { skip: NO_NATS }, () => {
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {Program} */
  let one
  /** @type {Program} */
  let two
  /** @type {Program} */
  let three
  /** @type {string[]} */
  let ids = []
  before(async () => {
    local = await localAgents({ one: {}, two: BLOCKABLE, three: {} })
    ids = local.ids
    ;[one, two, three] = local.programs
  })
  after(() => local?.bus.kill())

  test('whose worker is blocked for 5 s are not lost, and client overhead says so', TIMEOUT, async () => {
    const going = start([...steady('9s'), '--bus', local.bus.url, '--agents', 'one=1,two=1'])
    await going.measured()
    const [worker] = workersOf(two)
    send(worker.pid, 'SIGUSR2')
    const { code, result, stderr } = await going.ended
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    const codes = warningCodes(result)
    assert.ok(!codes.includes('AGENT_LOST'), String(codes))
    assert.deepEqual(
      (result.run.agents ?? []).map(({ operations, lost }) => [operations, lost]),
      [
        [180, null],
        [180, null]
      ]
    )
    const { rt } = operation(result, 'REGISTER')
    assert.ok(Number(rt.all.max?.ms) >= BLOCKED_MS / 2, JSON.stringify(rt.all))
    const [turning, blocked] = (result.run.agents ?? []).map(({ overheadMs = Number.NaN }) => overheadMs)
    assert.ok(blocked >= BLOCKED_MS / 2 && turning < blocked, `${turning} ${blocked}`)
    // of 18 s of operations of both, one waited for nearly 5
    const { ms = 0, overheadMs = 0 } = rt.all.p90 ?? {}
    assert.ok(overheadMs > ms / 2, JSON.stringify(rt.all))
  })

  test('that are killed are named, and the run goes on as it was asked to', TIMEOUT, async () => {
    const going = start([
      ...steady('12s'),
      ...['--bus', local.bus.url, '--agents', 'one=1,two=1', '--onLostAgent', 'continue']
    ])
    await going.measuring()
    const lost = two
    await lost.endNow()
    const { code, result, stderr } = await going.ended
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    assert.equal(result.status, 'complete')
    const [warning] = result.run.warnings.filter(({ code }) => code === 'AGENT_LOST')
    assert.match(String(warning.values.name), new RegExp(ids[1]))
    assert.equal(warning.values.clients, 1)
    const rows = result.run.agents ?? []
    const [mine, theirs] = [ids[0], ids[1]].map(id => rows.find(row => row.id === id))
    assert.equal(mine?.operations, 240)
    assert.ok(theirs?.lost != null && Number(theirs.operations) < 240)
  })

  test(
    'that are frozen end a run, unless it was to go on; they have let go of it when they come back',
    TIMEOUT,
    async () => {
      const frozen = three
      const going = start([...ENDLESS, '--bus', local.bus.url, '--agents', 'one=1,three=1'])
      await going.measured()
      frozen.signal('SIGSTOP')
      const { code, result } = await going.ended
      frozen.signal('SIGCONT')
      assert.equal(code, 1)
      assert.equal(result.status, 'partial')
      assert.equal(result.reason?.code, 'AGENT_LOST')
      assert.ok(operation(result, 'REGISTER').count > 0)
      await until(() => workersOf(frozen).length === 0)
    }
  )

  test('stop when the coordinator is killed, and when the bus is', TIMEOUT, async () => {
    const killed = start([...ENDLESS, '--bus', local.bus.url, '--agents', 'one=1'])
    const other = start([...ENDLESS, '--bus', local.bus.url, '--agents', 'three=1'])
    await killed.measuring()
    await killed.endNow()
    await one.line(/^run \w+ has ended: the coordinator disconnected/)
    assert.deepEqual(workersOf(one), [])

    await other.measured()
    await local.bus.kill()
    const { code, result } = await other.ended
    assert.equal(code, 1)
    assert.equal(result.reason?.code, 'BUS_LOST')
    assert.ok(operation(result, 'REGISTER').count > 0)
    await three.line(/^run \w+ has ended: the connection to the bus was lost/)
    assert.deepEqual(workersOf(three), [])
  })
})
