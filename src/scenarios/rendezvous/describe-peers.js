import { counted, grouped, significant } from '../../kit/numbers.js'
import { overheadTimes } from '../../report/description/load-generator.js'
import { facts } from '../../report/description/tables.js'
import { percentOf } from '../../report/description/values.js'
import { share } from '../../report/share.js'
import { networkPlots, networkTables } from '../gossip/describe.js'
import { hopFigures } from '../gossip/measure/hop-figures.js'
import { timesText } from './operations.js'

/**
 * What the gossip network of clients that are full peers came to.
 *
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {NonNullable<Result['outcome']['gossip']>} Peers
 */

/** They are of the operations, too. */
const OF_OPERATIONS = new Set(['over-time'])

/** Clients that come and go have a table of their own. @param {DescribedTable} table */
const ofNetwork = table => ({ ...table, id: 'network-churn', title: 'Churn of the network' })

/** Clients are nodes, whose processes are those of the load generator. @param {Result} result @param {Peers} outcome @returns {any} */
const asNetwork = ({ plan, run }, outcome) => ({
  plan: { ...plan, nodes: plan.nClients },
  outcome: { ...outcome, resources: [], network: { kind: 'loopback', settings: {} } },
  run: { ...run, lateness: undefined, health: [] }
})

/**
 * peerWords say what became of messages.
 *
 * @param {Result} result
 * @returns {string} empty: clients are no full peers
 */
export function peerWords({ outcome: { gossip } }) {
  if (gossip === undefined) return ''
  const { messages, delivery, latency } = gossip
  if (delivery.expected === 0)
    return ` ${counted(messages.published, 'message')}, which nobody was to receive.`
  const { expected, delivered } = delivery
  const arrived =
    delivered === expected
      ? `all ${counted(expected, 'delivery', 'deliveries')} arrived`
      : `${share(delivered, expected)} % of ${counted(expected, 'delivery', 'deliveries')} arrived`
  const times = timesText(latency.all)
  return ` Of ${counted(messages.published, 'message')} ${arrived}${times === '' ? '' : ` (${times})`}.`
}

/**
 * peerTimes are rows of response times.
 *
 * @param {Result} result
 * @returns {Parameters<typeof import('../../report/description/tables.js').timesTable>[0]}
 */
export function peerTimes({ outcome: { gossip } }) {
  if (gossip === undefined) return []
  const { latency, dissemination, rendezvous } = gossip
  return [
    ['Delivery', latency.all],
    ['Delivery, client overhead', overheadTimes(latency.all)],
    ['Dissemination', dissemination.all],
    ['Dissemination, client overhead', overheadTimes(dissemination.all)],
    ['Joining: REGISTER', rendezvous?.register],
    ['Joining: discovery', rendezvous?.discover],
    ['Joining: dial', rendezvous?.dial]
  ]
}

/**
 * peerTables say which messages reached whom.
 *
 * @param {Result} result
 * @returns {DescribedTable[]}
 */
export function peerTables(result) {
  const { gossip } = result.outcome
  if (gossip === undefined) return []
  const { messages, delivery, missing, cost, rendezvous, latency, dissemination } = gossip
  return [
    {
      ...facts('delivery', 'Deliveries', [
        ['Messages published', messages.published, 'count'],
        ['Deliveries expected', delivery.expected, 'count'],
        ['Delivered', delivery.delivered, 'count'],
        ['Missing', missing.pairs, 'count'],
        ['MDR, %', percentOf(delivery.delivered, delivery.expected), 'percent'],
        [
          'Messages that reached everyone, %',
          percentOf(delivery.completeMessages, delivery.expectedMessages),
          'percent'
        ],
        ['Delivery p50, ms', latency.all.p50?.ms, 'ms'],
        ['Delivery p99, ms', latency.all.p99?.ms, 'ms'],
        ['Dissemination p50, ms', dissemination.all.p50?.ms, 'ms'],
        ['Dissemination p99, ms', dissemination.all.p99?.ms, 'ms'],
        ['Hops to the last receiver, average', hopFigures(gossip.hops.last)?.avg],
        ['Duplicates per delivery', cost.duplicatesPerDelivery],
        ['Bytes sent per delivery', cost.bytesPerDelivery],
        ['Registrations of others, not dialled', rendezvous?.foreign, 'count']
      ]),
      terminal: true,
      note: 'MDR: message delivery ratio. Delivery: publish call to first receipt. Dissemination: to the last.'
    },
    ...networkTables(asNetwork(result, gossip))
      .filter(({ id }) => !OF_OPERATIONS.has(id))
      .map(each => (each.id === 'churn' ? ofNetwork(each) : each))
  ]
}

/**
 * peerPlots are those of a gossip network.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export function peerPlots(result) {
  const { gossip } = result.outcome
  if (gossip === undefined) return []
  return networkPlots(asNetwork(result, gossip)).map(({ main: _, ...plot }) => plot)
}

/** networkText says what full peers publish: `messages of 1,000 bytes in 1 topic`. @param {import('../../plan/plan.js').Plan} plan */
export function publishText({ messageBytes = { min: 0, max: 0 }, topics = [] }) {
  const { min, max } = messageBytes
  const bytes = min === max ? grouped(min) : `${grouped(min)}–${significant(max)}`
  return `messages of ${bytes} bytes in ${counted(topics.length, 'topic')}`
}
