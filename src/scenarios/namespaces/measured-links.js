import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sumOf } from '../../kit/lists.js'
import { hasOwnLinks } from '../../network/links/asks-of-links.js'
import { lossAsAsked, rateAsAsked, roundTripAsAsked } from '../../network/namespaces/as-asked.js'
import { addressOf } from '../../network/namespaces/frames.js'
import { allStarted } from '../../workers/all-started.js'
import { startForkedProcess } from '../../workers/forked-process.js'
import { kindsOfLinks, rateAskedOf, roundTripAskedOf } from './links-asked.js'

/**
 * @typedef {import('../../network/namespaces/as-asked.js').LinkFound} LinkFound
 * @typedef {import('../../network/namespaces/as-asked.js').Rate} Rate
 * @typedef {import('./network-plan.js').NetworkPlan} NetworkPlan
 * @typedef {import('./links-asked.js').KindOfLink} KindOfLink
 * @typedef {import('./links-asked.js').Links} Links
 * @typedef {import('../../workers/forked-process.js').ForkedProcess} Probe
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
const MOST_CONNECTIONS = 200
/** Slow links, and repeats of what is lost, are waited for so long. */
const WAIT_MS = 3000
const STEP_MS = 100

/**
 * pingsOf are so many that a link has only one of them at a time, or such as are far apart.
 *
 * @param {number} roundTripMs
 * @param {number} onLineMs - that one of them needs a limited line for, there and back; 0: no line is limited
 * @returns {import('../../network/namespaces/link-probe.js').Pings}
 */
export function pingsOf(roundTripMs, onLineMs) {
  const everyMs = Math.max(PING_EVERY_MS, onLineMs / PING_SHARE)
  const connections = Math.min(CONNECTIONS, Math.max(1, Math.floor(roundTripMs / everyMs)))
  return { connections, each: Math.ceil(PINGS / connections), apartMs: roundTripMs / connections }
}

/**
 * measuredLinks measures each kind of link with segments of TCP, between processes in the namespaces of two nodes, before there are
 * nodes. Loss and rate are measured on the first, unless links have their own.
 *
 * @param {NetworkPlan} plan
 * @param {object} parts
 * @param {Links} parts.links
 * @param {(namespace: number) => readonly string[]} parts.enter
 * @param {AbortSignal} parts.signal - ends it at once
 * @returns {Promise<LinkFound[]>}
 */
export async function measuredLinks(plan, { links, enter, signal }) {
  const found = []
  for (const kind of kindsOfLinks(plan, links)) {
    const ends = await allStarted(
      signal => [kind.from, kind.to].map(node => startProbe(node, enter(node), signal)),
      signal
    )
    const kill = () => Promise.all(ends.map(end => end.kill()))
    signal.addEventListener('abort', kill, { once: true })
    try {
      signal.throwIfAborted()
      found.push(await measured(kind, { links, ends, whole: found.length === 0 || hasOwnLinks(plan) }))
    } finally {
      signal.removeEventListener('abort', kill)
      await kill()
    }
  }
  return found
}

/** @param {number} node @param {readonly string[]} through @param {AbortSignal} signal @returns {Promise<Probe>} */
const startProbe = (node, through, signal) =>
  startForkedProcess({
    entry: ENTRY,
    name: `probe of node ${node}`,
    setup: { address: addressOf(node) },
    handlers: {},
    // whoever calls it hears of it
    onDied: () => {},
    through,
    signal
  })

/** @param {number} roundTripMs */
const waitedMs = roundTripMs => WAIT_MS + 4 * roundTripMs

/** @param {KindOfLink} kind @param {{ links: Links, ends: Probe[], whole: boolean }} of @returns {Promise<LinkFound>} */
async function measured(kind, { links, ends: [near, far], whole }) {
  const { what, from, to, roundTripMs } = kind
  const [lossShare, lossBack] = [links.lossShare(from, to), links.lossShare(to, from)]
  const [rateAsked, rateBack] = [rateAskedOf(kind, links), rateAskedOf({ from: to, to: from }, links)]
  const [address, withinMs] = [addressOf(to), waitedMs(roundTripMs)]
  await far.call('listen')
  const before = await counted(near, far)
  await near.call('connect', address, CONNECTIONS, withinMs)
  const onLineMs = sumOf([rateAsked, rateBack], rate =>
    rate === null ? 0 : (1000 * PING_BYTES) / rate.asked
  )
  const times = await near.call('roundTrips', pingsOf(roundTripMs, onLineMs), withinMs)
  const asked = { ...roundTripAskedOf(kind, links), onLineMs, lossShare: (lossShare + lossBack) / 2 }
  const roundTrip = roundTripAsAsked(asked, times)
  if (!whole) return { what, from, to, roundTrip, loss: null, rate: null }
  await near.call('trickle', SEGMENTS_EACH, SEGMENT_EVERY_MS)
  const after = await quiet(near, far, roundTripMs)
  const packets = { sent: after.sent - before.sent, received: after.received - before.received }
  // packets of both ways are counted together, and there are not as many of each
  const loss = lossShare === lossBack ? lossAsAsked(lossShare, packets) : null
  const rate = rateAsked === null ? null : await rateOf(rateAsked, { near, far, address, withinMs })
  return { what, from, to, roundTrip, loss, rate }
}

/** @param {Rate} rate @param {{ near: Probe, far: Probe, address: string, withinMs: number }} of */
async function rateOf(rate, { near, far, address, withinMs }) {
  await near.call('hangUp')
  const connections = Math.min(MOST_CONNECTIONS, Math.ceil((rate.asked * BURST_S) / FIRST_WINDOW_BYTES))
  await near.call('connect', address, connections, withinMs)
  await far.call('watchArrivals')
  await near.call('burst', FIRST_WINDOW_BYTES)
  const seconds = (connections * FIRST_WINDOW_BYTES) / rate.asked
  await sleep(seconds * 1000 + withinMs / 4)
  return rateAsAsked(rate, await far.call('arrivals'))
}

/** Both ends together. @param {Pick<Probe, 'call'>} near @param {Pick<Probe, 'call'>} far @returns {Promise<{ sent: number, received: number }>} */
async function counted(near, far) {
  const [a, b] = await Promise.all([near.call('counts'), far.call('counts')])
  return { sent: a.sent + b.sent, received: a.received + b.received }
}

/**
 * quiet counts packets when nothing is sent any more, or comes, or no more is waited for: what links of a long latency still carry is not lost.
 *
 * @param {Pick<Probe, 'call'>} near
 * @param {Pick<Probe, 'call'>} far
 * @param {number} roundTripMs
 * @param {(ms: number) => Promise<unknown>} [pause]
 */
export async function quiet(near, far, roundTripMs, pause = sleep) {
  await near.call('hangUp')
  const stepMs = STEP_MS + 2 * roundTripMs
  let now = await counted(near, far)
  for (let steps = Math.ceil(waitedMs(roundTripMs) / stepMs); steps > 0; steps--) {
    const last = now
    await pause(stepMs)
    now = await counted(near, far)
    if (isDeepStrictEqual(now, last)) break
  }
  return now
}
