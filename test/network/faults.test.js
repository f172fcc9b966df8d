import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../until.js'
import { gossipPlan } from './gossip-plan.js'
import { line, startNetwork } from './network.js'

/** @typedef {Awaited<ReturnType<typeof startNetwork>>} Network */

/** @param {number} pid */
function wake(pid) {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // it has ended
  }
}

/** So much that a few of them fill the system's buffers and any window of the muxer. */
const MANY_BYTES = 500_000

/**
 * Two nodes in a process each, for all tests of a `describe`, in their order: to start them takes longer than most of what they do.
 *
 * @param {Parameters<typeof gossipPlan>[0]} [changes]
 * @returns {() => Network}
 */
function twoProcesses(changes = {}) {
  /** @type {Network} */
  let network
  before(async () => {
    const plan = gossipPlan({ nodes: 2, workers: 2, ...changes })
    network = await startNetwork(plan, { dials: line(2), processes: true })
    await network.meshed()
  })
  after(async () => {
    for (const pid of network.pids) wake(pid)
    await network.stop()
  })
  return () => network
}

/** @param {Network} network @param {number} worker */
const halt = ({ pids }, worker) => void process.kill(pids[worker], 'SIGSTOP')

/** A schedule of node 0 alone. @param {number} count @param {number} bytes @param {number} [first] - number of its first message */
const publications = (count, bytes, first = 0) => ({
  message: Uint32Array.from({ length: count }, (_, i) => first + i),
  node: new Uint16Array(count),
  topic: new Uint8Array(count),
  offsetNs: Float64Array.from({ length: count }, (_, i) => i * 5e6),
  bytes: new Uint32Array(count).fill(bytes)
})

/** @param {Network} network @param {ReturnType<typeof publications>} rows */
const publishFrom0 = (network, rows) =>
  network.hosts[0].schedule({ publications: rows, startNs: network.now(), endNs: Number.POSITIVE_INFINITY })

describe('a process that is stopped, goes on, and is killed', () => {
  const running = twoProcesses({ maxBacklogBytes: 1_000_000 })

  it('leaves a backlog, above which its neighbour skips with --maxBacklog, and which arrives when it goes on', async () => {
    const network = running()
    halt(network, 1)
    const { published, skipped } = await publishFrom0(network, publications(40, MANY_BYTES))
    assert.ok(skipped > 0)
    assert.equal(published + skipped, 40)
    const { evidence } = await network.hosts[0].collect()
    const found = evidence.backlog.map(({ from, to }) => [from, to])
    assert.deepEqual(found, [[0, 1]])
    assert.ok(evidence.backlog[0].bytes > MANY_BYTES)
    assert.ok(network.intervals.some(({ backlogBytes }) => backlogBytes > MANY_BYTES))
    assert.equal(network.received.length, 0)
    wake(network.pids[1])
    await network.arrived(published)
    assert.equal(network.published.filter(({ recipients }) => recipients === -1).length, skipped)
    const later = await network.evidence()
    assert.deepEqual([later.backlog, later.abortedStreams], [[], []])
  })

  it('is told of, and so is whoever calls it', async () => {
    const network = running()
    process.kill(network.pids[1], 'SIGKILL')
    await assert.rejects(network.hosts[1].collect(), { code: 'WORKER_DIED', message: /worker 1 .*SIGKILL/ })
    const names = network.deaths.map(({ name }) => name)
    assert.deepEqual(names, ['WorkerDiedError'])
    // its neighbour has lost a peer, not a stream
    await network.hosts[0].drain({ stepMs: 300 })
    const { evidence, connections } = await network.hosts[0].collect()
    assert.deepEqual(connections, [{ node: 0, degree: 0, connections: 0 }])
    assert.deepEqual([evidence.abortedStreams, evidence.meshWithoutStream], [[], []])
    assert.deepEqual(evidence.withoutMesh.at(-1)?.toNs, null)
  })
})

describe('a process that is stopped where there is a bound', () => {
  const running = twoProcesses({ gossipsub: { heartbeatInterval: 200, maxOutboundBufferSize: 1_000_000 } })

  it('has its stream aborted, and then nothing is sent to it', async () => {
    const network = running()
    halt(network, 1)
    await publishFrom0(network, publications(40, MANY_BYTES))
    const { evidence } = await network.hosts[0].collect()
    const found = evidence.abortedStreams.map(({ from, to }) => [from, to])
    assert.deepEqual(found, [[0, 1]])
    assert.ok(evidence.abortedStreams[0].atNs > 0)
    assert.deepEqual(evidence.meshWithoutStream, [{ node: 0, peer: 1, topic: 0 }])
    const recipients = network.published.sort((a, b) => a.message - b.message).map(row => row.recipients)
    assert.deepEqual([recipients[0], recipients.at(-1)], [1, 0])
    assert.equal(network.intervals.at(-1)?.abortedStreams, 1)
  })
})

describe('a host in a process', () => {
  const running = twoProcesses()

  it('hands over every second, everything once, and tells how busy it was', async () => {
    const network = running()
    await publishFrom0(network, publications(3, 100))
    await network.drain(1200)
    const { received, usage, seq } = await network.hosts[1].snapshot()
    assert.equal(received.message.length, 0, 'these rows have been handed over')
    assert.equal(network.received.length, 3)
    assert.ok(seq >= 3)
    for (const {
      usage: { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs }
    } of network.intervals) {
      assert.ok(wallMs > 0)
      assert.ok(activeMs >= 0 && activeMs <= wallMs + 1 && maxTurnMs <= wallMs && maxTurnMs >= 0)
      assert.ok(cpuMicros > 0 && rssBytes > heapBytes && heapBytes > 1e6)
    }
    assert.ok(usage.wallMs > 0)
  })

  it('ends a schedule when it is aborted, and can go on', async () => {
    const network = running()
    const earlier = network.received.length
    const rows = publications(2, 100, 3)
    rows.offsetNs[1] = 60e9
    const publishing = publishFrom0(network, rows)
    await until(async () => {
      await network.hosts[1].drain({ stepMs: 50 })
      return network.received.length > earlier
    })
    await network.hosts[0].abort('Ctrl-C')
    const { published, endedBy } = await publishing
    assert.deepEqual([published, endedBy], [1, 'abort'])
    assert.equal((await publishFrom0(network, publications(2, 200, 5))).endedBy, 'schedule')
  })

  it('stops within its grace period, leaving no process behind', async () => {
    const network = running()
    const { pids } = network
    await network.stop()
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    assert.deepEqual(network.deaths, [])
  })
})
