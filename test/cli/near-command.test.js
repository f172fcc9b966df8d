import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCommand } from './run-command.js'

/** @type {any} */
const NOTHING_RUNS = { base: '.', scenarioOf: () => assert.fail('nothing is run') }

/** @type {[argv: string, instead: RegExp][]} */
const REMOVED = [
  [
    'rotate gossip --stable 8 --ephemeral 2 --rotateEvery 4s --downFor 1s --dials 3 --settle 2s --csv',
    /gossip --nodes 10 --churn 2,every=4s,away=1s,dials=3,settle=2s --duration 5m --rate 2\/s --topology random-degree:k=6 --csv$/m
  ],
  ['rotate gossip --duration 1m', /gossip --nodes 30 --churn 10,every=15s,away=5s --duration 1m/],
  ['rotate', /instead: .* gossip --nodes 30/],
  [
    'rotate rendezvous --ttl 4s',
    /rendezvous --nClients 30 --churn 10,every=5s,away=2s --benchmarkType DISCOVER --rate 30\/s --discoverLimit 1000 --ttl 4s/
  ],
  [
    'abuse slow,frames×10 --pairs 2 --stretch 2s --clients 8 --threshold errors.abused<9 --json',
    /rendezvous --hostile slow=1 --hostileEvery 2s --duration 20s --nClients 8 --rate 200\/s .* --json --threshold "hostile\.errors<9"\n.*--hostile frames=10 /
  ],
  ['abuse', /--hostile http=1 [\s\S]*--hostile identities=1 /],
  ['abuse --kinds requests', /--hostile requests=1 --hostileEvery 5s --duration 96s/]
]

describe('a command of an earlier release', () => {
  for (const [argv, instead] of REMOVED)
    test(`${argv} says what replaces it`, async () => {
      const { exitCode, stderr } = await runCommand(argv.split(' '), NOTHING_RUNS)
      assert.equal(exitCode, 2)
      assert.match(stderr, /is no command any more/)
      assert.match(stderr, instead)
    })
})

test('a command that is misspelled is named', async () => {
  const { exitCode, stderr } = await runCommand(['gosip'], NOTHING_RUNS)
  assert.equal(exitCode, 2)
  assert.match(stderr, /did you mean gossip\?/)
})
