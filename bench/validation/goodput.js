import { makeSubStream } from '../../src/kit/random.js'
import { BandwidthQueue, Path } from '../../src/network/link-model.js'
import { tcpDirection } from '../../test/network/links/direction.js'
import { GOODPUT_SHARE, judgeFigures } from './measures.js'

/** LOSS_SHARE of the connections whose goodput is looked at. */
export const LOSS_SHARE = 0.01
/** SEGMENT_BYTES is what a TCP segment carries at most, in the model of links and over Ethernet. */
export const SEGMENT_BYTES = 1448
const SEGMENTS = 5000
/** Slow start is over. */
const FIRST_SEGMENTS = 1000
const NS_PER_MS = 1e6

/** What a long transfer carries, bytes a second: M. Mathis et al., ACM SIGCOMM CCR 27 (3) (1997), every segment acknowledged. @param {number} latencyMs */
const byFormula = latencyMs => (SEGMENT_BYTES / ((2 * latencyMs) / 1000)) * Math.sqrt(1.5 / LOSS_SHARE)

/**
 * @param {number} latencyMs - one way
 * @param {number} lossShare
 * @param {number} seed
 * @returns {number} bytes a second, of the simulated TCP alone
 */
function goodput(latencyMs, lossShare, seed) {
  const latencyNs = latencyMs * NS_PER_MS
  const line = () => new BandwidthQueue(null)
  const direction = tcpDirection({
    path: new Path({ upLink: line(), link: line(), downLink: line(), latency: () => latencyNs }),
    layers: { muxer: null, security: null, tcp: false },
    rttNs: 2 * latencyNs,
    returnNs: latencyNs,
    lossShare,
    random: makeSubStream(seed, 'loss'),
    answerRandom: makeSubStream(seed, 'loss', 'answers'),
    cut: null
  })
  for (const segments of [FIRST_SEGMENTS, SEGMENTS]) direction.send(segments * SEGMENT_BYTES, 0)
  const readNs = []
  while (direction.nextNs < Infinity) {
    const nowNs = direction.nextNs
    for (let left = direction.advance(nowNs); left > 0; left--) readNs.push(nowNs)
  }
  return (SEGMENTS * SEGMENT_BYTES) / ((readNs[1] - readNs[0]) / 1e9)
}

/**
 * judgeGoodput holds the goodput of a simulated connection that loses 1 % of its segments against the formula. There is no real network
 * with losses to hold it against.
 *
 * @param {number} latencyMs - of a link
 * @param {readonly number[]} seeds
 * @param {number} [lossShare] - that is simulated
 * @returns {import('./measures.js').MeasureVerdict}
 */
export function judgeGoodput(latencyMs, seeds, lossShare = LOSS_SHARE) {
  const simulated = seeds.map(seed => goodput(latencyMs, lossShare, seed) / 1e3)
  const real = seeds.map(() => byFormula(latencyMs) / 1e3)
  return judgeFigures({ name: 'goodput', real, simulated }, GOODPUT_SHARE)
}
