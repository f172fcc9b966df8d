// Determines the bottleneck of a run: server CPU, load generator, machine, link, store, or the offered load. Also words
// it for reports.
import { computeSum, joinWords, omitMissing } from '../kit/collections.js'
import { formatWhole } from '../kit/numbers.js'

/**
 * @typedef {import('../report/schema.js').LimitedBy} LimitedBy
 * @typedef {import('../report/schema.js').Lateness} Lateness
 *
 * @typedef {'server CPU' | 'load generator' | 'machine' | 'link' | 'store' | 'offered load'} Limit
 *
 * @typedef {object} ProcessUse - of the busiest process of a kind
 * @property {number | null} percent - CPU that it used of what it may have; null: not known
 * @property {string} [of] - what it may have, in words: `a core`
 * @property {number} [waitedShare] - of the time in which it was ready to run it waited for a core, 0 to 1; absent: not known, or its own
 *   quota made it wait
 *
 * @typedef {object} ResourceUses - what a run used while it measured; what there is none of is absent
 * @property {ProcessUse} [server] - absent: there is none
 * @property {ProcessUse} [generator]
 * @property {number | null} [link] - bytes of the fullest link, % of its bandwidth; null: not known
 * @property {boolean} [linkIsFull] - default: from 75 % on
 * @property {number} [store] - time that clients waited for the store, % of all that they waited; or the CPU of the database, % of the cores
 * @property {number} [achieved] - open model: operations that were done in time, % of those due; absent: the closed model
 */

/** A process that works so much of the time in which it has a core does not wait for others: timers, sockets and samples take the rest. */
const BUSY_PERCENT = 75
/** Payload takes so much of a full link: headers and acknowledgements take the rest. */
const FULL_LINK_PERCENT = 75
/** Clients that wait for the store for so much of the time would hardly be served sooner by a faster server. */
const STORE_PERCENT = 75
/**
 * Who waits for a core for so much of the time in which it could run has lost the core to others: server and load generator at full load on two
 * cores wait for 10 to 30 %, a process beside a busy one on the same core for half.
 */
const LOST_CORE = 0.4
/** An open load of which so much was done in time was carried. */
const ACHIEVED_PERCENT = 99
/** So busy in the time in which it had a core, who lost the core to others would have done more with it. */
const LOST_PERCENT = 60
/** What is used to this share is used up even where the load was carried. */
const FULL_PERCENT = 90
/** What is used up within so many points of the fullest is named with it. */
const NEAR_POINTS = 10

/**
 * @typedef {object} LimitingResource - what may be used up
 * @property {Limit} name
 * @property {number} percent - as it is shown
 * @property {string} [of] - what it is a share of, in words
 * @property {number} pressed - how near it was to its limit, %
 * @property {number} full - where it counts as used up, %
 */

/**
 * findLimit says what was used up first.
 *
 * 1. An open load of which 99 % was done in time was limited by what was offered, unless something was used to 90 %.
 * 2. Otherwise by what was used up: a process from 75 % of what it may have on, where time without a core does not count; a link from 75 % of
 *    its bandwidth on; a store that clients waited for 75 % of the time. What is within 10 points of the fullest is named with it.
 * 3. A process that waited for a core for 40 % of the time in which it could run stands for the machine, if it was busy for 60 % of the rest.
 *    Time without a core counts for every process then: who else was busy may have been late for the same reason.
 * 4. A closed load that used nothing up was limited by what was offered (clients wait for replies: more of them would send more), if all is
 *    known that could be used up. Else it is not determined.
 *
 * @param {ResourceUses} uses
 * @returns {LimitedBy} `by` is empty: not determined
 */
export function findLimit(uses) {
  const candidates = candidatesOf(uses)
  const { achieved } = uses
  const offered = achieved === undefined ? [] : [{ name: OFFERED, percent: achieved, of: 'what was due' }]
  return {
    by: namesOf(uses, candidates),
    shares: [...candidates.map(({ pressed, full, ...share }) => share), ...offered]
  }
}

/** @type {Limit} */
const OFFERED = 'offered load'

/** @param {ResourceUses} uses @param {readonly LimitingResource[]} candidates @returns {Limit[]} */
function namesOf({ server, generator, link, achieved }, candidates) {
  const carried = achieved !== undefined && achieved >= ACHIEVED_PERCENT
  const usedUp = candidates.filter(({ percent, pressed, full, name }) =>
    // who waits for a store or for a core is late, and the load was carried all the same
    carried ? percent >= FULL_PERCENT && name !== 'store' && name !== 'machine' : pressed >= full
  )
  const threshold = Math.max(...usedUp.map(({ pressed }) => pressed)) - NEAR_POINTS
  const named = usedUp.filter(({ pressed }) => pressed >= threshold).toSorted((a, b) => b.pressed - a.pressed)
  if (named.length > 0) return named.map(({ name }) => name)
  const known = [server?.percent, generator?.percent, link].every(percent => percent !== null)
  return carried || (achieved === undefined && known) ? [OFFERED] : []
}

/**
 * findUsedUp says what was used up where a load was carried and was too slow all the same.
 *
 * @param {LimitedBy} limited
 * @returns {LimitedBy}
 */
export function findUsedUp({ by, shares }) {
  if (!by.includes(OFFERED)) return { by, shares }
  const used = shares.filter(({ name, percent }) => PROCESSES.has(name) && percent >= BUSY_PERCENT)
  return { by: used.map(({ name }) => name), shares }
}

/** @type {ReadonlySet<string>} */
const PROCESSES = new Set(['server CPU', 'load generator'])

/** @param {ResourceUses} uses @returns {LimitingResource[]} */
function candidatesOf({ server, generator, link = null, linkIsFull, store }) {
  const lost = omitMissing([server, generator]).some(lostCore)
  const [ofServer, ofGenerator] = [
    candidateOf('server CPU', server, lost),
    candidateOf('load generator', generator, lost)
  ]
  return omitMissing([
    ofServer,
    ofGenerator,
    machineOf(omitMissing([server, generator])),
    link !== null && {
      ...{ name: /** @type {const} */ ('link'), percent: link, of: 'its bandwidth' },
      ...{ pressed: linkIsFull ? 100 : link, full: FULL_LINK_PERCENT }
    },
    store !== undefined && {
      ...{ name: /** @type {const} */ ('store'), percent: store, of: 'the time of requests' },
      // replies of the store wait for a busy server, too
      ...{ pressed: ofServer !== null && ofServer.pressed >= BUSY_PERCENT ? 0 : store, full: STORE_PERCENT }
    }
  ])
}

/** How busy a process was in the time in which it had a core. @param {ProcessUse} use */
const pressedOf = ({ percent, waitedShare = 0 }) =>
  Math.min(100, Number(percent) / (1 - Math.min(0.99, waitedShare)))

/** @param {ProcessUse} use */
const lostCore = ({ waitedShare = 0 }) => waitedShare >= LOST_CORE

/** @param {Limit} name @param {ProcessUse | undefined} use @param {boolean} lost - one of the processes lost its core @returns {LimitingResource | null} */
function candidateOf(name, use, lost) {
  if (use === undefined || use.percent === null) return null
  const { percent, of } = use
  return {
    ...{ name, percent, ...(of !== undefined && { of }) },
    ...{ pressed: lost ? percent : pressedOf(use), full: BUSY_PERCENT }
  }
}

/** By the process that it kept waiting most. @param {readonly ProcessUse[]} uses @returns {LimitingResource | null} */
function machineOf(uses) {
  const waited = uses.flatMap(({ waitedShare }) => waitedShare ?? [])
  if (waited.length === 0) return null
  const lost = uses.filter(use => use.percent !== null && lostCore(use)).map(pressedOf)
  return {
    ...{ name: 'machine', percent: 100 * Math.max(...waited), of: 'the time without a core' },
    ...{ pressed: Math.max(0, ...lost), full: LOST_PERCENT }
  }
}

/**
 * findWaitedShare is for how much of the time in which a process was ready to run it waited for a core.
 *
 * @param {Lateness | undefined} lateness
 * @param {string} name - of the process
 * @returns {number | undefined} 0 to 1; undefined: not known
 */
export function findWaitedShare(lateness, name) {
  const { ownPercent = null, waitedPercent = null } =
    lateness?.processes.find(process => process.name === name) ?? {}
  if (ownPercent === null || waitedPercent === null) return undefined
  const ready = ownPercent + waitedPercent
  return ready === 0 ? 0 : waitedPercent / ready
}

/**
 * findGeneratorUse is how busy the busiest worker was. Its event loop counts time without a core as work, and its CPU counts helper threads: the
 * lower of both is its own work.
 *
 * @param {Pick<import('../scenarios/index.js').AnyResult['run'], 'health' | 'lateness'>} run
 * @returns {ProcessUse}
 */
export function findGeneratorUse({ health, lateness }) {
  const workers = health.map(({ worker, utilization, cpuPercent }) => ({
    percent: Math.min(100 * utilization, cpuPercent),
    waitedShare: findWaitedShare(lateness, `worker ${worker}`)
  }))
  const [busiest] = workers.toSorted((a, b) => pressedOf(b) - pressedOf(a))
  return busiest ?? { percent: null }
}

/**
 * formatLimitNames says what limited a run, without shares: `server CPU and load generator`.
 *
 * @param {LimitedBy} limited
 */
export const formatLimitNames = ({ by }) => (by.length === 0 ? 'not determined' : joinWords(by))

/**
 * formatLimitedBy says what limited a run: `server CPU (82 % of a core; load generator 61 %)`.
 *
 * @param {LimitedBy | undefined} limited
 * @returns {string | null} null: it was not looked at, as in older results
 */
export function formatLimitedBy(limited) {
  if (limited === undefined) return null
  const { by, shares } = limited
  const named = by.flatMap(name => shares.find(share => share.name === name) ?? [])
  const others = shares.filter(share => !named.includes(share))
  const parts = [
    named
      .map(({ percent, of }) => `${formatWhole(percent)} %${of === undefined ? '' : ` of ${of}`}`)
      .join(', '),
    ...others.map(({ name, percent }) => `${name} ${formatWhole(percent)} %`)
  ].filter(part => part !== '')
  const what = formatLimitNames(limited)
  return parts.length === 0 ? what : `${what} (${parts.join('; ')})`
}

/**
 * @typedef {object} TransferConditions - under which bytes moved
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
 * @typedef {import('../scenarios/transfer/plan/transfer-plan.js').ZerosRow['verdict']} TransferLimit
 */

/** From this share of the line or of a window on, that is what limited. Goodput leaves out what encryption, multiplexer and requests take. */
const REACHED = 0.85
/** No more than a window can be under way: where it seems so, the round trip was not what it is on an idle connection, and tells nothing. */
const MAX_REACHED = 1.15
/** What took no more round trips is too small for anything else to show. */
const FEW_ROUND_TRIPS = 3
/** What took less of the time did not take most of it. */
const MAX_OF_TIME = 0.5
/** A side that used less of a core had time left. */
const BUSY_CORES = 0.6

/**
 * computeModelGoodput is what window and line let through: min(window ÷ round trip, line).
 *
 * @param {Pick<TransferConditions, 'roundTripMs' | 'windowBytes' | 'lineBytesPerSecond'>} conditions
 * @returns {{ bytesPerSecond: number | null, limit: 'line' | 'window' | null }} null: neither limits
 */
export function computeModelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond }) {
  const window =
    windowBytes === null || roundTripMs === null || roundTripMs <= 0
      ? Infinity
      : (windowBytes * 1000) / roundTripMs
  const line = lineBytesPerSecond ?? Infinity
  const lowest = Math.min(line, window)
  if (lowest === Infinity) return { bytesPerSecond: null, limit: null }
  return { bytesPerSecond: lowest, limit: line <= window ? 'line' : 'window' }
}

/**
 * findTransferLimit says what limited a transfer. All shares are of its time: goodput ÷ line is that in which the line had payload to carry,
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
 * @param {TransferConditions} conditions
 * @returns {TransferLimit}
 */
export function findTransferLimit(conditions) {
  const { bytesPerSecond, roundTripMs, windowBytes, lineBytesPerSecond, tookMs = null, cores } = conditions
  const { firstWindowBytes = windowBytes, firstByteMs = null } = conditions
  const underWay = roundTripMs === null ? null : (bytesPerSecond * roundTripMs) / 1000
  const line = { limit: /** @type {const} */ ('line'), share: shareOf(bytesPerSecond, lineBytesPerSecond) }
  const ofWindow = shareOf(underWay, windowBytes)
  const share = Number(ofWindow) > MAX_REACHED ? null : ofWindow
  const window = { limit: /** @type {const} */ ('window'), share }
  const trips = shareOf(tookMs, roundTripMs)
  const requests = { limit: /** @type {const} */ ('round trips'), reached: trips }
  const sides = Object.entries(cores).flatMap(([side, share]) => (share === null ? [] : [{ side, share }]))
  const [busiest = { side: null, share: null }] = sides.toSorted((a, b) => b.share - a.share)
  const busier = { limit: /** @type {const} */ ('CPU'), ...busiest }
  const full = [line, window].find(({ share }) => Number(share) >= REACHED)
  if (full !== undefined) return verdict(full)
  const ofLine = Number(line.share)
  if (trips !== null && trips <= FEW_ROUND_TRIPS && ofLine < MAX_OF_TIME) return verdict(requests)
  // where all bytes come at once, the line has carried them before the first
  const untilFirst = trips === null ? 0 : Math.min(Number(shareOf(firstByteMs, tookMs)), 1 - ofLine)
  /** @type {LimitCandidate[]} */
  const candidates = [line, window, { ...requests, share: untilFirst }, busier]
  const [largest] = candidates
    .filter(({ limit, share }) => Number(share) >= (limit === 'CPU' ? BUSY_CORES : MAX_OF_TIME))
    .sort((a, b) => Number(b.share) - Number(a.share))
  if (largest !== undefined) return verdict(largest)
  const ofFirst = shareOf(underWay, firstWindowBytes)
  if (Number(ofFirst) >= REACHED) return verdict({ limit: 'growing window', share: ofFirst })
  if (computeSum(sides, side => side.share) >= BUSY_CORES) return verdict(busier)
  return verdict(conditions.kernelTcp ? { limit: 'TCP' } : { limit: 'waiting', share: busier.share })
}

/** @typedef {{ limit: TransferLimit['limit'], side?: string | null, share?: number | null, reached?: number | null }} LimitCandidate */

/** @param {LimitCandidate} candidate @returns {TransferLimit} */
const verdict = ({ limit, side = null, share = null, reached = share }) => ({ limit, side, reached })

/** @param {number | null} value @param {number | null} of @returns {number | null} */
const shareOf = (value, of) => (value === null || of === null || of <= 0 ? null : value / of)

/** From this share of a core on, a side that is as busy as the other one is used up, too. */
const NEARLY_BUSY_CORES = 0.75
const NEAR_CORES = 0.1

/** @type {ReadonlySet<string>} */
const OF_THE_LINK = new Set(['line', 'round trips', 'window', 'growing window', 'TCP'])

/** What of a link a verdict is a share of. @type {Readonly<Record<string, string>>} */
const OF_LINK = { line: 'its bandwidth', window: 'the window', 'growing window': 'the window it begins with' }

/**
 * describeTransferLimit says what limited a transfer in the words of other results. A link limits by its bandwidth, and by the round trips that a
 * window or a request waits for.
 *
 * @param {Omit<TransferLimit, 'limit'> & { limit: string }} verdict
 * @param {{ server: number | null, client: number | null }} cores - CPU time by wall time of the side that serves and of the one that asks
 * @returns {import('../report/schema.js').LimitedBy}
 */
export function describeTransferLimit({ limit, side, reached }, { server, client }) {
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
