import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertComplete, operation } from '../acceptance/consistent.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'

const ROLES = ['--providers', '2', '--discoverers', '4', '--providerRate', '20/s', '--discovererRate', '60/s']

test(
  '2 providers register and 4 discoverers discover, each at their own rate, with two workers',
  TIMEOUT,
  async () => {
    const ended = await run([
      ...[...ROLES, '--duration', '1s', '--workers', '2', '--warmup', '50ms'],
      ...['--threshold', 'fairness.clients >= 0.99', '--threshold', 'fairness.types > 0.99']
    ])
    assertComplete(ended)
    const { result, stdout } = ended
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: 20 })
    assert.deepEqual(operation(result, 'DISCOVER').outcomes, { OK: 60 })
    assert.deepEqual(result.outcome.fairness, { clients: 1, types: 1, providers: 1, discoverers: 1 })
    // what changes over hours is nothing that a short run tells of
    assert.deepEqual([result.outcome.soak, result.outcome.secondsPerPoint], [null, 1])
    // each provider has one, which it refreshed
    assert.equal(result.outcome.lookUp?.missing, 0)
    assert.equal(result.outcome.lookUp?.registrations, result.plan.initialRegistrations + 2)
    assert.match(stdout, /\| REGISTER +\| +2 \| +100 \| +5 \| +20 \|.* open 20\.0\/s +\| +20 \|/)
    assert.match(stdout, /\| DISCOVER +\| +4 \| +100 \| +5 \| +60 \|.* open 60\.0\/s +\| +60 \|/)
  }
)
