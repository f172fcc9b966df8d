// Makes the plots of a gossip result: times, rates, mesh, scores. Also computes the layout of the topology graph.
import { computeSum, findLargest, groupNeighbours, pickEvenly } from '../../../kit/collections.js'
import { formatCount } from '../../../kit/numbers.js'
import { makeLatenessPlots } from '../../../report/describe-run.js'
import {
  divideTime,
  makeArrivalCurve,
  makeBandSeries,
  makeHeatPlot,
  makeHistogramPlot,
  makeTimeSeries,
  roundToFourDigits
} from '../../../report/description.js'
import { summarizeHops } from '../figures.js'

/**
 * @typedef {import('../../../report/schema.js').Plot} Plot
 * @typedef {import('../../../report/schema.js').Series} Series
 * @typedef {import('../outcome.js').GossipResult} GossipResult
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../outcome.js').WorkerResources} WorkerResources
 * @typedef {WorkerResources['series'][number]} Sample
 */

/** TIME_AXIS_TITLE is the title of every axis of time. */
export const TIME_AXIS_TITLE = 'Time since publishing began, s'

/** SCORE_LIMITS are the thresholds of scores: name, and key in a result. */
export const SCORE_LIMITS = /** @type {const} */ ([
  ['0', 'zero'],
  ['gossipThreshold', 'gossipThreshold'],
  ['publishThreshold', 'publishThreshold'],
  ['graylistThreshold', 'graylistThreshold']
])

/** A graph of more nodes shows none of them clearly. */
const MAX_DRAWN_NODES = 300
/** More edges would only fill the area. */
const MAX_DRAWN_EDGES = 3000
/** Points of a series over time. */
const MAX_POINTS = 300
/** Points of all series in a plot of workers. */
const MAX_WORKER_POINTS = 600
/** More lines cannot be distinguished: a plot of more workers shows one band. */
const MAX_LINES = 8

/**
 * readPublishSeconds gives the duration of the publish phase and the cool-down.
 *
 * @param {GossipOutcome} outcome
 */
export const readPublishSeconds = ({ measuredMs, timeline }) =>
  Math.max(1, measuredMs / 1000, (timeline.at(-1)?.second ?? 0) + 1)

/**
 * computeRates gives the messages planned, published or delivered per second, over time.
 *
 * @param {GossipOutcome} outcome
 * @param {'planned' | 'published' | 'delivered'} what
 * @param {number} [per] - seconds; default: 1
 * @returns {[at: number, rate: number][]}
 */
export function computeRates(outcome, what, per = 1) {
  const columns = divideTime(readPublishSeconds(outcome), outcome.secondsPerPoint)
  const counts = Array(columns.count).fill(0)
  for (const entry of outcome.timeline) if (entry.second >= 0) counts[columns.of(entry.second)] += entry[what]
  return counts.map((count, column) => {
    const { from, to } = columns.stretch(column)
    return [from, roundToFourDigits((per * count) / Math.max(1e-3, to - from))]
  })
}

/**
 * countPlot has a bar for each number of hops or peers.
 *
 * @param {Omit<Plot, 'kind' | 'series'>} plot
 * @param {readonly (number | undefined)[]} counts - by number
 * @returns {Plot[]} heights are shares, so that results with other counts can be compared
 */
function countPlot(plot, counts) {
  const all = computeSum(counts, count => count ?? 0)
  if (all === 0) return []
  const values = counts.flatMap((count, i) =>
    count ? [[i - 0.4, i + 0.4, roundToFourDigits((100 * count) / all)]] : []
  )
  return [{ ...plot, kind: 'bars', series: [{ label: plot.title, values }] }]
}

/** @param {Omit<Plot, 'kind'> & { series: Series[] }} plot @returns {Plot[]} empty: no series has two points */
export const makeLinePlots = plot =>
  plot.series.some(({ values }) => values.length > 1) ? [{ ...plot, kind: 'lines' }] : []

/** @param {GossipOutcome} outcome @returns {Plot[]} */
const makeArrivalPlots = ({ latency, dissemination }) => [
  ...makeLinePlots({
    id: 'arrivals',
    title: 'Deliveries that had arrived',
    note: 'Of all that were expected: missing deliveries keep the curve below 100 %.',
    x: 'Time since the publish call, ms',
    y: 'Deliveries, %',
    logX: true,
    main: true,
    compared: true,
    series: makeArrivalCurve('Deliveries', latency.histogram, latency.all.count)
  }),
  ...makeLinePlots({
    id: 'dissemination-arrivals',
    title: 'Messages that had reached every subscriber',
    x: 'Time since the publish call, ms',
    y: 'Messages, %',
    logX: true,
    compared: true,
    series: makeArrivalCurve('Messages', dissemination.histogram, dissemination.all.count)
  })
]

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function zonePlots({ groups }) {
  const zones = groups?.zones.map(({ zone }) => zone) ?? []
  const times = new Map(
    groups?.pairs.map(({ from, to, latency: { all } }) => [
      `${from} ${to}`,
      all.p50 && roundToFourDigits(all.p50.ms)
    ])
  )
  if (![...times.values()].some(value => value !== null)) return []
  return [
    {
      id: 'zone-latency',
      kind: 'grid',
      title: 'Latency from zone to zone',
      note: 'p50 in ms, of deliveries by the zone of the publisher (row) and of the receiver (column).',
      x: 'From, to',
      grid: {
        columns: zones,
        rows: zones,
        values: zones.map(from => zones.map(to => times.get(`${from} ${to}`) ?? null))
      }
    }
  ]
}

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function hopPlots({ hops, topology }) {
  const last = summarizeHops(hops.last)
  const degree = topology.measures?.degrees.avg
  const hopNote = 'The publisher has 0 hops, any other node one more than the peer the message came from.'
  return [
    ...countPlot(
      { id: 'hops', title: 'Hops of deliveries', note: hopNote, x: 'Hops', y: 'Deliveries, %' },
      hops.deliveries
    ),
    ...countPlot(
      {
        id: 'last-hops',
        title: 'Hops of the last delivery of a message',
        note: hopNote,
        x: 'Hops',
        y: 'Messages, %',
        compared: true
      },
      hops.last
    ),
    ...(last === null || degree === undefined
      ? []
      : /** @type {Plot[]} */ ([
          {
            id: 'last-hop-over-degree',
            kind: 'lines',
            title: 'Hops of the last delivery, by connections',
            note: 'Average, with one standard deviation to either side. One point for each result.',
            x: 'Connections of a node, average',
            y: 'Hops',
            logX: true,
            compared: true,
            series: [
              {
                label: 'Last delivery',
                style: 'points',
                values: [
                  [degree, last.avg, Math.max(0, last.avg - last.sd), last.avg + last.sd].map(
                    roundToFourDigits
                  )
                ]
              }
            ]
          }
        ]))
  ]
}

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function publicationPlots(outcome) {
  const { timeline, interArrival, lateness } = outcome
  const { p50, p90 } = interArrival.planned.summary
  const marks = [
    { time: p50, label: 'planned p50' },
    { time: p90, label: 'planned p90' }
  ].flatMap(({ time, label }) => (time ? [{ x: time.ms, label }] : []))
  return [
    ...(timeline.length === 0
      ? []
      : /** @type {Plot[]} */ ([
          {
            id: 'publications',
            kind: 'lines',
            title: 'Messages published',
            note: 'Below the planned rate, messages were late, skipped or failed.',
            x: TIME_AXIS_TITLE,
            y: 'Messages/s',
            series: [
              { label: 'published', style: 'steps', values: computeRates(outcome, 'published') },
              { label: 'planned', style: 'dotted', values: computeRates(outcome, 'planned') }
            ]
          },
          {
            id: 'deliveries-over-time',
            kind: 'lines',
            title: 'Deliveries over time',
            x: TIME_AXIS_TITLE,
            y: 'Deliveries/s',
            series: [{ label: 'deliveries', style: 'steps', values: computeRates(outcome, 'delivered') }]
          }
        ])),
    ...makeHistogramPlot(interArrival.actual.histogram, {
      id: 'publish-intervals',
      title: 'Time between publications',
      note: 'Of all nodes together.',
      x: 'Time between publications, ms',
      y: 'Publications',
      ...(marks.length > 0 && { marks })
    }),
    ...makeHistogramPlot(lateness.histogram, {
      id: 'publish-lateness',
      title: 'Publish calls after they were due',
      x: 'Lateness, ms',
      y: 'Publications'
    })
  ]
}

/** Plots of workers. @type {readonly { id: string, title: string, y: string, note: string, of: (sample: Sample) => number }[]} */
const WORKER_PLOTS = [
  {
    id: 'workers-cpu',
    title: 'CPU of the workers',
    y: 'CPU, % of a core',
    note: '100 % is one core. Nodes of a worker near 100 % wait for each other.',
    of: ({ cpuPercent }) => cpuPercent
  },
  {
    id: 'workers-memory',
    title: 'Memory of the workers',
    y: 'Memory, MB',
    note: 'Resident set of a process, or the memory a container uses.',
    of: ({ rssBytes }) => rssBytes / 1e6
  },
  {
    id: 'workers-heap',
    title: 'JavaScript heap of the workers',
    y: 'Heap, MB',
    note: 'In use.',
    of: ({ heapBytes }) => heapBytes / 1e6
  },
  {
    id: 'workers-traffic',
    title: 'Bytes in and out',
    y: 'Traffic, kB/s',
    note: 'Received and sent, packets with their headers.',
    of: ({ receivedPerSecond = 0, sentPerSecond = 0 }) => (receivedPerSecond + sentPerSecond) / 1e3
  },
  {
    id: 'workers-backlog',
    title: 'Backlog',
    y: 'Backlog, kB',
    note: 'Bytes in the write buffers of the streams. A backlog that keeps growing: the network does not carry the rate.',
    of: ({ backlogBytes }) => backlogBytes / 1e3
  }
]

/** @param {WorkerResources} worker */
const workerLabel = ({ worker, nodes }) => (nodes?.length === 1 ? `node ${nodes[0]}` : `worker ${worker}`)

/** A line for each worker, with the highest value of each time range. @param {WorkerResources[]} workers @param {(sample: Sample) => number} of */
function workerLines(workers, of) {
  const points = Math.min(MAX_POINTS, Math.floor(MAX_WORKER_POINTS / workers.length))
  return workers.flatMap(worker =>
    makeTimeSeries(
      groupNeighbours(worker.series, points).map(samples => ({
        atMs: samples[0].atMs,
        value: findLargest(samples, of)
      })),
      { [workerLabel(worker)]: ({ value }) => value }
    )
  )
}

/** The average of all workers, between the minimum and the maximum. @param {WorkerResources[]} workers @param {(sample: Sample) => number} of */
function workerBand(workers, of) {
  const samples = workers.flatMap(({ series }) => series).sort((a, b) => a.atMs - b.atMs)
  const rows = groupNeighbours(samples, MAX_POINTS).map(group => {
    const values = group.map(of)
    return {
      atMs: group[0].atMs,
      avg: computeSum(values) / values.length,
      min: Math.min(...values),
      max: Math.max(...values)
    }
  })
  return [
    makeBandSeries(`average of ${formatCount(workers.length, 'worker')}, least to most`, rows, row => row)
  ]
}

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function workerPlots({ resources }) {
  const workers = resources.filter(({ series }) => series.length > 0)
  const drawn = workers.length > MAX_LINES ? workerBand : workerLines
  return WORKER_PLOTS.filter(({ of }) => workers.some(({ series }) => series.some(each => of(each) > 0))).map(
    ({ of, ...plot }) => ({ ...plot, kind: 'lines', x: TIME_AXIS_TITLE, series: drawn(workers, of) })
  )
}

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function networkPlots({ topology, nodes, mesh }) {
  return [
    ...makeLinePlots({
      id: 'mesh-degree',
      title: 'Mesh peers over time',
      note: 'Of a node for a topic: the average, between the fewest and the most.',
      x: TIME_AXIS_TITLE,
      y: 'Mesh peers',
      series: [makeBandSeries('mesh peers', pickEvenly(mesh.series, MAX_POINTS), row => row)]
    }),
    ...networkGraph(topology, new Map(nodes.map(({ node, averageMs }) => [node, averageMs])))
  ]
}

/** @param {GossipOutcome} outcome @returns {Plot[]} */
function scorePlots({ scores }) {
  const series = scores?.series ?? []
  const crossed = SCORE_LIMITS.filter(([, key]) => series.some(({ below }) => below[key] > 0))
  return [
    ...makeLinePlots({
      id: 'scores',
      title: 'Scores over time',
      note: 'Of each node, by each of its peers.',
      x: TIME_AXIS_TITLE,
      y: 'Score',
      series: makeTimeSeries(series, { p5: ({ p5 }) => p5, p50: ({ p50 }) => p50, p95: ({ p95 }) => p95 })
    }),
    ...makeLinePlots({
      id: 'scores-below',
      title: 'Scores below thresholds',
      x: TIME_AXIS_TITLE,
      y: 'Scores, %',
      series: makeTimeSeries(
        series,
        Object.fromEntries(crossed.map(([name, key]) => [`below ${name}`, ({ below }) => 100 * below[key]]))
      )
    })
  ]
}

/** @param {GossipOutcome['topology']} topology @param {Map<number, number | null>} latencies - by node @returns {Plot[]} */
function networkGraph({ nodes, edges }, latencies) {
  if (edges.length === 0 || nodes > MAX_DRAWN_NODES) return []
  const degrees = Array(nodes).fill(0)
  for (const ends of edges) for (const node of ends) degrees[node]++
  const maxDegree = Math.max(...degrees)
  return [
    {
      id: 'network',
      kind: 'graph',
      title: 'Network',
      y: 'Mean latency, ms',
      note: `Colour: mean latency of what a node received, ms. Size: its connections.${edges.length > MAX_DRAWN_EDGES ? ' There are too many connections to draw.' : ''}`,
      nodes: computeForceLayout(nodes, edges).map(({ x, y }, node) => {
        const ms = latencies.get(node) ?? null
        return [
          x,
          y,
          ms === null ? null : roundToFourDigits(ms),
          Number((degrees[node] / maxDegree).toFixed(3))
        ]
      }),
      edges: edges.length > MAX_DRAWN_EDGES ? [] : edges
    }
  ]
}

/**
 * makeGossipPlots are the plots of every gossip network.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function makeGossipPlots({ outcome, run }) {
  const began = run.phases.find(({ name }) => name === 'publish')?.startMs ?? 0
  const { dissemination, perSecond, secondsPerPoint } = outcome
  return [
    ...makeArrivalPlots(outcome),
    ...makeHistogramPlot(outcome.latency.histogram, {
      id: 'latency',
      title: 'Latency',
      x: 'Latency, ms',
      y: 'Deliveries',
      compared: true
    }),
    ...makeHistogramPlot(dissemination.histogram, {
      id: 'dissemination',
      title: 'Dissemination time',
      note: 'From the publish call to the last delivery, of messages that reached every subscriber.',
      x: 'Dissemination time, ms',
      y: 'Messages',
      compared: true
    }),
    ...makeHeatPlot(
      {
        id: 'latency-over-time',
        title: 'Latency over time',
        note: 'By the time of the publish call. The darker, the more deliveries.',
        x: TIME_AXIS_TITLE,
        y: 'Latency, ms'
      },
      perSecond.filter(({ second }) => second >= 0),
      readPublishSeconds(outcome),
      secondsPerPoint
    ),
    ...zonePlots(outcome),
    ...hopPlots(outcome),
    ...publicationPlots(outcome),
    ...networkPlots(outcome),
    ...scorePlots(outcome),
    ...workerPlots(outcome),
    ...makeLatenessPlots(run, { x: TIME_AXIS_TITLE, at: ({ atMs }) => (atMs - began) / 1000 })
  ]
}

const STEPS = 120

/** Gravity keeps unconnected nodes near the others. */
const GRAVITY = 0.3

/** In radians: points on a spiral with this angle between them are evenly spread. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** @param {number} value @param {Float64Array} all @returns {number} 0 to 1 */
function normalizeCoordinate(value, all) {
  const [min, max] = [Math.min(...all), Math.max(...all)]
  return max > min ? Number(((value - min) / (max - min)).toFixed(3)) : 0.5
}

/**
 * computeForceLayout places the nodes of a network so that connected nodes are near each other: all nodes repel each other, edges attract (Fruchterman
 * and Reingold, 1991). The more edges its ends have, the less an edge pulls; else hubs would draw the network into one point. It uses no random
 * numbers: the same network gives the same layout.
 *
 * @param {number} nodes - the time grows with their square
 * @param {readonly (readonly number[])[]} edges
 * @returns {{ x: number, y: number }[]} in a square from 0 to 1
 */
export function computeForceLayout(nodes, edges) {
  const length = 1 / Math.sqrt(nodes)
  const spiral = Array.from({ length: nodes }, (_, i) => [
    0.5 * Math.sqrt(i / nodes) * Math.cos(i * GOLDEN_ANGLE),
    0.5 * Math.sqrt(i / nodes) * Math.sin(i * GOLDEN_ANGLE)
  ])
  const [x, y] = [0, 1].map(axis => Float64Array.from(spiral, place => place[axis]))
  const degrees = new Uint32Array(nodes)
  for (const ends of edges) for (const node of ends) degrees[node]++
  for (let step = 0; step < STEPS; step++) {
    const pullX = x.map(place => -GRAVITY * length * place)
    const pullY = y.map(place => -GRAVITY * length * place)
    /** Moves two nodes apart, or together where `force` is negative. @param {number} a @param {number} b @param {number} force */
    const push = (a, b, force) => {
      pullX[a] += force * (x[a] - x[b])
      pullY[a] += force * (y[a] - y[b])
      pullX[b] -= force * (x[a] - x[b])
      pullY[b] -= force * (y[a] - y[b])
    }
    for (let a = 0; a < nodes; a++)
      for (let b = a + 1; b < nodes; b++)
        push(a, b, length ** 2 / Math.max(1e-6, (x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2))
    for (const [a, b] of edges)
      push(a, b, -Math.hypot(x[a] - x[b], y[a] - y[b]) / length / Math.min(degrees[a], degrees[b]))
    const furthest = 0.1 * (1 - step / STEPS)
    for (let node = 0; node < nodes; node++) {
      const pull = Math.max(1e-9, Math.hypot(pullX[node], pullY[node]))
      x[node] += (pullX[node] / pull) * Math.min(pull, furthest)
      y[node] += (pullY[node] / pull) * Math.min(pull, furthest)
    }
  }
  return Array.from(x, (place, node) => ({
    x: normalizeCoordinate(place, x),
    y: normalizeCoordinate(y[node], y)
  }))
}
