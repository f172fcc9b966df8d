import { NO_ANSWER, timeFigure } from '../../../../report/page/answer.js'
import { share } from '../../../../report/share.js'
import { arrivalCurves } from '../plots/arrival-curves.js'

/**
 * deliveriesAnswer gives how much arrived, and when.
 *
 * @param {import('../../gossip-types.js').NetworkResult} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function deliveriesAnswer(result) {
  const { delivery, latency, dissemination } = result.outcome
  if (delivery.expected === 0) return NO_ANSWER
  return {
    figures: [
      ['Delivered', `${share(delivery.delivered, delivery.expected)} %`],
      ['p50 of a delivery', timeFigure(latency.all.p50)],
      ['p99 of a delivery', timeFigure(latency.all.p99)],
      ['p50 until all have it', timeFigure(dissemination.all.p50)]
    ],
    plots: arrivalCurves(/** @type {import('../../gossip-types.js').GossipResult} */ (result))
  }
}
