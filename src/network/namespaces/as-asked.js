/**
 * @typedef {object} Asked - of a link
 * @property {number} roundTripMs
 * @property {number} lossShare
 * @property {number | null} bytesPerSecond - null: without a limit
 *
 * @typedef {{ asked: number, due: number }} Rate - bytes a second; `due`: what comes of it where some is lost
 *
 * @typedef {object} LinkFound - one that was measured, as was asked and as was found
 * @property {string} what - kind of link
 * @property {number} from
 * @property {number} to
 * @property {{ askedMs: number, foundMs: number | null, asAsked: boolean }} roundTrip - `foundMs`: median; null: nothing came back
 * @property {{ asked: number, found: number, packets: number, asAsked: boolean } | null} loss - shares of the packets in both directions;
 *   null: not measured on this link
 * @property {{ asked: number, found: number | null, asAsked: boolean } | null} rate - bytes a second; null: none was asked for, or not
 *   measured on this link
 */

/** What a link may be off by: of its delay, and where that is short. One way. */
const DELAY_SHARE = 0.1
const LEAST_DELAY_MS = 1
const RATE_SHARE = 0.1
/** A share of packets is off by more standard deviations once in 15,000 times. */
const DEVIATIONS = 4

/**
 * lateAllowedMs is how late packets may be at p99, so that times are those of the network that was asked for.
 *
 * @param {number} delayMs - asked for, one way
 */
export const lateAllowedMs = delayMs => Math.max(LEAST_DELAY_MS, DELAY_SHARE * delayMs)

/**
 * @typedef {object} RoundTrip - that is asked for
 * @property {number} askedMs - on average
 * @property {number} [jitterMs] - one way, longer or shorter
 * @property {number} [onLineMs] - that lines of a limited bandwidth take beside
 * @property {number} [lossShare] - each way
 */

/**
 * roundTripAsAsked holds the median of round trips against what was asked for: within what chance explains (the sum of two that are
 * drawn evenly is spread as a triangle). What is sent again takes longer than all others, and is no part of it.
 *
 * @param {RoundTrip} asked
 * @param {readonly number[]} timesMs
 */
export function roundTripAsAsked({ askedMs, jitterMs = 0, onLineMs = 0, lossShare = 0 }, timesMs) {
  const atOnce = timesMs.length * (1 - lossShare) ** 2
  const foundMs = timesMs.toSorted((a, b) => a - b)[Math.floor(atOnce / 2)] ?? null
  const deviationMs = jitterMs / Math.sqrt(atOnce)
  const allowedMs = 2 * lateAllowedMs(askedMs / 2) + onLineMs + DEVIATIONS * deviationMs
  return { askedMs, foundMs, asAsked: foundMs !== null && Math.abs(foundMs - askedMs) <= allowedMs }
}

/**
 * lossAsAsked holds what was lost against what was asked for: within what chance explains (normal approximation of the binomial).
 *
 * @param {number} asked - share
 * @param {{ sent: number, received: number }} packets
 */
export function lossAsAsked(asked, { sent, received }) {
  const found = sent === 0 ? 0 : (sent - received) / sent
  const deviation = Math.sqrt((asked * (1 - asked)) / sent)
  return {
    asked,
    found,
    packets: sent,
    asAsked: sent > 0 && Math.abs(found - asked) <= DEVIATIONS * deviation + (asked > 0 ? 1 / sent : 0)
  }
}

/**
 * rateAsAsked holds a rate against what was asked for: between the times when a fifth and when four fifths of the bytes had come.
 *
 * @param {Rate} rate
 * @param {readonly import('./link-probe.js').Arrival[]} arrivals
 */
export function rateAsAsked({ asked, due }, arrivals) {
  const first = arrivals[0]?.bytes ?? 0
  const all = (arrivals.at(-1)?.bytes ?? 0) - first
  const at = (/** @type {number} */ share) => arrivals.find(({ bytes }) => bytes - first >= share * all)
  const [begin, end] = [at(0.2), at(0.8)]
  const found =
    begin === undefined || end === undefined || end.atMs === begin.atMs
      ? null
      : ((end.bytes - begin.bytes) / (end.atMs - begin.atMs)) * 1000
  return { asked, found, asAsked: found !== null && Math.abs(found - due) <= RATE_SHARE * due }
}
