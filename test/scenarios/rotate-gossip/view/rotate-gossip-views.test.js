import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodedHistogram } from '../../../../src/measure/encoded-histogram.js'
import { Histogram } from '../../../../src/measure/histogram.js'
import { livesCsv, peersCsv, rotationCsv } from '../../../../src/scenarios/rotate-gossip/view/csv.js'
import { deliveriesPerMinutePlot } from '../../../../src/scenarios/rotate-gossip/view/plots/deliveries-per-minute.js'
import { firstDeliveryPlot } from '../../../../src/scenarios/rotate-gossip/view/plots/first-delivery.js'
import { peersPlot } from '../../../../src/scenarios/rotate-gossip/view/plots/peers.js'
import { headLines, reportPage, resultNotes, runList, runReport } from '../../../report/shown.js'
import { resultFromText } from '../../../scenarios.js'
import { aRotateGossipResult } from './a-rotate-gossip-result.js'

/** @returns {import('../../../../src/scenarios/rotate-gossip/rotate-gossip-types.js').RotateGossipResult} of a run that ended before it published */
function unrotated() {
  const result = aRotateGossipResult()
  return { ...result, outcome: { ...result.outcome, rotation: null } }
}

/** @param {Partial<import('../../../../src/scenarios/rotate-gossip/rotate-gossip-types.js').RotateGossip>} parts */
function rotatedWith(parts) {
  const result = aRotateGossipResult()
  const rotation = /** @type {NonNullable<typeof result.outcome.rotation>} */ (result.outcome.rotation)
  return { ...result, outcome: { ...result.outcome, rotation: { ...rotation, ...parts } } }
}

const { rotation } = aRotateGossipResult().outcome
const { lives, apart, duplicates, firstDelivery, peers } = /** @type {NonNullable<typeof rotation>} */ (
  rotation
)

/** @param {string} csv */
const lines = csv => csv.trim().split(/\r?\n/)

test('a result of rotating nodes can be read as it was written', async () => {
  for (const result of [aRotateGossipResult(), unrotated()])
    assert.deepEqual(
      await resultFromText(JSON.stringify(result), 'result.json'),
      JSON.parse(JSON.stringify(result))
    )
})

test('a run says what will rotate', () => {
  assert.match(
    headLines(aRotateGossipResult(), '1')[1],
    /4 stable and 2 ephemeral nodes, one of these killed each 4\.0 s and replaced after 2\.0 s$/
  )
})

describe('the notes of rotating nodes', () => {
  const notes = resultNotes(aRotateGossipResult()).join('\n')

  test('tell how many came and went, and how long the new ones took', () => {
    assert.match(notes, /^Rotated: .* 2 nodes were killed and 2 started in their places\.$/m)
    assert.match(
      notes,
      /^From its start to its first delivery a node took 510 ms on average, 510 ms at most\.$/m
    )
    assert.match(notes, /^\d+(\.\d+)? deliveries per minute were expected and came\.$/m)
  })

  test('tell what counts apart, and what was received twice', () => {
    assert.match(
      notes,
      /^Apart from these: 4 of 4 to nodes that were starting, 2 of 2 to nodes about to be killed/m
    )
    assert.match(notes, /^2 of \d+ receipts were duplicates: 2 by a node that took the place .* 0 by a node/m)
  })

  test('tell of nodes that reached nobody, and of deliveries to those that were killed late', () => {
    const told = resultNotes(
      rotatedWith({
        lives: { ...lives, failed: 1 },
        apart: { ...apart, gone: { ...apart.gone, delivered: 1234 } }
      })
    ).join('\n')
    assert.match(
      told,
      /2 nodes were killed and 2 started in their places, 1 of them without reaching anybody\.$/m
    )
    assert.match(told, / before the receiver was there, 1,234 to nodes that were killed late\.$/m)
    assert.doesNotMatch(notes, /without reaching|killed late/)
  })

  test('say so where new nodes got nothing, nobody received anything, and there is no rate', () => {
    const told = resultNotes(
      rotatedWith({
        firstDelivery: { ...firstDelivery, never: firstDelivery.count },
        duplicates: { ...duplicates, observations: 0 },
        deliveriesPerMinute: null
      })
    ).join('\n')
    assert.match(told, /^None of the new nodes received a message\.$/m)
    assert.match(told, /^No message was received\.$/m)
    assert.doesNotMatch(told, /deliveries per minute|null|NaN/)
  })

  test('tell how many new nodes got nothing, where others did', () => {
    const told = resultNotes(rotatedWith({ firstDelivery: { ...firstDelivery, count: 12, never: 2 } })).join(
      '\n'
    )
    assert.match(told, /ms at most; 2 of 12 nodes came to none before the kill or the end\.$/m)
    assert.doesNotMatch(notes, /came to none/)
  })

  test('tell how many receipts were of messages too long ago to tell', () => {
    const told = resultNotes(rotatedWith({ duplicates: { ...duplicates, tooLongAgo: 1500 } })).join('\n')
    assert.match(told, /; 1,500 were of messages too long ago to tell\.$/m)
  })

  test('do without where nothing was published', () => {
    assert.doesNotMatch(resultNotes(unrotated()).join('\n'), /Rotated|duplicates:/)
  })
})

describe('the page of rotating nodes', () => {
  test('shows peers, deliveries per minute and times to the first delivery, with the times in which a place was empty', async () => {
    const page = await reportPage(aRotateGossipResult())
    for (const id of ['peers', 'deliveries-per-minute', 'first-delivery'])
      assert.ok(page.includes(`id="${id}"`), id)
    assert.match(page, /a place is empty/)
    assert.match(page, /with duplicates.*without duplicates/s)
    assert.match(page, /Meanwhile 2 nodes were killed and 2 started/)
  })

  test('is one without a rotation where nothing was published', async () => {
    assert.doesNotMatch(await reportPage(unrotated()), /id="rotation"/)
  })
})

describe('the plots of rotating nodes', () => {
  test('are left out where there is nothing to draw', () => {
    assert.deepEqual(peersPlot(unrotated()), [])
    assert.deepEqual(peersPlot(rotatedWith({ peers: peers.slice(0, 1) })), [])
    assert.deepEqual(firstDeliveryPlot(unrotated()), [])
    const firstDeliveryHistogram = encodedHistogram(new Histogram())
    assert.deepEqual(firstDeliveryPlot(rotatedWith({ firstDeliveryHistogram })), [])
    assert.deepEqual(deliveriesPerMinutePlot(unrotated()), [])
    assert.deepEqual(deliveriesPerMinutePlot(rotatedWith({ deliveriesPerMinute: null })), [])
  })

  test('draw no peers of ephemeral nodes while there are none', () => {
    const without = peers.map(step => ({ ...step, ephemeral: null }))
    const [{ data, description }] = peersPlot(rotatedWith({ peers: without }))
    const drawn = (data?.series ?? []).filter(({ label }) => /stable|ephemeral/.test(String(label)))
    for (const { label, values } of drawn)
      assert.equal(values.length, String(label).startsWith('stable') ? peers.length : 0, label)
    assert.match(description, /and 0 on average\.$/)
  })
})

test('an answer has a dash for a rate of deliveries that is not known', async () => {
  const page = await reportPage(rotatedWith({ deliveriesPerMinute: null }))
  assert.match(page, /Deliveries per minute<\/[a-z]+>\s*<[^>]+>–</)
  assert.doesNotMatch(page, /id="deliveries-per-minute"/)
})

test('a list of runs gives a run without a rotation its figures of the network alone', () => {
  const entry = /** @type {any} */ ({ kind: 'run', name: 'x', result: unrotated() })
  const list = runList([entry])
  assert.match(list, /MDR 100 %/)
  assert.doesNotMatch(list, /were killed/)
})

test('the markdown page has the same tables', () => {
  const page = runReport(aRotateGossipResult(), { folder: 'results/x' })
  assert.match(page, /## Rotation\n\n### From the start of a node, ms\n/)
  assert.match(page, /\| while the receiver was starting +\| +4 \| +4 \| +100 \|/)
  assert.match(page, /node index\.js rotate gossip --stable 4/)
})

describe('CSV of rotating nodes', () => {
  test('has a row for each ephemeral node', () => {
    const [head, ...rows] = lines(livesCsv(aRotateGossipResult()))
    assert.match(head, /^node,slot,startDueMs,startedMs,connectedMs,firstDeliveryMs/)
    assert.deepEqual(
      rows.map(row => row.split(',').slice(0, 6).join(',')),
      ['4,4,,,,510', '5,5,,,,510', '6,4,6000,6000,6200,6510', '7,5,10000,10000,10200,10510']
    )
  })

  test('has a row for each step of the peers, and one with all figures', () => {
    const [head, first] = lines(peersCsv(aRotateGossipResult()))
    assert.match(head, /^atMs,stable\.nodes,stable\.min/)
    assert.equal(first, '1000,4,5,5,5,2,5,5,5')
    const [names, values] = lines(rotationCsv(aRotateGossipResult())).map(line => line.split(','))
    assert.equal(values[names.indexOf('duplicates.afterRestart')], '2')
    assert.equal(values[names.indexOf('lives.killed')], '2')
  })

  test('of a run that ended before it published has no rows', () => {
    assert.equal(lines(livesCsv(unrotated())).length, 1)
    assert.equal(lines(peersCsv(unrotated())).length, 1)
    assert.equal(rotationCsv(unrotated()).trim(), '')
  })
})

test('a list of runs says how many nodes came and went', () => {
  const list = runList(
    [{ kind: 'run', name: 'x', result: aRotateGossipResult() }].map(entry => /** @type {any} */ (entry))
  )
  assert.match(list, /2 nodes were killed and 2 started in their places/)
})
