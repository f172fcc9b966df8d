import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { aRotateRendezvousResult } from '../scenarios/rotate-rendezvous/a-rotate-rendezvous-result.js'
import { runCommand } from './run-command.js'

const base = await mkdtemp(join(tmpdir(), 'loadtest-rotate-rendezvous-'))
after(() => rm(base, { recursive: true, force: true }))

/** @type {any[]} plans that were run */
const ran = []

/** @param {string[]} argv */
const call = argv =>
  runCommand(['rotate', ...argv, '--outputDir', join(base, 'results')], {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        ran.push(plan)
        yield { type: 'result', result: { ...aRotateRendezvousResult(), id } }
      }
  })

describe('rotate rendezvous', () => {
  test('plans peers of a rendezvous server that rotate, with options of their own', async () => {
    const { exitCode, stderr } = await call(['rendezvous', '--cookies', '--ttl', '10s', '--quiet'])
    assert.equal(exitCode, 0, stderr)
    const { scenario, cookies, ttlSeconds, refreshEveryMs, nClients } = ran[0]
    assert.deepEqual(
      [scenario, cookies, ttlSeconds, refreshEveryMs, nClients],
      ['rotation-rendezvous', true, 10, 5000, 30]
    )
  })

  test('has help of its own, which help of the other form leads to', async () => {
    const { stdout } = await call(['rendezvous', '--help'])
    assert.match(stdout, /--refreshEvery/)
    assert.match(stdout, /rotate rendezvous --cookies/)
    assert.match(stdout, /rotate gossip --help/)
    assert.doesNotMatch(stdout, /--topology|--nClients/)
    for (const argv of [['--help'], ['gossip', '--help']])
      assert.match((await call(argv)).stdout, /rotate rendezvous --help/)
  })

  test('is named to whoever names nothing that can rotate', async () => {
    const { exitCode, stderr } = await call(['world'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /must be gossip or rendezvous, as in rotate gossip/)
  })
})
