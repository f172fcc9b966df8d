import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlanOf } from '../../../src/plan/plan.js'
import { planFlags } from '../../../src/plan/plan-flags.js'

/** @param {Record<string, unknown>} options */
const despite = options => /** @type {any} */ (makePlanOf('gossip', options, { despite: 'simulated' }))

describe('impairments', () => {
  /** @type {[Record<string, unknown>, number | null, number | null, string[]][]} */
  const cases = [
    [{}, null, null, []],
    [{ loss: '0.1%' }, 0.001, null, ['--loss 0.1%']],
    [{ loss: 0.01 }, 0.0001, null, ['--loss 0.01%']],
    [{ loss: '0' }, 0, null, ['--loss 0%']],
    [{ bandwidth: '10MB/s' }, null, 10e6, ['--bandwidth 10MB/s']],
    [{ bandwidth: '80 Mbit/s' }, null, 10e6, ['--bandwidth 10MB/s']],
    [{ bandwidth: '1.5kB/s' }, null, 1500, ['--bandwidth 0.0015MB/s']]
  ]
  for (const [options, loss, bandwidth, flags] of cases)
    test(`${JSON.stringify(options)} is read, and written as it is typed`, () => {
      const { plan } = despite(options)
      assert.deepEqual([plan.lossShare, plan.bandwidthBytesPerSecond], [loss, bandwidth])
      assert.deepEqual(
        planFlags(plan).filter(flag => /loss|bandwidth/.test(flag)),
        flags
      )
    })

  for (const options of [
    { loss: '101' },
    { loss: '-1' },
    { loss: 'x' },
    { bandwidth: '10' },
    { bandwidth: '0MB/s' }
  ])
    test(`${JSON.stringify(options)} is not allowed`, () => assert.equal(despite(options).problems.length, 1))

  for (const options of [{ loss: '0.1' }, { bandwidth: '10MB/s' }])
    test(`${JSON.stringify(options)} is refused on real TCP, pointing to the simulated network`, () => {
      const { problems = [] } = makePlanOf('gossip', options)
      assert.equal(problems.length, 1)
      assert.match(problems[0].allowed, /^needs --network simulated/)
    })

  test('no loss can be run anywhere', () =>
    assert.equal(makePlanOf('gossip', { loss: '0' }).problems, undefined))
})
