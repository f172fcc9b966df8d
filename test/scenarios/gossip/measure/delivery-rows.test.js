import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { DeliveryRows } from '../../../../src/scenarios/gossip/measure/delivery-breakdown.js'
import { DeliveryTracker } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { NOTHING, publishedRows, receivedRows } from './rows.js'

const folder = await mkdtemp(join(tmpdir(), 'loadtest-delivery-rows-'))
after(() => rm(folder, { recursive: true }))

const START_MS = 1000
const NODES = 4

const PLAN = /** @type {any} */ ({
  ...{ nodes: NODES, seed: 1, topics: [{ name: 'blocks, all' }] },
  networkFile: {
    classes: [{ name: 'home' }, { name: 'server' }],
    zones: { names: ['eu', 'us'] },
    placement: [
      { class: 'server', zone: 'eu' },
      { class: 'home', zone: 'eu' },
      { class: 'home', zone: 'us' },
      { class: 'server', zone: 'us' }
    ]
  }
})

let files = 0

/** @param {string} [ending] @param {number} [nodes] */
function tracking(ending = '.jsonl', nodes = NODES) {
  const path = join(folder, `${files++}${ending}`)
  const startNs = START_MS * 1e6
  const rows = new DeliveryRows(path, { plan: { ...PLAN, nodes }, nodes, startNs })
  const subscriptions = Array(nodes).fill([0])
  return { path, rows, tracker: new DeliveryTracker({ nodes, subscriptions, startNs, rows }) }
}

/** @param {{ path: string }} file @returns {Promise<any[]>} */
const rowsIn = async ({ path }) =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** @param {[message: number, node: number][]} list */
const copies = list => ({
  message: Uint32Array.from(list, ([message]) => message),
  node: Uint16Array.from(list, ([, node]) => node)
})

/** Message 7 of node 0, along a line. */
const LINE = receivedRows([
  { message: 7, node: 3, from: 2, atMs: 1061.007 },
  { message: 7, node: 1, from: 0, atMs: 1010.5 },
  { message: 7, node: 2, from: 1, atMs: 1030 }
])
const OF_NODE_0 = publishedRows([{ message: 7, node: 0, atMs: 1000.25 }])

describe('rows of deliveries', () => {
  it('are those of a message by node, with its hops, from whom, when and how often it came', async () => {
    const tracked = tracking()
    const { tracker } = tracked
    tracker.addCopies(copies([[7, 3]]), 900e6)
    tracker.addPublished(OF_NODE_0)
    tracker.addReceived(LINE)
    tracker.addCopies(
      copies([
        [7, 1],
        [7, 2],
        [7, 2],
        [7, 0]
      ]),
      1100e6
    )
    tracker.close(NOTHING, 3000e6)
    const ofAll = { message: 7, topic: 'blocks, all', publisher: 0, publishedAtMs: 0.25, missing: null }
    assert.deepEqual(await rowsIn(tracked), [
      { ...ofAll, node: 1, class: 'home', zone: 'eu', hop: 1, from: 0, latencyMs: 10.25, duplicates: 0 },
      { ...ofAll, node: 2, class: 'home', zone: 'us', hop: 2, from: 1, latencyMs: 29.75, duplicates: 1 },
      { ...ofAll, node: 3, class: 'server', zone: 'us', hop: 3, from: 2, latencyMs: 60.757, duplicates: 0 }
    ])
  })

  it('have what is not known empty, in CSV and in JSON', async () => {
    const { path, tracker } = tracking('.csv')
    tracker.addPublished(OF_NODE_0)
    tracker.addReceived(receivedRows([{ message: 7, node: 1, from: 2, atMs: 1010.5 }]))
    tracker.close(NOTHING, 3000e6)
    assert.deepEqual((await readFile(path, 'utf8')).split('\n'), [
      'message,topic,publisher,node,class,zone,hop,from,publishedAtMs,latencyMs,duplicates,missing',
      ...['7,"blocks, all",0,1,home,eu,,2,0.25,10.25,,', '7,"blocks, all",0,2,home,us,,,0.25,,,unknown'],
      ...['7,"blocks, all",0,3,server,us,,,0.25,,,unknown', '']
    ])
  })

  it('wait for copies that other workers tell later, and not longer', async () => {
    const tracked = tracking()
    const { tracker } = tracked
    tracker.addPublished(OF_NODE_0)
    tracker.addReceived(LINE)
    tracker.addCopies(
      copies([
        [7, 1],
        [7, 2],
        [7, 3]
      ]),
      1100e6
    )
    tracker.writeRows(2000e6)
    tracker.addCopies(copies([[7, 1]]), 2500e6)
    assert.deepEqual(await rowsIn(tracked), [])
    tracker.writeRows(3100e6)
    tracker.addCopies(copies([[7, 1]]), 4000e6)
    tracker.close(NOTHING, 5000e6)
    const actual = (await rowsIn(tracked)).map(({ duplicates }) => duplicates)
    assert.deepEqual([actual, tracker.result().anomalies.unknownMessages], [[1, 0, 0], 0])
  })

  it('are as many as deliveries were expected, whatever became of them, and are whole in gzip', async () => {
    const { path, tracker } = tracking('.csv.gz')
    const messages = Array.from({ length: 500 }, (_, message) => message)
    tracker.addPublished(
      publishedRows(messages.map(message => ({ message, node: message % NODES, atMs: 1000 + message })))
    )
    tracker.addReceived(
      receivedRows(
        messages.flatMap(message =>
          [0, 1, 2, 3]
            .filter(node => node !== message % NODES && (message + node) % 5 !== 0)
            .map(node => ({ message, node, from: message % NODES, atMs: 1020 + message }))
        )
      )
    )
    tracker.close(NOTHING, 3000e6)
    const { expected, delivered } = tracker.result().delivery
    const rows = gunzipSync(await readFile(path))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
    assert.equal(rows.length, expected)
    assert.equal(rows.filter(row => !row.endsWith('unknown')).length, delivered)
  })

  it('take no more memory than what is under way', () => {
    const { tracker } = tracking('.csv', 50)
    for (let message = 0; message < 20_000; message++) {
      const atMs = START_MS + message
      tracker.addPublished(publishedRows([{ message, node: 0, atMs }]))
      tracker.addReceived(
        receivedRows(
          Array.from({ length: 49 }, (_, i) => ({ message, node: i + 1, from: 0, atMs: atMs + 5 }))
        )
      )
      tracker.writeRows(atMs * 1e6)
    }
    assert.ok(tracker.memory.made <= 2010, `${tracker.memory.made} messages in memory`)
    tracker.close(NOTHING, 60_000e6)
  })

  it('that cannot be written take nothing from the figures', () => {
    const startNs = START_MS * 1e6
    const rows = new DeliveryRows(join(folder, 'nowhere', 'x.csv'), { plan: PLAN, nodes: NODES, startNs })
    const tracker = new DeliveryTracker({
      nodes: NODES,
      subscriptions: Array(NODES).fill([0]),
      startNs,
      rows
    })
    tracker.addPublished(OF_NODE_0)
    tracker.addReceived(LINE)
    tracker.close(NOTHING, 3000e6)
    assert.equal(tracker.result().delivery.delivered, 3)
    assert.match(String(rows.error), /ENOENT/)
  })
})
