import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { aRotateRendezvousResult } from '../scenarios/rotate-rendezvous/a-rotate-rendezvous-result.js'
import { runCommand } from './run-command.js'

/** @type {string} */
let base
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'loadtest-ab-rotation-'))
})
after(() => rm(base, { recursive: true }))

/** @param {string[]} argv */
const call = argv =>
  runCommand([...argv, '--outputDir', join(base, 'results')], {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        yield/** @type {any} */ ({ type: 'result', result: { ...aRotateRendezvousResult(), id, plan } })
      }
  })

describe('ab rotation-rendezvous', () => {
  test('compares two plans in which peers come and go', async () => {
    const { exitCode, stdout, stderr } = await call([
      'ab',
      'rotation-rendezvous',
      '',
      '--cookies ',
      '--runs',
      '2'
    ])
    assert.equal(exitCode, 0, stderr)
    assert.match(stdout, /Stale records/)
    assert.match(stdout, /\| too few runs \|/)
  })

  test('refuses what a run in which peers come and go has no use for', async () => {
    const { exitCode, stderr } = await call(['ab', 'rotation-rendezvous', '', '--nClients 5'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--nClients 5 +has no use here/)
  })
})
