import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { assertEverywhere, assertGossipAgrees, ended, runGossip, startGossip } from './gossip-network.js'
import { newFolder, PAIRS, runCommand, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/**
 * @typedef {import('../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./gossip-network.js').GossipOutcome} GossipOutcome
 */

const SIMULATED = ['--network', 'simulated', '--linkLatency', '50ms']
const SMALL = [
  ...SIMULATED,
  '--nodes',
  '12',
  '--topology',
  'barabasi-albert:m=3',
  '--messages',
  '30',
  '--rate',
  '20/s'
]

/** What a result says apart from when and where it was. @param {GossipResult} result */
const outcomeOf = ({ outcome }) => JSON.stringify(outcome)

/** Both at once: they are in each other's way. @type {Promise<GossipOutcome[]>} */
let twice

before(async () => {
  const outputFile = join(await newFolder(), 'run.csv')
  const own = ended(startGossip([...SMALL, '--outputFile', outputFile], { wholeFile: true }))
  twice = Promise.all([own, runGossip(SMALL)])
}, TIMEOUT)

test('a simulated network reaches everyone, and every view says that it is simulated', TIMEOUT, async () => {
  const [{ code, stdout, stderr, folder, result }] = await twice
  assert.equal(code, 0, stderr)
  assert.equal(result.status, 'complete')
  assertEverywhere(result)
  assertGossipAgrees(result)
  assert.deepEqual([result.outcome.network.kind, result.outcome.topology.edgeCount], ['simulated', 27])
  assert.match(stderr, /12 nodes in 1 process · .* on a simulated network/)
  assert.match(stdout, /\| +12 simulated \|/)
  for (const file of ['report.md', 'report.html'])
    assert.match(await readFile(join(folder, file), 'utf8'), /Simulated: /, file)
  assert.match(stdout, /^Simulated: the nodes were joined by no real network/m)
})

test('time is virtual: a minute passes in less, with latencies that hops explain', TIMEOUT, async () => {
  const { result } = await runGossip([
    ...SIMULATED,
    '--ideal',
    '--nodes',
    '6',
    '--topology',
    'line',
    '--messages',
    '60',
    '--rate',
    '1/s'
  ])
  const { latency, hops, measuredMs, lateness } = result.outcome
  assert.ok(measuredMs > 59_000, `${measuredMs}`)
  const travelled = hops.deliveries.reduce((sum, count, hop) => sum + count * hop, 0)
  const deliveries = hops.deliveries.reduce((sum, count) => sum + count, 0)
  assert.ok(Math.abs(Number(latency.all.avg?.ms) - (travelled / deliveries) * 50) < 0.1)
  assert.equal(lateness.summary.max?.ms, 0)
})

describe('the same plan has the same outcome, byte for byte', PAIRS, () => {
  test('whatever else the machine does; with another seed it has not', TIMEOUT, async () => {
    const [first, again] = await twice
    assert.equal(outcomeOf(again.result), outcomeOf(first.result))
    assert.match(String(first.result.outcome.digest), /^engine-7:[\da-f]{64}$/)
    const other = await runGossip([...SMALL, '--seed', '2'])
    assert.notEqual(other.result.outcome.digest, first.result.outcome.digest)
  })

  test(
    'and nothing of the machine is in it: what the simulation cost stands beside it',
    TIMEOUT,
    async () => {
      // long enough for a reading of its process, however fast that is
      const { result, stdout } = await runGossip(SMALL.map(value => (value === '30' ? '400' : value)))
      assert.deepEqual(result.outcome.resources, [])
      assert.equal(result.outcome.cost.cpuMicrosPerDelivery, null)
      const { simulator } = result.run
      assert.ok(Number(simulator?.cpuMicrosPerDelivery) > 0)
      assert.ok(Number(simulator?.resources[0].memory.maxBytes) > 1e6)
      assert.match(stdout, /Worker 0: CPU [\d.]+ % on average/)
    }
  )
})

describe('nodes of a simulation can be spread over processes', PAIRS, () => {
  test('the same comes of it, and it is said how often they met', TIMEOUT, async () => {
    const [alone] = await twice
    const { code, result, stdout, stderr } = await runGossip([...SMALL, '--workers', '2'])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /12 nodes in 2 processes/)
    assert.equal(outcomeOf(result), outcomeOf(alone.result))
    assert.match(stdout, /^Simulated in 2 processes: .* 49\.5 ms .*lookahead.* they met [\d,]+ times/m)
  })

  test('where links take no time there is one process, and the run says so', TIMEOUT, async () => {
    const few = [
      '--network',
      'simulated',
      '--linkLatency',
      '0',
      '--nodes',
      '4',
      '--messages',
      '5',
      '--rate',
      '20'
    ]
    const { code, stdout, stderr } = await runGossip([...few, '--workers', '2'])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /4 nodes in 1 process ·/)
    assert.match(stdout, /^Simulated in one process, not in the 2 that were asked for: .*--linkLatency/m)
  })
})

test('Ctrl-C ends a simulation with what it has, exit code 130, and leaves no process', {
  ...ON_LINUX,
  ...TIMEOUT
}, async () => {
  const loadtest = startGossip([...SIMULATED, '--nodes', '12', '--duration', '1h', '--rate', '50/s'])
  await loadtest.line(/✔ mesh/)
  await loadtest.line(/publishing +[1-9]/)
  loadtest.signal('SIGINT')
  const { code, result } = await ended(loadtest)
  assert.equal(code, 130)
  assert.equal(result.status, 'partial')
  assert.ok(result.outcome.messages.published > 0)
  assert.deepEqual(await loadtest.leftAfter(), [])
})

describe('what is done to a simulated network is told', () => {
  const BUSY = [...SIMULATED, '--nodes', '12', '--topology', 'full', '--signing', 'off']

  test('a partition that resets connections: what was lost is missing, and is counted', TIMEOUT, async () => {
    const { code, result, stdout } = await runGossip([
      ...[...BUSY, '--duration', '10s', '--rate', '5/s', '--cooldown', '2s'],
      ...['--partition', 'reset@1s-7s:0-5|rest']
    ])
    assert.equal(code, 0)
    assertGossipAgrees(result)
    const { delivery, missing } = result.outcome
    assert.equal(delivery.expected - delivery.delivered, missing.pairs)
    assert.ok(missing.pairs > 0 && Number(delivery.ratio) > 0.6, `${missing.pairs} missing`)
    assert.match(stdout, /^Missing: /m)
  })

  test('churn: who is away is expected nowhere, and the counts say so', TIMEOUT, async () => {
    const { code, result, stdout } = await runGossip([
      ...[...BUSY, '--duration', '40s', '--rate', '5/s'],
      ...['--churn', '5%/s,away=5s']
    ])
    assert.equal(code, 0)
    assertGossipAgrees(result)
    const { churn, messages, delivery } = result.outcome
    assert.ok(churn && churn.departures > 5 && churn.returns > 0)
    assert.equal(messages.published + messages.failed, messages.planned)
    assert.ok(messages.failed > 0)
    assert.ok(delivery.expected < messages.published * 11)
    assert.match(
      stdout,
      /^Nodes left \d+ times and returned \d+ times?\. Not among the expected deliveries: /m
    )
    assert.match(stdout, /could not be published: \d+ NODE_AWAY/)
  })

  test('a send queue that is too short refuses RPCs', TIMEOUT, async () => {
    const { result, stdout } = await runGossip([
      ...[...BUSY, '--messages', '20', '--rate', '200/s', '--upBandwidth', '60kB/s', '--sendQueue', '2'],
      ...['--cooldown', '5s']
    ])
    const { refusedRpcs } = result.outcome.counters
    assert.ok(Number(refusedRpcs) > 0)
    assert.match(stdout, /^[\d,]+ RPCs were refused: 2 waited for the peer already \(--sendQueue\)/m)
  })
})

test(
  'a simulated run that is repeated says that it is the same, and what differs when it is not',
  TIMEOUT,
  async () => {
    const few = ['--network', 'simulated', '--nodes', '4', '--messages', '5', '--rate', '20']
    const { code, stderr, folder } = await runCommand(['gossip', ...few])
    assert.equal(code, 0, stderr)
    const again = await runCommand(['rerun', folder, '--quiet'])
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stderr, /^the same as \S+-gossip-1: digest engine-7:[0-9a-f]{64}$/m)

    const file = join(folder, 'result.json')
    const kept = await readFile(file, 'utf8')
    await writeFile(file, kept.replace(/(?<="digest": "engine-7:)[0-9a-f]{64}/, '0'.repeat(64)))
    const other = await runCommand(['rerun', folder, '--quiet'])
    assert.equal(other.code, 1)
    assert.match(
      other.stderr,
      /^not the same as \S+, digest engine-7:0{64} → engine-7:[0-9a-f]{64}: the times of single deliveries$/m
    )

    await writeFile(file, kept.replace(/"node": "v[^"]+"/, '"node": "v1.0.0"'))
    const elsewhere = await runCommand(['rerun', folder, '--quiet'])
    assert.equal(elsewhere.code, 0, elsewhere.stderr)
    assert.match(elsewhere.stderr, /^cannot be compared with \S+: other versions, node v1\.0\.0 → /m)
  }
)
