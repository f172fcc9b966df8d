// Measures latency, loss and rate of the links between namespaces before a run, and compares them with the plan.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { computeSum, findLargest } from '../../kit/collections.js'
import { startForkedProcess, startTogether } from '../../run/workers.js'
import { hasLinkData, maxJitterNs, meanLatencyNs } from '../link-properties.js'
import { namespaceAddress } from '../namespaces.js'

/**
 * @typedef {import('../../scenarios/namespace-run.js').NetworkPlan} NetworkPlan
 * @typedef {import('../link-properties.js').LinkProperties} Links
 * @typedef {{ what: string, from: number, to: number, roundTripMs: number }} SelectedLink - without jitter
 */

/** Of more links than this the first ones are looked at. */
const MAX_NODES_COMPARED = 60

/** @param {NetworkPlan} plan @returns {{ from: number, to: number }[]} between whom something is sent */
function pairsOf({ workers, star = false, topology }) {
  if (topology?.kind === 'file') return topology.edges.map(([from, to]) => ({ from, to }))
  const nodes = Math.min(workers, MAX_NODES_COMPARED)
  return Array.from({ length: star ? 1 : nodes }, (_, from) =>
    Array.from({ length: nodes - from - 1 }, (_, i) => ({ from, to: from + 1 + i }))
  ).flat()
}

/**
 * selectLinks are those of a plan that differ in their latency: the shortest, the middle and the longest round trip.
 *
 * @param {NetworkPlan} plan
 * @param {Links} links
 * @returns {SelectedLink[]}
 */
export function selectLinks(plan, links) {
  const { linkLatencies, linkLatencyMs, workers } = plan
  if (workers < 2) return []
  if (linkLatencies === null && !hasLinkData(plan))
    return [{ what: 'every link', from: 0, to: 1, roundTripMs: 2 * linkLatencyMs }]
  const all = pairsOf(plan)
    .map(({ from, to }) => ({
      from,
      to,
      roundTripMs: (links.latencyNs(from, to) + links.latencyNs(to, from)) / 1e6
    }))
    .sort((a, b) => a.roundTripMs - b.roundTripMs)
  if (all.length === 1) return [{ what: 'the link', ...all[0] }]
  const [shortest, longest] = [all[0], all[all.length - 1]]
  return [
    { what: 'the shortest link', ...shortest },
    ...(all.length > 2 ? [{ what: 'a middle link', ...all[all.length >> 1] }] : []),
    { what: 'the longest link', ...longest }
  ]
}

/**
 * expectedRoundTripOf is what a byte takes there and back.
 *
 * @param {Pick<SelectedLink, 'from' | 'to'>} link
 * @param {Links} links
 * @returns {Pick<ExpectedRoundTrip, 'askedMs' | 'jitterMs'>}
 */
export function expectedRoundTripOf({ from, to }, links) {
  const directions = [
    { ns: links.latencyNs(from, to), jitter: links.jitter(from, to) },
    { ns: links.latencyNs(to, from), jitter: links.jitter(to, from) }
  ]
  return {
    askedMs: computeSum(directions, ({ ns, jitter }) => meanLatencyNs(jitter, ns)) / 1e6,
    jitterMs: findLargest(directions, ({ ns, jitter }) => maxJitterNs(jitter, ns)) / 1e6
  }
}

/**
 * expectedRateOf is what lines carry from one node to another. What is lost has been on the lines before the last one.
 *
 * @param {Pick<SelectedLink, 'from' | 'to'>} link
 * @param {Links} links
 * @returns {ExpectedRate | null} null: no line is limited
 */
export function expectedRateOf({ from, to }, links) {
  const before = Math.min(
    links.upBytesPerSecond(from) ?? Infinity,
    links.linkBytesPerSecond(from, to) ?? Infinity
  )
  const last = links.downBytesPerSecond(to) ?? Infinity
  const asked = Math.min(before, last)
  return asked === Infinity ? null : { asked, due: Math.min(before * (1 - links.lossShare(from, to)), last) }
}

/**
 * @typedef {object} Asked - of a link
 * @property {number} roundTripMs
 * @property {number} lossShare
 * @property {number | null} bytesPerSecond - null: without a limit
 *
 * @typedef {{ asked: number, due: number }} ExpectedRate - bytes a second; `due`: what comes of it where some is lost
 *
 * @typedef {import('../../scenarios/gossip/outcome.js').NamespaceFigures['links'][number]} MeasuredLink - one that was measured, as was asked and as was found
 */

/** What a link may be off by: of its delay, and where that is short. One way. */
const DELAY_SHARE = 0.1
const MIN_DELAY_MS = 1
const RATE_SHARE = 0.1
/** A share of packets is off by more standard deviations once in 15,000 times. */
const DEVIATIONS = 4

/**
 * maxLatenessMs is how late packets may be at p99, so that times are those of the network that was asked for.
 *
 * @param {number} delayMs - asked for, one way
 */
export const maxLatenessMs = delayMs => Math.max(MIN_DELAY_MS, DELAY_SHARE * delayMs)

/**
 * @typedef {object} ExpectedRoundTrip - that is asked for
 * @property {number} askedMs - on average
 * @property {number} [jitterMs] - one way, longer or shorter
 * @property {number} [onLineMs] - that lines of a limited bandwidth take beside
 * @property {number} [lossShare] - each way
 */

/**
 * judgeRoundTrip holds the median of round trips against what was asked for: within what chance explains (the sum of two that are
 * drawn evenly is spread as a triangle). What is sent again takes longer than all others, and is no part of it.
 *
 * @param {ExpectedRoundTrip} asked
 * @param {readonly number[]} timesMs
 */
export function judgeRoundTrip({ askedMs, jitterMs = 0, onLineMs = 0, lossShare = 0 }, timesMs) {
  const atOnce = timesMs.length * (1 - lossShare) ** 2
  const foundMs = timesMs.toSorted((a, b) => a - b)[Math.floor(atOnce / 2)] ?? null
  const deviationMs = jitterMs / Math.sqrt(atOnce)
  const allowedMs = 2 * maxLatenessMs(askedMs / 2) + onLineMs + DEVIATIONS * deviationMs
  return { askedMs, foundMs, asAsked: foundMs !== null && Math.abs(foundMs - askedMs) <= allowedMs }
}

/**
 * judgeLoss holds what was lost against what was asked for: within what chance explains (normal approximation of the binomial).
 *
 * @param {number} asked - share
 * @param {{ sent: number, received: number }} packets
 */
export function judgeLoss(asked, { sent, received }) {
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
 * judgeRate holds a rate against what was asked for: between the times when a fifth and when four fifths of the bytes had come.
 *
 * @param {ExpectedRate} rate
 * @param {readonly import('./link-probe.js').Arrival[]} arrivals
 */
export function judgeRate({ asked, due }, arrivals) {
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

/**
 * @typedef {import('../../run/workers.js').ForkedProcess} Probe
 */

const ENTRY = new URL('./probe-entry.js', import.meta.url)
const CONNECTIONS = 40
const PINGS = 160
/** More of them at once, or nearer one another, and what carries them would be measured, not the links. */
const PING_EVERY_MS = 5
/** A byte, with the headers of IP and TCP. */
const PING_BYTES = 53
/** Of a line, so that pings do not wait for one another there. */
const PING_SHARE = 0.25
/** So many segments of a byte or two on each connection: a thousand and more, with what acknowledges them. */
const SEGMENTS_EACH = 30
const SEGMENT_EVERY_MS = 10
/** What a connection sends at once at its beginning (RFC 6928), so that no window of TCP limits a burst. */
const FIRST_WINDOW_BYTES = 10 * 1448
const BURST_S = 0.4
const MAX_BURST_CONNECTIONS = 200
/** Slow links, and repeats of what is lost, are waited for so long. */
const WAIT_MS = 3000
const STEP_MS = 100

/**
 * planPings are so many that a link has only one of them at a time, or such as are far apart.
 *
 * @param {number} roundTripMs
 * @param {number} onLineMs - that one of them needs a limited line for, there and back; 0: no line is limited
 * @returns {import('./link-probe.js').Pings}
 */
export function planPings(roundTripMs, onLineMs) {
  const everyMs = Math.max(PING_EVERY_MS, onLineMs / PING_SHARE)
  const connections = Math.min(CONNECTIONS, Math.max(1, Math.floor(roundTripMs / everyMs)))
  return { connections, each: Math.ceil(PINGS / connections), apartMs: roundTripMs / connections }
}

/**
 * measureLinks measures each kind of link with segments of TCP, between processes in the namespaces of two nodes, before there are
 * nodes. Loss and rate are measured on the first, unless links have their own.
 *
 * @param {NetworkPlan} plan
 * @param {object} parts
 * @param {Links} parts.links
 * @param {(namespace: number) => readonly string[]} parts.enter
 * @param {AbortSignal} parts.signal - ends it at once
 * @returns {Promise<MeasuredLink[]>}
 */
export async function measureLinks(plan, { links, enter, signal }) {
  const measured = []
  for (const kind of selectLinks(plan, links)) {
    const ends = await startTogether(
      signal =>
        [kind.from, kind.to].map(node =>
          startForkedProcess({
            entry: ENTRY,
            name: `probe of node ${node}`,
            setup: { address: namespaceAddress(node) },
            handlers: {},
            // whoever calls it hears of it
            onDied: () => {},
            through: enter(node),
            signal
          })
        ),
      signal
    )
    const kill = () => Promise.all(ends.map(end => end.kill()))
    signal.addEventListener('abort', kill, { once: true })
    try {
      signal.throwIfAborted()
      measured.push(
        await measureLink(kind, { links, ends, whole: measured.length === 0 || hasLinkData(plan) })
      )
    } finally {
      signal.removeEventListener('abort', kill)
      await kill()
    }
  }
  return measured
}

/** @param {number} roundTripMs */
const maxWaitMs = roundTripMs => WAIT_MS + 4 * roundTripMs

/** @param {SelectedLink} kind @param {{ links: Links, ends: Probe[], whole: boolean }} of @returns {Promise<MeasuredLink>} */
async function measureLink(kind, { links, ends: [near, far], whole }) {
  const { what, from, to, roundTripMs } = kind
  const [lossShare, lossBack] = [links.lossShare(from, to), links.lossShare(to, from)]
  const [rateThere, rateBack] = [expectedRateOf(kind, links), expectedRateOf({ from: to, to: from }, links)]
  const [address, withinMs] = [namespaceAddress(to), maxWaitMs(roundTripMs)]
  await far.call('listen')
  const before = await countPackets(near, far)
  await near.call('connect', address, CONNECTIONS, withinMs)
  const onLineMs = computeSum([rateThere, rateBack], rate =>
    rate === null ? 0 : (1000 * PING_BYTES) / rate.asked
  )
  const times = await near.call('roundTrips', planPings(roundTripMs, onLineMs), withinMs)
  const expected = { ...expectedRoundTripOf(kind, links), onLineMs, lossShare: (lossShare + lossBack) / 2 }
  const roundTrip = judgeRoundTrip(expected, times)
  if (!whole) return { what, from, to, roundTrip, loss: null, rate: null }
  await near.call('trickle', SEGMENTS_EACH, SEGMENT_EVERY_MS)
  const after = await countWhenQuiet(near, far, roundTripMs)
  const packets = { sent: after.sent - before.sent, received: after.received - before.received }
  // packets of both ways are counted together, and there are not as many of each
  const loss = lossShare === lossBack ? judgeLoss(lossShare, packets) : null
  const rate = rateThere === null ? null : await measureRate(rateThere, { near, far, address, withinMs })
  return { what, from, to, roundTrip, loss, rate }
}

/** @param {ExpectedRate} rate @param {{ near: Probe, far: Probe, address: string, withinMs: number }} of */
async function measureRate(rate, { near, far, address, withinMs }) {
  await near.call('hangUp')
  const connections = Math.min(MAX_BURST_CONNECTIONS, Math.ceil((rate.asked * BURST_S) / FIRST_WINDOW_BYTES))
  await near.call('connect', address, connections, withinMs)
  await far.call('watchArrivals')
  await near.call('burst', FIRST_WINDOW_BYTES)
  const seconds = (connections * FIRST_WINDOW_BYTES) / rate.asked
  await sleep(seconds * 1000 + withinMs / 4)
  return judgeRate(rate, await far.call('arrivals'))
}

/** Both ends together. @param {Pick<Probe, 'call'>} near @param {Pick<Probe, 'call'>} far @returns {Promise<{ sent: number, received: number }>} */
async function countPackets(near, far) {
  const [a, b] = await Promise.all([near.call('counts'), far.call('counts')])
  return { sent: a.sent + b.sent, received: a.received + b.received }
}

/**
 * countWhenQuiet counts packets when nothing is sent any more, or comes, or no more is waited for: what links of a long latency still carry is not lost.
 *
 * @param {Pick<Probe, 'call'>} near
 * @param {Pick<Probe, 'call'>} far
 * @param {number} roundTripMs
 * @param {(ms: number) => Promise<unknown>} [pause]
 */
export async function countWhenQuiet(near, far, roundTripMs, pause = sleep) {
  await near.call('hangUp')
  const stepMs = STEP_MS + 2 * roundTripMs
  let now = await countPackets(near, far)
  for (let steps = Math.ceil(maxWaitMs(roundTripMs) / stepMs); steps > 0; steps--) {
    const last = now
    await pause(stepMs)
    now = await countPackets(near, far)
    if (isDeepStrictEqual(now, last)) break
  }
  return now
}
