import { largestOf, present } from '../../../../kit/lists.js'
import { counted, grouped, significant } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { heat, quantity, shades } from '../../../../kit/plots/series-plot.js'
import { FAILED, HEAT, INK, QUIET } from '../../../../kit/plots/theme.js'
import { topologyText } from '../../plan/topology-text.js'
import { forceLayout } from './force-layout.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/theme.js').LegendEntry} LegendEntry
 *
 * @typedef {object} Dot - a node of the picture
 * @property {number} node
 * @property {number} x
 * @property {number} y
 * @property {number} degree
 * @property {number | null} ms - mean latency of its deliveries; null: it had none
 * @property {boolean} lacks - not everything it was to receive came
 */

/** MOST_NODES of a network that is drawn: more cannot be told apart. */
export const MOST_NODES = 300

/** More lines than this are a grey area. */
const MOST_EDGES = 3000

const NAMED = 5

/** Room for the names of the nodes at the edge of the picture. */
const MARGIN = 0.06

const HEIGHT = 420

/** Means of few nodes are told apart to a tenth of a ms. @param {number} ms */
const rounded = ms => Number(ms.toPrecision(3))

/**
 * latencySteps are the smallest mean latencies of the shades, from pale to strong: as many nodes in each.
 *
 * @param {number[]} values - ms
 * @returns {number[]} at most one for each shade
 */
export function latencySteps(values) {
  const ascending = [...values].sort((a, b) => a - b)
  const steps = HEAT.map((_, i) => rounded(ascending[Math.floor((i * ascending.length) / HEAT.length)]))
  return [...new Set(steps)]
}

/**
 * networkDots places the nodes of a network.
 *
 * @param {GossipResult} result
 * @returns {Dot[]}
 */
export function networkDots({ outcome: { topology, nodes } }) {
  const places = forceLayout(topology)
  const degrees = places.map(() => 0)
  for (const ends of topology.edges) for (const node of ends) degrees[node]++
  const measured = new Map(nodes.map(entry => [entry.node, entry]))
  return places.map(({ x, y }, node) => {
    const own = measured.get(node)
    return {
      node,
      x: Number(x.toFixed(4)),
      y: Number(y.toFixed(4)),
      degree: degrees[node],
      ms: own?.averageMs ?? null,
      lacks: own !== undefined && own.delivered < own.expected
    }
  })
}

/** All lines are one: a path of its own for each would be half of the page. @param {Dot[]} dots @param {[number, number][]} edges */
const linePoints = (dots, edges) =>
  edges.flatMap(([a, b], i) => [
    { at: 3 * i, x: dots[a].x, y: dots[a].y },
    { at: 3 * i + 1, x: dots[b].x, y: dots[b].y },
    { at: 3 * i + 2, x: null, y: null }
  ])

/** @param {Dot[]} dots - those with the longest mean latency */
const slowest = dots => [...dots].sort((a, b) => (b.ms ?? 0) - (a.ms ?? 0)).slice(0, NAMED)

/** @param {number[]} steps @param {Dot[]} dots @returns {LegendEntry[]} */
function legend(steps, dots) {
  const shown = dots.flatMap(({ ms }) => (ms === null ? [] : [ms]))
  const most = largestOf(shown)
  return present([
    ...steps.map((from, i) => ({
      label: `${significant(from)}–${significant(steps[i + 1] ?? most)} ms`,
      colour: shades(steps)[i],
      mark: /** @type {const} */ ('circle')
    })),
    dots.some(({ ms }) => ms === null) && {
      label: 'nothing delivered',
      colour: QUIET,
      mark: /** @type {const} */ ('circle')
    },
    dots.some(({ lacks }) => lacks) && {
      label: 'ring: not everything came',
      colour: FAILED,
      mark: /** @type {const} */ ('circle')
    }
  ])
}

const WHOLE = { scale: { domain: [-MARGIN, 1 + MARGIN] }, axis: null }

/** @param {Dot[]} dots @param {[number, number][]} edges @param {number[]} steps */
function spec(dots, edges, steps) {
  const most = dots.reduce((largest, { degree }) => Math.max(largest, degree), 1)
  const size = {
    field: 'degree',
    type: 'quantitative',
    scale: { domain: [0, most], range: [30, 320] },
    legend: null
  }
  return {
    height: HEIGHT,
    layer: present([
      edges.length !== 0 && lineLayer(dots, edges),
      {
        data: { values: dots.filter(({ lacks }) => lacks) },
        mark: { type: 'point', filled: false, stroke: FAILED, strokeWidth: 5, opacity: 1 },
        encoding: { size }
      },
      {
        name: askedName(),
        data: { values: dots },
        mark: { type: 'point', filled: true, opacity: 1, stroke: QUIET, strokeWidth: 0.5 },
        encoding: {
          size,
          color: {
            condition: { test: 'datum.ms === null', value: QUIET },
            ...heat('ms', steps)
          }
        }
      },
      {
        data: { values: slowest(dots).map(({ node, x, y }) => ({ node: String(node), x, y })) },
        mark: { type: 'text', color: INK, fontSize: 11, fontWeight: 'bold', dy: -13 },
        encoding: { text: { field: 'node' } }
      }
    ]),
    encoding: { x: quantity('x', WHOLE), y: quantity('y', WHOLE) }
  }
}

/** @param {Dot[]} dots @param {[number, number][]} edges */
const lineLayer = (dots, edges) => ({
  data: { values: linePoints(dots, edges) },
  mark: { type: 'line', color: QUIET, strokeWidth: 0.6, opacity: edges.length > 600 ? 0.25 : 0.45 },
  encoding: { order: quantity('at') }
})

/**
 * topologyPlot draws the network, each node in the colour of its mean latency.
 *
 * @param {GossipResult} result
 * @returns {Plot[]} none for a network too large to draw
 */
export function topologyPlot(result) {
  const { topology } = result.outcome
  if (topology.edges.length === 0 || topology.nodes > MOST_NODES) return []
  const dots = networkDots(result)
  const known = dots.flatMap(({ ms }) => (ms === null ? [] : [ms]))
  const steps = known.length === 0 ? [] : latencySteps(known)
  const drawn = topology.edges.length <= MOST_EDGES ? topology.edges : []
  const caption = present([
    'Colour: mean latency of what the node received. Size: its connections. Numbers: the nodes with the longest.',
    drawn.length === 0 && `Its ${grouped(topology.edgeCount)} connections are too many to draw.`
  ])
  return [
    {
      id: 'network',
      title: `The network: ${topologyText(result.plan.topology)}`,
      caption: caption.join(' '),
      description: `${counted(topology.nodes, 'node')} and ${counted(topology.edgeCount, 'connection')}. The nodes with the longest mean latency: ${slowest(
        dots
      )
        .map(({ node, ms }) => `${node}${ms === null ? '' : ` (${significant(ms)} ms)`}`)
        .join(', ')}.`,
      legend: legend(steps, dots),
      marks: askedMarks(dots, {
        Node: ({ node }) => String(node),
        connections: ({ degree }) => degree,
        'mean latency, ms': ({ ms }) => ms,
        'not everything came': ({ lacks }) => (lacks ? 'yes' : null)
      }),
      spec: spec(dots, drawn, steps)
    }
  ]
}
