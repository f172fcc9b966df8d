/**
 * Shapes of what plots of transfers are made from. Only types live here. Times are in ms, unless a name says seconds.
 *
 * @typedef {object} LineOf - the line that something went over
 * @property {number} latencyMs - one way
 * @property {number | null} bytesPerSecond - null: no limit
 *
 * @typedef {LineOf & { way: string }} WayOn - a way on a line
 *
 * @typedef {object} Centre
 * @property {number | null} median - null: nothing came
 * @property {number | null} low - of its interval; null: too few repeats
 * @property {number | null} high
 *
 * @typedef {WayOn & { seconds: Centre }} TimedCase
 * @typedef {WayOn & { roundTripMs: number | null, goodput: Centre, windowBytes: number | null }} RatedCase
 * @typedef {WayOn & { curve?: readonly (readonly [ms: number, bytes: number])[] | null }} Grown
 * @typedef {WayOn & { points: readonly (readonly [ms: number, waiting: number, inProgress: number])[] }} Waiting
 *
 * @typedef {object} BlockLife - null: it did not come to that
 * @property {number | null} queuedMs
 * @property {number | null} sentMs
 * @property {number | null} receivedMs
 * @property {number | null} storedMs
 *
 * @typedef {WayOn & BlockLife} BlockTime
 */
export {}
