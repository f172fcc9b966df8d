import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makePlanOf, planFlags } from '../../scenarios.js'

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
      const actual = planFlags(plan).filter(flag => /linkLoss|upBandwidth/.test(flag))
      assert.deepEqual(actual, flags)
    })

  test('no loss can be run anywhere', () =>
    assert.equal(makePlanOf('gossip', { linkLoss: '0' }).problems, undefined))
})

describe('a topology file with link data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'topology-'))
  const path = join(folder, 'line.csv')
  writeFileSync(path, 'source,target,latency\n0,1,20 ms\n1,2,30 ms\n')
  after(() => rmSync(folder, { recursive: true }))
  const problemsOf = (/** @type {Record<string, unknown>} */ options) =>
    (makePlanOf('gossip', { topology: `file:${path}`, ...options }).problems ?? []).map(
      ({ flag, allowed }) => `${flag} ${allowed}`
    )

  test('is in the plan of a network that has such links', () => {
    const { topology } = despite({ topology: `file:${path}`, network: 'simulated', linkLoss: '1%' }).plan
    assert.equal(topology.links.length, 4)
  })

  test('is refused on loopback', () =>
    assert.deepEqual(problemsOf({}), [
      '--topology gives links a latency: needs --network simulated, namespaces or docker; loopback has no such links'
    ]))

  test('is refused beside an option that says the same', () =>
    assert.deepEqual(problemsOf({ network: 'simulated', linkLatency: '5ms' }), [
      `--linkLatency cannot be given together with --topology file:${path}, which gives links a latency: leave it out of one of them`
    ]))
})
