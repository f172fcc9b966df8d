import { folded } from './folded.js'
import { hotSpots } from './hot-spots.js'

/**
 * @typedef {import('./types.js').CpuProfile} CpuProfile
 * @typedef {import('./types.js').HeapProfile} HeapProfile
 * @typedef {import('./types.js').HeapNode} HeapNode
 * @typedef {import('./folded.js').FoldedCall} FoldedCall
 *
 * @typedef {Pick<FoldedCall, 'name' | 'package' | 'category'> & { selfBytes: number, totalBytes: number, children: FoldedAllocation[] }} FoldedAllocation
 *
 * @typedef {Pick<import('./hot-spots.js').HotSpots, 'categories' | 'packages' | 'functions'>} Shares
 *
 * @typedef {Shares & { samples: number, bytes: number, folded: FoldedAllocation }} Allocations - of several processes, by the functions that
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
