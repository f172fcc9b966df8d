import { bandwidthIn, shareIn } from '../../../kit/units.js'
import { churn } from '../../../plan/churn-option.js'
import { wholeNumber } from '../../../plan/values.js'
import { impaired, simulated } from './conditions.js'
import { partitions } from './partition-option.js'

/** @typedef {import('../../../plan/option.js').Option} Option */

/** They are part of what a published case says. */
const OF_A_CASE = { only: impaired(), ofCase: true }

/** @param {string} group - of --help @returns {Record<'linkBandwidth' | 'upBandwidth' | 'downBandwidth', Option>} */
function bandwidthOptions(group) {
  const any = { group, ...bandwidth(), ...OF_A_CASE }
  return {
    linkBandwidth: {
      ...any,
      planKey: 'linkBandwidthBytesPerSecond',
      added: null,
      describe:
        'of each direction of a link that is simulated, or between namespaces or containers, such as 10MB/s'
    },
    upBandwidth: {
      ...any,
      planKey: 'upBandwidthBytesPerSecond',
      describe:
        'of what leaves a node that is simulated, or in a namespace or container, all its links together, such as 10MB/s'
    },
    downBandwidth: {
      ...any,
      planKey: 'downBandwidthBytesPerSecond',
      added: null,
      describe:
        'of what reaches a node that is simulated, or in a namespace or container, all its links together, such as 80Mbit/s'
    }
  }
}

/**
 * linkOptions are the options of what lies between nodes that loopback cannot have: none of them has a default.
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
    describe:
      'of the TCP segments of a link that is simulated, or between namespaces or containers, in each direction, such as 0.1%'
  },
  ...bandwidthOptions(group),
  partition: {
    group,
    defaultText: 'none',
    ...partitions(),
    planKey: 'partitions',
    ...OF_A_CASE,
    added: [],
    describe:
      'groups of nodes, simulated or in namespaces or containers, that are cut off from each other, in time since publishing began: hold@10s-15s:0-9|10-29 (TCP goes on trying), or reset@10s-15s:0-9|rest (connections are closed, and made again afterwards); can be repeated'
  },
  churn: {
    group,
    ...churn({ gossip: true }),
    ofCase: true,
    added: null,
    describe:
      'nodes leave while messages are published, and return as themselves or are replaced by new ones, such as 10,every=15s,away=5s: of 10 ephemeral nodes one is killed every 15s, and 5s later a new one takes its place; or 5%/min,away=30s: so many of all nodes in a minute, each for 30s. See docs/churn.md'
  },
  sendQueue: {
    group,
    ...wholeNumber(0, 1_000_000),
    only: simulated({ lacks: 'simulated' }, 'js-libp2p has no such queue'),
    ofCase: true,
    added: null,
    describe:
      'RPCs that may wait for a peer at a simulated node, as in go-libp2p-pubsub, whose queue is 32: the next one is refused and counted; without it all wait'
  }
})

/** @typedef {import('../../../plan/values.js').Kind} Kind */

/** Rounding of hundredths must not show. @param {number} x */
const clean = x => Number(x.toPrecision(12))

/**
 * lossPercentage takes a part of a hundred, with or without its sign, and gives a share from 0 to below 1: of all nothing would be left.
 *
 * @returns {Kind & { write: (share: number) => string }}
 */
export const lossPercentage = () => ({
  allowed: 'must be a percentage from 0 to below 100, such as 0.1%',
  schema: z =>
    z.preprocess(value => shareIn(`${String(value).trim().replace(/ ?%$/, '')}%`), z.number().min(0).lt(1)),
  write: share => `${clean(share * 100)}%`
})

/** bandwidth takes bytes or bits a second and gives bytes a second. @returns {Kind & { write: (bytesPerSecond: number) => string }} */
export const bandwidth = () => ({
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 10MB/s or 80Mbit/s',
  schema: z => z.preprocess(value => bandwidthIn(String(value)), z.number()),
  write: bytesPerSecond => `${bytesPerSecond / 1e6}MB/s`
})
