import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import {
  assertEverywhere,
  assertGossipAgrees,
  ended,
  missingOf,
  runGossip,
  startGossip
} from './gossip-network.js'
import { PAIRS, runCommand, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
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
  '20',
  '--rate',
  '20/s'
]

/** What a result says apart from when and where it was. @param {GossipResult} result */
const outcomeOf = ({ outcome }) => JSON.stringify(outcome)

/** A run and its repetition. @type {{ first: GossipOutcome, again: GossipOutcome }} */
let twice

before(async () => {
  const first = await runGossip(SMALL)
  twice = { first, again: await rerun(first.folder) }
}, TIMEOUT)

/** @param {string} folder @returns {Promise<GossipOutcome>} */
const rerun = folder => /** @type {any} */ (runCommand(['rerun', folder, '--quiet']))

test(
  'a simulated network reaches everyone, and every report says that it is simulated',
  TIMEOUT,
  async () => {
    const { code, stdout, stderr, folder, result } = twice.first
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    assertEverywhere(result)
    assertGossipAgrees(result)
    assert.deepEqual([result.outcome.network.kind, result.outcome.topology.edgeCount], ['simulated', 27])
    assert.match(stderr, /12 nodes in 1 process · .* on a simulated network/)
    assert.match(stdout, /^\| +12 \| barabasi-albert m=3 \| simulated \|/m)
    for (const file of ['report.md', 'report.html'])
      assert.match(await readFile(join(folder, file), 'utf8'), /Simulated: /, file)
    assert.match(stdout, /^Simulated: 12 nodes /m)
  }
)

test('time is virtual: a minute passes in less, with latencies that hops explain', TIMEOUT, async () => {
  const { result } = await runGossip([
    ...SIMULATED,
    '--linkJitter',
    '0',
    '--nodes',
    '6',
    '--topology',
    'line',
    '--messages',
    '21',
    '--rate',
    '20/min'
  ])
  const { latency, hops, measuredMs, lateness } = result.outcome
  assert.ok(measuredMs > 59_000, `${measuredMs}`)
  const travelled = hops.deliveries.reduce((sum, count, hop) => sum + count * hop, 0)
  const deliveries = hops.deliveries.reduce((sum, count) => sum + count, 0)
  assert.ok(Math.abs(Number(latency.all.avg?.ms) - (travelled / deliveries) * 50) < 1)
  assert.equal(lateness.summary.max?.ms, 0)
})

// beside other load too, and with another seed it has not: test/network/simulated/determinism.test.js
test('the same plan has the same outcome, byte for byte', () => {
  const { first, again } = twice
  assert.equal(outcomeOf(again.result), outcomeOf(first.result))
  assert.match(String(first.result.outcome.digest), /^engine-7:[\da-f]{64}$/)
})

test('nothing of the machine is in the outcome: what the simulation cost stands beside it', () => {
  const { result } = twice.first
  assert.deepEqual(result.outcome.resources, [])
  assert.equal(result.outcome.cost.cpuMicrosPerDelivery, null)
  assert.ok(Number(result.run.simulator?.cpuMicrosPerDelivery) > 0)
})

// where links take no time there is one process: test/scenarios/gossip/plan/processes-of.test.js
test(
  'nodes of a simulation can be spread over processes: the same comes of it, and the report says how often they synchronized',
  TIMEOUT,
  async () => {
    const alone = twice.first
    const { code, result, folder, stderr } = await runGossip([...SMALL, '--workers', '2'])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /12 nodes in 2 processes/)
    assert.equal(outcomeOf(result), outcomeOf(alone.result))
    const report = await readFile(join(folder, 'report.md'), 'utf8')
    assert.match(
      report,
      /^\| Processes +\| 2 +\|\n\| Lookahead +\| 49\.5 ms +\|\n\| Synchroni[sz]ations .*\| [\d,]+ +\|/m
    )
  }
)

test('Ctrl-C ends a simulation with what it has, exit code 130, and leaves no process; its use of the machine is told', {
  ...ON_LINUX,
  ...TIMEOUT
}, async () => {
  const loadtest = startGossip([...SIMULATED, '--nodes', '12', '--duration', '1h', '--rate', '50/s'])
  await loadtest.line(/✔ warm-up/)
  await loadtest.line(/publishing +[1-9]/)
  loadtest.signal('SIGINT')
  const { code, folder, result } = await ended(loadtest)
  assert.equal(code, 130)
  assert.equal(result.status, 'partial')
  assert.ok(result.outcome.messages.published > 0)
  // it went on for long enough for a reading of its process
  assert.ok(Number(result.run.simulator?.resources[0].memory.maxBytes) > 1e6)
  assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^\| worker 0 +\| +\d/m)
  assert.deepEqual(await loadtest.leftAfter(), [])
})

describe(
  'what is done to a simulated network is told, and what is missing has that for its reason',
  PAIRS,
  () => {
    const BUSY = [...SIMULATED, '--nodes', '12', '--signing', 'off']

    /** The first of the reasons is there, and none that is not among them. @param {GossipResult} result @param {string[]} reasons */
    function assertMissing(result, reasons) {
      const seen = Object.keys(missingOf(result))
      assert.ok(result.outcome.missing.pairs > 0)
      assert.ok(seen.includes(reasons[0]), `${seen}`)
      assert.deepEqual(
        seen.filter(name => !reasons.includes(name)),
        []
      )
    }

    test(
      'a partition that resets connections, after which nobody asks for what is old',
      TIMEOUT,
      async () => {
        const { code, stderr, result, stdout } = await runGossip([
          ...[...BUSY, '--topology', 'full', '--duration', '10s', '--rate', '5/s'],
          ...['--partition', 'reset@1s-7s:0-5|rest']
        ])
        assert.equal(code, 0, stderr)
        assert.equal(result.status, 'complete')
        assertGossipAgrees(result)
        const { delivery, missing } = result.outcome
        assert.equal(delivery.expected - delivery.delivered, missing.pairs)
        assert.ok(Number(delivery.ratio) > 0.6, `${missing.pairs} missing`)
        assertMissing(result, ['partition'])
        assert.match(stdout, /^\| partition +\| +\d+ \|/m)
      }
    )

    test('a topology of two parts, and nothing passes between them', TIMEOUT, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'two-parts-'))
      const path = join(folder, 'two-parts.txt')
      await writeFile(path, '0 1\n1 2\n3 4\n4 5\n')
      const { code, stderr, result, stdout } = await runGossip([
        ...[
          ...SIMULATED,
          '--signing',
          'off',
          '--topology',
          `file:${path}`,
          '--messages',
          '6',
          '--rate',
          '5/s'
        ],
        ...['--warmup', '2s', '--cooldown', '2s']
      ])
      await rm(folder, { recursive: true })
      assert.equal(code, 0, stderr)
      assertGossipAgrees(result)
      assert.deepEqual(missingOf(result), { unreachable: 18 })
      assert.match(stdout, /^\| unreachable \| +18 \|/m)
      assert.doesNotMatch(stdout + stderr, /longer --cooldown/)
    })

    test('churn, in a line: who is away is expected nowhere, and the counts say so', TIMEOUT, async () => {
      const { code, stderr, result, stdout, folder } = await runGossip([
        ...[...BUSY, '--topology', 'line', '--duration', '20s', '--rate', '5/s'],
        ...['--churn', '10%/s,away=5s']
      ])
      assert.equal(code, 0, stderr)
      assert.equal(result.status, 'complete')
      assertGossipAgrees(result)
      const { churn, messages, delivery } = result.outcome
      assert.ok(churn && churn.departures > 5 && churn.returns > 0)
      assert.equal(messages.published + messages.failed, messages.planned)
      assert.ok(messages.failed > 0)
      assert.ok(delivery.expected < messages.published * 11)
      assertMissing(result, ['churn', 'no-mesh'])
      const report = await readFile(join(folder, 'report.md'), 'utf8')
      assert.match(report, new RegExp(`^\\| Departures +\\| ${churn.departures} `, 'm'))
      assert.match(report, /^## Deliveries that are not expected$/m)
      assert.match(stdout, /could not be published: \d+ NODE_AWAY/)
    })

    test('a send queue that is too short refuses RPCs', TIMEOUT, async () => {
      const { code, stderr, result, folder } = await runGossip([
        ...[...BUSY, '--topology', 'full', '--duration', '2s', '--rate', '20/s', '--messageBytes', '20000'],
        ...['--upBandwidth', '100kB/s', '--sendQueue', '1', '--cooldown', '20s']
      ])
      assert.equal(code, 0, stderr)
      assert.equal(result.status, 'complete')
      assert.ok(Number(result.outcome.counters.refusedRpcs) > 0)
      assertMissing(result, ['send-queue'])
      const report = await readFile(join(folder, 'report.md'), 'utf8')
      assert.match(report, /^\| RPCs dropped at a full send queue \(--sendQueue\) +\| [1-9]/m)
    })
  }
)

test(
  // of other versions it cannot be: test/studies/comparison/same-again.test.js
  'a simulated run that is repeated says that it is the same, and what differs when it is not',
  TIMEOUT,
  async () => {
    const { first, again } = twice
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stderr, /^the same as \S+-gossip-1: digest engine-7:[0-9a-f]{64}$/m)

    const file = join(first.folder, 'result.json')
    const kept = await readFile(file, 'utf8')
    await writeFile(file, kept.replace(/(?<="digest": "engine-7:)[0-9a-f]{64}/, '0'.repeat(64)))
    const other = await rerun(first.folder)
    assert.equal(other.code, 1)
    assert.match(
      other.stderr,
      /^not the same as \S+, digest engine-7:0{64} → engine-7:[0-9a-f]{64}: the times of single deliveries$/m
    )
  }
)
