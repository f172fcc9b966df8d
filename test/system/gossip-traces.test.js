import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { interruptedIn } from '../acceptance/broken-gossip-run.js'
import { runGossip, small } from '../acceptance/gossip-network.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

const NODES = 6
const TRACED = [...small(NODES, 1), '--topology', 'ring', '--traces', '--rate', '10']
const KIND = { PUBLISH: 0, DELIVER: 3, ADD_PEER: 4, JOIN: 9, GRAFT: 11 }

/**
 * Every line of a trace, as whoever analyses it reads them.
 *
 * @param {string} folder
 * @returns {Promise<any[][]>} by node
 */
async function tracesIn(folder) {
  const names = await readdir(join(folder, 'traces'))
  assert.deepEqual(
    names.sort(),
    Array.from({ length: NODES }, (_, node) => `node-${node}.json`)
  )
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(folder, 'traces', name), 'utf8')
      assert.ok(text.endsWith('}\n'), `${name} ends with a whole line`)
      return text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    })
  )
}

/** @param {any[][]} traces @param {number} type */
const ofType = (traces, type) => traces.flat().filter(event => event.type === type)

describe('traces of gossip nodes', PAIRS, () => {
  // signed ones: gossip-simulated-traces.test.js
  test('tell what became of every message, unsigned', TIMEOUT, async () => {
    const started = Date.now()
    const { code, stderr, result, folder } = await runGossip([
      ...TRACED,
      ...['--messages', '12', '--signing', 'off']
    ])
    assert.equal(code, 0, stderr)
    const traces = await tracesIn(folder)
    const published = ofType(traces, KIND.PUBLISH)
    const delivered = ofType(traces, KIND.DELIVER)
    assert.equal(published.length, result.outcome.messages.published)
    assert.equal(delivered.length, result.outcome.delivery.delivered)
    const ids = new Set(published.map(({ publishMessage }) => publishMessage.messageID))
    assert.equal(ids.size, 12)
    const peers = new Set(traces.map(([{ peerID }]) => peerID))
    assert.equal(peers.size, NODES)
    for (const { deliverMessage } of delivered) {
      assert.ok(ids.has(deliverMessage.messageID), 'a delivery is of a message that was published')
      assert.ok(peers.has(deliverMessage.receivedFrom))
      assert.equal(deliverMessage.topic, 'topic-0')
    }
    assert.equal(ofType(traces, KIND.JOIN).length, NODES)
    assert.equal(ofType(traces, KIND.ADD_PEER).length, 2 * NODES, 'both ends of each connection')
    assert.ok(ofType(traces, KIND.GRAFT).length >= NODES)
    for (const events of traces) {
      const times = events.map(({ timestamp }) => timestamp / 1e6)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.ok(
        times[0] >= started - 1000 && times[times.length - 1] <= Date.now() + 1000,
        'by the wall clock'
      )
    }
  })

  test('of a run that Ctrl-C has broken off end with whole lines', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const { result, folder } = await interruptedIn('publish', ['--traces'])
    const traces = await tracesIn(folder)
    assert.ok(ofType(traces, KIND.PUBLISH).length >= result.outcome.messages.published)
    assert.ok(ofType(traces, KIND.DELIVER).length >= result.outcome.delivery.delivered)
  })
})
