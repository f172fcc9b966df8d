import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsRecorded } from '../recorded.js'
import { runGossip } from './gossip-network.js'
import { TIMEOUT } from './loadtest.js'

/** Six networks, each with a part of the simulation that the others leave out. */
const NETWORKS = {
  loss: '--nodes 10 --messages 20 --rate 10/s --linkLatency 20ms --linkLoss 2%',
  bandwidth:
    '--nodes 10 --messages 20 --rate 20/s --linkLatency normal:20ms,4ms --upBandwidth 200kB/s --messageBytes 1000-8000 --sendQueue 8',
  churn: '--nodes 12 --duration 8s --rate 4/s --linkLatency 20ms --churn 100%/min,away=2s',
  partition:
    '--nodes 10 --duration 6s --rate 4/s --linkLatency 20ms --partition hold@2s-4s:0-3|rest --preset study-2019',
  'two processes': '--nodes 10 --messages 20 --rate 10/s --linkLatency 50ms --workers 2',
  'many topics':
    '--nodes 12 --messages 60 --rate 20/s --linkLatency 10ms --topology small-world:k=4,p=0.2 --topics 20 --arrivals poisson --validation accept=0.8,ignore=0.1,reject=0.1'
}

test('six simulated networks have the deliveries that they had', TIMEOUT, async () => {
  /** @type {Record<string, unknown>} */
  const found = {}
  for (const [name, words] of Object.entries(NETWORKS)) {
    const { code, stderr, result } = await runGossip([
      ...'--network simulated --seed 7'.split(' '),
      ...words.split(' ')
    ])
    assert.equal(code, 0, stderr)
    const { digest, messages, delivery, missing } = result.outcome
    found[name] = {
      command: words,
      digest,
      published: messages.published,
      delivered: delivery.delivered,
      missing: missing.pairs
    }
  }
  isAsRecorded('simulated-digests.json', found)
})
