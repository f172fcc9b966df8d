import { callTree } from './call-tree.js'

/**
 * @typedef {import('./types.js').CpuProfile} CpuProfile
 * @typedef {import('./category.js').Category} Category
 * @typedef {import('./call-tree.js').Call} Call
 *
 * @typedef {object} FoldedCall - a call with all that it called; `selfMs` and the children's `totalMs` add up to `totalMs`
 * @property {string} name
 * @property {string} package
 * @property {Category} category
 * @property {number} selfMs
 * @property {number} totalMs
 * @property {FoldedCall[]} children - the longest first, `(other)` last
 *
 * @typedef {object} Limits
 * @property {number} [leastShare] - of the whole; shorter calls are not told apart
 * @property {number} [maxDepth] - calls under the root; deeper ones are not told apart
 * @property {number} [maxNodes] - in the tree
 */

const OTHER = '(other)'

/** @param {Call} call */
function nameOf({ function: name, url, line }) {
  if (name !== '(anonymous)' || url === null) return name
  return `(anonymous ${url.slice(url.lastIndexOf('/') + 1)}:${line})`
}

/** The longest first, in the same order whatever the order of the profiles. @param {Call} call */
const childrenOf = call =>
  [...call.children]
    .sort(([a, x], [b, y]) => y.totalMicros - x.totalMicros || (a < b ? -1 : 1))
    .map(([, child]) => child)

/**
 * Calls that are long and near enough, callers before what they call.
 *
 * @param {Call} root
 * @param {number} leastMicros
 * @param {number} maxDepth
 */
function placed(root, leastMicros, maxDepth) {
  /** @type {Call[]} */
  const calls = []
  /** @param {Call} call @param {number} depth */
  const add = (call, depth) => {
    if (depth > maxDepth || call.totalMicros === 0 || call.totalMicros < leastMicros) return
    calls.push(call)
    for (const child of childrenOf(call)) add(child, depth + 1)
  }
  for (const child of childrenOf(root)) add(child, 1)
  return calls
}

/**
 * The longest calls. None is without its callers, for those are at least as long and were listed before it. Each may need
 * a place more for what it called that is not told apart, and so may the root.
 *
 * @param {Call[]} calls
 * @param {number} maxNodes
 */
const longest = (calls, maxNodes) =>
  new Set(
    [...calls]
      .sort((a, b) => b.totalMicros - a.totalMicros)
      .slice(0, Math.max(0, Math.floor(maxNodes / 2) - 1))
  )

/** @param {number} micros @returns {FoldedCall} */
const other = micros => ({
  name: OTHER,
  package: OTHER,
  category: 'other',
  selfMs: micros / 1000,
  totalMs: micros / 1000,
  children: []
})

/** @param {Call} call @param {Set<Call>} kept @returns {FoldedCall} */
function fold(call, kept) {
  const children = childrenOf(call)
  const dropped = children.filter(child => !kept.has(child))
  const droppedMicros = dropped.reduce((sum, { totalMicros }) => sum + totalMicros, 0)
  return {
    name: nameOf(call),
    package: call.package,
    category: call.category,
    selfMs: call.selfMicros / 1000,
    totalMs: call.totalMicros / 1000,
    children: [
      ...children.filter(child => kept.has(child)).map(child => fold(child, kept)),
      ...(droppedMicros > 0 ? [other(droppedMicros)] : [])
    ]
  }
}

/** Waiting is no work: a flame graph would be full of it. @param {Call} root @returns {Call} */
function withoutIdle(root) {
  const children = new Map([...root.children].filter(([, { category }]) => category !== 'idle'))
  const totalMicros = [...children.values()].reduce((sum, call) => sum + call.totalMicros, root.selfMicros)
  return { ...root, children, totalMicros }
}

/**
 * folded merges the profiles of a run into one tree of calls that is small enough to be kept in a result: what is short,
 * deep or beyond the number of nodes stands together as `(other)`, one for each caller, so that sums stay right. Idle time
 * is left out.
 *
 * @param {CpuProfile[]} profiles
 * @param {Limits & { root?: string }} [options] - `root`: see callTree
 * @returns {FoldedCall} the root, `(root)`: all time that was not idle
 */
export function folded(profiles, { leastShare = 0.002, maxDepth = 60, maxNodes = 3000, root } = {}) {
  const tree = withoutIdle(callTree(profiles, { root }))
  const told = placed(tree, leastShare * tree.totalMicros, maxDepth)
  return fold(tree, longest(told, maxNodes))
}
