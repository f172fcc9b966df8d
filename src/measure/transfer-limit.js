/**
 * @typedef {object} Conditions - under which bytes moved
 * @property {number} bytesPerSecond - goodput: of the payload
 * @property {number | null} roundTripMs - measured on an idle connection; null: not known
 * @property {number | null} windowBytes - most that may be under way; null: no window, or not known
 * @property {number} [firstWindowBytes] - what a window that grows begins with; default: it does not grow
 * @property {number | null} lineBytesPerSecond - null: no limit
 * @property {number | null} [tookMs] - from the first request to the last byte; default: not known
 * @property {number | null} [firstByteMs] - until the first byte of all came; default: not known
 * @property {boolean} [kernelTcp] - the kernel's TCP takes the way; default: it sees a short one
 * @property {Readonly<Record<string, number | null>>} cores - CPU time by wall time of each side, 1 is one core; null: not known
 *
 * @typedef {object} Verdict
 * @property {'line' | 'round trips' | 'window' | 'growing window' | 'CPU' | 'TCP' | 'waiting'} limit
 * @property {string | null} side - whose CPU
 * @property {number | null} reached - share of the line, of the window or of a core, or how many round trips; null: not known
 */

/** From this share of the line or of a window on, that is what limited. Goodput leaves out what encryption, multiplexer and requests take. */
const REACHED = 0.85
/** No more than a window can be under way: where it seems so, the round trip was not what it is on an idle connection, and tells nothing. */
const MOST_REACHED = 1.15
/** What took no more round trips is too small for anything else to show. */
const FEW_ROUND_TRIPS = 3
/** What took less of the time did not take most of it. */
const MOST_OF_TIME = 0.5
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
 * transferLimit says what limited a transfer. All shares are of its time: goodput ÷ line is that in which the line had payload to carry,
 * goodput × round trip ÷ window that in which the window was full. The first that holds:
 *
 * 1. the line: 85 %;
 * 2. the window: 85 to 115 %;
 * 3. round trips: it took no more than three of them, and the line less than half of the time;
 * 4. what took most of the time: line, window, or round trips until the first byte, from 50 % on, of which the line takes none; the CPU of
 *    the busier side, from 60 % of a core on;
 * 5. the growing window: 85 % of what it begins with were under way, so that bytes waited for it to grow;
 * 6. the CPU of the busier side: both sides together used 60 % of a core, as sides do that wait for each other in turn;
 * 7. waiting: nobody had their hands full. On a machine that others use, processes wait for a core, and timers come late.
 *
 * Slow start is none of them: TCP below a line sees a short way. Where the kernel's TCP takes the way, what would be waiting is TCP: its
 * slow start, its window, or what it repeats.
 *
 * @param {Conditions} conditions
 * @returns {Verdict}
 */
export function transferLimit(conditions) {
  const { bytesPerSecond, roundTripMs, windowBytes, lineBytesPerSecond, tookMs = null, cores } = conditions
  const { firstWindowBytes = windowBytes, firstByteMs = null } = conditions
  const underWay = roundTripMs === null ? null : (bytesPerSecond * roundTripMs) / 1000
  const line = { limit: /** @type {const} */ ('line'), share: shareOf(bytesPerSecond, lineBytesPerSecond) }
  const window = {
    limit: /** @type {const} */ ('window'),
    share: possible(shareOf(underWay, windowBytes))
  }
  const trips = shareOf(tookMs, roundTripMs)
  const requests = { limit: /** @type {const} */ ('round trips'), reached: trips }
  const busier = { limit: /** @type {const} */ ('CPU'), ...busierOf(cores) }
  const full = [line, window].find(({ share }) => share !== null && share >= REACHED)
  if (full !== undefined) return verdict(full)
  const ofLine = Number(line.share)
  if (trips !== null && trips <= FEW_ROUND_TRIPS && ofLine < MOST_OF_TIME) return verdict(requests)
  // where all bytes come at once, the line has carried them before the first
  const untilFirst = trips === null ? 0 : Math.min(Number(shareOf(firstByteMs, tookMs)), 1 - ofLine)
  const most = mostOf([line, window, { ...requests, share: untilFirst }, busier])
  if (most !== null) return verdict(most)
  const ofFirst = shareOf(underWay, firstWindowBytes)
  if (ofFirst !== null && ofFirst >= REACHED) return verdict({ limit: 'growing window', share: ofFirst })
  const used = Object.values(cores).reduce((sum, cores) => Number(sum) + Number(cores), 0)
  if (Number(used) >= BUSY_CORES) return verdict(busier)
  return verdict(conditions.kernelTcp ? { limit: 'TCP' } : { limit: 'waiting', share: busier.share })
}

/** @typedef {{ limit: Verdict['limit'], side?: string | null, share?: number | null, reached?: number | null }} LimitCandidate */

/** @param {LimitCandidate} candidate @returns {Verdict} */
const verdict = ({ limit, side = null, share = null, reached = share }) => ({ limit, side, reached })

/** @param {readonly LimitCandidate[]} candidates @returns {LimitCandidate | null} that which took most of the time */
function mostOf(candidates) {
  const enough = candidates.filter(
    ({ limit, share }) => Number(share) >= (limit === 'CPU' ? BUSY_CORES : MOST_OF_TIME)
  )
  return enough.sort((a, b) => Number(b.share) - Number(a.share))[0] ?? null
}

/** @param {number | null} value @param {number | null} of @returns {number | null} */
const shareOf = (value, of) => (value === null || of === null || of <= 0 ? null : value / of)

/** @param {number | null} share - of a window */
const possible = share => (share === null || share > MOST_REACHED ? null : share)

/** @param {Conditions['cores']} cores @returns {{ side: string | null, share: number | null }} */
function busierOf(cores) {
  const known = Object.entries(cores).flatMap(([side, share]) => (share === null ? [] : [{ side, share }]))
  return known.sort((a, b) => b.share - a.share)[0] ?? { side: null, share: null }
}

/** From this share of a core on, a side that is as busy as the other one is used up, too. */
const NEARLY_BUSY_CORES = 0.75
const NEAR_CORES = 0.1

/** @type {ReadonlySet<string>} */
const OF_THE_LINK = new Set(['line', 'round trips', 'window', 'growing window', 'TCP'])

/** What of a link a verdict is a share of. @type {Readonly<Record<string, string>>} */
const OF_LINK = { line: 'its bandwidth', window: 'the window', 'growing window': 'the window it begins with' }

/**
 * limitedTransfer says what limited a transfer in the words of other results. A link limits by its bandwidth, and by the round trips that a
 * window or a request waits for.
 *
 * @param {Omit<Verdict, 'limit'> & { limit: string }} verdict
 * @param {{ server: number | null, client: number | null }} cores - CPU time by wall time of the side that serves and of the one that asks
 * @returns {import('../result/types.js').LimitedBy}
 */
export function limitedTransfer({ limit, side, reached }, { server, client }) {
  const sides = [
    { name: 'server CPU', cores: server, is: side === 'server' || side === 'provider' },
    { name: 'load generator', cores: client, is: side === 'client' || side === 'requestor' }
  ].toSorted((a, b) => Number(b.is) - Number(a.is))
  const [busier] = sides
  const full = sides.filter(
    ({ is, cores }) =>
      is || (Number(cores) >= NEARLY_BUSY_CORES && Number(cores) >= Number(busier.cores) - NEAR_CORES)
  )
  const by = limit === 'CPU' ? full.map(({ name }) => name) : OF_THE_LINK.has(limit) ? ['link'] : []
  const link = OF_LINK[limit]
  return {
    by,
    shares: [
      ...(link === undefined || reached === null ? [] : [{ name: 'link', percent: 100 * reached, of: link }]),
      ...sides.flatMap(({ name, cores }) =>
        cores === null ? [] : [{ name, percent: 100 * cores, of: 'a core' }]
      )
    ]
  }
}
