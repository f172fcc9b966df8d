import { sumOf } from '../../../kit/lists.js'
import { median } from '../../../kit/median.js'
import { significant } from '../../../kit/numbers.js'
import { jainIndex } from '../../../measure/fairness.js'
import { medianInterval } from '../../../measure/median-interval.js'
import { limitedTransfer, modelGoodput, transferLimit } from '../../../measure/transfer-limit.js'
import { PROTOCOLS } from '../plan/ways.js'

/**
 * @typedef {import('../transfer-plan.js').Batch} Batch
 * @typedef {import('../transfer-plan.js').Transfer} Transfer
 * @typedef {import('../transfer-plan.js').Case} Case
 * @typedef {import('../../../measure/transfer-limit.js').Verdict} Limited
 * @typedef {Pick<Case, 'way' | 'latencyMs' | 'bytesPerSecond' | 'roundTripMs' | 'goodput' | 'seconds'>} Measured
 */

/** Windows of Yamux's streams, of both generations: what they begin with, and what they grow to (@libp2p/yamux 8, constants.js). */
export const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })
/** Of HTTP/2 of Node: of a stream and of a session alike. */
const HTTP2_BYTES = 65_535

/**
 * @typedef {Partial<Pick<import('../transfer-plan.js').TransferPlan, 'transport' | 'windowBytes' | 'connections' | 'target'>>} Windowed
 * @typedef {{ windowBytes: number | null, beginsBytes: number | null }} Window - null: no window of its own, or not known; `beginsBytes`: where
 *   it grows
 */

/**
 * windowOf is what may be under way over a protocol, in all its streams together.
 *
 * @param {Pick<import('../plan/ways.js').Way, 'protocol' | 'muxer'>} way
 * @param {Windowed} plan
 * @param {number} streams - on each connection
 * @returns {Window}
 */
export function windowOf(
  { protocol, muxer = 'yamux' },
  { transport, windowBytes = null, connections = 1, target = null },
  streams
) {
  const all = streams * connections
  if (protocol === 'http2') return { windowBytes: HTTP2_BYTES * connections, beginsBytes: null }
  if (!PROTOCOLS[protocol].libp2p || transport === 'quic' || muxer !== 'yamux')
    return { windowBytes: null, beginsBytes: null }
  if (windowBytes !== null) return { windowBytes: windowBytes * all, beginsBytes: null }
  // how far the window of another implementation grows is not known
  return { windowBytes: target === null ? WINDOW.largest * all : null, beginsBytes: WINDOW.first * all }
}

/** @typedef {{ underWay: number, window: Window, cores: ReturnType<typeof busyOf>, firstByteMs: number | null }} Words */

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
  const of = `${mb(underWay)} were under way, and the windows of its streams begin with ${mb(window.beginsBytes ?? 0)} and grow to ${mb(window.windowBytes ?? 0)}, together`
  return limit === 'window' ? `the window: ${of}` : `the window, while it grew: ${of}`
}

/**
 * caseVerdict says what limited a way in a round, see transferLimit.
 *
 * @param {Measured} measured
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[], transport: TransferPlan['transport'], network?: string }} of - the way in the round
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict' | 'limitedBy'>}
 */
export function caseVerdict(measured, { batches, transfers, transport, network }) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // what the provider can send is for all requestors
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const streams = Math.max(1, transfers.length / (batches.length * requestors))
  const window = windowOf({ protocol: way }, { transport }, streams)
  const { windowBytes } = window
  const roundTripMs = tripOf(measured)
  const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const [cores, firstByteMs] = [busyOf(batches), firstByteOf(transfers)]
  const limited = transferLimit({
    bytesPerSecond: goodput.median,
    roundTripMs,
    windowBytes,
    firstWindowBytes: window.beginsBytes ?? undefined,
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

/**
 * @typedef {import('../plan/ways.js').Protocol} Protocol
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 */

const GB = 1e9

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = values => values.filter(value => value !== null && Number.isFinite(value)).map(Number)

/** middleOf is the median of what is known. @param {readonly (number | null)[]} values */
export const middleOf = values => (known(values).length === 0 ? null : median(known(values)))

/** largestOf is the largest of what is known. @param {readonly (number | null)[]} values */
export const largestOf = values => (known(values).length === 0 ? null : Math.max(...known(values)))

/** @param {readonly (number | null)[]} values */
const spread = values => ({ median: middleOf(values), slowest: largestOf(values) })

/**
 * secondsOf is how long a repeat of a way took: until its slowest requestor had everything.
 *
 * @param {Batch} batch
 * @returns {number | null} null: it did not
 */
const secondsOf = ({ requestors }) => {
  const spans = requestors.map(({ spanMs }) => spanMs)
  return spans.every(ms => ms !== null) ? Math.max(...known(spans)) / 1000 : null
}

/** @param {Batch} batch */
const goodputsOf = ({ requestors, payloadBytes }) =>
  requestors.map(({ spanMs }) => (spanMs === null ? null : payloadBytes / (spanMs / 1000)))

/** @param {Batch[]} batches @param {Batch[]} http - of the same round */
function factorTo(batches, http) {
  const ratios = batches.map(batch => {
    const beside = http.find(({ repeat }) => repeat === batch.repeat)
    const [own, other] = [secondsOf(batch), beside === undefined ? null : secondsOf(beside)]
    return own === null || other === null ? null : own / other
  })
  return known(ratios).length === 0 ? null : medianInterval(known(ratios))
}

/** @param {Batch[]} batches */
function costsOf(batches) {
  const gigabytes =
    sumOf(batches.map(({ payloadBytes, requestors }) => payloadBytes * requestors.length)) / GB
  const provider = sumOf(batches.map(({ provider }) => provider.cpuMs)) / 1000
  const requestors = sumOf(batches.flatMap(batch => batch.requestors.map(({ cpuMs }) => cpuMs))) / 1000
  return {
    cpuSecondsPerGB: { provider: provider / gigabytes, requestors: requestors / gigabytes },
    peakBytes: {
      provider: largestOf(batches.map(({ provider }) => provider.peakBytes)),
      requestor: largestOf(batches.flatMap(batch => batch.requestors.map(({ peakBytes }) => peakBytes)))
    }
  }
}

/** @param {Batch[]} batches @returns {number | null} of goodput over requestors */
const fairnessOf = batches =>
  batches.some(({ requestors }) => requestors.length > 1)
    ? middleOf(batches.map(batch => jainIndex(known(goodputsOf(batch)))))
    : null

/** @param {Pick<Round, 'latencyMs' | 'bytesPerSecond'>} round @returns {(of: Round) => boolean} */
const isIn = round => of => of.latencyMs === round.latencyMs && of.bytesPerSecond === round.bytesPerSecond

/**
 * caseOf puts the repeats of a way in a round together.
 *
 * @param {{ way: Protocol, round: Round, transport: TransferPlan['transport'], network?: TransferPlan['network'] }} of
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured - of the whole run
 * @returns {Case}
 */
export function caseOf({ way, round, transport, network }, measured) {
  const here = measured.batches.filter(isIn(round))
  const batches = here.filter(batch => batch.way === way)
  const transfers = measured.transfers.filter(each => each.way === way && isIn(round)(each))
  const seconds = known(batches.map(secondsOf))
  const sides = batches.flatMap(({ requestors }) => requestors)
  const base = {
    way,
    ...round,
    batches: batches.length,
    transfers: transfers.length,
    failed: transfers.filter(({ outcome }) => outcome !== 'OK').length,
    seconds: { ...medianInterval(seconds), slowest: largestOf(seconds) },
    goodput: medianInterval(known(batches.map(batch => middleOf(goodputsOf(batch))))),
    firstByteMs: spread(transfers.map(({ firstByteMs }) => firstByteMs)),
    waitMs: spread(transfers.map(({ waitMs }) => waitMs)),
    connectMs: middleOf(sides.map(({ connectMs }) => connectMs)),
    roundTripMs: middleOf(sides.map(({ roundTripMs }) => roundTripMs)),
    factorToHttp:
      way === 'http'
        ? null
        : factorTo(
            batches,
            here.filter(batch => batch.way === 'http')
          ),
    wirePerByte: middleOf(transfers.map(({ wirePerByte }) => wirePerByte)),
    blocks: middleOf(transfers.map(({ blocks }) => blocks)),
    ...costsOf(batches),
    fairness: fairnessOf(batches)
  }
  return { ...base, ...caseVerdict(base, { batches, transfers, transport, network }) }
}

/**
 * casesOf puts together what was measured of each way in each round, those without a repeat left out.
 *
 * @param {{ rounds: readonly Round[] } & Pick<TransferPlan, 'ways' | 'transport'> & Partial<Pick<TransferPlan, 'network'>>} plan
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured
 * @returns {Case[]}
 */
export const casesOf = ({ rounds, ways, transport, network }, measured) =>
  rounds
    .flatMap(round => ways.map(way => caseOf({ way, round, transport, network }, measured)))
    .filter(({ batches }) => batches > 0)
