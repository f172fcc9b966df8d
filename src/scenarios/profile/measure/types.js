/**
 * What V8's sampling profiler gives, and `.cpuprofile` files hold.
 *
 * @typedef {object} CallFrame
 * @property {string} functionName - empty for anonymous functions
 * @property {string} scriptId
 * @property {string} url - empty for functions that are not JavaScript
 * @property {number} lineNumber - from 0; -1: there is none
 * @property {number} columnNumber - from 0; -1: there is none
 *
 * @typedef {object} ProfileNode - a function as called by all those above it
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number} [hitCount]
 * @property {number[]} [children] - ids
 *
 * @typedef {object} CpuProfile
 * @property {ProfileNode[]} nodes - the root comes first
 * @property {number} startTime - µs on a monotonic clock
 * @property {number} endTime - µs
 * @property {number[]} [samples] - ids of nodes
 * @property {number[]} [timeDeltas] - µs from the sample before, or from the start, to each sample
 */

/**
 * What V8's allocation profiler gives, and `.heapprofile` files hold.
 *
 * @typedef {object} HeapNode - a function as called by all those above it
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number} selfSize - bytes that it allocated
 * @property {HeapNode[]} children
 *
 * @typedef {object} HeapProfile
 * @property {HeapNode} head
 * @property {{ size: number, nodeId: number }[]} samples
 */

export {}
