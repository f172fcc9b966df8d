import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wireBytesOf } from '../../src/network/links/direction.js'
import { framedBytes, simulate, simulatedPlan } from './simulation.js'

const MS = 1e6
/** Of links that are asked to have none. */
const MIN_LATENCY_NS = 25_000

/** Unsigned and as small as it gets, so that nothing but the message is on the line. */
const BARE = { linkJitter: '0', signing: 'off', preset: 'study-2019' }

/**
 * When each node received the only message, since it was published.
 *
 * @param {Record<string, unknown>} options
 */
async function timesOf(options) {
  const plan = simulatedPlan(options)
  const { received, startNs } = await simulate(plan, [{ node: 0, offsetNs: 0, bytes: 1000 }])
  assert.equal(received.length, plan.nodes - 1, 'every node has received it once')
  return { plan, times: received.map(({ node, atNs }) => [node, atNs - startNs]) }
}

/**
 * What a message takes on the line: its RPC, in a frame of yamux, encrypted, in TCP segments.
 *
 * @param {number} payload
 * @param {string} topic
 */
const lineBytes = (payload, topic) =>
  wireBytesOf(framedBytes(payload, topic), { muxer: 'yamux', security: 'noise', tcp: true })

/** ns that bytes take at a rate. @param {number} bytes @param {number} bytesPerSecond */
const serial = (bytes, bytesPerSecond) => Math.round((bytes * 1e9) / bytesPerSecond)

/** What a node takes for an RPC. */
const RPC_NS = 80_000
/** An update of a window of yamux, as two segments: it leaves the node before the message does. */
const UPDATE_BYTES = 134

describe('in a line each hop takes L + W/B and what it takes at the node, to the nanosecond', () => {
  /** @type {[nodes: number, latency: string, latencyNs: number, more: Record<string, unknown>, bytesPerSecond: number | null, signatureNs: number][]} */
  const CASES = [
    [2, '100ms', 100 * MS, BARE, null, 0],
    [9, '100ms', 100 * MS, BARE, null, 0],
    [9, '37ms', 37 * MS, { ...BARE, signing: 'on' }, null, 100_000],
    [5, '10ms', 10 * MS, { ...BARE, signing: 'on', keyType: 'secp256k1' }, null, 1_200_000],
    [6, '20ms', 20 * MS, { ...BARE, upBandwidth: '1MB/s' }, 1e6, 0],
    [6, '20ms', 20 * MS, { ...BARE, upBandwidth: '300kB/s' }, 3e5, 0],
    [4, '0', MIN_LATENCY_NS, { ...BARE, upBandwidth: '1MB/s' }, 1e6, 0]
  ]
  for (const [nodes, linkLatency, latencyNs, more, bytesPerSecond, signatureNs] of CASES)
    test(`${nodes} nodes, L ${linkLatency} ${JSON.stringify(more)}`, async () => {
      const { plan, times } = await timesOf({ nodes, topology: 'line', linkLatency, ...more })
      assert.equal(plan.upBandwidthBytesPerSecond, bytesPerSecond)
      const lineNs = (/** @type {number} */ bytes) =>
        bytesPerSecond === null ? 0 : serial(bytes, bytesPerSecond)
      const hopNs = latencyNs + lineNs(lineBytes(1000, plan.topics[0].name)) + RPC_NS + signatureNs
      assert.deepEqual(
        times,
        Array.from({ length: nodes - 1 }, (_, hop) => [
          hop + 1,
          (hop + 1) * hopNs + hop * lineNs(UPDATE_BYTES)
        ])
      )
    })
})

describe('in a star the copies leave the middle one after the other: the j-th is there after L + j·W/B, and what it takes at the node', () => {
  for (const [leaves, linkLatency, upBandwidth, bytesPerSecond] of /** @type {const} */ ([
    [3, '50ms', '1MB/s', 1e6],
    [11, '50ms', '200kB/s', 2e5],
    [6, '0', '1MB/s', 1e6]
  ]))
    test(`${leaves} leaves, L ${linkLatency}, B ${upBandwidth}`, async () => {
      const { plan, times } = await timesOf({
        nodes: leaves + 1,
        topology: 'star',
        linkLatency,
        upBandwidth,
        ...BARE,
        // the middle sends its own message to all
        preset: 'default',
        idontwant_message_size_threshold: 1_000_000
      })
      const each = serial(lineBytes(1000, plan.topics[0].name), bytesPerSecond)
      assert.deepEqual(
        times.map(([, ns]) => ns),
        Array.from(
          { length: leaves },
          (_, j) => Math.max(MIN_LATENCY_NS, plan.linkLatencyMs * MS) + (j + 1) * each + RPC_NS
        )
      )
    })
})
