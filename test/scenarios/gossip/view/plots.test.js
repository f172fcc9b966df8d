import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadRenderer } from '../../../../src/kit/plots/render.js'
import { LOOKS } from '../../../../src/kit/plots/theme.js'
import { subStream } from '../../../../src/kit/random.js'
import { encodedHistogram } from '../../../../src/measure/encoded-histogram.js'
import { summarize } from '../../../../src/measure/summary.js'
import { binned, binnedToDraw, countUpTo } from '../../../../src/report/plots/bins.js'
import { disseminationPeaks } from '../../../../src/scenarios/gossip/view/dissemination-peaks.js'
import { arrivalCurves, arrivalPoints } from '../../../../src/scenarios/gossip/view/plots/arrival-curves.js'
import { disseminationHistogram } from '../../../../src/scenarios/gossip/view/plots/dissemination-histogram.js'
import { forceLayout } from '../../../../src/scenarios/gossip/view/plots/force-layout.js'
import { hopBars, hopsPlot } from '../../../../src/scenarios/gossip/view/plots/hops.js'
import { interArrivalPlot } from '../../../../src/scenarios/gossip/view/plots/inter-arrival.js'
import { latencyMap } from '../../../../src/scenarios/gossip/view/plots/latency-map.js'
import { meshDegreePlot } from '../../../../src/scenarios/gossip/view/plots/mesh-degree.js'
import { publishSeconds, widerAxis } from '../../../../src/scenarios/gossip/view/plots/publish-time.js'
import {
  latencySteps,
  networkDots,
  topologyPlot
} from '../../../../src/scenarios/gossip/view/plots/topology.js'
import { rates, transmissionPlots } from '../../../../src/scenarios/gossip/view/plots/transmission.js'
import { workerPlots } from '../../../../src/scenarios/gossip/view/plots/worker-load.js'
import { histogramOf } from '../../../measure/samples.js'
import { askedIn } from '../../../report/plots/asked-in.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

/** @typedef {import('../../../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult */
/** @typedef {import('../../../../src/kit/plots/theme.js').Plot} Plot */

const LOSSY = aGossipResult({ gone: [3, 11], stall: true, skipped: 2 })
const NOTHING = nothingPublished()

/** @param {GossipResult} result @returns {Plot[]} */
const allPlots = result =>
  [
    disseminationHistogram,
    arrivalCurves,
    latencyMap,
    hopsPlot,
    transmissionPlots,
    interArrivalPlot,
    topologyPlot,
    meshDegreePlot,
    workerPlots
  ].flatMap(plots => plots(result))

describe('every plot', async () => {
  const render = await loadRenderer()
  for (const plot of allPlots(LOSSY))
    for (const [name, look] of Object.entries(LOOKS))
      test(`${plot.id}, ${name}, is drawn without a complaint`, async () => {
        const svg = await render(plot.spec, look)
        assert.doesNotMatch(svg, /NaN|undefined|Infinity/)
        assert.equal(askedIn(svg), plot.marks?.rows.length ?? 0)
        assert.ok(plot.title !== '' && plot.caption !== '' && !/NaN|undefined/.test(plot.description))
        assert.ok((svg.match(/<(path|text)/g) ?? []).length > 5)
      })

  test('is left out where there is nothing to draw', () => assert.deepEqual(allPlots(NOTHING), []))

  test('has an id of its own', () => {
    const ids = allPlots(LOSSY).map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(ids.length, 12)
  })
})

describe('bins', () => {
  const random = subStream(3, 'values')

  for (const [what, values] of Object.entries({
    one: [5000],
    'all alike': Array.from({ length: 40 }, () => 100_000),
    spread: Array.from({ length: 500 }, () => Math.floor(200_000 * random())),
    'with a tail': [...Array.from({ length: 300 }, () => 1000 + Math.floor(500 * random())), 4e6, 9e6],
    'in two heaps': [
      ...Array.from({ length: 50 }, (_, i) => 100 + i),
      ...Array.from({ length: 50 }, (_, i) => 9e5 + i)
    ]
  }))
    test(`${what}: hold every value once, each between its edges`, () => {
      const { bins, beyond } = binned(histogramOf(values))
      const total = bins.reduce((sum, { count }) => sum + count, 0)
      assert.equal(total + beyond, values.length)
      assert.ok(bins.length <= 60, `${bins.length}`)
      for (const { from, to, count } of bins) {
        // the histogram itself is exact to a thousandth
        const slack = 0.002 * to * 1000
        const inside = values.filter(us => us >= from * 1000 - slack && us <= to * 1000 + slack).length
        assert.ok(count <= inside, `${from}–${to}: ${count} of ${inside}`)
      }
    })

  test('values up to a limit are counted as by hand', () => {
    const values = Array.from({ length: 999 }, () => Math.floor(2000 * random()))
    const histogram = histogramOf(values)
    for (const limit of [0, 1, 17, 500, 1234, 1999, 5000])
      assert.equal(countUpTo(histogram, limit), values.filter(value => value <= limit).length, `${limit}`)
  })

  test('to be drawn are few where there are few values', () => {
    const values = Array.from({ length: 40 }, () => Math.floor(200_000 * random()))
    assert.ok(binnedToDraw(histogramOf(values)).bins.length <= 14)
  })

  test('nothing has none', () => assert.deepEqual(binned(histogramOf([])), { bins: [], beyond: 0 }))
})

describe('curves of arrivals', () => {
  test('end at 100 % when everything came', () => {
    for (const { values } of arrivalPoints(aGossipResult())) assert.equal(values.at(-1)?.percent, 100)
  })

  test('end at the delivery ratio when something did not', () => {
    const { ratio, completeRatio } = LOSSY.outcome.delivery
    const ends = arrivalPoints(LOSSY).map(({ values }) => values.at(-1)?.percent)
    assert.equal(ends.length, 2)
    assert.ok(Math.abs(Number(ends[0]) - 100 * Number(ratio)) < 0.001)
    assert.ok(Math.abs(Number(ends[1]) - 100 * Number(completeRatio)) < 0.001)
  })

  test('never fall', () => {
    const [{ values: own }] = arrivalPoints(LOSSY)
    own.slice(1).forEach((point, i) => {
      assert.ok(point.ms >= own[i].ms && point.percent >= own[i].percent)
    })
  })
})

test('shares of hops add up to 100 % of both', () => {
  const bars = hopBars(LOSSY)
  for (const what of new Set(bars.map(bar => bar.what))) {
    const sum = bars.filter(bar => bar.what === what).reduce((total, { percent }) => total + percent, 0)
    assert.ok(Math.abs(sum - 100) < 0.05, `${what} ${sum}`)
  }
})

test('rates over time add up to what was planned, published and delivered', () => {
  const { outcome } = LOSSY
  const sums = /** @type {const} */ (['planned', 'published', 'delivered']).map(name =>
    Math.round(rates(LOSSY, name).reduce((sum, { from, to, perSecond }) => sum + perSecond * (to - from), 0))
  )
  assert.deepEqual(sums, [outcome.messages.planned, outcome.messages.published, outcome.delivery.delivered])
  assert.equal(publishSeconds(LOSSY), 22)
})

describe('the drawing of the network', () => {
  const { topology } = LOSSY.outcome

  test('is the same every time', () => assert.deepEqual(forceLayout(topology), forceLayout(topology)))

  test('keeps nodes apart, inside its square', () => {
    const places = forceLayout(topology)
    assert.equal(places.length, topology.nodes)
    for (const { x, y } of places) assert.ok(x >= 0 && x <= 1 && y >= 0 && y <= 1)
    assert.equal(new Set(places.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size, places.length)
  })

  test('has linked nodes nearer to each other than others', () => {
    const edges = Array.from({ length: 30 }, (_, i) => /** @type {[number, number]} */ ([i, (i + 1) % 30]))
    const places = forceLayout({ nodes: 30, edges })
    const apart = (/** @type {number} */ a, /** @type {number} */ b) =>
      Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y)
    const linked = edges.reduce((sum, [a, b]) => sum + apart(a, b), 0) / edges.length
    const across = edges.reduce((sum, [a]) => sum + apart(a, (a + 15) % 30), 0) / edges.length
    assert.ok(linked < across / 2, `${linked} ${across}`)
  })

  for (const [what, network] of /** @type {[string, Parameters<typeof forceLayout>[0]][]} */ ([
    ['one node', { nodes: 1, edges: [] }],
    ['two nodes', { nodes: 2, edges: [[0, 1]] }],
    [
      'parts',
      {
        nodes: 6,
        edges: [
          [0, 1],
          [2, 3],
          [4, 5]
        ]
      }
    ]
  ]))
    test(`takes ${what}`, () => {
      for (const { x, y } of forceLayout(network)) assert.ok(Number.isFinite(x) && Number.isFinite(y))
    })

  test('colours nodes by their mean latency, and rings those that lack something', () => {
    const dots = networkDots(LOSSY)
    assert.deepEqual(
      dots.filter(({ lacks }) => lacks).map(({ node }) => node),
      [3, 11]
    )
    for (const { node, averageMs } of LOSSY.outcome.nodes) assert.equal(dots[node].ms, averageMs)
    const degrees = dots.reduce((sum, { degree }) => sum + degree, 0)
    assert.equal(degrees, 2 * topology.edgeCount)
  })

  test('has as many shades as there are different latencies', () => {
    assert.deepEqual(latencySteps([5, 5, 5]), [5])
    assert.equal(latencySteps([1, 2, 3, 4, 5, 6, 7, 8]).length, 6)
  })

  test('is left out for a network too large to see', () => {
    const large = { ...LOSSY, outcome: { ...LOSSY.outcome, topology: { ...topology, nodes: 301 } } }
    assert.deepEqual(topologyPlot(large), [])
  })

  test('nodes of a network in which nothing was delivered are told from fast ones', () => {
    const nodes = LOSSY.outcome.nodes.map(node => ({ ...node, delivered: 0, averageMs: null }))
    const [plot] = topologyPlot({ ...LOSSY, outcome: { ...LOSSY.outcome, nodes } })
    assert.ok(plot.legend.some(({ label }) => label === 'nothing delivered'))
  })
})

describe('histograms of times', () => {
  const { outcome } = LOSSY

  /** @param {number[]} us */
  const distribution = us => ({
    histogram: encodedHistogram(histogramOf(us)),
    summary: summarize(histogramOf(us))
  })
  const TAIL = [...Array.from({ length: 300 }, (_, i) => 1000 + i), 4e6, 9e6]

  test('say how many took longer than is drawn, and how long at most', () => {
    const { histogram, summary } = distribution(TAIL)
    const dissemination = { ...outcome.dissemination, histogram, all: summary, complete: summary }
    const [{ caption }] = disseminationHistogram({ ...LOSSY, outcome: { ...outcome, dissemination } })
    assert.match(caption, / 2 took longer than drawn, up to 9,00\d ms\.$/)
    const interArrival = {
      ...outcome.interArrival,
      actual: { ...outcome.interArrival.actual, histogram, summary }
    }
    const [intervals] = interArrivalPlot({ ...LOSSY, outcome: { ...outcome, interArrival } })
    assert.match(intervals.caption, / 2 took longer than drawn, up to 9,00\d ms\.$/)
  })

  test('have no rule for planned times where these are beyond what is drawn', () => {
    const short = distribution([100, 110, 120])
    const { planned } = outcome.interArrival
    const interArrival = { planned, actual: { ...outcome.interArrival.actual, ...short } }
    const [plot] = interArrivalPlot({ ...LOSSY, outcome: { ...outcome, interArrival } })
    assert.doesNotMatch(JSON.stringify(plot), /planned: p50|"ms":100/)
    assert.match(JSON.stringify(interArrivalPlot(LOSSY)[0]), /planned: p50 and p90/)
  })

  test('have no peaks where nothing reached everyone', () => {
    assert.ok(disseminationPeaks(LOSSY).peaks.length > 0)
    const { all } = outcome.dissemination
    const dissemination = { ...outcome.dissemination, complete: { ...all, count: 0 } }
    assert.deepEqual(disseminationPeaks({ ...LOSSY, outcome: { ...outcome, dissemination } }).peaks, [])
  })

  test('have peaks whose shares are all messages but those that took longer than the plot shows', () => {
    const { histogram, summary } = distribution(TAIL)
    const dissemination = { ...outcome.dissemination, histogram, all: summary, complete: summary }
    const { peaks, beyond } = disseminationPeaks({ ...LOSSY, outcome: { ...outcome, dissemination } })
    const whole = peaks.reduce((sum, { share }) => sum + share, 0)
    assert.ok(beyond > 0 && Math.abs(whole + beyond - 1) < 1e-9, `${whole} ${beyond}`)
    assert.equal(peaks.filter(({ highest }) => highest).length, 1)
  })
})

test('an axis begins where a series does, where that is before publishing began, and ends where both have', () => {
  const domain = (/** @type {{ atMs: number }[]} */ series) => JSON.stringify(widerAxis(LOSSY, series))
  assert.equal(domain([]), domain([{ atMs: 0 }, { atMs: 1000 }]))
  assert.notEqual(domain([{ atMs: -5000 }, { atMs: 1000 }]), domain([]))
  assert.notEqual(domain([{ atMs: 0 }, { atMs: 1e6 }]), domain([]))
})
