/**
 * @typedef {import('./departures.js').Departures} Departures
 *
 * One way of a connection: bytes go in at one end as writes and can be read at the other, in order. It has two halves, which may be in
 * different processes. Neither has a clock: whoever drives one calls it at its `nextNs`, and looks at `nextNs` again after every call. Times of
 * calls never go back.
 *
 * @typedef {object} Sending - the sender's half
 * @property {(written: import('./wire-bytes.js').Written, nowNs: number) => void} send
 * @property {number} nextNs - when `run` has something to do; Infinity: nothing, until something is sent
 * @property {(nowNs: number) => void} run - does what is due
 * @property {(answer: Answer) => void} answered - an acknowledgement is on its way, of a receiver's half that is a queue
 * @property {Departures} departures - of its writes
 *
 * @typedef {object} Far - what the sender's half tells the other end, long before anything is there: no sooner than the latency of the link
 * @property {(writes: number, atNs: number) => void} arrives - so many more can be read then: where no line into the receiver is limited, the
 *   sender's half knows
 * @property {(end: number) => void} written - a write ends there
 * @property {(flight: Flight) => void} flies - towards a limited line
 *
 * @typedef {object} Receiving - the receiver's half, where a limited line leads to it: bytes of all its connections meet there, so that all these
 *   halves of a node are driven in the order of time
 * @property {(end: number) => void} written
 * @property {(flight: Flight) => void} flies
 * @property {number} nextNs - when `advance` has something to do
 * @property {(nowNs: number) => number} advance - does what is due, and gives how many more writes can be read, oldest first
 *
 * @typedef {object} Flight - of a packet, or of a write that passes as a whole
 * @property {number} place - of its first segment, among all of this way, from 0
 * @property {number} places - how many segments are in it
 * @property {number} end - of what is written, up to which it reaches
 * @property {number} bytes - on the wire
 * @property {number} firstNs - the first byte reaches the line
 * @property {number} lastNs - the last byte reaches it
 *
 * @typedef {object} Answer - an acknowledgement
 * @property {number} place - of the first segment that caused it
 * @property {number} places - how many segments came with that
 * @property {number} next - the receiver has all segments before this one
 * @property {number} atNs - at the sender
 */

export {}
