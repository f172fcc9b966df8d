import { present } from '../../kit/lists.js'
import { grouped, MISSING, megabytes, significant } from '../../kit/numbers.js'
import { figure } from '../../report/table.js'

/**
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {import('./network-plan.js').NetworkPlan} NetworkPlan
 * @typedef {NamespaceFigures['links'][number]} Link
 */

/** @param {number | null} value @param {string} unit */
const foundIn = (value, unit) => `found ${value === null ? MISSING : significant(value)} ${unit}`

/** @param {number | null} bytes */
const inMegabytes = bytes => bytes && bytes / 1e6

/** @param {Link} link */
const asked = ({ what, from, to, roundTrip, loss, rate }) =>
  `${what} (nodes ${from} and ${to}): ${present([
    `round trip ${significant(roundTrip.askedMs)} ms, ${foundIn(roundTrip.foundMs, 'ms')}`,
    loss !== null &&
      `loss ${significant(100 * loss.asked)} %, ${foundIn(100 * loss.found, '%')} of ${grouped(loss.packets)} packets`,
    rate !== null && `rate ${significant(rate.asked / 1e6)} MB/s, ${foundIn(inMegabytes(rate.found), 'MB/s')}`
  ]).join('; ')}`

/** @param {number | null | undefined} share - undefined: of a result from before it was told */
const waited = share =>
  share == null ? '' : `; reading them waited for a core ${significant(100 * share)} % of the time`

/** @param {NonNullable<NamespaceFigures['router']>} router @param {number} dropped */
const carried = (
  { packetsPerSecond, cpuMicrosPerPacket, waitedShare, lateness, lost, cut, overflowed },
  dropped
) =>
  `Router: ${packetsPerSecond === null ? MISSING : grouped(packetsPerSecond)} packets/s, ${cpuMicrosPerPacket === null ? MISSING : significant(cpuMicrosPerPacket)} µs of CPU each; late by p50 ${figure(lateness.p50)} ms, p99 ${figure(lateness.p99)} ms, max ${figure(lateness.max)} ms${waited(waitedShare)}; ${grouped(lost)} packets lost as asked, ${grouped(cut)} cut off, ${grouped(overflowed + dropped)} for which there was no room.`

/** What the router carried with the nodes beside it on two cores (`npm run bench routerCapacity`, docs/namespaces.md). */
const CARRIED_BYTES_PER_SECOND = 20e6

/** @typedef {Pick<NetworkPlan, 'nodes' | 'star' | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'linkBandwidthBytesPerSecond'>} Limited */

/** mayBeSent is how much nodes may send together, bytes a second. @param {Limited} plan @returns {number} Infinity: nothing limits it */
function mayBeSent({ nodes, star = false, ...limits }) {
  const up = limits.upBandwidthBytesPerSecond ?? Infinity
  const down = limits.downBandwidthBytesPerSecond ?? Infinity
  const link = limits.linkBandwidthBytesPerSecond ?? Infinity
  const others = nodes - 1
  // what comes to the one in the middle, and what it sends
  if (star) return Math.min(down, others * Math.min(up, link)) + Math.min(up, others * Math.min(down, link))
  return nodes * Math.min(up, down, others * link)
}

/** @param {Limited} plan @param {string} limiting - option that says how much it may be */
function mostSent(plan, limiting) {
  const most = mayBeSent(plan)
  const told = 'whether the router carried what they did send is told by how late it was.'
  if (most === Infinity) return `Nothing limits what nodes send (${limiting}): ${told}`
  const carried = megabytes(CARRIED_BYTES_PER_SECOND)
  return most > CARRIED_BYTES_PER_SECOND
    ? `Nodes may send ${megabytes(most)} MB/s together, more than the ${carried} MB/s that the router was found to carry with nodes beside it on two cores: ${told}`
    : `Nodes may send ${megabytes(most)} MB/s together, and the router was found to carry ${carried} MB/s with nodes beside it on two cores.`
}

/** @param {NamespaceFigures} namespaces */
function step({ step, ladder, netem }) {
  // of results from before more was tried than netem
  const rungs = ladder ?? [
    { step: 'netem', lacks: netem, passedOver: 'packets go through the router all the same' }
  ]
  const above = rungs.filter(rung => rung.step !== step)
  const why = above.map(({ step, lacks, passedOver }) =>
    lacks === null
      ? `${step} works here (${passedOver})`
      : `no ${step} here (${lacks.replace(/^Error: |\.$/g, '')})`
  )
  return `The ${step} delays, loses and limits: ${why.join(', ')}`
}

/**
 * namespaceNotes says what nodes in namespaces were joined by.
 *
 * @param {NamespaceFigures | undefined | null} namespaces - undefined or null: they were in none
 * @param {Limited} plan
 * @param {string} [limiting] - option that says how much nodes may send
 * @returns {string[]}
 */
export function namespaceNotes(namespaces, plan, limiting = '--upBandwidth') {
  if (namespaces == null) return []
  const { links, router, congestionControl, dropped } = namespaces
  return present([
    `TCP of the kernel (${congestionControl.found}) between network namespaces. ${step(namespaces)}.`,
    links.length > 0 && `Asked for and found before the run: ${links.map(asked).join('. ')}.`,
    router !== null && `${carried(router, dropped)} ${mostSent(plan, limiting)}`
  ])
}
