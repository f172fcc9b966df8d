import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { aRotateGossipResult } from '../scenarios/rotate-gossip/a-rotate-gossip-result.js'
import { runCommand } from './run-command.js'

const base = await mkdtemp(join(tmpdir(), 'loadtest-rotate-'))
after(() => rm(base, { recursive: true, force: true }))

/** @type {any[]} plans that were run */
const ran = []

/** @param {string[]} argv */
const call = argv =>
  runCommand([...argv, '--outputDir', join(base, 'results')], {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        ran.push(plan)
        yield { type: 'result', result: { ...aRotateGossipResult(), id } }
      }
  })

describe('rotate', () => {
  test('gossip plans a network whose nodes rotate, and shows what came of it', async () => {
    const { exitCode, stdout, stderr } = await call([
      'rotate',
      'gossip',
      '--stable',
      '8',
      '--ephemeral',
      '2',
      '--csv'
    ])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual([ran[0].scenario, ran[0].stable, ran[0].nodes], ['rotation', 8, 10])
    assert.match(stdout, /, while 2 nodes were killed and 2 started in their places\.$/m)
  })

  test('has help, with the form and without it', async () => {
    for (const argv of [
      ['rotate', '--help'],
      ['rotate', 'gossip', '--help']
    ])
      assert.match((await call(argv)).stdout, /--topology/)
  })

  for (const words of [[], ['world']])
    test(`says what can rotate, of "${words.join(' ')}"`, async () => {
      const { exitCode, stderr, loaded } = await call(['rotate', ...words])
      assert.equal(exitCode, 2)
      assert.equal(loaded, 0)
      assert.match(stderr, /must be gossip\b.*, as in rotate gossip/)
    })

  test('refuses what else is wrong, all at once', async () => {
    const { exitCode, stderr } = await call([
      'rotate',
      'gossip',
      'now',
      '--rotateEvery',
      '5m',
      '--dials',
      '99'
    ])
    assert.equal(exitCode, 2)
    assert.match(stderr, /now/)
    assert.match(stderr, /nothing would rotate/)
    assert.match(stderr, /at most --stable 20/)
  })
})
