import { significant } from '../../../kit/numbers.js'
import { modelGoodput, transferLimit } from '../../../measure/transfer-limit.js'
import { WAYS } from '../plan/ways.js'

/**
 * @typedef {import('../transfer-types.js').Batch} Batch
 * @typedef {import('../transfer-types.js').Case} Case
 * @typedef {import('../../../measure/transfer-limit.js').Verdict} Limited
 * @typedef {Pick<Case, 'way' | 'latencyMs' | 'bytesPerSecond' | 'roundTripMs' | 'goodput' | 'seconds'>} Measured
 */

/** Windows of Yamux's streams: what they begin with, and what they grow to (@chainsafe/libp2p-yamux 8, constants.js). */
export const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })

/** A round trip of loopback says nothing about a window, which grows within it. @param {Measured} measured */
const tripOf = ({ latencyMs, roundTripMs }) => (latencyMs === 0 ? null : roundTripMs)

/** @param {readonly Batch[]} batches @param {(batch: Batch) => number} cpuMs @returns {number | null} of a core, while files were moving */
function coresOf(batches, cpuMs) {
  const spans = batches.map(({ requestors }) => Math.max(...requestors.map(({ spanMs }) => spanMs ?? 0)))
  const span = spans.reduce((sum, ms) => sum + ms, 0)
  return span === 0 ? null : batches.reduce((sum, batch) => sum + cpuMs(batch), 0) / span
}

/** @param {readonly Batch[]} batches */
const busyOf = batches => ({
  provider: coresOf(batches, ({ provider }) => provider.cpuMs),
  requestor: Math.max(
    0,
    ...(batches[0]?.requestors ?? []).map(
      (_, i) => coresOf(batches, ({ requestors }) => requestors[i].cpuMs) ?? 0
    )
  )
})

/** @param {number} bytes */
const mb = bytes => `${significant(bytes / 1e6)} MB`

/** @param {number | null} share */
const percent = share => `${Math.round((share ?? 0) * 100)} %`

/** @param {Limited} limited @param {{ underWay: number, cores: ReturnType<typeof busyOf> }} of @returns {string} */
function inWords({ limit, side, reached }, { underWay, cores }) {
  if (limit === 'line') return `the line: ${percent(reached)} of it`
  if (limit === 'round trips') return `round trips: it took ${significant(reached ?? 0)} of them`
  if (limit === 'CPU')
    return `the CPU of the ${side}: provider ${percent(cores.provider)}, requestor ${percent(cores.requestor)} of a core`
  const window = `${mb(underWay)} were under way, and a stream's window begins with ${mb(WINDOW.first)} and grows to ${mb(WINDOW.largest)}`
  return limit === 'window' ? `the window: ${window}` : `the window, while it grew: ${window}`
}

/**
 * caseVerdict says what limited a way in a round, see transferLimit.
 *
 * @param {Measured} measured
 * @param {readonly Batch[]} batches
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict'>}
 */
export function caseVerdict(measured, batches) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // what the provider can send is for all requestors
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const windowBytes = WAYS[way].libp2p ? WINDOW.largest : null
  const roundTripMs = tripOf(measured)
  const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const cores = busyOf(batches)
  const limited = transferLimit({
    bytesPerSecond: goodput.median,
    roundTripMs,
    windowBytes,
    ...(windowBytes === null ? {} : { firstWindowBytes: WINDOW.first }),
    lineBytesPerSecond,
    tookMs: seconds.median * 1000,
    cores
  })
  const underWay = (goodput.median * (roundTripMs ?? 0)) / 1000
  const limit = limited.limit === 'CPU' ? `CPU of the ${limited.side}` : limited.limit
  return { windowBytes, model, verdict: { limit, text: inWords(limited, { underWay, cores }) } }
}
