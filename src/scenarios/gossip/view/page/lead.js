import { counted, grouped, significant } from '../../../../kit/numbers.js'
import { share } from '../../../../report/share.js'
import { topologyText } from '../../plan/topology-text.js'
import { isSimulated } from '../is-simulated.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../result/types.js').Percentile} Percentile
 * @typedef {import('../../../../result/types.js').Summary} Summary
 */

/** @param {Percentile} percentile */
const time = ({ ms, censored, doubtful }) =>
  `${censored ? 'more than ' : ''}${significant(ms)} ms${doubtful ? '*' : ''}`

/** @param {Summary} summary @param {string} of @param {string} came */
function within({ p50, p90, p99, avg }, of, came) {
  const high = p99 === null ? { share: '90 %', percentile: p90 } : { share: '99 %', percentile: p99 }
  const [first, ...more] = [{ share: 'half', percentile: p50 }, high].flatMap(({ share, percentile }) =>
    percentile === null ? [] : [{ share, time: time(percentile) }]
  )
  if (first !== undefined)
    return [
      `${first.share} of the ${of} ${came} within ${first.time}`,
      ...more.map(({ share, time }) => `${share} within ${time}`)
    ].join(', ')
  return avg === null
    ? `the times of the ${of} are not known`
    : `the ${of} ${came} within ${time(avg)} on average`
}

/** @param {GossipResult} result */
function reached({ outcome: { delivery } }) {
  const { expectedMessages, completeMessages, expected, delivered } = delivery
  if (expected === 0) return 'nobody was to receive them'
  if (delivered === expected)
    return `${expectedMessages === 1 ? 'it' : 'all of them'} reached every subscriber: ${counted(delivered, 'delivery', 'deliveries')}, none missing`
  return `${grouped(completeMessages)} reached every subscriber; ${grouped(delivered)} of ${counted(expected, 'delivery', 'deliveries')} came (${share(delivered, expected)} %)`
}

/** @param {GossipResult} result */
function timesInWords({ outcome: { latency, dissemination, delivery } }) {
  if (delivery.delivered === 0) return []
  const parts = [
    within(latency.all, 'deliveries', 'came'),
    within(dissemination.all, 'messages', 'had reached everyone')
  ]
  return [`${parts.join('; ')}.`.replace(/^./, first => first.toUpperCase())]
}

/**
 * deliveriesLead says a result of the gossip scenario as a person would.
 *
 * @param {GossipResult} result
 * @returns {string[]}
 */
export function deliveriesLead(result) {
  const { plan, outcome } = result
  const { published } = outcome.messages
  if (published === 0) return ['No message was published.']
  const simulated = isSimulated(plan) ? 'Simulated: ' : ''
  const network = `${counted(plan.nodes, 'node')} (${topologyText(plan.topology)})`
  return [
    `${simulated}${network} published ${counted(published, 'message')}; ${reached(result)}.`,
    ...timesInWords(result)
  ]
}
