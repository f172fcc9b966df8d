/**
 * @typedef {object} Direction - one way of a connection: bytes go in at one end as writes and can be read at the other, in order. It has no
 *   clock: whoever drives it calls `advance` at `nextNs`, and looks at `nextNs` again after every call. Times of calls never go back.
 *   All directions of a network that share a queue are driven in the order of time.
 * @property {(bytes: number, nowNs: number) => void} send - takes a write to a stream of the connection
 * @property {number} nextNs - when `advance` has something to do; Infinity: nothing, until something is sent
 * @property {(nowNs: number) => number} advance - does what is due, and gives how many more writes can be read, oldest first
 * @property {number} departsNs - when the next write has left the sender; Infinity: that is not known yet
 * @property {(nowNs: number) => number} departed - writes that have left the sender, since the beginning
 * @property {(nowNs: number) => number} waitingBytes - of the writes that have not
 */

export {}
