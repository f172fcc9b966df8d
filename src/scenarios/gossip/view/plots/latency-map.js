import { timesMap } from '../../../../report/plots/response-time-map.js'
import { timeCells } from '../../../../report/plots/time-cells.js'
import { publishAxis, publishColumns } from './publish-time.js'

/**
 * latencyMap draws how the latency of deliveries went over time.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/plots/theme.js').Plot[]}
 */
export const latencyMap = result =>
  timesMap(timeCells(result.outcome.perSecond, publishColumns(result)), {
    id: 'latency-map',
    title: 'Latency over time',
    caption:
      'The stronger the colour, the more deliveries of messages published at this time took this long.',
    what: 'deliveries',
    axisTitle: 'Latency, ms',
    x: publishAxis(result)
  })
