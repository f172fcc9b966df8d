import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_POSTGRES } from '../server/store/postgres.js'
import { assertComplete, operation } from './consistent.js'
import { QUICK, run, TIMEOUT } from './loadtest.js'

const OPERATIONS = 120

const folders = () => readdirSync(tmpdir()).filter(name => /^libp2p-loadtest-(postgres|pglite)-/.test(name))

/** @param {string[]} args */
async function complete(...args) {
  const before = folders()
  const ended = await run([...QUICK, '--benchmarkRuns', String(OPERATIONS), ...args])
  assertComplete(ended)
  // others may be those of tests that run beside this one
  const left = () => folders().filter(folder => !before.includes(folder))
  for (let i = 0; i < 600 && left().length > 0; i++) await sleep(100)
  assert.deepEqual(left(), [], 'the store is gone')
  return ended
}

describe('servers whose registrations are in a database', () => {
  test('three share a PostgreSQL of the run: each is measured, and the database', {
    ...TIMEOUT,
    skip: NO_POSTGRES
  }, async () => {
    const load = ['--benchmarkType', 'MIXED', '--mix', 'register=1,discover=1', '--nClients', '6']
    const { result, stdout, stderr } = await complete('--servers', '3', '--store', 'postgres', ...load)
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: OPERATIONS / 2 })
    assert.deepEqual(operation(result, 'DISCOVER').outcomes, { OK: OPERATIONS / 2 })
    assert.deepEqual(
      result.outcome.members?.map(({ name }) => name),
      ['server 1', 'server 2', 'server 3', 'database']
    )
    for (const { cpu, memory } of result.outcome.members ?? []) {
      assert.ok(Number(cpu.averagePercent) > 0)
      assert.ok(Number(memory.averageBytes) > 1e6)
    }
    assert.equal(result.outcome.registrations.after, result.plan.initialRegistrations)
    assert.equal(result.outcome.lookUp?.missing, 0)
    const { durability } = /** @type {Record<string, any>} */ (result.outcome.target.settings).server
    assert.match(durability, /^fsync on, synchronous_commit on/)
    assert.match(stderr, /3 servers that share postgres/)
    assert.match(stdout, /CPU and memory on average of each: server 1 .*, database /)
  })

  test('one keeps them in a folder of the run', TIMEOUT, async () => {
    const { result } = await complete('--store', 'pglite')
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: OPERATIONS })
    const { durability } = /** @type {Record<string, any>} */ (result.outcome.target.settings).server
    assert.match(durability, /^fsync off, as pglite has it/)
  })
})
