import { tableOf } from '../../../../kit/html-table.js'
import { grouped } from '../../../../kit/numbers.js'
import { share } from '../../../../report/share.js'

/** Topics that are shown; more are in the result. */
const SHOWN = 50

/**
 * topicTable shows what became of the messages of each topic.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: there is but one
 */
export function topicTable({ plan, outcome: { topics } }) {
  if (plan.topics.length < 2) return null
  return tableOf(
    {
      headings: ['Topic', 'Messages', 'Deliveries expected', 'Delivered', 'MDR %'],
      rows: topics
        .slice(0, SHOWN)
        .map(({ topic, published, expected, delivered }) => [
          plan.topics[topic]?.name ?? String(topic),
          grouped(published),
          grouped(expected),
          grouped(delivered),
          share(delivered, expected)
        ])
    },
    { label: 'Topics' }
  )
}
