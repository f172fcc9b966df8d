import { grouped } from '../../kit/numbers.js'
import { column, table } from '../../report/description/tables.js'
import { megabytes, percent, percentOf } from '../../report/description/values.js'
import { SCORE_LIMITS } from './describe-plots.js'

/**
 * What gossipsub did, and why: tables of every gossip result that knows it.
 *
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('./gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {NonNullable<GossipOutcome['scores']>} Scores
 */

/** Rows of a table; result.json has all. */
const MAX_ROWS = 300

/** What bytes of RPCs are sent for. @type {Readonly<Record<string, string>>} */
const BYTES = {
  publish: 'Publish',
  forward: 'Mesh forward',
  iwantAnswer: 'IWANT answer',
  ihave: 'IHAVE',
  iwant: 'IWANT',
  graft: 'GRAFT',
  prune: 'PRUNE',
  idontwant: 'IDONTWANT',
  subscriptions: 'Subscriptions',
  other: 'Other'
}

/** Why a node was sent a message that it had. @type {Readonly<Record<string, [name: string, meaning: string]>>} */
const DUPLICATES = {
  mesh: ['Mesh', 'from a peer in the mesh of the node'],
  iwantAnswer: ['IWANT answer', 'from a peer that the node had asked for the message'],
  floodPublish: ['Flood publish', 'from the publisher, who is not in the mesh of the node'],
  other: ['Other', 'mostly from a peer that has the node in its mesh, and is not in the node’s']
}

/** Why peers came into a mesh, or left it. @type {Readonly<Record<string, string>>} */
const REASONS = {
  fanout: 'peer of the fanout, on joining a topic',
  random: 'random peer, on joining a topic',
  subscribed: 'the peer sent GRAFT, or subscribed',
  outbound: 'too few outbound peers (D_out)',
  notEnough: 'too few peers (D_low)',
  opportunistic: 'low scores in the mesh',
  disconnected: 'the peer disconnected',
  badScore: 'score below 0',
  prune: 'the peer sent PRUNE',
  excess: 'too many peers (D_high)',
  unknown: 'unknown'
}

/** @param {number} part @param {number} deliveries */
const each = (part, deliveries) => (deliveries === 0 ? null : part / deliveries)

/** @param {GossipResult} result @returns {DescribedTable[]} */
function bytes({ plan, outcome: { bytesByCause, counters, delivery } }) {
  if (bytesByCause === undefined) return []
  const { all, topics } = bytesByCause
  const causes = Object.keys(BYTES).filter(cause => all[cause] > 0)
  return [
    table('bytes-by-cause', 'Bytes by cause', causes, [
      ['Cause', cause => BYTES[cause], 'text'],
      ['Total MB', cause => megabytes(all[cause]), 'MB'],
      ['Share %', cause => percentOf(all[cause], counters.bytesSent), 'percent'],
      ['Bytes/delivery', cause => each(all[cause], delivery.delivered), 'number']
    ]),
    {
      ...table('bytes-by-topic', 'Bytes by topic, MB', topics.slice(0, MAX_ROWS), [
        ['Topic', ({ topic }) => (topic === null ? '(names none)' : plan.topics[topic]?.name), 'text'],
        ...causes.map(cause =>
          column(BYTES[cause], (/** @type {typeof topics[number]} */ row) => megabytes(row[cause]), 'MB')
        )
      ]),
      note: 'IWANT and IDONTWANT name messages, not topics.'
    }
  ]
}

/** @param {GossipOutcome} outcome */
const duplicates = ({ duplicatesByCause: known = {}, counters, delivery }) =>
  table(
    'duplicates-by-cause',
    'Duplicates by cause',
    counters.duplicates === 0 ? [] : Object.keys(DUPLICATES).filter(cause => cause in known),
    [
      ['Cause', cause => DUPLICATES[cause][0], 'text'],
      ['Duplicates', cause => known[cause], 'count'],
      ['Share %', cause => known[cause] && percentOf(known[cause], counters.duplicates), 'percent'],
      ['Duplicates/delivery', cause => known[cause] && each(known[cause], delivery.delivered), 'number'],
      ['What it is', cause => DUPLICATES[cause][1], 'text', 'wide']
    ],
    known.floodPublish === null
      ? { note: 'Unsigned messages do not say who published them: flood publish is in Other.' }
      : {}
  )

/** @param {GossipOutcome} outcome */
function meshChanges({ meshChanges }) {
  const rows = Object.entries(meshChanges ?? {}).flatMap(([change, counts]) =>
    Object.entries(/** @type {Record<string, number>} */ (counts)).map(([reason, count]) => ({
      change: change === 'grafts' ? 'Graft' : 'Prune',
      reason,
      count
    }))
  )
  return table(
    'mesh-changes',
    'Grafts and prunes by reason',
    rows.filter(({ count }) => count > 0),
    [
      ['Change', ({ change }) => change, 'text'],
      ['Reason', ({ reason }) => REASONS[reason], 'text'],
      ['Count', ({ count }) => count, 'count']
    ],
    { note: 'Peers that came into the mesh of a node, or left it, since publishing began.' }
  )
}

/** @param {Scores} scores @returns {DescribedTable[]} */
const scoreTables = ({ series, nodes }) => [
  table(
    'scores-over-time',
    'Scores over time',
    series,
    [
      ['From s', ({ atMs }) => atMs / 1000, 's'],
      ['Scores', ({ samples }) => samples, 'count'],
      ['Min', ({ min }) => min, 'number'],
      ['p5', ({ p5 }) => p5, 'number'],
      ['p50', ({ p50 }) => p50, 'number'],
      ['p95', ({ p95 }) => p95, 'number'],
      ...SCORE_LIMITS.map(([name, key]) =>
        column(
          `Below ${name} %`,
          (/** @type {Scores['series'][number]} */ row) => percent(row.below[key]),
          'percent'
        )
      )
    ],
    { note: 'Of each node, by each of its peers, at a heartbeat of the peer. Percentiles to 1 %.' }
  ),
  table(
    'scores-by-node',
    'Scores by node',
    [...nodes].sort((a, b) => a.min - b.min).slice(0, MAX_ROWS),
    [
      ['Node', ({ node }) => node, 'count'],
      ['Peers', ({ peers }) => peers, 'count'],
      ['Median', ({ median }) => median, 'number'],
      ['Lowest', ({ min }) => min, 'number']
    ],
    {
      note: `What its peers gave it in the end.${nodes.length > MAX_ROWS ? ` The lowest ${grouped(MAX_ROWS)} of ${grouped(nodes.length)}.` : ''}`
    }
  )
]

/**
 * causeTables say what gossipsub sent and received for what, and how nodes scored one another.
 *
 * @param {GossipResult} result
 * @returns {DescribedTable[]}
 */
export const causeTables = result => [
  ...bytes(result),
  duplicates(result.outcome),
  meshChanges(result.outcome),
  ...(result.outcome.scores === undefined ? [] : scoreTables(result.outcome.scores))
]
