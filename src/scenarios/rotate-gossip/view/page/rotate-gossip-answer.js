import { MISSING, significant } from '../../../../kit/numbers.js'
import { NO_ANSWER, timeFigure } from '../../../../report/page/answer.js'
import { share } from '../../../../report/share.js'
import { deliveriesPerMinutePlot } from '../plots/deliveries-per-minute.js'

/**
 * rotateGossipAnswer gives whether those that stay got what they should while others came and went, and how soon who came got something.
 *
 * @param {import('../../rotate-gossip-types.js').RotateGossipResult} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function rotateGossipAnswer(result) {
  const { delivery, latency, rotation } = result.outcome
  if (rotation === null || delivery.expected === 0) return NO_ANSWER
  const { deliveriesPerMinute, firstDelivery } = rotation
  return {
    figures: [
      ['Delivered', `${share(delivery.delivered, delivery.expected)} %`],
      ['p50 of a delivery', timeFigure(latency.all.p50)],
      ['p50 from start to first delivery', timeFigure(firstDelivery.p50)],
      ['Deliveries per minute', deliveriesPerMinute === null ? MISSING : significant(deliveriesPerMinute)]
    ],
    plots: deliveriesPerMinutePlot(result)
  }
}
