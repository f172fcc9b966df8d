import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startOwnPostgres } from '../../src/target/run-store.js'
import { assertComplete, operation } from '../acceptance/consistent.js'
import { QUICK, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { NO_POSTGRES } from './postgres.js'

const folders = () => readdirSync(tmpdir()).filter(name => /^libp2p-loadtest-postgres-/.test(name))

/** @param {string[]} args */
async function complete(...args) {
  const before = folders()
  const ended = await run([...args, '--initialRegistrations', '10'])
  assertComplete(ended)
  // others may be those of tests that run beside this one
  const left = () => folders().filter(folder => !before.includes(folder))
  for (let i = 0; i < 600 && left().length > 0; i++) await sleep(100)
  assert.deepEqual(left(), [], 'the store is gone')
  return ended
}

describe('servers whose registrations are in a database', () => {
  /** That was there before the runs. @type {Promise<Awaited<ReturnType<typeof startOwnPostgres>>> | undefined} */
  let before
  const ownPostgres = () => (before ??= startOwnPostgres())
  after(async () => (await before)?.stop())

  test('three share a PostgreSQL of the run, and one is killed: its clients go on at the others, and nothing that was acknowledged is lost; each is measured, and the database', {
    ...TIMEOUT,
    skip: NO_POSTGRES
  }, async () => {
    const load = ['--rate', '60/s', '--duration', '5s', '--warmup', '50ms']
    const fault = ['--failover', '--fault', 'server=1 at=2s kill']
    const ended = await complete(
      '--servers',
      '3',
      '--store',
      'postgres',
      '--nClients',
      '9',
      ...load,
      ...fault
    )
    const { stdout, stderr } = ended
    const { outcome } = ended.result
    const { OK, SERVER_GONE = 0, ...others } = operation(ended.result, 'REGISTER').outcomes
    assert.deepEqual(others, {}, 'what was not under way found another server')
    assert.equal(OK + SERVER_GONE, 300)
    assert.deepEqual(outcome.dialled, { reconnects: 3, failovers: 3 })
    const { count = 0, notSeen = 0 } = outcome.staleness ?? {}
    // one after the other, and at the server that is killed none is seen
    assert.ok(count - notSeen >= 3, `${count} were looked for at another server, ${notSeen} not seen`)
    const report = await readFile(join(ended.folder, 'report.md'), 'utf8')
    assert.match(report, /^\| From REGISTER at one server to its sight at another +\| +\d+ \|/m)
    const [event] = outcome.faults
    assert.deepEqual([event.kind, event.server, event.registrationsLost], ['kill', 1, 0])
    assert.ok(event.reconnects.dials === 3 && Number(event.recoveredThroughputMs) >= 0)
    assert.equal(outcome.lookUp?.missing, 0)
    assert.equal(outcome.registrations.after, ended.result.plan.initialRegistrations)
    assert.match(stdout, /^\| kill.*server 1 +\| +\d/m)
    assert.match(report, /^\| Connections dialled again +\| 3 +\|\n\| To another server +\| 3 +\|$/m)

    const members = outcome.members ?? []
    assert.deepEqual(
      members.map(({ name }) => name),
      ['server 1', 'server 2', 'server 3', 'database']
    )
    for (const { cpu, memory } of members) {
      assert.ok(Number(cpu.averagePercent) > 0)
      assert.ok(Number(memory.averageBytes) > 1e6)
    }
    const [, second, , database] = members
    assert.equal(database.durations?.REGISTER.count ?? 0, 0, 'the database serves no requests')
    assert.ok(
      Number(second.pool?.statements) > 60 && Number(second.pool?.usedPercent) > 0,
      JSON.stringify(second)
    )
    // each REGISTER that was acknowledged is on the disk, by a flush that it shared with others at most
    assert.ok(Number(database.written?.fsyncs) > 30 && Number(database.written?.walBytes) > 10_000)
    assert.ok(Number(database.written?.writtenBytes) >= Number(database.written?.walBytes))
    assert.match(report, /^\| Database connections of the busiest pool +\| +[\d.]+ \|/m)
    const { durability } = /** @type {Record<string, any>} */ (outcome.target.settings).server
    assert.match(durability, /^fsync on, synchronous_commit on/)
    assert.match(stderr, /3 of our servers, tuned, that share postgres/)
    assert.match(report, /^\| server 1 +\|[\s\S]*^\| server 3 +\|[\s\S]*^\| database +\|/m)
  })

  const LOAD = ['--nClients', '4', '--rate', '40/s', '--warmup', '50ms', '--initialRegistrations', '10']

  test('a database that goes away is named, with when, for how long and what stays in it', {
    ...TIMEOUT,
    skip: NO_POSTGRES
  }, async t => {
    const own = await startOwnPostgres()
    t.after(() => own.stop())
    const going = start([...LOAD, '--duration', '60s', '--store', own.url])
    await going.measured()
    own.kill()
    const { code, stdout, result, folder } = await going.ended
    const report = await readFile(join(folder, 'report.md'), 'utf8')
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^⚠ Partial result: the database at postgresql:\S+ became unavailable \d+\.\d s after the run began, and was still unavailable \d+\.\d s later/m
    )
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'STORE_AWAY'])
    assert.ok(operation(result, 'REGISTER').outcomes.OK > 0)
    assert.doesNotMatch(report, /if the server limits/)
    const [, line] =
      /The schema loadtest_\w+ remains in .*; this drops it: (DROP SCHEMA "\w+" CASCADE;)/.exec(report) ?? []

    await own.restart()
    const next = await run([...LOAD, '--duration', '1s', '--store', own.url])
    assert.equal(next.code, 0, next.stderr)
    assert.ok(next.stdout.includes(`has 1 schema of earlier runs; this drops them: ${line}`), next.stdout)
    const client = new pg.Client({ connectionString: own.url })
    await client.connect()
    await client.query(String(line))
    await client.end()
    const last = await run([...LOAD, '--duration', '1s', '--store', own.url])
    assert.doesNotMatch(last.stdout, /DROP SCHEMA/)
  })

  test('a database that is started again is named, and the run goes on', {
    ...TIMEOUT,
    skip: NO_POSTGRES
  }, async t => {
    const own = await startOwnPostgres()
    t.after(() => own.stop())
    const going = start([...LOAD, '--duration', '12s', '--store', own.url])
    await going.measured()
    own.kill()
    await own.restart()
    const { code, stdout, result } = await going.ended
    assert.equal(code, 0)
    assert.match(
      stdout,
      /The database at postgresql:\S+ became unavailable \d+\.\d s after the run began, for \d+\.\d s\./
    )
    assert.equal(result.status, 'complete')
  })

  test('two share a PostgreSQL that was there before, in a schema of the run, which is gone afterwards', {
    ...TIMEOUT,
    skip: NO_POSTGRES
  }, async () => {
    const own = await ownPostgres()
    const schemas = async () => {
      const client = new pg.Client({ connectionString: own.url })
      await client.connect()
      const { rows } = await client.query(`SELECT 1 FROM pg_namespace WHERE nspname LIKE 'loadtest%'`)
      await client.end()
      return rows.length
    }
    const mixed = '--benchmarkType MIXED --mix register=1,discover=1 --initialRegistrations 10'.split(' ')
    const ended = await run([
      ...[...QUICK, '--benchmarkRuns', '40', ...mixed],
      ...['--servers', '2', '--store', own.url]
    ])
    assertComplete(ended)
    assert.deepEqual(operation(ended.result, 'REGISTER').outcomes, { OK: 20 })
    assert.deepEqual(operation(ended.result, 'DISCOVER').outcomes, { OK: 20 })
    const served = ended.result.outcome.members?.map(({ durations }) => durations?.REGISTER.count ?? 0) ?? []
    assert.ok(
      served.every(count => count > 0),
      String(served)
    )
    // and registrations that the other one is to show
    assert.ok(served[0] + served[1] >= 20, String(served))
    const report = await readFile(join(ended.folder, 'report.md'), 'utf8')
    for (const server of [1, 2])
      for (const type of ['DISCOVER', 'REGISTER'])
        assert.match(report, new RegExp(`^\\| server ${server} +\\| ${type} +\\| +[\\d.]+ \\|`, 'm'))
    assert.equal(ended.result.outcome.lookUp?.missing, 0)
    assert.deepEqual(
      ended.result.outcome.members?.map(({ name }) => name),
      ['server 1', 'server 2'],
      'of a database elsewhere nothing is sampled'
    )
    assert.equal(await schemas(), 0)
  })
})
