import { callTree } from './call-tree.js'

/**
 * @typedef {import('./types.js').CpuProfile} CpuProfile
 * @typedef {import('./category.js').Category} Category
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
