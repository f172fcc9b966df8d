import { callTree } from './call-tree.js'

/**
 * @typedef {import('../../measure/process-profile.js').CpuProfile} CpuProfile
 * @typedef {import('./call-tree.js').Category} Category
 * @typedef {import('./call-tree.js').Call} Call
 *
 * @typedef {object} Shares - from 0 to 1, of the time that was not idle
 * @property {number} selfShare - it was on top of the stack; these add up to 1
 * @property {number} totalShare - it was anywhere in the stack
 *
 * @typedef {{ category: Category } & Shares} CategoryShares
 * @typedef {{ package: string } & Shares} PackageShares
 * @typedef {Pick<Call, 'function' | 'package' | 'category' | 'url' | 'line'> & Shares} FunctionShares
 *
 * @typedef {object} HotSpots
 * @property {number} samples
 * @property {number} durationMs - sampled, the profiles added up
 * @property {number} busyShare - of `durationMs`
 * @property {number} idleShare - of `durationMs`: the rest
 * @property {CategoryShares[]} categories - the most self time first, as in the others; without `idle`
 * @property {PackageShares[]} packages
 * @property {FunctionShares[]} functions - those with the most self time; one that serves others (see categoryOf) stands once
 *   for each category it serves
 */

const MOST_FUNCTIONS = 50

/** What calls are summed up by. */
const category = (/** @type {Call} */ call) => ({ category: call.category })
const packageName = (/** @type {Call} */ call) => ({ package: call.package })
const functionName = (/** @type {Call} */ { function: name, package: from, category, url, line }) => ({
  function: name,
  package: from,
  category,
  url,
  line
})

/**
 * summed adds up calls by a label. Time counts once for a label, however often it is in a stack.
 *
 * @template {object} Label
 * @param {Call[]} calls
 * @param {(call: Call) => Label} labelOf
 */
function summed(calls, labelOf) {
  /** @type {Map<string, { label: Label, selfMicros: number, totalMicros: number, open: number }>} `open`: in this stack */
  const sums = new Map()

  /** @param {Call} call */
  const add = call => {
    const label = labelOf(call)
    const key = Object.values(label).join('\n')
    const sum = sums.get(key) ?? { label, selfMicros: 0, totalMicros: 0, open: 0 }
    sums.set(key, sum)
    sum.selfMicros += call.selfMicros
    if (sum.open === 0) sum.totalMicros += call.totalMicros
    sum.open++
    for (const child of call.children.values()) add(child)
    sum.open--
  }
  calls.forEach(add)
  return sums
}

/**
 * @template {object} Label
 * @param {Call[]} calls
 * @param {(call: Call) => Label} labelOf
 * @returns {(Label & Shares)[]} the most self time first
 */
function shares(calls, labelOf) {
  const busyMicros = micros(calls)
  return [...summed(calls, labelOf)]
    .filter(([, { totalMicros }]) => totalMicros > 0)
    .sort(
      ([a, x], [b, y]) => y.selfMicros - x.selfMicros || y.totalMicros - x.totalMicros || (a < b ? -1 : 1)
    )
    .map(([, { label, selfMicros, totalMicros }]) => ({
      ...label,
      selfShare: selfMicros / busyMicros,
      totalShare: totalMicros / busyMicros
    }))
}

/** @param {Call[]} calls */
const micros = calls => calls.reduce((sum, { totalMicros }) => sum + totalMicros, 0)

/** @param {Call} call @returns {number} */
const samplesOf = call =>
  [...call.children.values()].reduce((sum, child) => sum + samplesOf(child), call.samples)

/**
 * hotSpots tells what the time of processes was spent on. Shares are of the time that was not idle, so that runs with more
 * or less to do can be compared; how much was idle is said beside them.
 *
 * Total shares of what starts work (`runtime`, `socket`, `events`) are great, for the rest is called from there.
 *
 * @param {CpuProfile[]} profiles - of one run, one for each process
 * @param {{ root?: string }} [options] - see callTree
 * @returns {HotSpots}
 */
export function hotSpots(profiles, options) {
  const tree = callTree(profiles, options)
  const busy = [...tree.children.values()].filter(call => call.category !== 'idle')
  const busyShare = tree.totalMicros === 0 ? 0 : micros(busy) / tree.totalMicros
  return {
    samples: samplesOf(tree),
    durationMs: tree.totalMicros / 1000,
    busyShare,
    idleShare: tree.totalMicros === 0 ? 0 : 1 - busyShare,
    categories: shares(busy, category),
    packages: shares(busy, packageName),
    functions: shares(busy, functionName)
      .filter(({ selfShare }) => selfShare > 0)
      .slice(0, MOST_FUNCTIONS)
  }
}

/**
 * @typedef {object} HotSpotDifference
 * @property {Category} category
 * @property {{ selfShare: number, totalShare: number }} base
 * @property {{ selfShare: number, totalShare: number }} candidate
 * @property {number} selfPoints - percentage points that the candidate spends more than the base
 * @property {number} totalPoints
 */

const NOTHING = { selfShare: 0, totalShare: 0 }

/** @param {HotSpots} hotSpots */
const byCategory = ({ categories }) =>
  new Map(categories.map(({ category, selfShare, totalShare }) => [category, { selfShare, totalShare }]))

/**
 * hotSpotDifferences says by how many percentage points two runs differ in what their time was spent on.
 *
 * @param {Pick<HotSpots, 'categories'>} base
 * @param {Pick<HotSpots, 'categories'>} candidate
 * @returns {HotSpotDifference[]} the greatest difference in self time first, whichever way it goes
 */
export function hotSpotDifferences(base, candidate) {
  const [before, after] = [base, candidate].map(hotSpots => byCategory(/** @type {HotSpots} */ (hotSpots)))
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(category => {
      const [was, is] = [before.get(category) ?? NOTHING, after.get(category) ?? NOTHING]
      return {
        category,
        base: was,
        candidate: is,
        selfPoints: 100 * (is.selfShare - was.selfShare),
        totalPoints: 100 * (is.totalShare - was.totalShare)
      }
    })
    .sort((a, b) => Math.abs(b.selfPoints) - Math.abs(a.selfPoints) || (a.category < b.category ? -1 : 1))
}

/**
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

/**
 * @typedef {import('../../measure/process-profile.js').HeapProfile} HeapProfile
 * @typedef {import('../../measure/process-profile.js').HeapNode} HeapNode
 *
 * @typedef {Pick<FoldedCall, 'name' | 'package' | 'category'> & { selfBytes: number, totalBytes: number, children: FoldedAllocation[] }} FoldedAllocation
 *
 * @typedef {Pick<HotSpots, 'categories' | 'packages' | 'functions'> & { samples: number, bytes: number, folded: FoldedAllocation }} Allocations - of several processes, by the functions that
 *   allocate; shares are of `bytes`
 */

/** Nodes of a tree, callers before what they call. @param {HeapNode} node @returns {HeapNode[]} */
const nodesOf = node => [node, ...node.children.flatMap(nodesOf)]

/**
 * A profile in which bytes stand where times do: what is summed up, and how, is the same.
 *
 * @param {HeapProfile} profile
 * @returns {CpuProfile}
 */
function asTimes({ head }) {
  const nodes = nodesOf(head)
  const allocating = nodes.filter(({ selfSize }) => selfSize > 0)
  return {
    nodes: nodes.map(({ id, callFrame, children }) => ({
      id,
      callFrame,
      children: children.map(({ id }) => id)
    })),
    startTime: 0,
    endTime: allocating.reduce((sum, { selfSize }) => sum + selfSize, 0),
    samples: allocating.map(({ id }) => id),
    timeDeltas: allocating.map((_, i) => allocating[i - 1]?.selfSize ?? 0)
  }
}

/** @param {FoldedCall} call @returns {FoldedAllocation} */
const inBytes = ({ selfMs, totalMs, children, ...call }) => ({
  ...call,
  selfBytes: Math.round(1000 * selfMs),
  totalBytes: Math.round(1000 * totalMs),
  children: children.map(inBytes)
})

/**
 * allocationsOf tells which functions allocated how much.
 *
 * @param {HeapProfile[]} profiles - of one run, one for each process
 * @returns {Allocations}
 */
export function allocationsOf(profiles) {
  const asCpu = profiles.map(asTimes)
  const { durationMs, categories, packages, functions } = hotSpots(asCpu)
  return {
    samples: profiles.reduce((sum, { samples }) => sum + samples.length, 0),
    bytes: Math.round(1000 * durationMs),
    ...{ categories, packages, functions },
    folded: inBytes(folded(asCpu))
  }
}
