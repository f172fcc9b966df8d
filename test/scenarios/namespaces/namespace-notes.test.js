import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namespaceNotes } from '../../../src/scenarios/namespaces/namespace-notes.js'
import { summary, time } from '../../report/sample-result.js'

/** @typedef {import('../../../src/scenarios/gossip/gossip-types.js').NamespaceFigures} NamespaceFigures */

const LINK = {
  ...{ what: 'every link', from: 0, to: 1, loss: null, rate: null },
  roundTrip: { askedMs: 100, foundMs: 100.2, asAsked: true }
}
const ROUTER = {
  ...{ packets: 5000, bytes: 1e6, lost: 12, cut: 3, overflowed: 1, packetsPerSecond: 1234.4 },
  ...{ cpuMicrosPerPacket: 15.5, lateness: summary(5000, { p50: time(0.1), p99: time(0.5), max: time(2) }) }
}
const UNLIMITED = {
  ...{ nodes: 10, upBandwidthBytesPerSecond: null, downBandwidthBytesPerSecond: null },
  linkBandwidthBytesPerSecond: null
}

/** @param {Record<string, unknown>} [parts] @returns {NamespaceFigures} */
const figures = parts =>
  /** @type {any} */ ({
    ...{ step: 'router', netem: null, links: [], router: null, dropped: 0, lateAllowedMs: 1 },
    ladder: [
      { step: 'netem', lacks: 'Error: no module.', passedOver: 'x' },
      { step: 'router', lacks: null, passedOver: 'y' }
    ],
    congestionControl: { asked: null, found: 'cubic' },
    ...parts
  })

/** @param {Record<string, unknown>} [parts] @param {Record<string, unknown>} [limits] */
const notes = (parts, limits) =>
  namespaceNotes(figures(parts), /** @type {any} */ ({ ...UNLIMITED, ...limits }))

describe('the notes of nodes in namespaces', () => {
  test('are none where nodes were in none', () => {
    assert.deepEqual(namespaceNotes(null, UNLIMITED), [])
    assert.deepEqual(namespaceNotes(undefined, UNLIMITED), [])
  })

  test('tell what joined them, and why not what would be above it', () => {
    assert.deepEqual(notes(), [
      'TCP of the kernel (cubic) between network namespaces. The router delays, loses and limits: no netem here (no module).'
    ])
    const [worked] = notes({ ladder: [{ step: 'netem', lacks: null, passedOver: 'it has no partitions' }] })
    assert.match(worked, /: netem works here \(it has no partitions\)\.$/)
  })

  test('of a result from before more was tried than netem tell of that', () => {
    const [line] = notes({ ladder: undefined, netem: 'no module' })
    assert.match(line, /: no netem here \(no module\)\.$/)
    const [worked] = notes({ ladder: undefined })
    assert.match(worked, /: netem works here \(packets go through the router all the same\)\.$/)
  })

  test('tell what was asked of links and found, with a dash for what could not be', () => {
    const whole = {
      ...LINK,
      loss: { asked: 0.01, found: 0.0123, packets: 2000, asAsked: true },
      rate: { asked: 5e6, found: 4.9e6, asAsked: true }
    }
    assert.equal(
      notes({ links: [whole] })[1],
      'Asked for and found before the run: every link (nodes 0 and 1): round trip 100 ms, found 100 ms; loss 1.00 %, found 1.23 % of 2,000 packets; rate 5.00 MB/s, found 4.90 MB/s.'
    )
    const nothing = {
      ...LINK,
      roundTrip: { askedMs: 100, foundMs: null, asAsked: false },
      rate: { asked: 5e6, found: null, asAsked: false }
    }
    assert.match(
      notes({ links: [nothing] })[1],
      /round trip 100 ms, found – ms; rate 5\.00 MB\/s, found – MB\/s\.$/
    )
  })

  test('tell what the router carried, how late, and what it had no room for', () => {
    const [, line] = notes({ router: { ...ROUTER, waitedShare: 0.0123 }, dropped: 4 })
    assert.match(
      line,
      /^Router: 1,234 packets\/s, 15\.5 µs of CPU each; late by p50 0\.100 ms, p99 0\.500 ms, max 2\.00 ms; reading them waited for a core 1\.23 % of the time; 12 packets lost as asked, 3 cut off, 5 for which there was no room\. Nothing limits what nodes send \(--upBandwidth\): /
    )
    const none = { ...ROUTER, packetsPerSecond: null, cpuMicrosPerPacket: null }
    assert.match(
      notes({ router: none })[1],
      /^Router: – packets\/s, – µs of CPU each; .* max 2\.00 ms; 12 packets/
    )
  })

  test('hold what nodes may send against what the router was found to carry', () => {
    const sent = (/** @type {Record<string, unknown>} */ limits) => notes({ router: ROUTER }, limits)[1]
    assert.match(
      sent({ upBandwidthBytesPerSecond: 5e6 }),
      /Nodes may send 50 MB\/s together, more than the 20 MB\/s that the router was found to carry/
    )
    assert.match(
      sent({ upBandwidthBytesPerSecond: 5e6, downBandwidthBytesPerSecond: 1e6 }),
      /Nodes may send 10 MB\/s together, and the router was found to carry 20 MB\/s/
    )
    assert.match(
      sent({ star: true, downBandwidthBytesPerSecond: 1e6, upBandwidthBytesPerSecond: 4e6 }),
      /Nodes may send 5 MB\/s together, and/
    )
  })
})
