/**
 * @typedef {object} Conditions - under which bytes moved
 * @property {number} bytesPerSecond - goodput: of the payload
 * @property {number | null} roundTripMs - measured on an idle connection; null: not known
 * @property {number | null} windowBytes - most that may be under way; null: no window, or not known
 * @property {number} [firstWindowBytes] - what a window that grows begins with; default: it does not grow
 * @property {number | null} lineBytesPerSecond - null: no limit
 * @property {number | null} [tookMs] - from the first request to the last byte; default: not known
 * @property {Readonly<Record<string, number | null>>} cores - CPU time by wall time of each side, 1 is one core; null: not known
 *
 * @typedef {object} Verdict
 * @property {'line' | 'round trips' | 'window' | 'growing window' | 'CPU'} limit
 * @property {string | null} side - whose CPU
 * @property {number | null} reached - share of the line, of the window or of a core, or how many round trips; null: not known
 */

/** From this share of the line or of a window on, that is what limited. Goodput leaves out what encryption, multiplexer and requests take. */
const REACHED = 0.85
/** No more than a window can be under way: where it seems so, the round trip was not what it is on an idle connection, and tells nothing. */
const MOST_REACHED = 1.15
/** And from here on, where neither side used much of a core. */
const REACHED_IDLE = 0.5
/** What takes no more round trips is too small for anything else to show. */
const FEW_ROUND_TRIPS = 3
/** A side that used less of a core had time left. */
const BUSY_CORES = 0.6

/**
 * modelGoodput is what window and line let through: min(window ÷ round trip, line).
 *
 * @param {Pick<Conditions, 'roundTripMs' | 'windowBytes' | 'lineBytesPerSecond'>} conditions
 * @returns {{ bytesPerSecond: number | null, limit: 'line' | 'window' | null }} null: neither limits
 */
export function modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond }) {
  const window =
    windowBytes === null || roundTripMs === null || roundTripMs <= 0
      ? Infinity
      : (windowBytes * 1000) / roundTripMs
  const line = lineBytesPerSecond ?? Infinity
  const least = Math.min(line, window)
  if (least === Infinity) return { bytesPerSecond: null, limit: null }
  return { bytesPerSecond: least, limit: line <= window ? 'line' : 'window' }
}

/**
 * transferLimit says what limited a transfer. The first that holds:
 *
 * 1. the line: goodput reached 85 % of it;
 * 2. the window: 85 to 115 % of the most it may be were under way, goodput × round trip;
 * 3. round trips: it took no more than three of them;
 * 4. the CPU of the busier side: it used 60 % of a core;
 * 5. the line or the window, whichever is nearer, where half of it was reached: neither side had its hands full, so bytes waited, if not
 *    all of the time (on a busy machine timers come late);
 * 6. the growing window: 85 % of what it begins with were under way, so that bytes waited for it to grow;
 * 7. the CPU of the busier side: nothing else holds anything up. It used less than 60 % of a core where others used the machine, too.
 *
 * Slow start is none of them: TCP below a line sees a short way. Where the kernel's TCP is in the way, there is more to tell apart.
 *
 * @param {Conditions} conditions
 * @returns {Verdict}
 */
export function transferLimit(conditions) {
  const { bytesPerSecond, roundTripMs, windowBytes, lineBytesPerSecond, tookMs = null } = conditions
  const { firstWindowBytes = windowBytes } = conditions
  const underWay = roundTripMs === null ? null : (bytesPerSecond * roundTripMs) / 1000
  const ofLine = shareOf(bytesPerSecond, lineBytesPerSecond)
  const ofWindow = possible(shareOf(underWay, windowBytes))
  const ofFirst = shareOf(underWay, firstWindowBytes)
  const trips = shareOf(tookMs, roundTripMs)
  const busier = busierOf(conditions.cores)
  if (ofLine !== null && ofLine >= REACHED) return { limit: 'line', side: null, reached: ofLine }
  if (ofWindow !== null && ofWindow >= REACHED) return { limit: 'window', side: null, reached: ofWindow }
  if (trips !== null && trips <= FEW_ROUND_TRIPS) return { limit: 'round trips', side: null, reached: trips }
  const isIdle = busier.reached === null || busier.reached < BUSY_CORES
  const [nearer, share] =
    (ofLine ?? 0) >= (ofWindow ?? 0)
      ? /** @type {const} */ (['line', ofLine])
      : /** @type {const} */ (['window', ofWindow])
  if (isIdle && share !== null && share >= REACHED_IDLE) return { limit: nearer, side: null, reached: share }
  if (isIdle && ofFirst !== null && ofFirst >= REACHED) {
    return { limit: 'growing window', side: null, reached: ofFirst }
  }
  return { limit: 'CPU', ...busier }
}

/** @param {number | null} value @param {number | null} of @returns {number | null} */
const shareOf = (value, of) => (value === null || of === null || of <= 0 ? null : value / of)

/** @param {number | null} share - of a window */
const possible = share => (share === null || share > MOST_REACHED ? null : share)

/** @param {Conditions['cores']} cores @returns {{ side: string | null, reached: number | null }} */
function busierOf(cores) {
  const known = Object.entries(cores).flatMap(([side, reached]) =>
    reached === null ? [] : [{ side, reached }]
  )
  return known.sort((a, b) => b.reached - a.reached)[0] ?? { side: null, reached: null }
}
