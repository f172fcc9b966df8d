import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { assertEverywhere, assertGossipAgrees, ended, runGossip, startGossip } from './gossip-network.js'
import { runCommand, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('./gossip-network.js').GossipOutcome} GossipOutcome
 */

const SIMULATED = ['--network', 'simulated', '--linkLatency', '50ms']
const SMALL = [
  ...SIMULATED,
  ...'--nodes 12 --topology barabasi-albert:m=3 --messages 20 --rate 20/s'.split(' ')
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
    ...'--linkJitter 0 --nodes 6 --topology line --messages 21 --rate 20/min'.split(' ')
  ])
  const { latency, hops, measuredMs, lateness } = result.outcome
  assert.ok(measuredMs > 59_000, `${measuredMs}`)
  const travelled = hops.deliveries.reduce((sum, count, hop) => sum + count * hop, 0)
  const deliveries = hops.deliveries.reduce((sum, count) => sum + count, 0)
  assert.ok(Math.abs(Number(latency.all.avg?.ms) - (travelled / deliveries) * 50) < 1)
  assert.equal(lateness.summary.max?.ms, 0)
})

// beside other load too, and with another seed it has not: test/simulator/determinism.test.js
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

// where links take no time there is one process: test/scenarios/gossip/plan/resources.test.js
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

test(
  // of other versions it cannot be: test/studies/compare/baseline.test.js
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
