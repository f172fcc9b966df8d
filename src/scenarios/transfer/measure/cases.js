import { median } from '../../../kit/median.js'
import { jainIndex } from '../../../measure/fairness.js'
import { medianInterval } from '../../../measure/median-interval.js'
import { caseVerdict } from './case-verdict.js'

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-types.js').Transfer} Transfer
 * @typedef {import('../transfer-types.js').Batch} Batch
 * @typedef {import('../transfer-types.js').Case} Case
 */

const GB = 1e9

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = values => values.filter(value => value !== null && Number.isFinite(value)).map(Number)

/** @param {readonly (number | null)[]} values */
const middleOf = values => (known(values).length === 0 ? null : median(known(values)))

/** @param {readonly (number | null)[]} values */
const largestOf = values => (known(values).length === 0 ? null : Math.max(...known(values)))

/** @param {readonly (number | null)[]} values */
const spread = values => ({ median: middleOf(values), slowest: largestOf(values) })

/** @param {readonly number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

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
  const gigabytes = sum(batches.map(({ payloadBytes, requestors }) => payloadBytes * requestors.length)) / GB
  const provider = sum(batches.map(({ provider }) => provider.cpuMs)) / 1000
  const requestors = sum(batches.flatMap(batch => batch.requestors.map(({ cpuMs }) => cpuMs))) / 1000
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
 * @param {{ way: Way, round: Round, transport: TransferPlan['transport'], network?: TransferPlan['network'] }} of
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
