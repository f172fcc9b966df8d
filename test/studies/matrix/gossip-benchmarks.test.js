import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expandMatrices, loadMatrices } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

/**
 * The tables of the study, whose plans matrix-plans.test.js holds: network latency in ms, packet loss in %, bandwidth in MB, input degree (0: fully connected), average
 * total nano time in ms where it was published, messages lost of 36,000 where there were figures at all.
 *
 * @type {Record<string, string>}
 */
const STUDY = {
  'gossip-series-1': `
    1a 0 0 1000 2 154 22
    1b 0 0 1000 6 65 0
    1c 0 0 1000 12 67 0
    1d 0 0 1000 16 75 0`,
  'gossip-series-2': `
    2a 100 0 1000 2 - 39
    2b 100 0 1000 6 - 0
    2c 100 0 1000 12 - 0
    2d 100 0 1000 16 - 0`,
  'gossip-series-3': `
    3a 0 0.1 1000 2 - 246
    3b 0 0.1 1000 6 - 0
    3c 0 0.1 1000 12 - 0
    3d 0 0.1 1000 16 - 0`,
  'gossip-series-4': `
    4a 0 0 10 6 - 0
    4b 0 0 50 6 - 0
    4c 0 0 100 6 - 0`,
  'gossip-series-5': `
    5a 400 0 1000 2 1296 10
    5b 400 0 1000 6 834 0
    5c 400 0 1000 12 620 0
    5d 400 0 1000 16 - 0`,
  'gossip-series-6': `
    6a 150 0.01 10 2 - 40
    6b 150 0.01 10 6 - 0
    6c 150 0.01 10 12 - 0
    6d 150 0.01 10 16 - 0`,
  'gossip-series-11': `
    11a 0 0 1000 0 - -`,
  'gossip-series-21': `
    21a 0 0 1000 2 - -
    21b 0 0 1000 6 - -
    21c 0 0 1000 12 - -
    21d 0 0 1000 16 - -`
}

const { matrices, problems } = await loadMatrices(Object.keys(STUDY).map(name => `benchmarks/${name}.yaml`))
const { tables, problems: refused } = expandMatrices(matrices, { cores: 2 })

test('every series of the study can be read', () => {
  assert.deepEqual([problems, refused], [[], []])
  assert.deepEqual(
    tables.map(({ id }) => id),
    Object.keys(STUDY)
  )
})

/** @param {import('../../../src/studies/matrix/matrix-file.js').MatrixRow} row */
function caseOf({ name, plan, reference }) {
  const { linkLatencyMs, linkLossShare, upBandwidthBytesPerSecond, topology } = /** @type {GossipPlan} */ (
    plan
  )
  return [
    name,
    linkLatencyMs,
    (linkLossShare ?? 0) * 100,
    // what is no limit on a machine's own TCP is not set
    upBandwidthBytesPerSecond === null ? 1000 : upBandwidthBytesPerSecond / 1e6,
    'm' in topology ? topology.m : 0,
    reference?.disseminationMs ?? '-',
    [reference?.lost ?? '-'].flat()[0]
  ].join(' ')
}

for (const { id, rows, differences, source } of tables)
  describe(id, () => {
    test('has every case of its series with its published figures', () =>
      assert.deepEqual(
        rows.map(caseOf),
        STUDY[id]
          .trim()
          .split('\n')
          .map(line => line.trim())
      ))

    test('runs on real TCP, but for losses and bandwidths', () => {
      for (const { blocked, plan } of rows) {
        const { linkLossShare, upBandwidthBytesPerSecond, network } = /** @type {GossipPlan} */ (plan)
        const impaired = linkLossShare !== null || upBandwidthBytesPerSecond !== null
        assert.equal(network === 'loopback' && blocked === null, !impaired)
      }
    })

    test('says where its figures are not like for like', () => {
      const said = differences.join(' ')
      for (const word of ['96 virtual CPUs', 'SECIO', 'MB/s', 'an assumption', '--scale rate'])
        assert.ok(said.includes(word), word)
      assert.match(String(source), /Whiteblock/)
    })
  })

test('the queue of 32 is a variant of the cases with losses, and differs in nothing else but what it needs', async () => {
  const { matrices, problems } = await loadMatrices(['benchmarks/gossip-study-queue.yaml'])
  const { tables: queued, problems: refused } = expandMatrices(matrices, { cores: 2 })
  assert.deepEqual([problems, refused], [[], []])
  const cases = new Map(tables.flatMap(({ rows }) => rows.map(row => [row.name, row])))
  for (const { name, plan, reference } of queued[0].rows) {
    const { sendQueue, upBandwidthBytesPerSecond, ...rest } = /** @type {GossipPlan} */ (plan)
    const usual = /** @type {GossipPlan} */ (cases.get(name)?.plan)
    assert.deepEqual([sendQueue, upBandwidthBytesPerSecond], [32, usual.upBandwidthBytesPerSecond ?? 1e9])
    // impaired ones are simulated without being asked
    const { network, workers, linkJitter, ...own } = rest
    assert.equal(network, 'simulated')
    assert.deepEqual(
      own,
      Object.fromEntries(Object.keys(own).map(key => [key, /** @type {any} */ (usual)[key]]))
    )
    assert.deepEqual(reference?.lost, cases.get(name)?.reference?.lost)
  }
  const lossy = [...cases.values()].filter(({ reference }) => [reference?.lost ?? 0].flat()[0] > 0)
  const names = queued[0].rows.map(({ name }) => name)
  assert.deepEqual(
    lossy.filter(({ name }) => !names.includes(name)),
    []
  )
})

test('phase 1 received 25,365 of 30,000 in series 1a', () => {
  const row = tables[0].rows.find(({ name }) => name === '1a')
  assert.deepEqual(row?.reference?.received, [25_365, 30_000])
  assert.match(String(row?.note), /70\.4 %; that is their share of 36,000/)
})

test('the profiles have the settings and counts of their study', async () => {
  const { matrices, problems } = await loadMatrices(['benchmarks/gossip-profile.yaml'])
  const { tables, problems: refused } = expandMatrices(matrices, { cores: 2 })
  assert.deepEqual([problems, refused], [[], []])
  const rows = tables[0].rows.map(({ plan, reference }) => {
    const { messageBytes, muxer, signing, durationMs } = /** @type {GossipPlan} */ (plan)
    const { min, max } = messageBytes
    const { published, received, seconds } = reference ?? {}
    return [signing, `${min}-${max}`, muxer, (durationMs ?? 0) / 1000, published, received, seconds]
  })
  assert.deepEqual(rows, [
    [true, '10-10', 'yamux', 145, 31_000, 1_500_000, 145],
    [false, '10-10', 'yamux', 20, 8000, 600_000, 20],
    [false, '8192-16384', 'yamux', 90, 5000, 200_000, 90],
    [false, '8192-16384', 'mplex', 33, 8000, 357_000, 33]
  ])
})
