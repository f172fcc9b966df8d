import { tableOf } from '../../../../kit/html-table.js'
import { grouped } from '../../../../kit/numbers.js'
import { figure } from '../../../../report/table.js'

/** @typedef {import('../../../../result/types.js').Summary} Summary */

/** @param {string} name @param {Summary} summary */
const row = (name, { count, avg, p50, p90, p99, max }) => [
  name,
  grouped(count),
  ...[avg, p50, p90, p99, max].map(time => figure(time))
]

/**
 * rendezvousTable shows how long nodes took to find one another.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: they were told of one another
 */
export function rendezvousTable({ outcome: { rendezvous } }) {
  if (rendezvous === null) return null
  return tableOf(
    {
      headings: ['Step over the rendezvous server', 'Count', 'Avg ms', 'p50', 'p90', 'p99', 'Max'],
      rows: [
        row('Connect to the server', rendezvous.connect),
        row('Register under the topic', rendezvous.register),
        row('Discover the others', rendezvous.discover),
        row('Dial what was found', rendezvous.dial)
      ]
    },
    { label: 'Rendezvous' }
  )
}
