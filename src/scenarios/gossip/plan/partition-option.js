import { unknownKey } from '../../../kit/problem-words.js'
import { milliseconds } from '../../../plan/values.js'
import { isMapping } from '../../../plan/yaml-file.js'

/**
 * @typedef {import('../../../network/links/partition-schedule.js').Cut} Cut
 * @typedef {import('../../../network/links/partition-schedule.js').NodeRange} NodeRange
 */

const EXAMPLE = 'hold@10s-15s:0-9|10-29'
const FORM = `must be hold or reset, when, and groups of nodes, such as ${EXAMPLE} or reset@10s-15s:0-9|rest`

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ kind: hold, from: 10s, to: 15s, between: ['0-9', rest] }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { kind, from, to, between } = /** @type {Record<string, unknown>} */ (value)
  return `${kind}@${from}-${to}:${[between].flat().join('|')}`
}

/** @param {string} text - `0-4,7` or `rest` @returns {NodeRange[] | undefined} empty: the rest */
function readGroup(text) {
  if (text.trim() === 'rest') return []
  const ranges = text.split(',').map(part => {
    const [, first, last = first] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part) ?? []
    return { first: Number(first ?? Number.NaN), last: Number(last ?? Number.NaN) }
  })
  return ranges.every(({ first, last }) => first <= last) ? ranges : undefined
}

/** @param {readonly NodeRange[]} one @param {readonly NodeRange[]} other */
const overlap = (one, other) => one.some(a => other.some(b => a.first <= b.last && b.first <= a.last))

/** @param {(NodeRange[] | undefined)[]} groups @returns {string | null} what is wrong with them */
function groupsProblem(groups) {
  const known = groups.filter(group => group !== undefined)
  if (known.length < groups.length || groups.length === 0) {
    return `must have groups of nodes by number, such as 0-9 or 0-4,7, or rest: ${EXAMPLE}`
  }
  if (groups.length < 2) return 'must have at least two groups with | between them, such as 0-9|10-29'
  if (known.filter(group => group.length === 0).length > 1) return 'must name the rest once'
  const shared = known.some((group, index) => known.slice(index + 1).some(other => overlap(group, other)))
  return shared ? 'must have each node in one group only' : null
}

/** @param {unknown} value @returns {{ value: Cut } | { allowed: string }} */
function readCut(value) {
  const stranger = isMapping(value) && unknownKey(value, ['kind', 'from', 'to', 'between'])
  if (stranger) return { allowed: stranger }
  const [, kind, from, to, between] =
    /^(hold|reset)\s*@\s*([^-]+?)\s*-\s*([^:]+?)\s*:\s*(.*)$/s.exec(asText(value)) ?? []
  if (kind !== 'hold' && kind !== 'reset') return { allowed: FORM }
  const [fromMs, toMs] = [milliseconds(from), milliseconds(to)]
  if (!(fromMs >= 0 && fromMs < toMs)) {
    return { allowed: `must have a time and a later one with their units, such as 10s-15s: ${EXAMPLE}` }
  }
  const groups = between.split('|').map(readGroup)
  const problem = groupsProblem(groups)
  if (problem !== null) return { allowed: problem }
  return { value: { kind, fromMs, toMs, between: /** @type {NodeRange[][]} */ (groups) } }
}

/** @param {readonly NodeRange[]} group */
const writeGroup = group =>
  group.length === 0
    ? 'rest'
    : group.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')

/** @param {Cut} cut */
const writeCut = ({ kind, fromMs, toMs, between }) =>
  `${kind}@${fromMs}ms-${toMs}ms:${between.map(writeGroup).join('|')}`

/**
 * partitions is the kind of --partition, which can be given several times.
 *
 * @returns {import('../../../plan/values.js').Kind & { write: (cut: Cut) => string }}
 */
export const partitions = () => ({
  allowed: FORM,
  item: readCut,
  write: writeCut,
  schema: z =>
    z.array(
      z.object({
        kind: z.enum(['hold', 'reset']),
        fromMs: z.number().min(0),
        toMs: z.number(),
        between: z.array(z.array(z.object({ first: z.int().min(0), last: z.int().min(0) }))).min(2)
      })
    )
})
