import { sumOf } from '../../kit/lists.js'
import { plain } from './gossip-figure.js'

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const largest = values => Math.max(...values)

/**
 * @param {string} name
 * @param {string} title
 * @param {(used: import('./gossip-types.js').Used) => number | null | undefined} of
 * @param {Partial<import('./gossip-figure.js').Figure> & { over?: typeof mean }} [more] - `over`: the nodes
 */
const perNode = (name, title, of, { over = mean, ...more } = {}) =>
  plain(
    name,
    title,
    ({ resources }) => {
      if (resources.length === 0 || resources.some(({ nodes }) => nodes?.length !== 1)) return null
      const known = resources.map(({ phases }) => phases?.publish && of(phases.publish))
      return known.some(value => value == null) ? null : over(/** @type {number[]} */ (known))
    },
    { unless: 'nodes shared processes or containers', better: null, ...more }
  )

const inMegabytes = (/** @type {number | null} */ bytes) => bytes && bytes / 1e6
const inKilobytes = (/** @type {number | undefined} */ bytes) => bytes && bytes / 1e3

/** NODE_FIGURES are what a node that shares its process or container with no other used while messages were published: on average over nodes, and the most of any. */
export const NODE_FIGURES = [
  perNode('node.cpu', 'CPU of a node avg', ({ cpu }) => cpu.averagePercent, {
    quantity: 'share'
  }),
  perNode('node.cpu.max', 'CPU of a node max', ({ cpu }) => cpu.maxPercent, {
    over: largest,
    quantity: 'share'
  }),
  perNode('node.memory', 'Memory of a node avg', ({ memory }) => inMegabytes(memory.averageBytes), {
    quantity: 'memory'
  }),
  perNode('node.memory.max', 'Memory of a node max', ({ memory }) => inMegabytes(memory.maxBytes), {
    over: largest,
    quantity: 'memory'
  }),
  perNode('node.received', 'Bytes into a node', ({ traffic }) => inKilobytes(traffic?.receivedBytes), {
    unit: 'kB'
  }),
  perNode('node.sent', 'Bytes out of a node', ({ traffic }) => inKilobytes(traffic?.sentBytes), {
    unit: 'kB'
  })
]
