import { spell } from '../../../kit/numbers.js'
import { timeCell } from '../../../report/description/tables.js'
import { percent as inPercent } from '../../../report/description/values.js'
import { IN_TIME_MS, LINES } from '../measure/limited-network.js'

/**
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('../../saturation.js').Described} Described
 */

/** @param {GossipPoint['model']} model @returns {number | null} */
function mostUsed(model) {
  const shares = LINES.flatMap(line => model?.[line]?.average ?? [])
  return shares.length === 0 ? null : Math.max(...shares)
}

/** DESCRIBED_MESSAGES is how trials of messages stand in a description. @type {Described} */
export const DESCRIBED_MESSAGES = {
  loads: 'deliveries',
  rateHeading: 'Rate of the network /s',
  columns: [
    ['Missing deliveries', ({ missing }) => missing, 'count'],
    ['Deliveries/s', ({ deliveries, durationMs }) => (deliveries * 1000) / durationMs, 'perSecond', 'wide'],
    [
      'Deliveries in time %',
      ({ deliveries, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * deliveries) / dueDeliveries),
      'percent',
      'wide'
    ],
    ['Avg ms', ({ rt }) => timeCell(rt.avg), 'ms', 'wide'],
    ['p50 ms', ({ rt }) => timeCell(rt.p50), 'ms'],
    ['p99 ms', ({ rt }) => timeCell(rt.p99), 'ms'],
    ['Max ms', ({ rt }) => timeCell(rt.max), 'ms', 'wide'],
    ['Busiest process %', ({ utilization }) => inPercent(utilization), 'percent', 'wide'],
    ['CPU of all %', ({ cpuPercent }) => cpuPercent, 'percent', 'wide'],
    ['Lines used %', ({ model }) => inPercent(mostUsed(model)), 'percent', 'wide'],
    ['Processing %', ({ model }) => inPercent(model?.processing?.average), 'percent', 'wide']
  ],
  failed: {
    title: 'Missing deliveries, %',
    of: ({ missing, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * missing) / dueDeliveries)
  },
  expected: (inTimeMs = IN_TIME_MS) =>
    `Expected: rate × duration. Achieved: messages that reached every subscriber within ${spell(inTimeMs)}. Times: dissemination, from the publish call to the last delivery.`
}
