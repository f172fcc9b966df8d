import { median } from '../../../kit/median.js'
import { significant } from '../../../kit/numbers.js'
import { limitedTransfer, modelGoodput, transferLimit } from '../../../measure/transfer-limit.js'
import { WAYS } from '../plan/ways.js'

/**
 * @typedef {import('../transfer-types.js').Batch} Batch
 * @typedef {import('../transfer-types.js').Transfer} Transfer
 * @typedef {import('../transfer-types.js').Case} Case
 * @typedef {import('../../../measure/transfer-limit.js').Verdict} Limited
 * @typedef {Pick<Case, 'way' | 'latencyMs' | 'bytesPerSecond' | 'roundTripMs' | 'goodput' | 'seconds'>} Measured
 */

/** Windows of Yamux's streams: what they begin with, and what they grow to (@libp2p/yamux 8, constants.js). */
export const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })

/**
 * @typedef {import('../transfer-plan.js').TransferPlan['transport']} Transport
 * @typedef {{ first: number, largest: number }} Window
 * @typedef {{ underWay: number, window: Window | null, cores: ReturnType<typeof busyOf>, firstByteMs: number | null }} Words
 */

/** A round trip of loopback says nothing about a window, which grows within it. @param {Measured} measured */
const tripOf = ({ latencyMs, roundTripMs }) => (latencyMs === 0 ? null : roundTripMs)

/** @param {readonly { cpuMs: number, wallMs: number }[]} usages - of a side, in each repeat @returns {number} of a core, while it was watched */
function coresOf(usages) {
  const wallMs = usages.reduce((sum, usage) => sum + usage.wallMs, 0)
  return wallMs === 0 ? 0 : usages.reduce((sum, usage) => sum + usage.cpuMs, 0) / wallMs
}

/** @param {readonly Batch[]} batches */
const busyOf = batches => ({
  provider: coresOf(batches.map(({ provider }) => provider)),
  requestor: Math.max(
    ...batches[0].requestors.map((_, i) => coresOf(batches.map(({ requestors }) => requestors[i])))
  )
})

/** @param {readonly Transfer[]} transfers @returns {number | null} until the first byte of all came, in the middle one of the repeats */
function firstByteOf(transfers) {
  /** @type {Map<number, number>} */
  const earliest = new Map()
  for (const { repeat, firstByteMs } of transfers)
    if (firstByteMs !== null) earliest.set(repeat, Math.min(firstByteMs, earliest.get(repeat) ?? firstByteMs))
  return earliest.size === 0 ? null : median([...earliest.values()])
}

/** @param {number} bytes */
const mb = bytes => `${significant(bytes / 1e6)} MB`

/** @param {number | null} share */
const percent = share => `${Math.round((share ?? 0) * 100)} %`

/** @param {Limited} limited @param {Words} of @returns {string} */
function inWords({ limit, side, reached }, { underWay, window, cores, firstByteMs }) {
  const busy = `provider ${percent(cores.provider)}, requestor ${percent(cores.requestor)} of a core`
  if (limit === 'line') return `the line: ${percent(reached)} of it`
  if (limit === 'round trips')
    return `round trips: it took ${significant(reached ?? 0)} of them${firstByteMs === null ? '' : `, the first byte came after ${significant(firstByteMs)} ms`}`
  if (limit === 'CPU') return `the CPU of the ${side}: ${busy}`
  if (limit === 'waiting')
    return `waiting: nothing was full, and ${busy} were used: for the other side, for timers, or for a core that others use`
  if (limit === 'TCP') return `TCP: slow start, its window, or what it sent again; ${busy} were used`
  const of = `${mb(underWay)} were under way, and the windows of its streams begin with ${mb(window?.first ?? 0)} and grow to ${mb(window?.largest ?? 0)}, together`
  return limit === 'window' ? `the window: ${of}` : `the window, while it grew: ${of}`
}

/** @param {{ way: Case['way'], transport: Transport }} of @param {number} streams - at once, of a requestor @returns {Window | null} of all its streams together; null: not of Yamux */
const windowOf = ({ way, transport }, streams) =>
  WAYS[way].libp2p && transport !== 'quic'
    ? { first: WINDOW.first * streams, largest: WINDOW.largest * streams }
    : null

/**
 * caseVerdict says what limited a way in a round, see transferLimit.
 *
 * @param {Measured} measured
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[], transport: Transport, network?: string }} of - the way in the round
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict' | 'limitedBy'>}
 */
export function caseVerdict(measured, { batches, transfers, transport, network }) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // what the provider can send is for all requestors
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const window = windowOf({ way, transport }, Math.max(1, transfers.length / (batches.length * requestors)))
  const windowBytes = window?.largest ?? null
  const roundTripMs = tripOf(measured)
  const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const [cores, firstByteMs] = [busyOf(batches), firstByteOf(transfers)]
  const limited = transferLimit({
    bytesPerSecond: goodput.median,
    roundTripMs,
    windowBytes,
    firstWindowBytes: window?.first,
    lineBytesPerSecond,
    tookMs: seconds.median * 1000,
    firstByteMs,
    kernelTcp: network === 'namespaces',
    cores
  })
  const underWay = (goodput.median * (roundTripMs ?? 0)) / 1000
  const limit = limited.limit === 'CPU' ? `CPU of the ${limited.side}` : limited.limit
  return {
    windowBytes,
    model,
    verdict: { limit, text: inWords(limited, { underWay, window, cores, firstByteMs }) },
    limitedBy: limitedTransfer(limited, { server: cores.provider, client: cores.requestor })
  }
}
