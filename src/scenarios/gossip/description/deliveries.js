// Makes the tables of a gossip result: deliveries, their cost in traffic, the network. Also finds the peaks of a
// distribution.
import { computeSum } from '../../../kit/collections.js'
import { formatWhole } from '../../../kit/numbers.js'
import { decodeHistogram } from '../../../measure/distribution.js'
import { SAMPLES_BEYOND } from '../../../measure/histogram.js'
import {
  binForPlot,
  computePercent,
  divideTime,
  keepAllRowsForCsv,
  makeColumn,
  makeFactsTable,
  makeTable,
  makeTimeCell,
  toMegabytes,
  toPercent
} from '../../../report/description.js'
import { describeUnsustained } from '../figures.js'
import { readPublishSeconds, SCORE_LIMITS } from './plots.js'

/**
 * @typedef {import('../../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../outcome.js').GossipResult} GossipResult
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {NonNullable<GossipOutcome['scores']>} Scores
 */

/** Names of the causes of bytes sent. @type {Readonly<Record<string, string>>} */
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

/** Causes of duplicates. @type {Readonly<Record<string, [name: string, meaning: string]>>} */
const DUPLICATES = {
  mesh: ['Mesh', 'from a peer in the mesh of the node'],
  iwantAnswer: ['IWANT answer', 'from a peer of which the node had requested the message'],
  floodPublish: ['Flood publish', 'from the publisher, who is not in the mesh of the node'],
  other: ['Other', 'mostly from a peer that has the node in its mesh, and is not in the node’s']
}

/** Reasons for grafts and prunes. @type {Readonly<Record<string, string>>} */
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
const perDelivery = (part, deliveries) => (deliveries === 0 ? null : part / deliveries)

/** @param {GossipResult} result @returns {DescribedTable[]} */
function byteTables({ plan, outcome: { bytesByCause, counters, delivery } }) {
  if (bytesByCause === undefined) return []
  const { all, topics } = bytesByCause
  const causes = Object.keys(BYTES).filter(cause => all[cause] > 0)
  return [
    makeTable('bytes-by-cause', 'Bytes by cause', causes, [
      ['Cause', cause => BYTES[cause], 'text'],
      ['Total MB', cause => toMegabytes(all[cause]), 'MB'],
      ['Share %', cause => computePercent(all[cause], counters.bytesSent), 'percent'],
      ['Bytes/delivery', cause => perDelivery(all[cause], delivery.delivered), 'number']
    ]),
    makeTable(
      'bytes-by-topic',
      'Bytes by topic, MB',
      topics.slice(0, MAX_ROWS),
      [
        ['Topic', ({ topic }) => (topic === null ? '(names none)' : plan.topics[topic]?.name), 'text'],
        ...causes.map(cause =>
          makeColumn(
            BYTES[cause],
            (/** @type {typeof topics[number]} */ row) => toMegabytes(row[cause]),
            'MB'
          )
        )
      ],
      { note: 'IWANT and IDONTWANT name messages, not topics.' }
    )
  ]
}

/** @param {GossipOutcome} outcome */
const duplicates = ({ duplicatesByCause: known = {}, counters, delivery }) =>
  makeTable(
    'duplicates-by-cause',
    'Duplicates by cause',
    counters.duplicates === 0 ? [] : Object.keys(DUPLICATES).filter(cause => cause in known),
    [
      ['Cause', cause => DUPLICATES[cause][0], 'text'],
      ['Duplicates', cause => known[cause], 'count'],
      ['Share %', cause => known[cause] && computePercent(known[cause], counters.duplicates), 'percent'],
      [
        'Duplicates/delivery',
        cause => known[cause] && perDelivery(known[cause], delivery.delivered),
        'number'
      ],
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
  return makeTable(
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
  makeTable(
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
        makeColumn(
          `Below ${name} %`,
          (/** @type {Scores['series'][number]} */ row) => toPercent(row.below[key]),
          'percent'
        )
      )
    ],
    { note: 'Of each node, by each of its peers, at a heartbeat of the peer. Percentiles to 1 %.' }
  ),
  makeTable(
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
      note: `Scores from its peers at the end.${nodes.length > MAX_ROWS ? ` The lowest ${formatWhole(MAX_ROWS)} of ${formatWhole(nodes.length)}.` : ''}`
    }
  )
]

/**
 * @typedef {object} Peak - of a distribution in bins
 * @property {number} place - index of its highest bin
 * @property {number} from - its first bin, at the valley before it
 * @property {number} to - the first bin after it, at the next valley
 */

/** A peak rises above the higher of its two valleys by this share of the highest peak. */
const MIN_PROMINENCE = 0.1
/** It also rises by so many standard deviations of its own count (Poisson), so that chance makes no peak. */
const MIN_DEVIATIONS = 4

/**
 * findPeaks finds the peaks of a distribution by their topographic prominence, in counts smoothed by 1-2-1.
 *
 * @param {readonly number[]} counts - by bin, of equal width
 * @returns {Peak[]} in order; none where nothing was counted
 */
export function findPeaks(counts) {
  const heights = counts.map((count, i) => ((counts[i - 1] ?? 0) + 2 * count + (counts[i + 1] ?? 0)) / 4)
  const highest = Math.max(0, ...heights)
  const tops = heights.flatMap((height, place) => {
    const minHeight = Math.max(MIN_PROMINENCE * highest, MIN_DEVIATIONS * Math.sqrt(height))
    const isTop = height > (heights[place - 1] ?? 0) && height >= (heights[place + 1] ?? 0)
    // the highest one may be of few messages
    return isTop && (place === heights.indexOf(highest) || computeProminence(heights, place) >= minHeight)
      ? [place]
      : []
  })
  const valleys = tops.slice(1).map((top, i) => {
    const between = heights.slice(tops[i], top)
    return tops[i] + between.indexOf(Math.min(...between))
  })
  return tops.map((top, i) => ({
    // smoothing can move a top by one bin
    place: [top - 1, top + 1].reduce((best, bin) => ((counts[bin] ?? 0) > counts[best] ? bin : best), top),
    from: valleys[i - 1] ?? 0,
    to: valleys[i] ?? counts.length
  }))
}

/** @param {number[]} heights @param {number} place */
function computeProminence(heights, place) {
  const valley = (/** @type {1 | -1} */ step) => {
    let lowest = heights[place]
    for (let at = place + step; ; at += step) {
      // beyond its ends there is nothing
      const height = heights[at] ?? 0
      // of two as high, the first is the higher one
      if (height > heights[place] || (step < 0 && height === heights[place])) return lowest
      lowest = Math.min(lowest, height)
      if (at < 0 || at >= heights.length) return lowest
    }
  }
  return heights[place] - Math.max(valley(1), valley(-1))
}

/** @typedef {import('../measure/receipts.js').MissingReason} MissingReason */

/** Rows of a table; result.json has more. */
const MAX_ROWS = 300

/** @param {number} all @returns {{ note?: string }} */
const makeRowLimitNote = all =>
  all > MAX_ROWS
    ? { note: `The first ${formatWhole(MAX_ROWS)} of ${formatWhole(all)}; result.json has more.` }
    : {}

/** The report has the first rows, and the CSV file has all. @param {DescribedTable} whole */
const limitRows = whole => keepAllRowsForCsv({ ...whole, ...makeRowLimitNote(whole.rows.length) }, MAX_ROWS)

/** @type {Readonly<Record<MissingReason, string>>} */
const MISSING = {
  unreachable: 'the topology has no path from the publisher to the node',
  'node-gone': 'the node had left for good, or left after the publish call',
  partition: 'the network was partitioned while the message was in flight',
  churn: 'the node, or one that had the message, left or was away while the message was in flight',
  'no-mesh': 'the node had no mesh peer for the topic when the message was published',
  'stream-aborted': 'a peer that had the message had lost its stream to the node',
  'send-queue': 'a peer dropped a copy of the message, because its send queue was full',
  backlog: 'a peer that had the message still had bytes for the node in its buffers at the end',
  'end-of-run': 'the message was still in flight when the run ended',
  unknown: 'nothing that was recorded explains it'
}

/** @param {GossipResult} result */
function missingTables({ plan, outcome: { missing } }) {
  return [
    makeTable(
      'missing',
      'Missing deliveries by reason',
      Object.entries(missing.byReason)
        .filter(([, count]) => count > 0)
        .sort(([, a], [, b]) => b - a),
      [
        ['Reason', ([reason]) => reason, 'text'],
        ['Deliveries', ([, count]) => count, 'count'],
        ['What was recorded', ([reason]) => MISSING[/** @type {MissingReason} */ (reason)], 'text', 'wide']
      ],
      { terminal: true }
    ),
    makeTable(
      'missing-deliveries',
      'Missing deliveries',
      missing.listed.slice(0, MAX_ROWS),
      [
        ['Message', ({ message }) => message, 'count'],
        ['Node', ({ node }) => node, 'count'],
        ['Topic', ({ topic }) => plan.topics[topic]?.name ?? String(topic), 'text'],
        ['Reason', ({ reason }) => reason, 'text']
      ],
      makeRowLimitNote(missing.pairs)
    )
  ]
}

/** @param {GossipResult} result */
const topics = ({ plan, outcome: { topics } }) =>
  makeTable(
    'topics',
    'Topics',
    plan.topics.length > 1 ? topics.slice(0, MAX_ROWS) : [],
    [
      ['Topic', ({ topic }) => plan.topics[topic]?.name ?? String(topic), 'text'],
      ['Messages', ({ published }) => published, 'count'],
      ...DELIVERY_COLUMNS,
      ...TIMES
    ],
    makeRowLimitNote(topics.length)
  )

/** @type {import('../../../report/description.js').ColumnOf<{ expected: number, delivered: number }>[]} */
const DELIVERY_COLUMNS = [
  ['Expected', ({ expected }) => expected, 'count'],
  ['Delivered', ({ delivered }) => delivered, 'count'],
  ['MDR %', ({ expected, delivered }) => computePercent(delivered, expected), 'percent']
]

/** @typedef {Partial<Pick<GossipOutcome, 'latency' | 'dissemination'>>} Timed */

/** Columns of the times of a group of deliveries. */
const TIMES = /** @type {const} */ (['latency', 'dissemination']).flatMap(what =>
  /** @type {const} */ (['p50', 'p99']).map(key =>
    makeColumn(
      `${what === 'latency' ? 'Latency' : 'Dissem.'} ${key} ms`,
      (/** @type {Timed} */ group) => makeTimeCell(group[what]?.all[key]),
      'ms'
    )
  )
)

/** @typedef {NonNullable<GossipOutcome['groups']>} Groups */

/** A table of more classes is not shown on the terminal. */
const MAX_TERMINAL_ROWS = 8

/**
 * @template {Omit<Groups['classes'][number], 'class'>} G
 * @param {string} id
 * @param {string} title
 * @param {readonly G[]} groups
 * @param {import('../../../report/description.js').ColumnOf<G>} name
 */
const groupTable = (id, title, groups, name) =>
  makeTable(
    id,
    title,
    groups.slice(0, MAX_ROWS),
    [
      name,
      ['Nodes', ({ nodes }) => nodes, 'count'],
      ['Published', ({ published }) => published, 'count', 'wide'],
      ['Expected', ({ expected }) => expected, 'count', 'wide'],
      ['Delivered', ({ delivered }) => delivered, 'count', 'wide'],
      ['MDR %', ({ expected, delivered }) => computePercent(delivered, expected), 'percent'],
      ...TIMES,
      ['Received MB', ({ bytesReceived }) => toMegabytes(bytesReceived), 'MB', 'wide'],
      ['Sent MB', ({ bytesSent }) => toMegabytes(bytesSent), 'MB', 'wide']
    ],
    {
      note: 'Messages: by publisher. Deliveries: by intended receiver. Bytes: of RPCs.',
      terminal: groups.length <= MAX_TERMINAL_ROWS
    }
  )

/**
 * makeGroupTables describe deliveries by class and by zone.
 *
 * @param {GossipResult} result
 * @returns {DescribedTable[]}
 */
export function makeGroupTables({ outcome: { groups } }) {
  if (groups === undefined) return []
  const { classes, zones, pairs } = groups
  return [
    groupTable('classes', 'Classes of nodes', classes, ['Class', each => each.class, 'text']),
    { ...groupTable('zone-totals', 'Zones', zones, ['Zone', ({ zone }) => zone, 'text']), terminal: false },
    limitRows(
      makeTable('zones', 'From zone to zone', pairs, [
        ['From', ({ from }) => from, 'text'],
        ['To', ({ to }) => to, 'text'],
        ...DELIVERY_COLUMNS,
        ['Latency p50 ms', ({ latency }) => makeTimeCell(latency.all.p50), 'ms'],
        ['Latency p99 ms', ({ latency }) => makeTimeCell(latency.all.p99), 'ms']
      ])
    )
  ]
}

/** @param {GossipOutcome} outcome */
const nodes = ({ nodes }) =>
  limitRows(
    makeTable('nodes', 'Nodes', nodes, [
      ['Node', ({ node }) => node, 'count'],
      ['Class', each => each.class, 'text'],
      ['Zone', ({ zone }) => zone, 'text'],
      ['Published', ({ published }) => published, 'count'],
      ['Expected', ({ expected }) => expected, 'count'],
      ['Delivered', ({ delivered }) => delivered, 'count'],
      ['Latency avg ms', ({ averageMs }) => averageMs, 'ms']
    ])
  )

/** @param {GossipOutcome} outcome */
const hops = ({ hops: { deliveries, last } }) =>
  makeTable(
    'hop-counts',
    'Deliveries by hops',
    Array.from({ length: Math.max(deliveries.length, last.length) }, (_, hops) => ({
      hops,
      all: deliveries[hops] ?? 0,
      ofLast: last[hops] ?? 0
    })).filter(({ all, ofLast }) => all + ofLast > 0),
    [
      ['Hops', ({ hops }) => hops, 'count'],
      ['Deliveries', ({ all }) => all, 'count'],
      ['Last deliveries', ({ ofLast }) => ofLast, 'count']
    ],
    { note: 'The publisher has 0 hops, any other node one more than the peer the message came from.' }
  )

/** @param {GossipOutcome} outcome - dissemination times can have several peaks, such as of near and of distant nodes */
function peaks({ dissemination }) {
  if (dissemination.complete.count === 0) return []
  const histogram = decodeHistogram(dissemination.histogram)
  const { bins } = binForPlot(histogram)
  return [
    makeTable(
      'dissemination-peaks',
      'Peaks of the dissemination time',
      findPeaks(bins.map(({ count }) => count)),
      [
        ['Peak at ms', ({ place }) => (bins[place].from + bins[place].to) / 2, 'ms'],
        [
          'Messages %',
          ({ from, to }) =>
            computePercent(
              computeSum(bins.slice(from, to), ({ count }) => count),
              histogram.count
            ),
          'percent'
        ],
        ['Messages in its bin', ({ place }) => bins[place].count, 'count']
      ],
      { note: 'In the bins of the plot, smoothed. Messages: those between the valleys next to the peak.' }
    )
  ]
}

/** @typedef {{ from: number, planned: number, published: number, delivered: number, times: [us: number, count: number][] }} TimeRange */

/** @param {TimeRange} stretch @param {number} q @returns {number | null} ms */
function quantile({ times }, q) {
  const all = computeSum(times, ([, count]) => count)
  if (all === 0 || (1 - q) * all < SAMPLES_BEYOND) return null
  let below = 0
  const [us] = times.find(([, count]) => {
    below += count
    return below >= q * all
  }) ?? [0]
  return us / 1000
}

/** @param {GossipOutcome} outcome */
function overTime(outcome) {
  const columns = divideTime(readPublishSeconds(outcome), outcome.secondsPerPoint)
  /** @type {TimeRange[]} */
  const stretches = Array.from({ length: columns.count }, (_, i) => ({
    from: columns.stretch(i).from,
    planned: 0,
    published: 0,
    delivered: 0,
    times: []
  }))
  for (const { second, planned, published, delivered } of outcome.timeline) {
    const stretch = stretches[Math.max(0, columns.of(second))]
    stretch.planned += planned
    stretch.published += published
    stretch.delivered += delivered
  }
  for (const { second, histogram } of outcome.perSecond)
    stretches[Math.max(0, columns.of(second))].times.push(...histogram)
  for (const { times } of stretches) times.sort(([a], [b]) => a - b)
  return {
    ...makeTable('over-time', 'Over time', outcome.timeline.length === 0 ? [] : stretches, [
      ['From s', ({ from }) => from, 's'],
      ['Planned', ({ planned }) => planned, 'count'],
      ['Published', ({ published }) => published, 'count'],
      ['Delivered', ({ delivered }) => delivered, 'count'],
      ['Latency p50 ms', stretch => quantile(stretch, 0.5), 'ms'],
      ['Latency p90 ms', stretch => quantile(stretch, 0.9), 'ms'],
      ['Latency p99 ms', stretch => quantile(stretch, 0.99), 'ms'],
      ['Latency max ms', ({ times }) => (times.length === 0 ? null : times[times.length - 1][0] / 1000), 'ms']
    ]),
    note: 'Since publishing began. Latencies are those of messages published in this time, to two digits.'
  }
}

/** @param {GossipOutcome} outcome - of an earlier release, which searched for the rate */
function makeRateTables({ carriedRate }) {
  if (carriedRate == null) return []
  const { perSecond, lowestNotCarried, trials } = carriedRate
  return [
    makeFactsTable('carried-rate', 'Rate that the network carried', [
      ['Highest rate carried, messages/s', perSecond],
      ['Lowest rate not carried, messages/s', lowestNotCarried]
    ]),
    makeTable('rates-tried', 'Rates that were tried', trials, [
      ['Messages/s', each => each.perSecond, 'number'],
      ['Repeats', ({ repeats }) => repeats, 'count'],
      [
        'Carried',
        ({ carried, reasons }) => (carried ? 'yes' : reasons.length === 0 ? 'not finished' : 'no'),
        'text'
      ],
      ['Why not', ({ reasons }) => describeUnsustained(reasons), 'text']
    ])
  ]
}

/** @param {GossipOutcome} outcome */
function network({ topology, mesh, streams }) {
  const { measures } = topology
  return [
    makeFactsTable('network-facts', 'Network and mesh', [
      ['Connections', topology.edgeCount, 'count'],
      ['Failed dials', topology.dialsFailed, 'count'],
      ['Connections of a node, average', measures?.degrees.avg],
      ['Connections of a node, fewest', measures?.degrees.min, 'count'],
      ['Connections of a node, median', measures?.degrees.median],
      ['Connections of a node, most', measures?.degrees.max, 'count'],
      ['Separate parts', measures?.components, 'count'],
      ['Diameter, hops', measures?.diameter, 'count'],
      ['Average path, hops', measures?.averagePathLength],
      ['Clustering coefficient', measures?.averageClustering],
      ['Mesh formed after', mesh.formedAfterMs === null ? null : mesh.formedAfterMs / 1000, 's'],
      ['Mesh lacked', mesh.missing.length > 0 ? mesh.missing.join('; ') : null, 'text'],
      ['Streams aborted while the connection stayed', streams.aborted, 'count'],
      ['Mesh peers without a stream at the end', streams.meshPeersWithoutStream, 'count']
    ]),
    {
      ...makeTable('mesh-peers', 'Mesh peers when publishing began', Object.entries(mesh.degrees), [
        ['Mesh peers', ([degree]) => Number(degree), 'count'],
        ['Nodes × topics', ([, count]) => count, 'count']
      ]),
      note: 'Of a node for a topic.'
    }
  ]
}

/** @param {GossipOutcome} outcome */
function rendezvous({ rendezvous }) {
  if (rendezvous === null) return []
  const { found, foreign, server, bothWays, alreadyConnected, doubled, failed } = rendezvous
  return [
    makeFactsTable('rendezvous', 'Discovery over the rendezvous server', [
      ['Other nodes found, average', found.avg],
      ['Other nodes found, fewest', found.min, 'count'],
      ['Other nodes found, most', found.max, 'count'],
      ['Registrations of peers outside the run, not dialled', foreign, 'count'],
      ['Pairs that chose each other', bothWays, 'count'],
      ['Pairs with two connections at the end', doubled, 'count'],
      ['Chosen nodes that were connected already', alreadyConnected, 'count'],
      ['Failed steps', failed, 'count']
    ]),
    makeFactsTable('rendezvous-server', 'Rendezvous server while messages were published', [
      ['Server CPU avg, % of a core', server?.cpu.averagePercent, 'percent'],
      ['Server CPU max, % of a core', server?.cpu.maxPercent, 'percent'],
      ['Server memory avg, MB', toMegabytes(server?.memory.averageBytes), 'MB'],
      ['Server memory max, MB', toMegabytes(server?.memory.maxBytes), 'MB'],
      ['REGISTERs that refreshed', server?.register.count, 'count'],
      ['DISCOVERs', server?.discover.count, 'count'],
      ['Of both, failed', server?.failed, 'count']
    ])
  ]
}

/** @type {Readonly<Record<string, string>>} */
const COUNTERS = {
  duplicates: 'Duplicates received',
  bytesSent: 'Bytes sent in RPCs',
  bytesReceived: 'Bytes received in RPCs',
  rpcsSent: 'RPCs sent',
  rpcsReceived: 'RPCs received',
  messagesSent: 'Messages sent',
  messagesReceived: 'Messages received',
  ihaveSent: 'IHAVE sent',
  iwantSent: 'IWANT sent',
  graftSent: 'GRAFT sent',
  pruneSent: 'PRUNE sent',
  idontwantSent: 'IDONTWANT sent',
  accepted: 'Messages accepted',
  ignored: 'Messages ignored',
  rejected: 'Messages rejected',
  promisesBroken: 'IWANT without an answer',
  foreign: 'Messages of another run',
  refusedRpcs: 'RPCs dropped at a full send queue (--sendQueue)'
}

/** @type {Readonly<Record<string, string>>} */
const ANOMALIES = {
  duplicateReceipts: 'Receipts reported twice',
  duplicatePublications: 'Publications reported twice',
  unknownMessages: 'Messages received that nobody published',
  negativeLatencies: 'Deliveries before their publication',
  timesBeyondRange: 'Times too long to count'
}

/** @param {Readonly<Record<string, string>>} names @param {Record<string, unknown>} counts @returns {[string, number, 'count'][]} */
const countsOf = (names, counts) =>
  Object.entries(counts).flatMap(([key, count]) =>
    typeof count === 'number' ? [[names[key] ?? key, count, 'count']] : []
  )

/**
 * makeDeliveryTables describe deliveries, their costs, and the network.
 *
 * @param {GossipResult} result
 * @returns {DescribedTable[]}
 */
export function makeDeliveryTables(result) {
  const { outcome } = result
  const anomalies = countsOf(ANOMALIES, outcome.anomalies).filter(([, count]) => count > 0)
  return [
    ...makeRateTables(outcome),
    ...missingTables(result),
    topics(result),
    ...network(outcome),
    ...rendezvous(outcome),
    hops(outcome),
    ...peaks(outcome),
    makeFactsTable('counters', 'Counted at all nodes', [
      ...countsOf(COUNTERS, outcome.counters),
      ['Bytes of payload published', outcome.messages.bytes, 'count'],
      ['Deliveries with unknown hops', outcome.hops.unknown, 'count'],
      ['Last deliveries with unknown hops', outcome.hops.lastUnknown, 'count'],
      ['Messages published before they were due', outcome.lateness.early, 'count']
    ]),
    ...byteTables(result),
    duplicates(outcome),
    meshChanges(outcome),
    ...(outcome.scores === undefined ? [] : scoreTables(outcome.scores)),
    makeFactsTable('anomalies', 'Anomalies', anomalies, {
      note: 'Clocks or processes did not work as they must.'
    }),
    overTime(outcome),
    nodes(outcome)
  ]
}
