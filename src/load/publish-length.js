/**
 * publishMsOf is how long a plan publishes for, as planned: of messages by number what they take at their rate.
 *
 * @param {object} load
 * @param {number | null | undefined} load.durationMs
 * @param {number | null | undefined} load.messages
 * @param {number | null | undefined} load.ratePerSecond
 * @returns {number} ms; Infinity: without an end
 */
export function publishMsOf({ durationMs, messages, ratePerSecond }) {
  if (durationMs != null) return durationMs
  if (messages == null || ratePerSecond == null) return Infinity
  return (messages * 1000) / ratePerSecond
}
