import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import { LinkModel } from '../../src/network/link-model.js'

/** @typedef {import('../../src/network/link-model.js').LinkSettings} LinkSettings */

const PACKET = 1500

/** @param {Partial<LinkSettings>} settings */
const modelOf = settings =>
  new LinkModel(
    {
      latency: { kind: 'constant', ms: 50 },
      jitter: null,
      lossShare: 0,
      upBytesPerSecond: null,
      downBytesPerSecond: null,
      linkBytesPerSecond: null,
      cuts: [],
      layers: { muxer: null, security: null, tcp: true },
      tcp: true,
      ...settings
    },
    { nodes: 3, streams: (...name) => makeSubStream(1, ...name) }
  )

/** When the last byte of each packet is there, ms. @param {import('../../src/network/link-model.js').PacketDirection} direction @param {number[]} sentMs */
const arrivals = (direction, sentMs) =>
  sentMs.map(ms => {
    const underWay = direction.send(PACKET, ms * 1e6)
    if (typeof underWay === 'string') return underWay
    return (direction.endsInQueue ? direction.arrive(underWay) : underWay.lastNs) / 1e6
  })

describe('packets between two nodes take what the links of the simulated network take', () => {
  /** @type {[string, Partial<LinkSettings>, number[], number[]][]} */
  const cases = [
    ['a latency', {}, [0, 1, 5], [50, 51, 55]],
    // 1.5 ms each at 1 MB/s, one after another
    ['an up-link', { upBytesPerSecond: 1e6 }, [0, 0, 10], [51.5, 53, 61.5]],
    ['a down-link', { downBytesPerSecond: 1e6 }, [0, 0, 10], [51.5, 53, 61.5]],
    // bytes pass as they come: lines of the same bandwidth behind one another take no longer than one
    [
      'all three lines',
      { upBytesPerSecond: 1e6, linkBytesPerSecond: 1e6, downBytesPerSecond: 1e6 },
      [0, 0],
      [51.5, 53]
    ],
    ['the slowest line', { upBytesPerSecond: 1e7, linkBytesPerSecond: 1e6 }, [0, 0], [51.5, 53]]
  ]
  for (const [what, settings, sent, there] of cases)
    test(what, () => assert.deepEqual(arrivals(modelOf(settings).packets(0, 1), sent), there))

  test('an up-link is shared by all that a node sends, whomever to', () => {
    const model = modelOf({ upBytesPerSecond: 1e6 })
    assert.deepEqual([arrivals(model.packets(0, 1), [0]), arrivals(model.packets(0, 2), [0])], [[51.5], [53]])
  })

  test('jitter moves packets, and none of a connection overtakes another one', () => {
    const there = arrivals(
      modelOf({ jitter: { kind: 'time', ms: 20 } }).packets(0, 1),
      Array.from({ length: 200 }, (_, i) => i)
    ).map(Number)
    const late = there.map((ms, i) => ms - i)
    assert.deepEqual(
      there,
      there.toSorted((a, b) => a - b)
    )
    assert.ok(Math.min(...late) >= 30 && Math.max(...late) > 60)
  })

  test('jitter keeps no order between connections: what one sends is late by its own jitter alone, however much others send', () => {
    const direction = modelOf({ jitter: { kind: 'time', ms: 20 } }).packets(0, 1)
    const late = Array.from({ length: 4000 }, (_, flow) => {
      const underWay = direction.send(PACKET, 1e9, flow)
      return typeof underWay === 'string' ? Number.NaN : underWay.lastNs / 1e6 - 1000
    })
    const mean = late.reduce((a, b) => a + b, 0) / late.length
    // evenly between 30 and 70: a standard deviation of 11.5 / √4000; all behind one another would come after nearly 70
    assert.ok(Math.abs(mean - 50) < 1, String(mean))
    assert.ok(Math.min(...late) >= 30 && Math.max(...late) <= 70)
  })

  test('losses take their share, the same ones with the same seed', () => {
    const lost = () =>
      arrivals(modelOf({ lossShare: 0.1 }).packets(0, 1), Array(5000).fill(0)).filter(each => each === 'lost')
    // four standard deviations of the binomial
    assert.ok(Math.abs(lost().length - 500) < 85, String(lost().length))
    assert.deepEqual(lost(), lost())
  })

  test('what leaves for the other side of a partition while it lasts is cut off', () => {
    const [a, b] = [0, 1].map(node => [{ first: node, last: node }])
    const model = modelOf({ cuts: [{ kind: 'hold', fromMs: 100, toMs: 200, between: [a, b] }] })
    model.partitions.start(1e9)
    assert.deepEqual(arrivals(model.packets(0, 1), [1099, 1100, 1199, 1200]), [1149, 'cut', 'cut', 1250])
    assert.deepEqual(arrivals(model.packets(0, 2), [1100]), [1150])
  })
})
