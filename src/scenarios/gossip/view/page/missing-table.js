import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { grouped } from '../../../../kit/numbers.js'
import { byReason, MISSING_WORDS } from '../missing-words.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/** Pairs that are shown; more are in the result. */
const SHOWN = 20

/**
 * missingTables show which deliveries did not come, and what was seen of it.
 *
 * @param {GossipResult} result
 * @returns {Html | null} null: none is missing
 */
export function missingTables({ plan, outcome: { missing } }) {
  if (missing.pairs === 0) return null
  const shown = missing.listed.slice(0, SHOWN)
  const kept = missing.listedAll ? 'all are' : `the first ${grouped(missing.listed.length)} are`
  return html`${tableOf(
    {
      headings: ['Reason', 'Deliveries', 'What was seen'],
      align: ['l', 'r', 'l'],
      rows: byReason(missing.byReason).map(([reason, count]) => [
        reason,
        grouped(count),
        MISSING_WORDS[/** @type {keyof typeof MISSING_WORDS} */ (reason)] ?? ''
      ])
    },
    { label: 'Missing deliveries by reason' }
  )}<p class="quiet">A reason is what was recorded, and no proof that nothing else stood in the way. ${
    missing.pairs > SHOWN ? `The first ${SHOWN} of ${grouped(missing.pairs)}; ${kept} in result.json.` : null
  }</p>
${tableOf(
  {
    headings: ['Message', 'Node', 'Topic', 'Reason'],
    align: ['r', 'r', 'l', 'l'],
    rows: shown.map(({ message, node, topic, reason }) => [
      grouped(message),
      grouped(node),
      plan.topics[topic]?.name ?? String(topic),
      reason
    ])
  },
  { label: 'Missing deliveries' }
)}`
}
