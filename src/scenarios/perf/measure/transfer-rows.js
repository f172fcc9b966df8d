import { medianInterval } from '../../../measure/median-interval.js'
import { limitedTransfer, modelGoodput, transferLimit } from '../../../measure/transfer-limit.js'
import { lineOf } from '../perf-plan.js'
import { waysOf } from '../plan/ways.js'

/**
 * @typedef {import('../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../perf-plan.js').Transfer} Transfer
 * @typedef {import('../perf-plan.js').TransferRow} TransferRow
 */

/** Of a stream of libp2p's Yamux, of both generations: it begins with the one and grows to the other. */
const [YAMUX_BEGINS_BYTES, YAMUX_MOST_BYTES] = [256 << 10, 16 << 20]
/** Of HTTP/2 of Node: of a stream and of a session alike. */
const HTTP2_BYTES = 65_535

/**
 * windowOf is what may be under way over a way.
 *
 * @param {Way} way
 * @param {Pick<PerfPlan, 'windowBytes' | 'connections' | 'target'>} plan
 * @param {number} streams - on each connection
 * @returns {{ windowBytes: number | null, beginsBytes: number | null }} null: no window of its own, or not known; `beginsBytes`: where
 *   it grows
 */
export function windowOf({ kind, muxer }, { windowBytes, connections, target }, streams) {
  if (kind === 'http2') return { windowBytes: HTTP2_BYTES * connections, beginsBytes: null }
  if (kind !== 'libp2p' || muxer !== 'yamux') return { windowBytes: null, beginsBytes: null }
  const all = streams * connections
  if (windowBytes !== null) return { windowBytes: windowBytes * all, beginsBytes: null }
  // how far the window of another implementation grows is not known
  const mostBytes = target === null ? YAMUX_MOST_BYTES * all : null
  return { windowBytes: mostBytes, beginsBytes: YAMUX_BEGINS_BYTES * all }
}

/** A stream is a connection, and has a line of its own. */
const EACH_HAS_A_LINE = new Set(['tcp', 'tls', 'http'])

/** @param {Way} way @param {PerfPlan} plan @param {number} streams */
function lineBytesPerSecond({ kind }, plan, streams) {
  // between namespaces all go over one link
  if (plan.network === 'namespaces') return plan.bandwidthBytesPerSecond
  const perSecond = lineOf(plan)?.bytesPerSecond ?? null
  if (perSecond === null) return null
  return perSecond * plan.connections * (EACH_HAS_A_LINE.has(kind) ? streams : 1)
}

/** @param {readonly (number | null)[]} values @returns {number | null} */
const largestOf = values => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** @param {readonly number[]} values - at least one @returns {{ median: number, low: number | null, high: number | null }} */
const centre = values => ({ ...medianInterval(values), median: Number(medianInterval(values).median) })

/** @param {readonly (number | null)[]} values */
const medianOf = values => {
  const known = values.filter(value => value !== null)
  return medianInterval(known).median
}

/** @param {Transfer} transfer - steady, where that is known */
const steadyRate = ({ steadyBytesPerSecond, bytesPerSecond }) => steadyBytesPerSecond ?? bytesPerSecond

/** How much longer the same bytes take than by each baseline, in the same repeats. @param {readonly Transfer[]} own @param {readonly Transfer[]} all @param {PerfPlan} plan @returns {TransferRow['overhead']} */
function overheads(own, all, plan) {
  return waysOf(plan)
    .filter(({ kind }) => kind !== 'libp2p')
    .flatMap(({ name }) => {
      const ratios = own.flatMap(({ repeat, direction, streams, totalMs }) =>
        all
          .filter(
            other =>
              other.way === name &&
              other.repeat === repeat &&
              other.direction === direction &&
              other.streams === streams
          )
          .map(other => totalMs / other.totalMs)
      )
      return ratios.length === 0 ? [] : [{ to: name, ...centre(ratios) }]
    })
}

/**
 * transferRows are the figures of each way, direction and number of streams.
 *
 * @param {PerfPlan} plan
 * @param {readonly Transfer[]} transfers
 * @param {Readonly<Record<string, number>>} roundTrips - ms, by way
 * @returns {TransferRow[]}
 */
export const transferRows = (plan, transfers, roundTrips) =>
  /** @type {const} */ (['upload', 'download']).flatMap(direction =>
    plan.streams.flatMap(streams =>
      waysOf(plan).flatMap(way => {
        const own = transfers.filter(
          each => each.way === way.name && each.direction === direction && each.streams === streams
        )
        return own.length === 0
          ? []
          : [rowOf(own, { way, direction, streams }, { plan, transfers, roundTrips })]
      })
    )
  )

/**
 * @param {readonly Transfer[]} own
 * @param {{ way: Way, direction: 'upload' | 'download', streams: number }} which
 * @param {{ plan: PerfPlan, transfers: readonly Transfer[], roundTrips: Readonly<Record<string, number>> }} of
 * @returns {TransferRow}
 */
function rowOf(own, { way, direction, streams }, { plan, transfers, roundTrips }) {
  const { windowBytes, beginsBytes } = windowOf(way, plan, streams)
  const limits = {
    roundTripMs: roundTrips[way.name] ?? null,
    windowBytes,
    lineBytesPerSecond: lineBytesPerSecond(way, plan, streams)
  }
  const steady = Number(medianOf(own.map(steadyRate)))
  const gigabytes = (/** @type {Transfer} */ { bytes }) => bytes / 1e9
  const cores = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    medianOf(own.map(each => (each[side] === null ? null : each[side] / each.totalMs)))
  const perGigabyte = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    medianOf(own.map(each => (each[side] === null ? null : each[side] / 1000 / gigabytes(each))))
  const usedCores = { client: cores('clientCpuMs'), server: cores('serverCpuMs') }
  const verdict = transferLimit({
    ...limits,
    bytesPerSecond: steady,
    firstWindowBytes: beginsBytes ?? undefined,
    tookMs: medianOf(own.map(({ totalMs }) => totalMs)),
    kernelTcp: plan.network === 'namespaces',
    cores: usedCores
  })
  return {
    way: way.name,
    direction,
    streams,
    transfers: own.length,
    bytesPerSecond: centre(own.map(each => each.bytesPerSecond)),
    slowestBytesPerSecond: Math.min(...own.map(each => each.bytesPerSecond)),
    steadyBytesPerSecond: steady,
    overhead: overheads(own, transfers, plan),
    roundTripMs: limits.roundTripMs,
    windowBytes,
    modelBytesPerSecond: modelGoodput(limits).bytesPerSecond,
    verdict,
    limitedBy: limitedTransfer(verdict, usedCores),
    cpuSecondsPerGB: { client: perGigabyte('clientCpuMs'), server: perGigabyte('serverCpuMs') },
    cores: usedCores,
    rssBytes: {
      client: largestOf(own.map(each => each.clientRssBytes)),
      server: largestOf(own.map(each => each.serverRssBytes))
    }
  }
}
