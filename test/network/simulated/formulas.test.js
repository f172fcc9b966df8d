import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wireBytes } from '../../../src/network/links/wire-bytes.js'
import { framedBytes, simulate, simulatedPlan } from './simulation.js'

const MS = 1e6

/** Unsigned and as small as it gets, so that nothing but the message is on the line. */
const BARE = { ideal: true, signing: 'off', preset: 'study-2019' }

/**
 * When each node received the only message, since it was published.
 *
 * @param {Record<string, unknown>} options
 * @param {number} [bytes]
 */
async function timesOf(options, bytes = 1000) {
  const plan = simulatedPlan(options)
  const { received, startNs } = await simulate(plan, [{ node: 0, offsetNs: 0, bytes }])
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
  wireBytes(framedBytes(payload, topic), { muxer: 'yamux', security: 'noise', tcp: true })

/** ns that bytes take at a rate. @param {number} bytes @param {number} bytesPerSecond */
const serial = (bytes, bytesPerSecond) => Math.round((bytes * 1e9) / bytesPerSecond)

describe('in a line the node at distance d has a message after d·(L + W/B), to the nanosecond', () => {
  /** @type {[nodes: number, latency: string, latencyNs: number, more: Record<string, unknown>, bytesPerSecond: number | null, bytes: number][]} */
  const CASES = [
    [2, '100ms', 100 * MS, BARE, null, 1000],
    [9, '100ms', 100 * MS, BARE, null, 1000],
    [9, '37ms', 37 * MS, { ideal: true }, null, 1000],
    [5, '10ms', 10 * MS, { ideal: true, keyType: 'secp256k1' }, null, 200],
    [6, '20ms', 20 * MS, { ...BARE, upBandwidth: '1MB/s' }, 1e6, 1000],
    [6, '20ms', 20 * MS, { ...BARE, upBandwidth: '300kB/s' }, 3e5, 8],
    [4, '0', 0, { ...BARE, upBandwidth: '1MB/s' }, 1e6, 14_000]
  ]
  for (const [nodes, linkLatency, latencyNs, more, bytesPerSecond, bytes] of CASES)
    test(`${nodes} nodes, L ${linkLatency}, ${bytes} bytes ${JSON.stringify(more)}`, async () => {
      const { plan, times } = await timesOf({ nodes, topology: 'line', linkLatency, ...more }, bytes)
      assert.equal(plan.upBandwidthBytesPerSecond, bytesPerSecond)
      const hopNs =
        latencyNs +
        (bytesPerSecond === null ? 0 : serial(lineBytes(bytes, plan.topics[0].name), bytesPerSecond))
      assert.deepEqual(
        times,
        Array.from({ length: nodes - 1 }, (_, hop) => [hop + 1, (hop + 1) * hopNs])
      )
    })
})

describe('in a star the copies leave the middle one after the other: the j-th is there after L + j·W/B', () => {
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
        Array.from({ length: leaves }, (_, j) => plan.linkLatencyMs * MS + (j + 1) * each)
      )
    })
})
