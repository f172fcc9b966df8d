import { choice } from '../../plan/values.js'
import { NAMESPACES } from '../gossip/plan/conditions.js'
import { linkJitter } from '../gossip/plan/link-jitter-option.js'
import { linkLatency } from '../gossip/plan/link-latency-option.js'
import { linkOptions } from '../gossip/plan/link-options.js'
import { namespaceOptions } from '../gossip/plan/namespace-options.js'

/**
 * @typedef {import('../../plan/option.js').Option} Option
 * @typedef {import('../../plan/option.js').Condition} Condition
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** isJoined says whether values ask for a network of namespaces. @param {Values} values */
export const isJoined = ({ network }) => network === NAMESPACES

/** @type {Readonly<Condition>} */
const ONLY = Object.freeze({
  of: 'a network of namespaces',
  needs: ['network'],
  met: isJoined,
  otherwise: 'needs --network namespaces: on loopback there is nothing of the kind'
})

/** What links are asked to be, of nodes that are not of gossip. @type {Readonly<Record<string, string>>} */
const WORDS = {
  linkLatency:
    'one way, between namespaces, such as 50ms; each link can have its own: uniform:40ms-60ms, normal:50ms,10ms (mean, standard deviation), lognormal:50ms,20ms, or file:<matrix> of nodes or regions',
  linkJitter:
    "each packet between namespaces takes up to so much longer or shorter: a percentage of the link's latency (default: 1%), or a time such as 5ms",
  linkLoss: 'of the packets between namespaces, in each direction, such as 0.1%',
  linkBandwidth: 'of each direction of a link between namespaces, such as 10MB/s',
  upBandwidth: 'of what leaves a namespace, all its links together, such as 10MB/s',
  downBandwidth: 'of what reaches a namespace, all its links together, such as 80Mbit/s'
}

/**
 * linkTable are the options of a network of namespaces, for scenarios that have no other one with links.
 *
 * @param {string} group - of --help
 * @param {object} how
 * @param {string} how.joined - what --network namespaces puts where
 * @param {string} how.since - what partitions count from
 * @param {readonly string[]} [how.without] - what the scenario says by options of its own
 * @param {string} [how.insteadOf] - option of the scenario that says the latency where all links have the same
 * @returns {Record<string, Option>}
 */
export function linkTable(group, { joined, since, without = [], insteadOf }) {
  const { churn: _, sendQueue: __, partition, ...links } = linkOptions(group)
  /** @type {Record<string, any>} */
  const rows = {
    linkLatency: { group, ...linkLatency() },
    linkJitter: { group, ...linkJitter() },
    ...links,
    partition,
    ...namespaceOptions(group)
  }
  const words =
    insteadOf === undefined
      ? WORDS
      : { ...WORDS, linkLatency: `${WORDS.linkLatency}; instead of --${insteadOf}` }
  // nothing stands in the plan
  rows.partition.defaultText = undefined
  rows.partition.describe = `groups of namespaces that are cut off from each other, in time since ${since}: hold@1s-3s:0|rest (TCP goes on trying); can be repeated`
  return {
    network: {
      group,
      default: 'loopback',
      ...choice(['loopback', NAMESPACES]),
      added: 'loopback',
      describe: `what joins the processes; loopback: TCP on this host; namespaces: TCP over links with every impairment: ${joined}, see docs/namespaces.md`
    },
    ...Object.fromEntries(
      Object.entries(rows)
        .filter(([key]) => !without.includes(key))
        .map(([key, row]) => [
          key,
          {
            ...row,
            describe: words[key] ?? row.describe,
            only: ONLY,
            notIn: undefined,
            ofCase: true,
            added: null
          }
        ])
    )
  }
}
