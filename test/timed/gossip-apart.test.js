import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { describeRouterProblem } from '../../src/network/namespaces.js'
import { containersOf, startInContainers } from '../acceptance/containers.js'
import { NEEDS_DOCKER } from '../acceptance/docker.js'
import { assertEverywhere, assertGossipAgrees, ended, runGossip } from '../acceptance/gossip-network.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'
import { outside, WHERE_POSSIBLE } from '../acceptance/namespaces.js'

const RING = ['--topology', 'ring']
const AS_THEY_ARE = ['--linkLatency', '0']
const LIMITS = ['--nodeCpus', '0.5', '--nodeMemory', '128MiB']

/** Bandwidths and partitions: test/system/gossip-namespaces.test.js. */
const SMALL = Object.freeze([
  ...['--nodes', '3', '--topology', 'ring', '--linkLatency', '40ms'],
  ...['--messages', '5', '--rate', '10/s', '--heartbeat_interval', '200ms']
])

// what waits for processes is beside what waits for containers
describe('nodes that have a network of their own each', PAIRS, () => {
  describe('between namespaces', { ...WHERE_POSSIBLE, ...TIMEOUT }, jitterAndLoss)
  describe('four nodes in containers of two, with limits', { ...NEEDS_DOCKER, ...TIMEOUT }, containersOfTwo)
  test(
    'a container that needs more memory than it may use says so',
    { ...NEEDS_DOCKER, ...TIMEOUT },
    tooLittleMemory
  )
  describe(
    'three nodes in containers, whose links have latency, loss and a rate',
    { ...(NEEDS_DOCKER.skip ? NEEDS_DOCKER : { skip: describeRouterProblem() ?? false }), ...TIMEOUT },
    linkedContainers
  )
})

function jitterAndLoss() {
  for (const impairment of [
    ['--linkJitter', '20%'],
    ['--linkLoss', '1%']
  ])
    test(`with ${impairment.join(' ')} everything is delivered: TCP repairs what was lost`, async () => {
      const { code, stderr, result } = await runGossip(['--network', 'namespaces', ...SMALL, ...impairment])
      assert.equal(code, 0, stderr)
      assertEverywhere(result)
      assertGossipAgrees(result)
    })
}

function containersOfTwo() {
  /** @type {import('../acceptance/gossip-network.js').GossipOutcome} */
  let outcome
  /** @type {import('dockerode').ContainerInspectInfo[]} */
  let inspected
  /** @type {string[]} */
  let left

  before(async () => {
    const { seed, loadtest, ...run } = startInContainers(
      [
        ...RING,
        ...[...LIMITS, ...AS_THEY_ARE],
        ...'--nodes 4 --nodesPerContainer 2 --messages 30 --rate 10/s --csv'.split(' ')
      ],
      { wholeFile: true }
    )
    inspected = await Promise.all((await containersOf(seed, 2)).map(container => container.inspect()))
    outcome = await ended(loadtest)
    left = [...(await run.left()), ...(await loadtest.leftAfter()).map(({ command }) => command)]
  })

  test('every message comes, and nothing is left', () => {
    assert.equal(outcome.code, 0, outcome.stderr)
    const { delivery, messages } = outcome.result.outcome
    assert.equal(messages.published, 30)
    assert.equal(delivery.ratio, 1)
    assertGossipAgrees(outcome.result)
    assert.deepEqual(left, [])
  })

  test('a container may use what its nodes may together, and has no rights', () => {
    for (const { HostConfig } of inspected) {
      const { NanoCpus, Memory, MemorySwap, CapAdd, CapDrop } = HostConfig
      assert.deepEqual([NanoCpus, Memory, MemorySwap], [1e9, 256 * 2 ** 20, 256 * 2 ** 20])
      assert.deepEqual([CapAdd ?? [], CapDrop], [[], ['ALL']])
    }
  })

  test('what those in a container used is the container’s, by phase, and never divided', () => {
    const { resources } = outcome.result.outcome
    assert.deepEqual(
      resources.map(({ nodes }) => nodes),
      [
        [0, 2],
        [1, 3]
      ]
    )
    for (const { phases } of resources) {
      const { warmup, publish } = /** @type {NonNullable<typeof phases>} */ (phases)
      assert.ok(Number(warmup?.memory.maxBytes) > 10e6)
      const { cpu, memory, traffic } = /** @type {NonNullable<typeof publish>} */ (publish)
      assert.ok(Number(cpu.heldBackPercent) >= 0 && Number(cpu.heldBackPercent) <= 100, JSON.stringify(cpu))
      assert.ok(Number(cpu.averagePercent) > 0 && Number(cpu.maxPercent) >= Number(cpu.averagePercent))
      assert.ok(Number(memory.maxBytes) > 10e6 && Number(memory.maxBytes) < 256 * 2 ** 20)
      // each message of 1,000 bytes comes into each container once at least
      assert.ok(Number(traffic?.receivedBytes) > 10_000, JSON.stringify(traffic))
    }
    const none = outcome.result.run.versions['docker engine']
    assert.ok(none !== undefined)
  })

  test('it is said in the report, and kept as CSV', async () => {
    assert.match(outcome.stderr, /· 4 nodes, tuned, in 2 containers · ring on real TCP between containers/)
    const csv = await readFile(join(outcome.folder, 'resources-by-phase.csv'), 'utf8')
    assert.match(csv, /^"container 0: nodes 0, 2",publish,\d/m)
  })
}

async function tooLittleMemory() {
  const { loadtest, left } = startInContainers([
    ...['--nodes', '2', '--topology', 'line', '--nodeMemory', '96MiB', '--messageBytes', '4000000'],
    ...[...AS_THEY_ARE, '--rate', '100/s', '--messages', '1000']
  ])
  const { code, result, stderr } = await ended(loadtest)
  assert.equal(code, 1, stderr)
  assert.equal(result.reason?.code, 'WORKER_DIED')
  assert.match(String(result.reason?.message), /^worker \d .* no memory left: .*\(raise --memory\)/)
  assert.deepEqual(await left(), [])
}

function linkedContainers() {
  const was = outside()
  /** @type {import('../acceptance/gossip-network.js').GossipOutcome} */
  let outcome
  /** @type {import('dockerode').ContainerInspectInfo[]} */
  let inspected
  /** @type {string[]} */
  let left

  before(async () => {
    const { seed, loadtest, ...run } = startInContainers([
      ...[...RING, ...'--nodes 3 --duration 3s --rate 10/s --linkLatency 40ms --linkLoss 2%'.split(' ')],
      ...['--upBandwidth', '2MB/s', '--congestionControl', 'reno', '--partition', 'hold@1s-2s:0|1,2']
    ])
    inspected = await Promise.all((await containersOf(seed, 3)).map(container => container.inspect()))
    outcome = await ended(loadtest)
    left = [...(await run.left()), ...(await loadtest.leftAfter()).map(({ command }) => command)]
  })

  test('every message comes, nobody sooner than the latency, and what is lost and cut off is counted', () => {
    assert.equal(outcome.code, 0, outcome.stderr)
    const { delivery, latency, network } = outcome.result.outcome
    assert.equal(delivery.ratio, 1)
    assert.ok(Number(latency.all.p50?.ms) >= 39)
    const { router, congestionControl, links } = /** @type {NonNullable<typeof network.namespaces>} */ (
      network.namespaces
    )
    assert.ok(router !== null && router.packets > 100 && router.cut > 0)
    assert.equal(congestionControl.found, 'reno')
    assert.ok(links[0].loss?.asAsked, JSON.stringify(links))
    assertGossipAgrees(outcome.result)
  })

  test('containers have no network of the engine and no rights; nothing is left, nothing outside has changed', () => {
    for (const { HostConfig } of inspected)
      assert.deepEqual(
        [HostConfig.NetworkMode, HostConfig.CapAdd ?? [], HostConfig.CapDrop],
        ['none', [], ['ALL']]
      )
    assert.deepEqual(left, [])
    assert.deepEqual(outside(), was)
  })
}
