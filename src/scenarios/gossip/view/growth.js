import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { hopFigures } from '../measure/hop-figures.js'
import { leastSquares } from '../measure/least-squares.js'
import { topologyText } from '../plan/topology-text.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../measure/least-squares.js').Line} Line
 *
 * @typedef {{ nodes: number, value: number }} GrowthPoint
 *
 * @typedef {object} Growth - how a figure grows with the number of nodes
 * @property {string} of - the rows, in words
 * @property {'last-hop' | 'dissemination'} id
 * @property {string} title
 * @property {string} unit - with the name of the axis
 * @property {GrowthPoint[]} points - by nodes
 * @property {Line} logarithmic - against log₂ of the nodes
 * @property {Line} linear - against the nodes
 */

/** Of fewer numbers of nodes no shape can be seen. */
const LEAST = 3

/** @type {readonly { id: Growth['id'], title: string, unit: string, value: (result: GossipResult) => number | null }[]} */
const FIGURES = [
  {
    id: 'last-hop',
    title: 'Last delivery hop',
    unit: 'Hops, average',
    value: ({ outcome }) => hopFigures(outcome.hops.last)?.avg ?? null
  },
  {
    id: 'dissemination',
    title: 'Dissemination time',
    unit: 'ms, average',
    value: ({ outcome }) => outcome.dissemination.all.avg?.ms ?? null
  }
]

/** How much was published, and by how many processes, may go with how many nodes there are. */
const WITH_NODES = new Set(['nodes', 'workers', 'messages', 'durationMs'])

/** What rows have in common that differ in nothing but their nodes. @param {GossipResult} result */
const kindOf = ({ plan }) =>
  JSON.stringify(
    Object.entries(plan)
      .filter(([key]) => !WITH_NODES.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )

/** @param {GossipResult} result */
const wordsOf = ({ plan }) =>
  `${topologyText(plan.topology)}, ${plan.network === 'simulated' ? 'simulated' : 'real TCP'}, parameters ${plan.preset}`

/** @param {GossipResult[]} results - of one kind @returns {Growth[]} */
const growthsOf = results =>
  FIGURES.flatMap(({ value, ...figure }) => {
    const points = results
      .flatMap(result => {
        const measured = value(result)
        return measured === null ? [] : [{ nodes: result.plan.nodes, value: measured }]
      })
      .sort((a, b) => a.nodes - b.nodes)
    if (new Set(points.map(({ nodes }) => nodes)).size < LEAST) return []
    const fit = (/** @type {(nodes: number) => number} */ x) =>
      leastSquares(points.map(({ nodes, value: y }) => ({ x: x(nodes), y })))
    const [logarithmic, linear] = [fit(Math.log2), fit(nodes => nodes)]
    return [{ of: wordsOf(results[0]), ...figure, points, logarithmic, linear }]
  })

/**
 * growths tell how last hop and dissemination time grow with the number of nodes, of rows that differ in nothing else.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {Growth[]} none where fewer than three numbers of nodes were measured
 */
export function growths({ rows }, results) {
  /** @type {Map<string, GossipResult[]>} */
  const kinds = new Map()
  for (const { id } of rows) {
    const result = results.get(id)
    if (result !== undefined) kinds.set(kindOf(result), [...(kinds.get(kindOf(result)) ?? []), result])
  }
  return [...kinds.values()].flatMap(growthsOf)
}

/** @param {string} name @param {Line} line @param {string} of @param {string} unit */
function fitText(name, { slope, intercept, rms, r2 }, of, unit) {
  const sign = slope < 0 ? '−' : '+'
  const share = r2 === null ? MISSING : r2.toFixed(3)
  return `${name}: ${significant(intercept)} ${sign} ${significant(Math.abs(slope))} · ${of}, residuals ${significant(rms)} ${unit} (RMS), R² ${share}`
}

/**
 * growthLine writes a growth: both fits, and which leaves less.
 *
 * @param {Growth} growth
 * @returns {string}
 */
export function growthLine({ of, id, title, points, logarithmic, linear }) {
  const unit = id === 'last-hop' ? 'hops' : 'ms'
  const nodes = points.map(point => grouped(point.nodes)).join(', ')
  const closer = logarithmic.rms < linear.rms ? 'the logarithm' : 'the line'
  return `${title} by nodes, N = ${nodes} (${of}): ${fitText('logarithmic', logarithmic, 'log₂ N', unit)}; ${fitText('linear', linear, 'N', unit)}: ${closer} leaves less.`
}
