import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { judgeMeasures } from '../../bench/validation/measures.js'
import { assertEverywhere, assertGossipAgrees, runGossip } from './gossip-network.js'
import { PAIRS, TIMEOUT } from './loadtest.js'
import { observedIn, resultsOf } from './observed-run.js'

/**
 * @typedef {import('../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../bench/validation/measures.js').Observation} Observation
 */

const LATENCY_MS = 100
const LOAD = Object.freeze({
  network: 'simulated',
  topology: 'barabasi-albert:m=3,seed=42',
  messages: 10,
  rate: '2/s'
})
const SMALL = Object.freeze({ ...LOAD, nodes: 10, linkLatency: `${LATENCY_MS}ms` })
const WHOLE = Object.freeze({ ...SMALL, fidelity: 'full' })

/** @param {Record<string, string | number>} options */
const flags = options => Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])

/** Several runs take longer than one. */
const LONG = Object.freeze({ timeout: 2 * TIMEOUT.timeout })

const SEEDS = [1, 2, 3, 4, 5]
/** Enough for links of twice the latency to be noticed. */
const FEW = SEEDS.slice(0, 3)

/** @type {Map<string, Promise<GossipResult[]>>} */
const made = new Map()

/** Runs that several tests look at. @param {Record<string, string | number | boolean>} options */
function results(options) {
  const key = JSON.stringify(options)
  const kept = made.get(key) ?? resultsOf(options, SEEDS)
  made.set(key, kept)
  return kept
}

/** @param {Record<string, string | number | boolean>} options */
const observed = async options => (await results(options)).map(result => observedIn(result, LATENCY_MS))

test(
  'whole libp2p nodes in virtual time reach everyone, every view says what they are; the same plan has the same outcome again, byte for byte',
  TIMEOUT,
  async () => {
    // one after the other: of those that follow one has the process of the first, warm as it is
    const { code, stdout, stderr, folder, result } = await runGossip(flags(WHOLE))
    const [again] = await results(WHOLE)
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    assertEverywhere(result)
    assertGossipAgrees(result)
    assert.equal(result.plan.fidelity, 'full')
    const { settings } = result.outcome.network
    assert.match(JSON.stringify(settings.connectionEncrypters), /Noise with synchronous functions/)
    assert.match(stderr, /10 whole libp2p nodes in 1 process · .* on a simulated network/)
    assert.match(stdout, /\| +10 simulated, whole libp2p nodes \|/)
    for (const file of ['report.md', 'report.html'])
      assert.match(await readFile(join(folder, file), 'utf8'), /Simulated, whole libp2p nodes: /, file)
    assert.match(stdout, /^Simulated, whole libp2p nodes: the nodes were joined by no real network/m)
    assert.equal(JSON.stringify(result.outcome), JSON.stringify(again.outcome))
    assert.match(String(result.outcome.digest), /^engine-7:[\da-f]{64}$/)
  }
)

test('on plaintext, mplex and secp256k1 the outcome is the same again, too', LONG, async () => {
  const stack = { security: 'plaintext', muxer: 'mplex', keyType: 'secp256k1' }
  // signatures with secp256k1 take most of the time
  const other = { ...WHOLE, ...stack, nodes: 6, messages: 4 }
  const [first, again] = (await resultsOf(other, [1, 1], { ownProcess: true })).map(({ outcome }) =>
    // a signature with secp256k1 has 70 to 72 bytes
    JSON.stringify(outcome, (key, value) =>
      /^bytes(Sent|Received|PerDelivery)$/.test(key) ? undefined : value
    )
  )
  assert.equal(again, first)
})

test(
  'more whole nodes than a process can bear are refused before anything starts, and why',
  TIMEOUT,
  async () => {
    const { code, stderr } = await runGossip(flags({ ...LOAD, fidelity: 'full', nodes: 201 }))
    assert.equal(code, 2)
    assert.match(stderr, /--fidelity full.*at most 200 nodes, and there are 201: a whole node costs/)
  }
)

/** Measures in which the simulation by default is not like whole nodes. @param {Observation[]} whole @param {Observation[]} simulated */
const apart = (whole, simulated) =>
  judgeMeasures(whole, simulated, LATENCY_MS).flatMap(({ name, verdict }) =>
    verdict === 'differs' ? [name] : []
  )

describe('whole nodes and gossipsub alone', PAIRS, () => {
  test('are not shown to differ, with jitter, processing, TCP and heartbeats at any time', LONG, async () => {
    const [whole, simulated] = await Promise.all([observed(WHOLE), observed(SMALL)])
    assert.deepEqual(apart(whole, simulated), [])
  })

  test('are, where the links of one have twice the latency', LONG, async () => {
    const slower = { ...SMALL, linkLatency: `${2 * LATENCY_MS}ms` }
    const [whole, simulated] = await Promise.all([observed(WHOLE), resultsOf(slower, FEW)])
    const found = apart(
      whole.slice(0, FEW.length),
      simulated.map(result => observedIn(result, LATENCY_MS))
    )
    for (const name of /** @type {const} */ (['p50', 'p99']))
      assert.ok(found.includes(name), `${name} is not among ${found}`)
  })
})
