import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { engine, leftInDocker, NEEDS_DOCKER } from './docker.js'
import { call, run, THREES, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** An open load that a busy machine carries too. */
const LOAD = ['--rate', '100/s', '--benchmarkType', 'DISCOVER', '--warmup', '200ms']
const SHORT = [...LOAD, '--probeRate', '0', '--nClients', '6']

describe('a server under load', { ...ON_LINUX, ...THREES }, () => {
  test('that stands still for a second: the run goes on, and says how long it took', TIMEOUT, async () => {
    const { code, stdout, stderr, result, folder } = await run([
      ...SHORT,
      ...['--duration', '6s', '--fault', 'at=3500ms pause=1s', '--csv']
    ])
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    const [fault] = result.outcome.faults
    assert.equal(fault.kind, 'pause')
    assert.ok(fault.fromMs >= 3490 && Number(fault.toMs) - fault.fromMs >= 990, JSON.stringify(fault))
    // everybody who would have asked meanwhile waited
    assert.ok(Number(result.outcome.operations.DISCOVER?.rt.all.max?.ms) >= 900)
    assert.equal(fault.reconnects.dials, 0)
    assert.notEqual(fault.before, null)
    assert.match(stdout, /^Fault: the server stood still from \d+\.\d s to \d+\.\d s\. Back: throughput /m)
    assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /<h2>Faults<\/h2>/)
    assert.match(await readFile(join(folder, 'faults.csv'), 'utf8'), /^kind,.*\npause,3500,/)
  })

  test(
    'that is killed and started again: clients come back to the same address, its registrations are gone',
    TIMEOUT,
    async () => {
      const { code, stdout, stderr, result } = await run([
        ...SHORT,
        ...['--duration', '12s', '--fault', 'at=1s restart=1s']
      ])
      assert.equal(code, 0, stderr)
      assert.equal(result.status, 'complete', result.reason?.message)
      const [fault] = result.outcome.faults
      assert.equal(fault.registrationsLost, 100)
      assert.ok(Number(fault.toMs) - fault.fromMs >= 1000)
      assert.ok(fault.reconnects.dials >= 6, JSON.stringify(fault.reconnects))
      const { REFUSED = 0, LOST = 0, RESET = 0 } = fault.operationsLost
      assert.ok(REFUSED + LOST + RESET >= 50, JSON.stringify(fault.operationsLost))
      const later = result.outcome.perSecond.filter(
        ({ second, outcome }) => second > Number(fault.toMs) / 1000 + 1 && outcome === 'OK'
      )
      assert.ok(
        later.length >= 2,
        JSON.stringify([fault, result.outcome.perSecond.map(({ second, outcome }) => [second, outcome])])
      )
      assert.equal(result.outcome.registrations.after, 0)
      assert.ok(Number(result.outcome.server?.cpu.averagePercent) > 0, 'the new process is sampled')
      assert.match(stdout, /⚠ The server was started again at .* 100 registrations were lost/)
      assert.doesNotMatch(stdout, /holds 0 registrations after the run/)
    }
  )

  test('that is killed for good: the run ends, and says by what', TIMEOUT, async () => {
    const { code, result } = await run([...SHORT, '--duration', '9s', '--fault', 'at=1s kill'])
    assert.equal(code, 1)
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'SERVER_DIED'])
    const [fault] = result.outcome.faults
    assert.deepEqual([fault.kind, fault.toMs, fault.recoveredP99Ms], ['kill', null, null])
  })

  test('is not touched where it is not ours, nor limited in a process', TIMEOUT, async () => {
    const limited = ['--server', 'process', '--fault', 'at=2s cpu=0.5']
    const { code, stderr } = await call([...SHORT, '--duration', '9s', ...limited])
    assert.equal(code, 2)
    assert.match(stderr, /--fault at=2s cpu=0\.5 +has a cpu, which needs --server docker/)
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
      ...['--duration', '12s', ...DOCKER],
      ...faults.flatMap(fault => ['--fault', fault])
    ])
    assert.equal(code, 0, `${result?.reason?.message} ${stderr}`)
    assert.equal(result.status, 'complete')
    const [pause, cpu, restart] = result.outcome.faults
    assert.ok(Number(pause.toMs) - pause.fromMs >= 990)
    assert.equal(restart.registrationsLost, 100)
    assert.ok(restart.reconnects.dials > 0)
    assert.equal(cpu.cpus, 0.2)
    assert.ok(Number(cpu.toMs) - cpu.fromMs >= 990)
    assert.deepEqual(await leftInDocker(seed), [])
  })
})
