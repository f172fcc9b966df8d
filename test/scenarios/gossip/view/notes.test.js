import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { summary } from '../../../report/sample-result.js'
import { resultNotes, runList, runReport } from '../../../report/shown.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

/** @typedef {import('./a-gossip-result.js').Shape} Shape */

const SOUND = aGossipResult()
const { counters, anomalies, mesh } = SOUND.outcome

/** @param {number} worker */
const usedBy = worker => ({
  ...SOUND.outcome.resources[0],
  worker,
  cpu: { ...SOUND.outcome.resources[0].cpu, averagePercent: worker, maxPercent: worker + 10 },
  memory: { ...SOUND.outcome.resources[0].memory, maxBytes: (101 + worker) * 1e6 }
})

/** Of a worker that ended before it was looked at. */
const UNKNOWN = {
  ...usedBy(0),
  cpu: { ...usedBy(0).cpu, averagePercent: null, medianPercent: null, maxPercent: null },
  memory: { ...usedBy(0).memory, averageBytes: null, medianBytes: null, maxBytes: null }
}

const NO_TIMES = summary(0, { avg: null, p50: null, p90: null, p95: null, p99: null, max: null })
const TOPICS = Array.from({ length: 12 }, (_, topic) => `t${topic}=1`).join(',')

/** @param {Record<string, unknown>} split @returns {any} */
const splitRun = split => ({
  ...SOUND.run,
  simulator: {
    ...{ cpuMicrosPerDelivery: null, resources: [] },
    split: { processes: 2, why: null, lookaheadMs: null, meetings: 0, events: 0, handedOver: 0, ...split }
  }
})

/** @type {[string, Shape, RegExp][]} */
const CASES = [
  ['how times are read', {}, /^Times in ms\. Latency: publish call to the first receipt/],
  [
    'the rate that was planned and the one that was',
    {},
    /^Planned 10\.0 messages\/s over all nodes, constant arrivals; published 200 messages, one every 100 ms on average \(planned 100 ms\); late by avg /
  ],
  [
    'many workers in one line, a few in one each',
    { outcome: { resources: Array.from({ length: 24 }, (_, worker) => usedBy(worker)) } },
    /^24 workers: CPU 0 to 23 % each on average, 33 % at most \(100 % is one core\); memory 124 MB at most\.$/
  ],
  [
    'who alone publishes',
    { options: { publishers: 'node:3,7' } },
    /^Planned 10\.0 messages\/s by nodes 3, 7, constant arrivals; /
  ],
  [
    'every node in its own time',
    { options: { publishers: 'every', duration: '5s', messages: undefined, rate: undefined } },
    /^Planned a message of every node each 100–300 ms/
  ],
  [
    'the shape of the network',
    {},
    /^204 connections, 10\.2 a node on average, 6 to \d+, diameter \d, average path .* Dialling took /
  ],
  [
    'when the mesh had formed',
    {},
    /^The mesh had formed after 4\.21 s\. Mesh peers .*: 4 \(3 times\), 5 \(12\), 6 \(50\), 7 \(20\), 8 \(10\)\.$/
  ],
  [
    'what a mesh lacked',
    { outcome: { mesh: { ...mesh, formedAfterMs: null, missing: ['2 parts'] } } },
    /^The mesh had not formed: 2 parts\./
  ],
  [
    'control messages',
    {},
    /^Per delivery: 6\.00 RPCs, .* control messages \(in all 1,234 IHAVE, 56 IWANT, 7 GRAFT, 8 PRUNE, 9 IDONTWANT\)/
  ],
  [
    'a mesh in which one node has that many peers',
    { outcome: { mesh: { ...mesh, degrees: { 3: 1 } } } },
    / began: 3 \(once\)\.$/
  ],
  [
    'the CPU of a worker whose memory is not known',
    { outcome: { resources: [{ ...usedBy(0), memory: UNKNOWN.memory }] } },
    /^Worker 0: CPU 0 % on average, 10 % at most \(100 % is one core\)\.$/
  ],
  ['each worker', {}, /^Worker 1: CPU \d+ % on average, .* memory \d+ MB/],
  [
    'what was set other than the defaults',
    {},
    /outcome\.network\.settings\): connectionManager\.maxConnections, gossipsub\.metricsRegister\.$/
  ],
  ['missing deliveries by reason', { gone: [3] }, /^Missing: \d+ of [\d,]+ deliveries: \d+ node-gone\.$/],
  [
    'times without what never came',
    { gone: [3] },
    /^Of what came alone: latency avg .*; dissemination of what reached everyone avg /
  ],
  ['skipped messages', { skipped: 2 }, /^2 messages were skipped, because --maxBacklog was reached/],
  [
    'aborted streams',
    { outcome: { streams: { aborted: 3, meshPeersWithoutStream: 1 } } },
    /^3 outbound gossipsub streams ended while the connection stayed; 1 mesh peer had no open stream/
  ],
  [
    'RPCs that were refused',
    {
      options: { network: 'simulated', workers: '1', sendQueue: 32 },
      outcome: { counters: { ...counters, refusedRpcs: 1234 } }
    },
    /^1,234 RPCs were refused: 32 waited for the peer already \(--sendQueue\)\. They count as sent\.$/
  ],
  [
    'nodes that left and returned',
    {
      outcome: {
        churn: {
          departures: 12,
          returns: 1,
          apart: {
            joining: { expected: 50, delivered: 40 },
            leaving: { expected: 9, delivered: 8 },
            away: { delivered: 3 }
          },
          again: 2
        }
      }
    },
    /^Nodes left 12 times and returned 1 time\. .* 40 of 50 in the first 5 s after a return, 8 of 9 in the last 1 s before a departure, 3 of what was published meanwhile; 2 received a second time/
  ],
  [
    'anomalies',
    { outcome: { anomalies: { ...anomalies, duplicateReceipts: 4 } } },
    /^Anomalies: 4 receipts told twice\.$/
  ],
  [
    'what the application rejected',
    { outcome: { counters: { ...counters, rejected: 7 } } },
    /^Messages at the nodes: 7 rejected\.$/
  ],
  [
    'several topics',
    { options: { topics: 'blocks=1,votes=0.5' } },
    /^Topics: blocks 100 messages, MDR 100 %; votes 100 messages, MDR 100 %\.$/
  ],
  [
    'steps over a rendezvous server',
    {
      outcome: {
        rendezvous: {
          ...{ connect: summary(95), register: summary(95), discover: summary(95), dial: summary(300) },
          ...{ failed: 2, found: { min: 90, avg: 94, max: 94 } },
          ...{ bothWays: 3, alreadyConnected: 1, doubled: 2 }
        }
      }
    },
    /^Over the rendezvous server: connecting p50 15\.0 ms, .*; registering .*; discovering .*; dialling what was found .* found 94\.0 others .* 3 pairs .* 2 steps failed\.$/
  ],
  [
    'a partial result, first of all',
    { result: { status: 'partial', reason: { code: 'X', message: 'interrupted' } } },
    /^Partial result: interrupted$/
  ],
  [
    'warnings',
    { warnings: [{ code: 'MESSAGES_SKIPPED', values: { count: 2 } }] },
    /^⚠ 2 messages were not published/
  ],
  [
    'deliveries without known hops',
    { outcome: { hops: { ...SOUND.outcome.hops, unknown: 5 } } },
    /^5 deliveries came over nodes /
  ],
  [
    'what nodes ignored, messages of another run, and what was promised and never sent',
    { outcome: { counters: { ...counters, ignored: 1234, foreign: 12, promisesBroken: 2 } } },
    /^Messages at the nodes: 1,234 ignored, 12 of another run, 2 IWANTs answered by nobody\.$/
  ],
  [
    'steps over a rendezvous server that did not come about, with a dash instead of times',
    {
      outcome: {
        rendezvous: {
          ...{ connect: summary(95), register: summary(95), discover: NO_TIMES, dial: NO_TIMES },
          ...{ failed: 0, found: { min: null, avg: null, max: null } },
          ...{ bothWays: 0, alreadyConnected: 0, doubled: null }
        }
      }
    },
    /^Over the rendezvous server: connecting p50 15\.0 ms, .*; discovering –; dialling what was found –\.$/
  ],
  [
    'pairs that chose each other, where nobody knows whether they kept two connections',
    {
      outcome: {
        rendezvous: {
          ...{ connect: summary(95), register: summary(95), discover: summary(95), dial: summary(300) },
          ...{ failed: 1, found: { min: 90, avg: 94, max: 94 } },
          ...{ bothWays: 1, alreadyConnected: 1, doubled: null }
        }
      }
    },
    / 1 pair of nodes chose each other\. 1 step failed\.$/
  ],
  [
    'a mesh that was not awaited, with how many peers nodes had all the same',
    { outcome: { mesh: { ...mesh, formedAfterMs: null, missing: [], degrees: { 3: 1000, 5: 2 } } } },
    /^The mesh had not formed: it was not awaited\. Mesh peers .* began: 3 \(1,000 times\), 5 \(2\)\.$/
  ],
  [
    'a network in parts, and dials that failed',
    {
      outcome: {
        topology: {
          ...SOUND.outcome.topology,
          dialsFailed: 3,
          measures: {
            .../** @type {NonNullable<typeof SOUND.outcome.topology.measures>} */ (
              SOUND.outcome.topology.measures
            ),
            ...{ connected: false, components: 2, diameter: null, averagePathLength: null }
          }
        }
      }
    },
    /^204 connections, .* to \d+, in 2 parts, clustering .* Dialling took .* 3 dials failed\.$/
  ],
  [
    'messages that could not be published',
    { outcome: { messages: { ...SOUND.outcome.messages, failed: 1 } } },
    /^1 message could not be published; they are expected nowhere\.$/
  ],
  [
    'an anomaly that is new to this version, by the name it has in the result',
    { outcome: { anomalies: /** @type {any} */ ({ ...anomalies, timeTravel: 1200 }) } },
    /^Anomalies: 1,200 timeTravel\.$/
  ],
  [
    'ten topics by name, and of the others how many there are',
    { options: { topics: TOPICS } },
    /^Topics: t0 .*; t9 \d+ messages, MDR 100 %; and 2 more\.$/
  ],
  [
    'a topic that nobody was expected to receive, without a ratio',
    {
      options: { topics: 'blocks=1,votes=0.5' },
      outcome: {
        topics: SOUND.outcome.topics
          .concat({ ...SOUND.outcome.topics[0], topic: 1, published: 3, expected: 0, delivered: 0 })
          .map(topic => ({ ...topic }))
      }
    },
    /^Topics: blocks .*, MDR 100 %; votes 3 messages\.$/
  ],
  [
    'a simulation in several processes: how often they met, and what they handed over',
    { result: { run: splitRun({ meetings: 2000, events: 10_000, handedOver: 5000, lookaheadMs: 99.5 }) } },
    /^Simulated in 2 processes: .* under way for 99\.5 ms at the least \(lookahead\), so they met 2,000 times, after 5\.00 events on average, and handed over 2\.50\.$/
  ],
  [
    'a simulation in several processes that ended before they met',
    { result: { run: splitRun({ lookaheadMs: 20 }) } },
    /, so they met 0 times, after – events on average, and handed over –\.$/
  ],
  [
    'a simulation that was to be in several processes and could not be',
    { result: { run: splitRun({ why: 'links have no latency' }) } },
    /^Simulated in one process, not in the 2 that were asked for: links have no latency\.$/
  ]
]

describe('a line under the table tells of', () => {
  for (const [what, shape, expected] of CASES)
    test(what, () => {
      const lines = resultNotes(aGossipResult(shape))
      assert.ok(
        lines.some(line => expected.test(line)),
        lines.join('\n')
      )
    })

  test('a simulated network, before all figures', () => {
    const [first] = resultNotes({
      ...SOUND,
      plan: /** @type {any} */ ({ ...SOUND.plan, network: 'simulated' })
    })
    assert.match(first, /^Simulated: /)
  })
})

test('a sound run tells of no trouble', () => {
  const text = resultNotes(SOUND).join('\n')
  assert.doesNotMatch(
    text,
    /Missing|skipped|Anomalies|ended while|at least|without|failed|undefined|NaN|Simulated/
  )
})

test('a worker of which nothing is known has no line, however many there are', () => {
  for (const count of [1, 24]) {
    const resources = Array.from({ length: count }, () => UNKNOWN)
    assert.doesNotMatch(resultNotes(aGossipResult({ outcome: { resources } })).join('\n'), /[Ww]orkers?.*CPU/)
  }
})

test('a run that published nothing says why, and no figures', () => {
  const lines = resultNotes(nothingPublished())
  assert.equal(lines[0], 'Partial result: the run has not ended yet')
  assert.doesNotMatch(lines.join('\n'), /undefined|NaN|Planned|deliver/)
})

test('the markdown page repeats the run, and does not list thousands of edges', () => {
  const plan = /** @type {any} */ ({
    ...SOUND.plan,
    topology: {
      kind: 'file',
      path: 'mesh.txt',
      nodes: 999,
      edges: Array.from({ length: 998 }, (_, i) => [i, i + 1])
    }
  })
  const page = runReport({ ...SOUND, plan }, { folder: 'results/x' })
  assert.match(
    page,
    /^200 messages of 1,000 bytes at 10\.0\/s · 40 nodes in 2 processes · file mesh\.txt on real TCP$/m
  )
  assert.match(page, /^node index\.js gossip .*--topology file:mesh\.txt/m)
  assert.match(page, /… \(whole in result\.json\)/)
  assert.doesNotMatch(page, /\[500,501\]/)
})

test('the list of runs has it in a line', () => {
  const list = runList([/** @type {any} */ ({ kind: 'run', name: 'x', result: SOUND })])
  assert.match(
    list,
    /200 messages of 1,000 bytes at 10\.0\/s, 40 nodes, barabasi-albert m=6 +\| complete +\| MDR 100 %; latency p50 [\d.]+ ms, p99 [\d.]+ ms; dissemination p50 [\d.]+ ms, p99 – ms/
  )
})
