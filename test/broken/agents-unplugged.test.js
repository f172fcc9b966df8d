import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { operation } from '../acceptance/consistent.js'
import { call, QUICK, start, TIMEOUT } from '../acceptance/loadtest.js'
import { until } from '../until.js'
import { agentsOn } from './machine-agents.js'
import { makeMachines, NO_MACHINES } from './machines.js'

const GONE_FOR_MS = 5000
/** Too short for an agent to be lost. */
const DROPPED_FOR_MS = 1000
/** Enough that there is more to keep than the last second. */
const MEASURED_MS = 4000
const NOTICED_WITHIN_MS = 3000
/** Of each of two agents. */
const RATE = 20

describe('an agent whose network is gone', { skip: NO_NATS || NO_MACHINES }, () => {
  /** @type {ReturnType<typeof makeMachines>} */
  let network
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  /** @type {string[]} */
  let reaching
  /** @type {string[]} */
  let ids

  before(async () => {
    network = makeMachines(2)
    bus = await startBus({ host: network.here, secured: true })
    reaching = ['--bus', bus.url, '--busCa', String(bus.ca)]
    ids = (await agentsOn(network.machines, reaching)).map(({ id }) => id)
  })
  after(async () => {
    await bus?.kill()
    network?.end()
  })

  /** @returns {Promise<any[]>} */
  const there = async () => JSON.parse((await call(['agents', ...reaching, '--json'])).stdout)

  test('for a second loses nothing of what it measured', TIMEOUT, async () => {
    const load = ['--nClients', '2', '--rate', `${2 * RATE}/s`, '--duration', '8s', '--arrivals', 'constant']
    const asked = [...load, '--skipLookUp', '--server', 'auto']
    const going = start([...QUICK, ...asked, ...reaching, '--agents', '2'])
    await going.measured()
    await sleep(2000)
    const [, unplugged] = network.machines
    unplugged.unplug(true)
    await sleep(DROPPED_FOR_MS)
    unplugged.unplug(false)

    const { code, result, stderr } = await going.ended
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    const rows = result.run.agents ?? []
    for (const id of ids) {
      const row = rows.find(each => each.id === id)
      assert.deepEqual([row?.lost, row?.operations], [null, 8 * RATE])
    }
    const { count, errors, rt } = operation(result, 'REGISTER')
    assert.ok(count > 0 && errors === 0 && Number(rt.all.max?.ms) > DROPPED_FOR_MS / 2)
  })

  test('for 5 s is named as lost, the run goes on, and it is free afterwards', TIMEOUT, async () => {
    const load = ['--nClients', '2', '--rate', `${2 * RATE}/s`, '--duration', '18s', '--arrivals', 'constant']
    const asked = [...load, '--skipLookUp', '--server', 'auto', '--onLostAgent', 'continue']
    const going = start([...QUICK, ...asked, ...reaching, '--agents', '2'])
    await going.measured()
    await sleep(MEASURED_MS)
    const [, unplugged] = network.machines
    unplugged.unplug(true)
    const cutMs = Date.now()
    await sleep(GONE_FOR_MS)
    unplugged.unplug(false)

    const { code, result, stderr } = await going.ended
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    assert.equal(result.status, 'complete')
    const [warning] = result.run.warnings.filter(({ code }) => code === 'AGENT_LOST')
    assert.match(String(warning.values.name), new RegExp(ids[1]))
    assert.deepEqual([warning.values.clients, warning.values.of], [1, 2])

    const rows = result.run.agents ?? []
    const [mine, theirs] = ids.map(id => rows.find(row => row.id === id))
    assert.equal(mine?.lost, null)
    assert.equal(mine?.operations, 18 * RATE)
    const beganMs = Date.parse(result.run.startedAt)
    const noticedMs = beganMs + Number(theirs?.lost?.atMs) - cutMs
    assert.ok(noticedMs <= NOTICED_WITHIN_MS, `noticed after ${noticedMs} ms`)
    // of what was due by then all is there but the last second, and what had no answer yet; half a second is for the start, which is agreed ahead
    const phase = result.run.phases.find(({ name }) => name === 'measure')
    const slowestMs = Number(operation(result, 'REGISTER').rt.all.max?.ms)
    const keptMs = cutMs - beganMs - Number(phase?.startMs) - 1500 - slowestMs
    const kept = Number(theirs?.operations)
    assert.ok(kept >= (RATE * keptMs) / 1000, `${kept} operations of ${keptMs} ms`)

    await until(async () => {
      const cards = await there()
      return cards.length === 2 && cards.every(({ busy }) => busy === null)
    })
  })
})
