import { publishMsOf } from '../../../load/publish-length.js'
import { replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { nodesOf } from './nodes-of.js'

/**
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {import('../../../network/links/partition-schedule.js').Cut} Cut
 */

/** @param {readonly Cut[]} cuts @param {number} nodes @returns {number | undefined} a node that there is not */
const stranger = (cuts, nodes) =>
  cuts.flatMap(({ between }) => between.flat().map(({ last }) => last)).find(last => last >= nodes)

/** @param {Record<string, any>} values */
const publishMs = ({ duration, arrivals, messages, rate, publishers }) =>
  publishMsOf({
    durationMs: duration ?? replayedMs(arrivals),
    messages: publishers === 'every' ? null : messages,
    ratePerSecond: saysItsRates(arrivals) ? null : rate
  })

/** @type {readonly Rule[]} */
const partitions = [
  {
    flag: 'partition',
    needs: ['nodes', 'topology'],
    refuse: ({ partition = [], ...values }) => {
      const nodes = nodesOf(values)
      const node = stranger(partition, nodes)
      return node !== undefined && `names node ${node}, and there are ${nodes}: 0 to ${nodes - 1}`
    }
  },
  {
    flag: 'partition',
    needs: ['duration', 'arrivals', 'messages', 'rate', 'publishers'],
    refuse: ({ partition = [], ...values }) => {
      const endMs = publishMs(values)
      const late = partition.find((/** @type {Cut} */ { toMs }) => toMs > endMs)
      return (
        late !== undefined &&
        `lasts until ${late.toMs / 1000}s, and publishing ends after ${endMs / 1000}s: give it an earlier end, or --duration a later one`
      )
    }
  }
]

/** IMPAIRMENT_RULES refuse what real TCP cannot do, and what cannot be done to a network. @type {readonly Rule[]} */
export const IMPAIRMENT_RULES = [
  {
    flag: 'linkLatency',
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ network, linkLatency }) =>
      network === 'loopback' &&
      linkLatency.kind !== 'constant' &&
      'needs --network simulated, namespaces or docker: on loopback all links have the same latency, such as 50ms'
  },
  ...partitions
]
