// JSON Schemas of the plan and outcome in a gossip result, and of files that gossip options name.
import { z } from 'zod'
import { BYTE_CAUSES, DUPLICATE_CAUSES, GRAFT_REASONS, PRUNE_REASONS } from '../../network/gossipsub.js'
import { makePlanSchema } from '../../plan/schema.js'
import {
  count,
  figure,
  histogram,
  limitedBy,
  number,
  summary,
  text,
  threshold,
  timesSinceStart
} from '../../report/schema.js'
import { sampledShape } from '../../run/profile-description.js'
import { namespacesSchema } from '../namespace-schema.js'
import { GOSSIPSUB_PARAMS, makeGossipsubSchema, makeTopicScoreSchema } from './gossipsub.js'
import { MISSING_REASONS } from './measure/receipts.js'
import { GOSSIP_OPTIONS } from './options.js'
import { makeNetworkFileSchema } from './plan/network-file.js'

const gossipsub = z
  .record(z.string(), z.union([z.number(), z.boolean(), z.array(z.string())]))
  .describe("parameters of gossipsub other than the library's defaults, by the library's names")

/** plan of a gossip network in a result. */
export const plan = makePlanSchema(
  { name: 'gossip', options: GOSSIP_OPTIONS },
  { without: GOSSIPSUB_PARAMS, more: { gossipsub } }
)

/** files has JSON Schemas, by name, of the files that options name. */
export const files = async () => {
  const shape = makeNetworkFileSchema(z, {
    gossipsub: makeGossipsubSchema(z),
    score: makeTopicScoreSchema(z)
  })
  return {
    network: { title: 'Network file of gossip --networkFile', ...z.toJSONSchema(shape, { io: 'input' }) }
  }
}

const counts = z.record(text, count)

const messages = z.looseObject({
  // in the schedule; null: not known
  planned: count.nullable(),
  // also those that no peer could be sent
  published: count,
  skipped: count.describe('because --maxBacklog was reached'),
  // publish threw
  failed: count,
  // of the payloads published
  bytes: number
})

/**
 * Counts of expected deliveries and of those that were made: over the messages published, subscribers of the topic other than the publisher.
 * Skipped and failed messages are expected nowhere.
 */
const deliveryCounts = { expected: count, delivered: count }

const delivery = z.looseObject({
  ...deliveryCounts,
  ratio: figure.describe('delivered / expected'),
  // published messages that somebody was to receive
  expectedMessages: count,
  // of these, those that reached everyone
  completeMessages: count,
  completeRatio: figure.describe('share of the messages that reached everyone')
})

const topology = z.looseObject({
  kind: text,
  nodes: count,
  // empty when there are more than MAX_LISTED_EDGES
  edges: z.array(z.tuple([number, number])).describe('who dialled whom'),
  edgeCount: count,
  // null: nothing was connected
  measures: z
    .looseObject({
      ...{ nodes: count, edges: count, connected: z.boolean(), components: count, diameter: figure },
      ...{ averagePathLength: figure, averageClustering: number, assortativity: figure, density: number },
      degrees: z.looseObject({ min: number, avg: number, median: number, max: number }),
      degreeHistogram: z.record(z.string(), count)
    })
    .nullable(),
  dialsFailed: count,
  dialMs: summary
})

const counters = z.looseObject({
  // copies of messages that were there already
  duplicates: count,
  // of RPCs
  ...{ bytesSent: number, bytesReceived: number, rpcsSent: count, rpcsReceived: count },
  // copies inside RPCs
  ...{ messagesSent: count, messagesReceived: count },
  ...{ ihaveSent: count, iwantSent: count, graftSent: count, pruneSent: count, idontwantSent: count },
  // by the application's validation
  ...{ accepted: count, ignored: count, rejected: count },
  // IWANTs that nobody answered
  promisesBroken: count,
  // messages that are not of this run; they are not among the received
  foreign: count,
  // they are among those sent, and were dropped. Simulated networks
  refusedRpcs: count.describe('by the send queue of a peer').optional()
})

/** @param {readonly string[]} names @param {import('zod').ZodType} [of] */
const named = (names, of = count) => z.looseObject(Object.fromEntries(names.map(name => [name, of])))

/** Absent in older results, and of floodsub. */
const causes = {
  bytesByCause: z
    .looseObject({
      all: named(BYTE_CAUSES),
      topics: z.array(
        named(BYTE_CAUSES, count.nullable()).extend({
          topic: count.nullable().describe('null: what names none, as IWANT and IDONTWANT do')
        })
      )
    })
    .optional()
    .describe(
      'bytes sent in RPCs, since publishing began; their sum is counters.bytesSent; `topics`: of several'
    ),
  duplicatesByCause: named(DUPLICATE_CAUSES, count.nullable())
    .optional()
    .describe('null: messages do not say who published them; the sum is counters.duplicates'),
  meshChanges: z
    .looseObject({ grafts: named(GRAFT_REASONS), prunes: named(PRUNE_REASONS) })
    .optional()
    .describe('peers that came into a mesh or left it, since publishing began')
}

const scores = z
  .looseObject({
    series: z.array(
      z.looseObject({
        ...{ atMs: number, samples: count, min: number, p5: number, p50: number, p95: number },
        below: named(['zero', 'gossipThreshold', 'publishThreshold', 'graylistThreshold'], number)
      })
    ),
    nodes: z.array(z.looseObject({ node: count, peers: count, median: number, min: number }))
  })
  .optional()
  .describe('that nodes gave their peers; shares below each threshold; absent where the plan sets no scores')

const used = {
  // 100 % is one core
  cpu: z.looseObject({
    averagePercent: figure,
    maxPercent: figure,
    heldBackPercent: number.optional().describe('of the time, its container was, having used what CPU it may')
  }),
  memory: z.looseObject({ averageBytes: figure, maxBytes: figure }),
  traffic: z
    .looseObject({ receivedBytes: number, sentBytes: number })
    .optional()
    .describe('by the device of its namespace or container, packets with their headers')
}
const inPhase = z.looseObject(used).nullable()

const resources = z.looseObject({
  worker: count,
  nodes: z.array(count).optional().describe('that share these values'),
  ...used,
  phases: z.looseObject({ warmup: inPhase, publish: inPhase, cooldown: inPhase }).optional(),
  // `atMs` since publishing began
  series: z.array(
    z.looseObject({
      ...{ atMs: number, cpuPercent: number, rssBytes: number, heapBytes: number, backlogBytes: number },
      receivedPerSecond: number.optional(),
      sentPerSecond: number.optional()
    })
  )
})

/** @typedef {import('./measure/receipts.js').MissingReason} MissingReason */

const missing = z.looseObject({
  // (message, node) expected and not delivered
  pairs: count,
  byReason: /** @type {z.ZodType<Record<MissingReason, number>>} */ (z.any()).describe(
    `all pairs, counted: ${MISSING_REASONS.join(', ')}; absent in older results: 0`
  ),
  // the first 1,000 by message and node
  listed: z.array(
    z.looseObject({
      ...{ message: count, node: count, topic: count },
      reason: /** @type {z.ZodType<MissingReason>} */ (z.any())
    })
  ),
  listedAll: z.boolean()
})

const apartCount = z.looseObject(deliveryCounts)

const lives = z.looseObject({
  started: count.describe('nodes that took the place of a killed one'),
  killed: count,
  failed: count.describe('starts that led to no connection'),
  latestMs: number.describe('how late a kill or a start was at most'),
  listed: z.array(
    z.looseObject({
      node: count.describe('each node that is started has a number and an identity of its own'),
      slot: count.describe('the node of the beginning whose place it took'),
      startDueMs: figure.describe('since publishing began; null: it was there from the beginning'),
      startedMs: figure,
      connectedMs: figure.describe('when its dials had ended, at least one of them well'),
      firstDeliveryMs: figure,
      killDueMs: figure.describe('null: it was to stay'),
      killedMs: figure,
      dialsFailed: count,
      error: text.nullable()
    })
  ),
  listedAll: z.boolean()
})

const spread = z.looseObject({ nodes: count, min: count, avg: number, max: count }).nullable()

const churn = z.looseObject({
  departures: count,
  returns: count.describe('of the same nodes, or of new ones in their places'),
  apart: z.looseObject({
    joining: apartCount.describe('published less than settleMs (5 s) after the receiver had started'),
    leaving: apartCount.describe('published less than 1 s before the receiver left'),
    away: z.looseObject({ delivered: count }).describe('published while the receiver was away'),
    earlier: z
      .looseObject({ delivered: count })
      .optional()
      .describe('published before the receiver, a new node, was started: it asked for them (IHAVE, IWANT)')
  }),
  receipts: count.optional().describe('in all; absent in older results'),
  // a node that has returned remembers nothing; they count nowhere else
  again: count.describe('second receipts, by the same node: after a return, or after gossipsub’s seenTTL'),
  afterRestart: count
    .optional()
    .describe('second receipts, by a new node in the place of one that had received the message'),
  tooLongAgo: count
    .optional()
    .describe('receipts of messages so old that nobody can tell; they count as missing'),
  latency: z
    .looseObject({ withDuplicates: summary, withoutDuplicates: summary })
    .optional()
    .describe('from publish call to receipt; absent in older results'),
  deliveriesPerMinute: figure
    .optional()
    .describe('expected ones, while messages were published; absent in older results'),
  lives: lives.optional().describe('of ephemeral nodes, where new ones take their places'),
  connect: timesSinceStart.optional().describe('from the start of a node to the end of its dials'),
  firstDelivery: timesSinceStart
    .optional()
    .describe('from the start of a node to the first message it received'),
  firstDeliveryHistogram: histogram.optional(),
  peers: z
    .array(z.looseObject({ atMs: number, stable: spread, ephemeral: spread }))
    .optional()
    .describe('that nodes were connected to over time, on real TCP; null: none of them was up')
})

const script = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        atMs: number.describe('since publishing began'),
        action: z.enum(['publish', 'subscribe', 'unsubscribe', 'leave', 'partition']),
        topic: text.nullable(),
        nodes: count.describe('that were to do it'),
        forMs: figure.describe('until it is undone; null: for good, or a step of its own undoes it'),
        done: count.nullable().describe('nodes that did it; null: nobody tells'),
        failed: count.nullable(),
        latestMs: figure.describe('how late a node did it at most')
      })
    )
    .describe('with what is undone after its time; ascending'),
  listedAll: z.boolean(),
  done: z.looseObject({ subscribe: count, unsubscribe: count }).describe('by nodes'),
  failed: count.describe('subscriptions and unsubscriptions that nodes did not do'),
  latestMs: figure,
  apart: z.looseObject({
    subscribing: apartCount.describe('published less than settleMs (5 s) after the receiver had subscribed'),
    unsubscribing: apartCount.describe('published less than 1 s before the receiver unsubscribed'),
    unsubscribed: z
      .looseObject({ delivered: count })
      .describe('published while the receiver was not subscribed')
  }),
  firstDelivery: timesSinceStart.describe('from subscribing to the first message received')
})
const histograms = { histogram, censoredHistogram: histogram.nullable() }
/**
 * Histograms are HDR V2, compressed, base64, µs, 3 digits. Those that are censored have how long deliveries that never came, or messages that
 * did not reach everyone, were waited for; null: there are none.
 */
const times = {
  // publish call to receipt. `all`: deliveries that never came count as longer than until the end of the run
  latency: z.looseObject({ all: summary, delivered: summary, ...histograms }),
  // publish call to the last delivery of a message. `all`: messages that did not reach everyone count as longer than until the end of the run;
  // messages without receivers have none
  dissemination: z.looseObject({ all: summary, complete: summary, ...histograms })
}

const group = {
  ...{ nodes: count, published: count, ...deliveryCounts, ...times },
  bytesSent: number.optional().describe('in RPCs, since publishing began'),
  bytesReceived: number.optional()
}

const groups = z
  .looseObject({
    classes: z.array(z.looseObject({ class: text, ...group })),
    zones: z.array(z.looseObject({ zone: text, ...group })),
    pairs: z
      .array(
        z.looseObject({
          ...{ from: text, to: text, ...deliveryCounts },
          latency: times.latency.partial({ delivered: true, histogram: true, censoredHistogram: true })
        })
      )
      .describe('from the zone of the publisher to that of the receiver; latencies to two digits')
  })
  .describe(
    'messages by the node that published them, deliveries by the one that was to receive them; absent: no classes, no zones'
  )

/**
 * Why a rate was not carried. `missing`: deliveries; `unpublished`: messages that were due; `slow`: p99 of dissemination, in ms; `backlog`: bytes in write
 * buffers that kept growing; `busy`: share of the time that the event loop of a worker was busy.
 */
const reasonNotCarried = /** @type {z.ZodType<'missing' | 'unpublished' | 'slow' | 'backlog' | 'busy'>} */ (
  z.any()
)

const parts = {
  // `settings`: what was changed from the library's defaults, and why
  network: z.looseObject({
    kind: z.enum(['loopback', 'namespaces', 'docker', 'simulated']),
    settings: z.record(text, z.unknown()),
    namespaces: namespacesSchema.optional()
  }),
  digest: text
    .describe(
      'of every (time, node, message, parent) of a simulated network, behind the engine that simulated it: the same on every machine'
    )
    .optional(),
  topology,
  rendezvous: z
    .looseObject({
      ...{ connect: summary, register: summary, discover: summary, dial: summary },
      // steps of all kinds
      failed: count,
      // others, by a node for a topic
      found: z.looseObject({ min: count.nullable(), avg: figure, max: count.nullable() }),
      foreign: count
        .optional()
        .describe(
          'registrations found of whoever is not of the run: nobody dials them; absent in older results'
        ),
      bothWays: count.describe('pairs of nodes in which each chose the other'),
      // nodes that were chosen and had connected already
      alreadyConnected: count,
      server: z
        .looseObject({
          cpu: z.looseObject({
            ...{ averagePercent: figure, medianPercent: figure, maxPercent: figure, samples: count }
          }),
          memory: z.looseObject({
            ...{ averageBytes: figure, medianBytes: figure, maxBytes: figure, samples: count }
          }),
          register: summary,
          discover: summary.describe('all pages of a namespace'),
          failed: count
        })
        .optional()
        .describe(
          'while messages were published: its CPU and memory, and what nodes did there every --refreshEvery; absent in older results'
        ),
      doubled: figure.describe('pairs joined by two connections at the end')
    })
    .nullable(),
  churn: churn
    .nullable()
    .optional()
    .describe('of a network whose nodes leave, and return or are replaced; null: nothing was published'),
  script: script
    .nullable()
    .optional()
    .describe('what nodes did of the script of --networkFile; null: nothing was published'),
  carriedRate: z
    .looseObject({
      perSecond: figure.describe('the highest rate that was carried'),
      lowestNotCarried: figure,
      trials: z.array(
        z.looseObject({
          perSecond: number,
          carried: z.boolean(),
          repeats: count,
          reasons: z.array(z.looseObject({ why: reasonNotCarried, value: number }))
        })
      )
    })
    .nullable()
    .optional()
    .describe(
      'what --rate auto of an earlier release found; the figures are those of the last trial that was carried'
    ),
  mesh: z.looseObject({
    // null: not within --warmup timeout or --warmup
    formedAfterMs: figure,
    // what it still lacked then
    missing: z.array(text),
    // how many (node, topic) pairs had so many mesh peers when publishing began
    degrees: counts,
    // since the start, of the beginning of each step: mesh peers of a (node, topic) pair
    series: z.array(z.looseObject({ atMs: number, min: number, avg: number, max: number }))
  }),
  messages,
  delivery,
  ...times,
  // along first receipts: the publisher has 0, everyone else one more than the peer the first copy came from
  hops: z.looseObject({
    // count of deliveries by hops
    deliveries: z.array(count),
    // count of messages by the hops of the copy delivered last in time (of copies within one µs the one with more hops); every message with a
    // delivery counts, whether or not it reached everyone
    last: z.array(count),
    // deliveries whose way back to the publisher is not known: a peer on it was not to receive the message, or its receipt is missing
    unknown: count,
    // messages whose last delivery is one of these
    lastUnknown: count
  }),
  // due time to publish call. In `summary`, what was due and had not gone out when publishing ended counts as later than that
  lateness: z.looseObject({
    summary,
    histogram,
    censoredHistogram: histogram
      .nullable()
      .optional()
      .describe('how long what was due, and was not published, was waited for'),
    // published before they were due: they count as 0
    early: count
  }),
  // between one publication of the network and the next: actual of what was published, planned of all that was due. `outOfOrder`: reported too
  // late to be sorted, in no interval
  interArrival: z.looseObject({
    actual: z.looseObject({ summary, histogram, outOfOrder: count }),
    planned: z.looseObject({ summary, outOfOrder: count })
  }),
  // by due time, by publish call and by receipt; seconds without any of these are left out
  timeline: z.array(z.looseObject({ second: number, planned: count, published: count, delivered: count })),
  secondsPerPoint: number.optional().describe('that an entry of timeline and of perSecond covers; absent: 1'),
  // latencies of deliveries by the second of the publish call: value in µs, 2 digits, and count
  perSecond: z.array(z.looseObject({ second: number, histogram: z.array(z.tuple([number, number])) })),
  topics: z.array(
    z.looseObject({
      ...{ topic: count, published: count, ...deliveryCounts },
      latency: times.latency.optional().describe('where a network file has several topics'),
      dissemination: times.dissemination.optional()
    })
  ),
  nodes: z.array(
    z.looseObject({
      ...{ node: count, published: count, ...deliveryCounts, averageMs: figure },
      class: text.optional().describe('where the network file has classes'),
      zone: text.optional()
    })
  ),
  groups: groups.optional(),
  missing,
  // impossible events while hosts and clocks work; all are 0 in a sound run
  anomalies: z.looseObject({
    // receipts beyond one per expected receiver of a published message, and second rows of one message: the first one reported counts
    ...{ duplicateReceipts: count, duplicatePublications: count },
    // received somewhere, without a report of their publication
    unknownMessages: count,
    // deliveries before the publish call (and waits that ended before it): they count as delivered, and are in no distribution of times
    negativeLatencies: count,
    // receipts more than 35 minutes from the first row of their message; they count at 35 minutes
    timesBeyondRange: count
  }),
  counters,
  ...causes,
  scores,
  cost: z.looseObject({
    // of the worker processes; null, as the others: nothing was delivered
    cpuMicrosPerDelivery: figure,
    duplicatesPerDelivery: figure,
    // sent in RPCs
    bytesPerDelivery: figure,
    rpcsPerDelivery: figure,
    // IHAVE, IWANT, GRAFT, PRUNE and IDONTWANT messages
    controlPerDelivery: figure
  }),
  streams: z.looseObject({ aborted: count, meshPeersWithoutStream: count }),
  // none for a simulated network: `run.simulator` has them
  resources: z.array(resources),
  // from the first message that was due to the end of the cool-down
  measuredMs: number,
  limitedBy: limitedBy.optional(),
  thresholds: z.array(threshold)
}

const { network, digest, resources: _, limitedBy: __, thresholds, ...ofPeers } = parts

/** outcome of a gossip network. Times are in ms unless a name says otherwise; seconds count from the start of publishing. */
export const outcome = z.looseObject({ ...parts, ...sampledShape })

/** peersOutcome of the network of clients that are full peers. */
export const peersOutcome = z.looseObject(ofPeers)
