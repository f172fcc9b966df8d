/**
 * @typedef {'random' | 'every' | { nodes: number[] }} Publishers - random: a random node for each message; nodes: a random one of these;
 *   every: each node at its own random interval
 */

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ nodes: [3, 7] }` @returns {Publishers | undefined} */
function read(value) {
  const text =
    value !== null && typeof value === 'object' && Object.keys(value).join() === 'nodes' && 'nodes' in value
      ? `node:${value.nodes}`
      : String(value).trim()
  if (text === 'random' || text === 'every') return text
  const [, list] = /^node:\s*(\d+(?:\s*,\s*\d+)*)$/.exec(text) ?? []
  return list === undefined ? undefined : { nodes: [...new Set(list.split(',').map(Number))] }
}

/** writePublishers says it as it is typed. @param {Publishers} value */
export const writePublishers = value => (typeof value === 'string' ? value : `node:${value.nodes.join(',')}`)

/**
 * publishers is the kind of --publishers.
 *
 * @returns {import('../../../plan/values.js').Kind & { write: (value: Publishers) => string }}
 */
export const publishers = () => ({
  allowed: 'must be random, every, or nodes by number such as node:3 or node:3,7',
  schema: z =>
    z.preprocess(
      read,
      z.union([z.enum(['random', 'every']), z.object({ nodes: z.array(z.int().min(0)).min(1) })])
    ),
  write: writePublishers
})
