// Parses the values of --topics and --publishers, and matches topic patterns of thresholds.
import { parseDecimal } from '../../kit/numbers.js'

/**
 * @typedef {import('./options.js').Topic} Topic
 */

/** MAX_TOPICS of a network. */
export const MAX_TOPICS = 250

/** @param {number} count @returns {Topic[]} */
const numbered = count => Array.from({ length: count }, (_, index) => ({ name: `topic-${index}`, chance: 1 }))

/** @param {unknown} value @returns {[string, unknown][]} */
const pairs = value =>
  value !== null && typeof value === 'object'
    ? Object.entries(value)
    : String(value)
        .split(',')
        .map(part => {
          const [name, ...chance] = part.trim().split(/ ?= ?/)
          return [name, chance.join('=')]
        })

/**
 * parseTopics reads how many topics there are, or which, each with the chance that a node subscribes to it.
 *
 * @param {unknown} value - `3`, or `foo=0.7,bar=0.4`, or the latter as an object
 * @returns {Topic[] | undefined} undefined: not allowed
 */
function parseTopics(value) {
  if (/^\d+$/.test(String(value))) {
    const count = Number(value)
    return count >= 1 && count <= MAX_TOPICS ? numbered(count) : undefined
  }
  const topics = pairs(value).map(([name, chance]) => ({ name, chance: parseDecimal(String(chance)) }))
  const good = topics.every(({ name, chance }) => name !== '' && chance > 0 && chance <= 1)
  const once = new Set(topics.map(({ name }) => name)).size === topics.length
  return good && once && topics.length >= 1 && topics.length <= MAX_TOPICS ? topics : undefined
}

/** @param {readonly Topic[]} topics */
const isNumbered = topics => JSON.stringify(topics) === JSON.stringify(numbered(topics.length))

/**
 * topicsKind is the kind of --topics.
 *
 * @returns {import('../../plan/values.js').OptionValueKind & { write: (topics: readonly Topic[]) => string }}
 */
export const topicsKind = () => ({
  allowed: `must be a number of topics from 1 to ${MAX_TOPICS}, or topics with the chance that a node subscribes to each, such as foo=0.7,bar=0.4`,
  schema: z => z.preprocess(parseTopics, z.array(z.object({ name: z.string(), chance: z.number() }))),
  write: value =>
    isNumbered(value) ? String(value.length) : value.map(({ name, chance }) => `${name}=${chance}`).join(',')
})

/** matchesTopic says whether a pattern of a threshold matches a topic; `votes.*` matches all names that begin so. @param {string | undefined} pattern @param {string} name */
export const matchesTopic = (pattern, name) =>
  pattern === name || (pattern?.endsWith('.*') === true && name.startsWith(pattern.slice(0, -1)))

/**
 * @typedef {'random' | 'every' | { nodes: number[] }} Publishers - random: a random node for each message; nodes: a random one of these;
 *   every: each node at its own random interval
 */

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ nodes: [3, 7] }` @returns {Publishers | undefined} */
function readPublishers(value) {
  const text =
    value !== null && typeof value === 'object' && Object.keys(value).join() === 'nodes' && 'nodes' in value
      ? `node:${value.nodes}`
      : String(value).trim()
  if (text === 'random' || text === 'every') return text
  const [, list] = /^node:\s*(\d+(?:\s*,\s*\d+)*)$/.exec(text) ?? []
  return list === undefined ? undefined : { nodes: [...new Set(list.split(',').map(Number))] }
}

/** writePublishers writes the value as it is typed. @param {Publishers} value */
export const writePublishers = value => (typeof value === 'string' ? value : `node:${value.nodes.join(',')}`)

/**
 * publishersKind is the kind of --publishers.
 *
 * @returns {import('../../plan/values.js').OptionValueKind & { write: (value: Publishers) => string }}
 */
export const publishersKind = () => ({
  allowed: 'must be random, every, or nodes by number such as node:3 or node:3,7',
  schema: z =>
    z.preprocess(
      readPublishers,
      z.union([z.enum(['random', 'every']), z.object({ nodes: z.array(z.int().min(0)).min(1) })])
    ),
  write: writePublishers
})
