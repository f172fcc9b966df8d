import { medianInterval } from '../../../measure/median-interval.js'
import { limitedTransfer, modelGoodput, transferLimit } from '../../../measure/transfer-limit.js'
import { waysOf } from '../plan/ways.js'
import { largestOf, middleOf, windowOf } from './cases.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../transfer-plan.js').ZerosTransfer} ZerosTransfer
 * @typedef {import('../transfer-plan.js').ZerosRow} ZerosRow
 *
 * @typedef {object} InRound - what was measured in a round
 * @property {import('../transfer-plan.js').Round} round
 * @property {readonly ZerosTransfer[]} transfers
 * @property {Readonly<Record<string, number>>} roundTrips - ms, by way
 */

/** A stream is a connection, and has a line of its own. */
const EACH_HAS_A_LINE = new Set(['tcp', 'tls', 'http', 'https'])

/** @param {Way} way @param {TransferPlan} plan @param {{ streams: number, bytesPerSecond: number | null }} of */
function lineBytesPerSecond({ protocol }, plan, { streams, bytesPerSecond }) {
  // between namespaces all go over one link
  if (bytesPerSecond === null || plan.network === 'namespaces') return bytesPerSecond
  return bytesPerSecond * plan.connections * (EACH_HAS_A_LINE.has(protocol) ? streams : 1)
}

/** @param {readonly number[]} values - at least one @returns {{ median: number, low: number | null, high: number | null }} */
const centre = values => ({ ...medianInterval(values), median: Number(medianInterval(values).median) })

/** @param {ZerosTransfer} transfer - steady, where that is known */
const steadyRate = ({ steadyBytesPerSecond, bytesPerSecond }) => steadyBytesPerSecond ?? bytesPerSecond

/** How much longer the same bytes take than by each baseline, in the same repeats. @param {readonly ZerosTransfer[]} own @param {readonly ZerosTransfer[]} all @param {TransferPlan} plan @returns {ZerosRow['overhead']} */
function overheads(own, all, plan) {
  return waysOf(plan)
    .filter(({ protocol }) => protocol !== 'perf')
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
 * zerosRows are the figures of each way, direction and number of streams in a round.
 *
 * @param {TransferPlan} plan
 * @param {InRound} measured
 * @returns {ZerosRow[]}
 */
export const zerosRows = (plan, measured) =>
  /** @type {const} */ (['upload', 'download']).flatMap(direction =>
    (plan.streams ?? []).flatMap(streams =>
      waysOf(plan).flatMap(way => {
        const own = measured.transfers.filter(
          each => each.way === way.name && each.direction === direction && each.streams === streams
        )
        return own.length === 0 ? [] : [rowOf(own, { way, direction, streams }, { plan, ...measured })]
      })
    )
  )

/**
 * @param {readonly ZerosTransfer[]} own
 * @param {{ way: Way, direction: 'upload' | 'download', streams: number }} which
 * @param {InRound & { plan: TransferPlan }} of
 * @returns {ZerosRow}
 */
function rowOf(own, { way, direction, streams }, { plan, round, transfers, roundTrips }) {
  const { windowBytes, beginsBytes } = windowOf(way, plan, streams)
  const limits = {
    roundTripMs: roundTrips[way.name] ?? null,
    windowBytes,
    lineBytesPerSecond: lineBytesPerSecond(way, plan, { streams, ...round })
  }
  const steady = Number(middleOf(own.map(steadyRate)))
  const gigabytes = (/** @type {ZerosTransfer} */ { bytes }) => bytes / 1e9
  const cores = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    middleOf(own.map(each => (each[side] === null ? null : each[side] / each.totalMs)))
  const perGigabyte = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    middleOf(own.map(each => (each[side] === null ? null : each[side] / 1000 / gigabytes(each))))
  const usedCores = { client: cores('clientCpuMs'), server: cores('serverCpuMs') }
  const verdict = transferLimit({
    ...limits,
    bytesPerSecond: steady,
    firstWindowBytes: beginsBytes ?? undefined,
    tookMs: middleOf(own.map(({ totalMs }) => totalMs)),
    kernelTcp: plan.network === 'namespaces',
    cores: usedCores
  })
  return {
    round,
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
