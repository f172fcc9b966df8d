import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { engine, leftInDocker, NEEDS_DOCKER } from '../acceptance/docker.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

/** An open load that a busy machine carries too. */
const LOAD = ['--rate', '50/s', '--benchmarkType', 'DISCOVER', '--warmup', '200ms']
const SHORT = [...LOAD, '--nClients', '6', '--initialRegistrations', '10']

describe('a server under load', { ...ON_LINUX, ...TIMEOUT }, () => {
  test('that is killed and started again, and later stands still for a second: the run goes on, and says how long it took; clients come back to the same address, its registrations are gone', async () => {
    const { code, stdout, stderr, result, folder } = await run([
      ...[...SHORT, '--duration', '13s', '--csv'],
      ...['--fault', 'at=1s restart=1s', '--fault', 'at=9s pause=1s']
    ])
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete', result.reason?.message)
    const [restart, pause] = result.outcome.faults
    assert.equal(pause.kind, 'pause')
    assert.ok(pause.fromMs >= 8990 && Number(pause.toMs) - pause.fromMs >= 990, JSON.stringify(pause))
    // everybody who would have asked meanwhile waited
    assert.ok(Number(result.outcome.operations.DISCOVER?.rt.all.max?.ms) >= 900)
    // those of the restart were long before
    assert.equal(pause.reconnects.dials, 0)
    assert.notEqual(pause.before, null)

    assert.equal(restart.registrationsLost, 10)
    assert.ok(Number(restart.toMs) - restart.fromMs >= 1000)
    assert.ok(restart.reconnects.dials >= 6, JSON.stringify(restart.reconnects))
    const { REFUSED = 0, LOST = 0, RESET = 0 } = restart.operationsLost
    assert.ok(REFUSED + LOST + RESET >= 25, JSON.stringify(restart.operationsLost))
    const later = result.outcome.perSecond.filter(
      ({ second, outcome }) => second > Number(restart.toMs) / 1000 + 1 && outcome === 'OK'
    )
    assert.ok(
      later.length >= 2,
      JSON.stringify([restart, result.outcome.perSecond.map(({ second, outcome }) => [second, outcome])])
    )
    assert.equal(result.outcome.registrations.after, 0)
    assert.ok(Number(result.outcome.server?.cpu.averagePercent) > 0, 'the new process is sampled')
    assert.match(stdout, /^\| pause +\| +9(\.\d+)? \|/m)
    assert.match(stdout, /⚠ The server was started again at .* 10 registrations were lost/)
    assert.doesNotMatch(stdout, /has 0 registrations after the run/)
    assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /Faults/)
    assert.match(
      await readFile(join(folder, 'faults.csv'), 'utf8'),
      /^Fault,.*\nrestart,1(\.\d+)?,.*\npause,9(\.\d+)?,/
    )
  })

  test('that is killed for good: the run ends, and says by what', async () => {
    const { code, result } = await run([...SHORT, '--duration', '9s', '--fault', 'at=1s kill'])
    assert.equal(code, 1)
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'SERVER_DIED'])
    const [fault] = result.outcome.faults
    assert.deepEqual([fault.kind, fault.toMs, fault.recoveredP99Ms], ['kill', null, null])
  })
})

describe('a server in Docker under load', NEEDS_DOCKER, () => {
  const seed = Math.floor(Math.random() * 1e9)
  const DOCKER = ['--server', 'docker', '--seed', String(seed)]

  test('is paused, killed and started again, and limited by the engine', TIMEOUT, async () => {
    assert.ok(engine)
    // last what takes long on a busy machine: a fault that is due before the one before it is over begins later
    const faults = ['at=2s pause=1s', 'at=4s cpu=0.2 for=1s', 'at=6s restart=500ms']
    const { code, stderr, result } = await run([
      ...SHORT,
      ...['--duration', '10s', ...DOCKER],
      ...faults.flatMap(fault => ['--fault', fault])
    ])
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    assert.equal(result.status, 'complete')
    const [pause, cpu, restart] = result.outcome.faults
    assert.ok(Number(pause.toMs) - pause.fromMs >= 990)
    assert.equal(restart.registrationsLost, 10)
    assert.ok(restart.reconnects.dials > 0)
    assert.equal(cpu.cpus, 0.2)
    assert.ok(Number(cpu.toMs) - cpu.fromMs >= 990)
    // who waits for a server to come back is not kept waiting by the load generator
    const { p95 } = result.outcome.operations.DISCOVER?.rt.all ?? {}
    assert.ok(Number(p95?.ms) > 500 && Number(p95?.overheadMs) < Number(p95?.ms) / 2, JSON.stringify(p95))
    assert.deepEqual(await leftInDocker(seed), [])
  })
})
