import { sumOf } from '../../../kit/lists.js'
import { subStream } from '../../../kit/random.js'
import { balancedOrders, rowsOf } from '../../../load/latin-square.js'
import { transferPlan } from '../transfer-plan.js'
import { movesFiles, PROTOCOLS, waysOf } from './ways.js'

/** What UnixFS puts around a leaf that is not raw. */
const WRAPPING_BYTES = 64
/** A link of a node: CID, size, and the size of what it leads to. */
const LINK_BYTES = 96

/**
 * largestBlock is how large a block of a file is at most.
 *
 * @param {{ chunkBytes: number, linksPerLevel: number }} shape
 * @returns {number} bytes
 */
export const largestBlock = ({ chunkBytes, linksPerLevel }) =>
  Math.max(chunkBytes + WRAPPING_BYTES, linksPerLevel * LINK_BYTES + WRAPPING_BYTES)

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-plan.js').Round} Round
 *
 * @typedef {'latenciesMs' | 'noLatencyCase' | 'bandwidths' | 'unlimitedBandwidthCase'} LineKey
 * @typedef {Pick<import('../transfer-plan.js').TransferPlan, LineKey>} Lines
 */

/**
 * roundsOf gives a round for each pair of a latency and a bandwidth, the easiest line first.
 *
 * @param {Lines} plan
 * @returns {Round[]}
 */
export function roundsOf({ latenciesMs, noLatencyCase, bandwidths, unlimitedBandwidthCase }) {
  const latencies = [...(noLatencyCase ? [0] : []), ...latenciesMs]
  const limits = [...(unlimitedBandwidthCase ? [null] : []), ...bandwidths]
  return latencies.flatMap(latencyMs => limits.map(bytesPerSecond => ({ latencyMs, bytesPerSecond })))
}

/** So many repeats at least, where nobody says how many. */
const FEW_REPEATS = 4

/**
 * usualRepeats is how many repeats there are where nobody says how many: the orders of the ways are balanced.
 *
 * @param {number} ways
 */
export const usualRepeats = ways => rowsOf(ways) * Math.ceil(FEW_REPEATS / rowsOf(ways))

/**
 * orderOf says in which order the ways of a round take turns with files: complete Latin squares, so that none always finds what another
 * has warmed up; with an odd number of ways every second square is the one before it, mirrored.
 *
 * @template W
 * @param {readonly W[]} ways
 * @param {Pick<TransferPlan, 'repeats' | 'seed'>} plan
 * @param {number} round - its number
 * @returns {W[][]} a row for each repeat
 */
export function orderOf(ways, { repeats, seed }, round) {
  const random = subStream(seed, 'order of ways', round)
  const sets = Math.ceil(repeats / rowsOf(ways.length))
  return Array.from({ length: sets }, () => balancedOrders(ways, random))
    .flat()
    .slice(0, repeats)
}

/**
 * turnOf says in which order ways take turns in a repeat of what is measured with zeros: over as many repeats as there are ways, each is
 * once in every place.
 *
 * @template W
 * @param {readonly W[]} ways
 * @param {number} seed
 * @param {number} repeat
 * @returns {W[]}
 */
export function turnOf(ways, seed, repeat) {
  const rows = rowsOf(ways.length)
  return balancedOrders(ways, subStream(seed, 'order', Math.floor(repeat / rows)))[repeat % rows]
}

/** Starting the processes. */
const START_MS = 1500
/** Nodes, servers and connections of a way, made for each repeat. */
const OPEN_MS = 150
/** Round trips until a connection stands and is measured, and until the window of a stream has grown. */
const ROUND_TRIPS = 10
/** What two processes make of a file, or of zeros, and move in a ms, checked and stored, on two cores. */
const BYTES_PER_MS = 40_000

/**
 * estimateMs is about how long a run takes.
 *
 * @param {unknown} asked
 * @returns {number}
 */
export function estimateMs(asked) {
  const plan = transferPlan(asked)
  return movesFiles(plan) ? filesMs(plan) : zerosMs(plan)
}

/** @param {TransferPlan} plan */
function filesMs(plan) {
  const bytes = plan.sizeBytes * plan.concurrency * plan.requestors
  const moveMs = bytes / BYTES_PER_MS
  const perRound = roundsOf(plan).map(
    ({ latencyMs, bytesPerSecond }) =>
      OPEN_MS +
      2 * latencyMs * ROUND_TRIPS +
      Math.max(moveMs, bytesPerSecond === null ? 0 : (bytes / bytesPerSecond) * 1000)
  )
  const perSquare = perRound.reduce((sum, ms) => sum + ms, 0)
  const warmUpMs = plan.ways.length * (OPEN_MS + moveMs)
  return START_MS + moveMs + warmUpMs + plan.ways.length * plan.repeats * perSquare
}

/** @param {TransferPlan} plan */
function zerosMs(plan) {
  const { measures, sizeBytes, streams = [], repeats, exchanges = 0, handshakeForMs = 0, windowBytes } = plan
  const ways = waysOf(plan)
  /** @param {Round} round */
  const inRound = ({ latencyMs, bytesPerSecond }) => {
    const perMs = Math.min(
      BYTES_PER_MS,
      bytesPerSecond === null ? Number.POSITIVE_INFINITY : bytesPerSecond / 1000,
      latencyMs === 0 || windowBytes === null ? Number.POSITIVE_INFINITY : windowBytes / (2 * latencyMs)
    )
    const transferMs = sizeBytes / perMs + 4 * latencyMs
    /** @type {Record<string, number>} */
    const once = {
      upload: ways.length * streams.length * transferMs,
      download: ways.length * streams.length * transferMs,
      latency: ways.length * exchanges * (1 + 4 * latencyMs),
      handshakes: ways.filter(({ protocol }) => PROTOCOLS[protocol].handshake).length * handshakeForMs
    }
    return repeats * sumOf(measures, measure => once[measure])
  }
  return 2 * START_MS + sumOf(roundsOf(plan), inRound)
}
