import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  amountText,
  conditionsText,
  ifMeasured,
  intervalText,
  nodesText,
  rateCell
} from '../../../../src/scenarios/gossip/view/matrix-case.js'
import { gossipSetting } from '../../../../src/scenarios/gossip/view/matrix-setting.js'
import { gossipPlanned } from '../plan/gossip-planned.js'
import { aGossipResult } from './a-gossip-result.js'

const SIMULATED = { network: 'simulated', linkLatency: '0', workers: 1 }

/** @param {Record<string, unknown>} options @param {Record<string, unknown>} [more] @returns {any} */
const row = (options, more) => ({ plan: gossipPlanned(options), unscaled: {}, blocked: null, ...more })

describe('a row of a table of networks', () => {
  test('says what joins its nodes, and what is made of it', () => {
    assert.equal(conditionsText(row({ linkLatency: '50ms' })), 'real TCP, 50 ms')
    assert.equal(conditionsText(row({ linkLatency: '0' }, { blocked: 'too large' })), '')
    assert.equal(conditionsText(row(SIMULATED)), 'simulated')
    assert.equal(
      conditionsText(
        row({
          ...SIMULATED,
          ...{
            linkLatency: 'uniform:40ms-60ms',
            linkLoss: '0.01%',
            upBandwidth: '5MB/s',
            downBandwidth: '20MB/s'
          },
          ...{ linkBandwidth: '2.5MB/s', partition: 'hold@1s-2s:0|rest', sendQueue: 1200 }
        })
      ),
      'simulated, uniform:40ms-60ms, loss 0.01 %, 5 MB/s, down 20 MB/s, link 2.5 MB/s, 1 partition, send queue 1,200'
    )
  })

  test('says that floodsub carries the messages, and that nodes leave and return', () => {
    assert.equal(conditionsText(row({ pubsub: 'floodsub', linkLatency: '0' })), 'real TCP, floodsub')
    assert.equal(
      conditionsText(row({ ...SIMULATED, churn: '5%/min,away=10s' })),
      'simulated, churn 5%/min,away=10000ms'
    )
  })

  test('says how many nodes it has, and of what kind where that is not the usual one', () => {
    assert.equal(
      nodesText(gossipPlanned({ nodes: 1000, network: 'simulated', workers: 1 })),
      '1,000 simulated'
    )
    assert.equal(nodesText(gossipPlanned({ nodes: 40 })), '40')
  })

  test('says for how long it publishes, or how much, of what there would be', () => {
    assert.equal(amountText(row({ messages: 1000 })), '1,000 messages')
    assert.equal(
      amountText(row({ messages: 100 }, { unscaled: { messages: 1000 } })),
      '100 messages of 1,000'
    )
    assert.equal(amountText(row({ duration: '20s' })), '20.0 s')
    assert.equal(amountText(row({ duration: '20s' }, { unscaled: { durationMs: 20_000 } })), '20.0 s')
    assert.equal(
      amountText(row({ duration: '20s' }, { unscaled: { durationMs: 90_000 } })),
      '20.0 s of 1 min 30 s'
    )
    const { plan } = row({})
    assert.equal(amountText(/** @type {any} */ ({ plan: { ...plan, messages: null }, unscaled: {} })), '–')
  })

  test('says how often messages come, of all nodes together or of each', () => {
    assert.equal(rateCell(row({ rate: 5 })), '5.00')
    assert.equal(rateCell(row({ rate: 5 }, { unscaled: { ratePerSecond: 50 } })), '5.00 of 50.0')
    const every = { publishers: 'every', interval: '100ms-300ms', duration: '5s' }
    assert.equal(rateCell(row(every)), 'each 100–300 ms')
    assert.equal(
      rateCell(row(every, { unscaled: { intervalMs: { min: 50, max: 50 } } })),
      'each 100–300 ms of 50 ms'
    )
    assert.equal(intervalText({ min: 1000, max: 1000 }), '1,000 ms')
  })

  test('has a dash where it was not measured', () => {
    assert.equal(
      ifMeasured({}, () => 'measured'),
      '–'
    )
    assert.equal(
      ifMeasured({ result: aGossipResult() }, () => 'measured'),
      'measured'
    )
  })
})

test('the setting of a table says what nodes were made of, each way once', () => {
  const result = aGossipResult()
  const other = {
    ...result,
    plan: {
      ...result.plan,
      ...{ transport: 'websocket', security: 'plaintext,tls', muxer: 'mplex', signing: false, warmupMs: 5000 }
    }
  }
  const secp = { ...result, plan: { ...result.plan, keyType: 'secp256k1' } }
  const [nodes, rows] = gossipSetting(/** @type {any[]} */ ([result, result, other, secp]))
  const parts = nodes.split('; ')
  assert.equal(parts.length, 3)
  assert.match(
    parts[0],
    /^- Nodes: in 2 processes, TCP with Noise and Yamux, messages signed with Ed25519 keys, /
  )
  assert.match(
    parts[1],
    /^in 2 processes, WebSockets with no encryption or tls and mplex, messages not signed, /
  )
  assert.match(parts[2], /messages signed with secp256k1 keys/)
  assert.match(rows, /warm-up until the mesh had formed, 30\.0 s at most/)
  assert.match(rows, /warm-up of 5\.0 s;/)
})
