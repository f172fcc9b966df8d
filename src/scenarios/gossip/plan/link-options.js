import { wholeNumber } from '../../../plan/values.js'
import { churn } from './churn-option.js'
import { impaired } from './conditions.js'
import { bandwidth, lossPercentage } from './impairments.js'
import { partitions } from './partition-option.js'

/** @typedef {import('../../../plan/option.js').Option} Option */

/** They are part of what a published case says. */
const OF_A_CASE = { only: impaired(), ofCase: true }

/**
 * linkOptions are the options of what lies between nodes that only a simulated network can have on both sides of a comparison: none of
 * them has a default.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLoss' | 'linkBandwidth' | 'upBandwidth' | 'downBandwidth' | 'partition' | 'churn' | 'sendQueue', Option>}
 */
export const linkOptions = group => ({
  linkLoss: {
    group,
    ...lossPercentage(),
    planKey: 'linkLossShare',
    only: impaired(share => share > 0),
    ofCase: true,
    describe: 'of the TCP segments of a simulated link, in each direction, such as 0.1%'
  },
  linkBandwidth: {
    group,
    ...bandwidth(),
    planKey: 'linkBandwidthBytesPerSecond',
    ...OF_A_CASE,
    added: null,
    describe: 'of each direction of a simulated link, such as 10MB/s'
  },
  upBandwidth: {
    group,
    ...bandwidth(),
    planKey: 'upBandwidthBytesPerSecond',
    ...OF_A_CASE,
    describe: 'of what leaves a simulated node, all its links together, such as 10MB/s'
  },
  downBandwidth: {
    group,
    ...bandwidth(),
    planKey: 'downBandwidthBytesPerSecond',
    ...OF_A_CASE,
    added: null,
    describe: 'of what reaches a simulated node, all its links together, such as 80Mbit/s'
  },
  partition: {
    group,
    defaultText: 'none',
    ...partitions(),
    planKey: 'partitions',
    ...OF_A_CASE,
    added: [],
    describe:
      'groups of simulated nodes that are cut off from each other, in time since publishing began: hold@10s-15s:0-9|10-29 (TCP goes on trying), or reset@10s-15s:0-9|rest (connections are closed, and made again afterwards); can be repeated'
  },
  churn: {
    group,
    ...churn(),
    ...OF_A_CASE,
    added: null,
    describe:
      'simulated nodes leave and return while messages are published, such as 5%/min,away=30s: so many of those that are there in a minute, each for 30s'
  },
  sendQueue: {
    group,
    ...wholeNumber(0, 1_000_000),
    ...OF_A_CASE,
    added: null,
    describe:
      'RPCs that may wait for a peer at a simulated node, as in go-libp2p-pubsub, whose queue is 32: the next one is refused and counted; without it all wait'
  }
})
