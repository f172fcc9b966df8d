import { categoryOf } from './category.js'
import { placeOf } from './place-of.js'

/**
 * @typedef {import('./types.js').CpuProfile} CpuProfile
 * @typedef {import('./types.js').ProfileNode} ProfileNode
 * @typedef {import('./types.js').CallFrame} CallFrame
 * @typedef {import('./category.js').Category} Category
 *
 * @typedef {object} Call - a function as called by all those above it, in all profiles
 * @property {string} function
 * @property {string} package
 * @property {string | null} url - see placeOf
 * @property {number | null} line - from 1
 * @property {Category} category
 * @property {number} samples - in which it was on top
 * @property {number} selfMicros - µs it was on top
 * @property {number} totalMicros - µs it was anywhere in the stack
 * @property {Map<string, Call>} children - by their function
 *
 * @typedef {(frame: CallFrame, caller: Call | null) => Call} Callee - the frame's call, with nothing counted yet
 */

const NOT_SAMPLED = { samples: 0, micros: 0 }

/** @returns {Call} */
const root = () => ({
  function: '(root)',
  package: '(root)',
  url: null,
  line: null,
  category: 'other',
  samples: 0,
  selfMicros: 0,
  totalMicros: 0,
  children: new Map()
})

/** @param {string} [folder] @returns {Callee} */
const calleeIn = folder => (frame, caller) => {
  const place = placeOf(frame, { caller: caller?.package, root: folder })
  const line = place.url !== null && frame.lineNumber >= 0 ? frame.lineNumber + 1 : null
  const called = { function: frame.functionName || '(anonymous)', ...place, line }
  return { ...root(), ...called, category: categoryOf(called, caller?.category) }
}

/** @param {Call} parent @param {Call} call */
function childLike(parent, call) {
  const key = `${call.function}\n${call.url ?? call.package}\n${call.line}`
  const known = parent.children.get(key)
  if (known === undefined) parent.children.set(key, call)
  return known ?? call
}

/** @param {Call} call @param {Sampled | undefined} sampled */
function count(call, { samples, micros } = NOT_SAMPLED) {
  call.samples += samples
  call.selfMicros += micros
}

/** @param {Call} call @returns {number} µs */
function sumUp(call) {
  call.totalMicros = call.selfMicros
  for (const child of call.children.values()) call.totalMicros += sumUp(child)
  return call.totalMicros
}

/** @param {Call} tree @param {CpuProfile} profile @param {Callee} callee */
function add(tree, profile, callee) {
  const times = sampleTimes(profile)
  const nodes = new Map(profile.nodes.map(node => [node.id, node]))

  /** @param {number} id @param {Call | null} caller */
  const addNode = (id, caller) => {
    const node = nodes.get(id)
    if (node === undefined) return
    const call = childLike(caller ?? tree, callee(node.callFrame, caller))
    count(call, times.get(id))
    for (const child of node.children ?? []) addNode(child, call)
  }
  for (const id of profile.nodes[0]?.children ?? []) addNode(id, null)
}

/**
 * callTree merges the profiles of several processes into one tree: times of the same calls are added.
 *
 * @param {CpuProfile[]} profiles
 * @param {object} [options]
 * @param {string} [options.root] - URL of the folder that our own code was in, see placeOf
 * @returns {Call} the root, which stands for no function; time that V8 gives to none is left out
 */
export function callTree(profiles, { root: folder } = {}) {
  const tree = root()
  const callee = calleeIn(folder)
  for (const profile of profiles) add(tree, profile, callee)
  sumUp(tree)
  return tree
}

/**
 *
 * @typedef {object} Sampled - of one node of a profile
 * @property {number} samples
 * @property {number} micros - µs
 */

/**
 * sampleTimes sums up how long each node of a profile was on top. A sample stands for the time until the next one, the
 * last for the time until the end, as in the browser's developer tools: samples come at uneven intervals, so that
 * counting them would be wrong. V8 may note samples out of order; they are put in order.
 *
 * @param {CpuProfile} profile
 * @returns {Map<number, Sampled>} by the node's id, those that were never on top left out
 */
function sampleTimes({ samples = [], timeDeltas = [], startTime, endTime }) {
  let time = startTime
  const taken = samples.map((id, i) => {
    time += timeDeltas[i] ?? 0
    return { id, time }
  })
  taken.sort((a, b) => a.time - b.time)

  /** @type {Map<number, Sampled>} */
  const sums = new Map()
  for (const [i, { id, time }] of taken.entries()) {
    const micros = Math.max(0, (taken[i + 1]?.time ?? endTime) - time)
    const sum = sums.get(id)
    if (sum === undefined) sums.set(id, { samples: 1, micros })
    else {
      sum.samples++
      sum.micros += micros
    }
  }
  return sums
}
