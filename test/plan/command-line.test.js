import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from '../../src/cli/command-line.js'
import { quoteShellWord } from '../../src/plan/command-line.js'
import { makePlan, planFlags, scenarioNamed } from '../scenarios.js'

/** @param {Record<string, unknown>} options @param {number} [cores] */
function planOf(options, cores = 2) {
  const { plan, problems } = makePlan(options, { cores })
  assert.ok(plan, JSON.stringify(problems))
  return plan
}

/** @type {[Record<string, unknown>, string][]} */
const CASES = [
  [{}, '--workers 1'],
  [{ nClients: 10, seed: 0 }, '--nClients 10 --seed 0 --workers 1'],
  [
    { duration: '1.5s', rate: '90/min', timeout: '2s', ttl: '90s' },
    '--duration 1500ms --ttl 90s --rate 1.5/s --timeout 2000ms --workers 1'
  ],
  [
    { benchmarkType: 'MIXED', mix: 'register=1,discover=3' },
    '--benchmarkType MIXED --mix register=0.25,discover=0.75,unregister=0 --workers 1'
  ],
  [
    { providers: 2, discoverers: 4, providerRate: '10/s', discovererRate: '300/s', duration: '3s' },
    '--providers 2 --discoverers 4 --providerRate 10/s --discovererRate 300/s --duration 3000ms --workers 1'
  ],
  [
    { providers: 2, discoverers: 4, inFlight: 3 },
    '--providers 2 --discoverers 4 --no-streamPerOperation --inFlight 3 --workers 1'
  ],
  [{ inFlight: 4, memory: '512mb' }, '--no-streamPerOperation --inFlight 4 --workers 1 --memory 512MB'],
  [{ samples: true, warmup: '0' }, '--workers 1 --warmup 0ms --samples']
]

describe('the flags of a plan', () => {
  for (const [options, flags] of CASES)
    test(`${JSON.stringify(options)} are ${flags}, and make it again on a machine of 64 cores`, async () => {
      const plan = planOf(options)
      assert.equal(planFlags(plan).join(' '), flags)
      const args = await readArguments(
        flags.split(' '),
        [
          {
            name: 'rendezvous',
            ...scenarioNamed('rendezvous').command,
            options: scenarioNamed('rendezvous').options
          }
        ],
        { columns: 80, version: '1' }
      )
      assert.ok('options' in args)
      assert.deepEqual(planOf(args.options, 64), plan)
    })
})

test('a threshold has a flag of its own', () => {
  const thresholds = ['DISCOVER.p99 < 50ms, abortOnFail, grace=5s', 'errorRate <= 1%']
  const plan = planOf({ benchmarkType: 'DISCOVER', threshold: thresholds })
  assert.deepEqual(planFlags(plan).slice(-2), [
    "--threshold 'DISCOVER.p99 < 50ms, abortOnFail, grace=5000ms'",
    "--threshold 'errorRate <= 1%'"
  ])
})

test('a word is quoted where a shell would take it apart', () => {
  assert.deepEqual(['results/a-1', 'my runs/x', "it's"].map(quoteShellWord), [
    'results/a-1',
    "'my runs/x'",
    "'it'\\''s'"
  ])
})
