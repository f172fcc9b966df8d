import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlanOf, planFlags } from '../../../scenarios.js'

/** @param {Record<string, unknown>} options */
const despite = options => /** @type {any} */ (makePlanOf('gossip', options, { despite: 'simulated' }))

describe('impairments', () => {
  /** @type {[Record<string, unknown>, number | null, number | null, string[]][]} */
  const cases = [
    [{}, null, null, []],
    [{ linkLoss: '0.1%' }, 0.001, null, ['--linkLoss 0.1%']],
    [{ linkLoss: 0.01 }, 0.0001, null, ['--linkLoss 0.01%']],
    [{ linkLoss: '0' }, 0, null, ['--linkLoss 0%']],
    [{ upBandwidth: '10MB/s' }, null, 10e6, ['--upBandwidth 10MB/s']],
    [{ upBandwidth: '80 Mbit/s' }, null, 10e6, ['--upBandwidth 10MB/s']],
    [{ upBandwidth: '1.5kB/s' }, null, 1500, ['--upBandwidth 0.0015MB/s']]
  ]
  for (const [options, loss, bandwidth, flags] of cases)
    test(`${JSON.stringify(options)} is read, and written as it is typed`, () => {
      const { plan } = despite(options)
      assert.deepEqual([plan.linkLossShare, plan.upBandwidthBytesPerSecond], [loss, bandwidth])
      assert.deepEqual(
        planFlags(plan).filter(flag => /linkLoss|upBandwidth/.test(flag)),
        flags
      )
    })

  for (const options of [
    { linkLoss: '101' },
    { linkLoss: '-1' },
    { linkLoss: 'x' },
    { upBandwidth: '10' },
    { upBandwidth: '0MB/s' }
  ])
    test(`${JSON.stringify(options)} is not allowed`, () => assert.equal(despite(options).problems.length, 1))

  for (const options of [{ linkLoss: '0.1' }, { upBandwidth: '10MB/s' }])
    test(`${JSON.stringify(options)} is refused on real TCP, pointing to the simulated network`, () => {
      const { problems = [] } = makePlanOf('gossip', options)
      assert.equal(problems.length, 1)
      assert.match(problems[0].allowed, /^needs --network simulated/)
    })

  test('no loss can be run anywhere', () =>
    assert.equal(makePlanOf('gossip', { linkLoss: '0' }).problems, undefined))
})
