import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  assertEverywhere,
  assertGossipAgrees,
  assertWhole,
  codesOf,
  distancesTravelled,
  ended,
  FAST,
  runGossip,
  startGossip
} from './gossip-network.js'
import { call, newFolder, PAIRS, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

/** Other runs have nodes in several: of what is looked at here it changes nothing. */
const ONE_PROCESS = Object.freeze(['--workers', '1'])

test(
  'a network of its own in as many processes as asked for: every message everywhere, a table, a page, exit code 0, no process left',
  TIMEOUT,
  async () => {
    const network = ['--nodes', '8', '--topology', 'barabasi-albert:m=3,seed=42', '--workers', '3']
    const loadtest = startGossip([...FAST, ...network, '--messages', '20', '--rate', '20/s'])
    await loadtest.line(/✔ 8 nodes started/)
    if (!ON_LINUX.skip) assert.equal((await loadtest.workers()).length, 3)
    const outcome = await ended(loadtest)
    await assertWhole(outcome)
    assertEverywhere(outcome.result)
    const { stdout, stderr, result, folder } = outcome
    assert.match(stderr, /^libp2p-loadtest \d+\.\d+\.\d+\S* · gossip · seed 1 · Node /m)
    assert.match(
      stderr,
      /^20 messages of 1,000 bytes at 20\.0\/s \(\w+ arrivals\), spread over all nodes · 8 nodes, tuned, in 3 processes · barabasi-albert/m
    )
    for (const line of [
      /✔ 8 nodes started +\d+\.\d s/,
      /✔ nodes connected +\d+\.\d s {3}15 connections/,
      /✔ warm-up +\d+\.\d s {3}mesh formed/,
      /✔ published +\d+\.\d s {3}20 messages/,
      /✔ deliveries awaited +\d+\.\d s {3}every message reached everyone/,
      /✔ nodes stopped/
    ])
      assert.match(stderr, line)
    assert.match(stdout, /^\| Nodes \| Topology +\| Network +\| Rate\/s \| Planned \| Messages \|/m)
    assert.match(
      stdout,
      /^\| +8 \| barabasi-albert m=3 \| loopback \| +20 \| +20 \| +20 \| +0 \| +0 \| +100 \|/m
    )
    assert.match(
      stdout,
      /^8 nodes \(barabasi-albert m=3\) published 20 messages; all 140 deliveries arrived, /m
    )
    assert.ok(stdout.trimEnd().endsWith(`repeat: node index.js rerun ${folder}`))
    const files = await readdir(folder)
    for (const file of ['report.html', 'report.md', 'result.json']) assert.ok(files.includes(file), file)
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /published 20 messages; all 140 /)
    const { topology, mesh, counters, cost, messages, hops } = result.outcome
    assert.deepEqual([topology.edgeCount, topology.dialsFailed, topology.measures?.connected], [15, 0, true])
    assert.ok(Number(mesh.formedAfterMs) > 0 && mesh.missing.length === 0)
    assert.deepEqual(messages, { planned: 20, published: 20, skipped: 0, failed: 0, bytes: 20_000 })
    assert.equal(hops.deliveries[0], 0)
    assert.ok(counters.duplicates > 0 && counters.bytesSent > 140 * 1000)
    for (const figure of Object.values(cost)) assert.ok(Number(figure) > 0)
    assert.deepEqual(
      codesOf(result).filter(code => !['GENERATOR_LIMITED', 'PUBLISH_LATE'].includes(code)),
      []
    )
    assert.deepEqual(await loadtest.leftAfter(0), [])
  }
)

describe('in a network without a cycle hops are distances', { ...PAIRS, ...TIMEOUT }, () => {
  const GRAPHML = `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
    <node id="hub"/><node id="a"/><node id="b"/><node id="c"/>
    <edge source="hub" target="a"/><edge source="hub" target="b"/><edge source="b" target="c"/></graph></graphml>`

  /** @param {string[]} args @param {number} nodes */
  async function alongATree(args, nodes) {
    const outcome = await runGossip([...FAST, ...ONE_PROCESS, '--messages', '20', '--rate', '40/s', ...args])
    await assertWhole(outcome)
    assertEverywhere(outcome.result)
    const { hops, counters } = outcome.result.outcome
    assert.equal(outcome.result.plan.nodes, nodes)
    assert.deepEqual(hops.deliveries, distancesTravelled(outcome.result))
    assert.equal(counters.duplicates, 0)
    return outcome
  }

  test('a star, secp256k1 keys, fast message ids, sizes from a range', async () => {
    const options = ['--keyType', 'secp256k1', '--fastMsgId', 'on', '--messageBytes', '8-5000']
    const { result } = await alongATree(['--topology', 'star', '--nodes', '5', ...options], 5)
    const { bytes } = result.outcome.messages
    assert.ok(bytes > 160 && bytes < 100_000)
  })

  // files of edges: test/network/topology-file.test.js
  test('a GraphML file, unsigned, on plaintext and mplex, validation that takes time; rerun runs the same again, report makes the pages again', async () => {
    const file = join(await newFolder(), 'net.graphml')
    await writeFile(file, GRAPHML)
    const stack = ['--signing', 'off', '--security', 'plaintext', '--muxer', 'mplex']
    const first = await alongATree(
      ['--topology', `file:${file}`, '--csv', '--validationDelay', '20ms', ...stack],
      4
    )
    const { counters, delivery } = first.result.outcome
    assert.deepEqual([counters.accepted, counters.ignored, counters.rejected], [delivery.delivered, 0, 0])

    await writeFile(join(first.folder, 'report.html'), '')
    await writeFile(file, 'gone')
    const { code, stderr } = await call(['report', first.folder])
    assert.equal(code, 0, stderr)
    const page = await readFile(join(first.folder, 'report.html'), 'utf8')
    assert.match(page, /published 20 messages; all 60 deliveries arrived/)

    const second = await call(['rerun', first.folder, '--outputDir', await newFolder(), '--json'])
    assert.equal(second.code, 0, second.stderr)
    const result = JSON.parse(second.stdout)
    assert.deepEqual(result.plan, first.result.plan)
    assert.deepEqual(result.outcome.hops.deliveries, first.result.outcome.hops.deliveries)
  })
})

describe('thresholds of a gossip run', TIMEOUT, () => {
  test('that break it off: exit code 3 long before its end, and what was measured is kept', async () => {
    const { code, result } = await runGossip([
      ...[...FAST, ...ONE_PROCESS],
      ...['--nodes', '6', '--topology', 'ring', '--duration', '50s', '--rate', '10/s'],
      ...['--arrivals', 'poisson'],
      ...['--threshold', 'latency.p50 < 1us, abortOnFail, grace=1s']
    ])
    assert.equal(code, 3)
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'THRESHOLD_FAILED'])
    assert.ok(result.outcome.measuredMs < 40_000)
    assert.ok(result.outcome.delivery.delivered > 0)
    assertGossipAgrees(result)
  })
})

describe('what goes in and comes out', TIMEOUT, () => {
  test('--config takes a YAML file, --json prints the result and nothing else; each node takes its own of several topics, and as many mesh peers as parameters of gossipsub allow', async () => {
    const config = join(await newFolder(), 'load.yaml')
    await writeFile(
      config,
      [
        'nodes: 8',
        'workers: 1',
        'linkLatency: 0',
        'topology: { kind: full }',
        'topics: foo=0.7,bar=0.6',
        'messages: 10',
        'rate: 20/s',
        'heartbeat_interval: 200ms',
        'messageBytes: { min: 10, max: 20 }',
        'D: 2',
        'D_low: 1',
        'D_high: 3',
        'D_out: 0',
        'flood_publish: false',
        'topicScoreParams:',
        '  foo: { topicWeight: 0.5, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000, timeInMeshCap: 10 }'
      ].join('\n')
    )
    const thresholds = ['--threshold', 'deliveryRatio >= 100%', '--threshold', 'dissemination.max < 1min']
    const outcome = await runGossip(['--config', config, '--messages', '20', '--json', ...thresholds])
    await assertWhole(outcome)
    const { plan, outcome: found } = outcome.result
    assert.deepEqual(
      found.thresholds.map(({ text, passed }) => [text, passed]),
      [
        ['deliveryRatio >= 100%', true],
        ['dissemination.max < 1min', true]
      ]
    )
    assertEverywhere(outcome.result)
    assert.deepEqual(JSON.parse(outcome.stdout), outcome.result)
    assert.deepEqual([plan.messages, plan.topology], [20, { kind: 'full' }])
    assert.ok(found.topics.every(({ published }) => published > 0))
    assert.ok(new Set(found.nodes.map(({ expected }) => expected)).size > 1)
    const { degrees } = found.mesh
    assert.ok(Math.max(...Object.keys(degrees).map(Number)) <= 3, JSON.stringify(degrees))
  })
})
