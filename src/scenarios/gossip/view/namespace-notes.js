import { present } from '../../../kit/lists.js'
import { grouped, MISSING, megabytes, significant } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../gossip-types.js').NamespaceFigures} NamespaceFigures
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

/** @param {NonNullable<NamespaceFigures['router']>} router @param {number} dropped */
const carried = ({ packetsPerSecond, cpuMicrosPerPacket, lateness, lost, cut, overflowed }, dropped) =>
  `Router: ${packetsPerSecond === null ? MISSING : grouped(packetsPerSecond)} packets/s, ${cpuMicrosPerPacket === null ? MISSING : significant(cpuMicrosPerPacket)} µs of CPU each; late by p50 ${figure(lateness.p50)} ms, p99 ${figure(lateness.p99)} ms, max ${figure(lateness.max)} ms; ${grouped(lost)} packets lost as asked, ${grouped(cut)} cut off, ${grouped(overflowed + dropped)} for which there was no room.`

/** What nodes may send is more than is known to be carried. @param {GossipResult['plan']} plan */
const mostSent = ({ nodes, upBandwidthBytesPerSecond: each }) =>
  each === null
    ? 'Nothing limits what nodes send (--upBandwidth): whether the router carried it is told by how late it was.'
    : `Nodes may send ${megabytes(nodes * each)} MB/s together: whether the router carried what they did send is told by how late it was.`

/** @param {string | null} netem - why there is none */
const step = netem =>
  netem === null
    ? 'This kernel has netem; packets go through the router all the same'
    : `This kernel has no netem (${netem.replace(/^Error: |\.$/g, '')}): the router delays, loses and limits`

/**
 * namespaceNotes says what nodes in namespaces were joined by.
 *
 * @param {Pick<GossipResult, 'plan' | 'outcome'>} result
 * @returns {string[]}
 */
export function namespaceNotes({ plan, outcome: { network } }) {
  const { namespaces } = network
  if (namespaces === undefined) return []
  const { links, router, netem, congestionControl, dropped } = namespaces
  return present([
    `TCP of the kernel (${congestionControl.found}) between network namespaces. ${step(netem)}.`,
    links.length > 0 && `Asked for and found before the run: ${links.map(asked).join('. ')}.`,
    router !== null && `${carried(router, dropped)} ${mostSent(plan)}`
  ])
}
