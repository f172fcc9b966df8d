// JSON Schemas of the plan and outcome in a rendezvous result. Custom results share the schema of operations.
import { z } from 'zod'
import { makePlanSchema } from '../../plan/schema.js'
import * as parts from '../../report/schema.js'
import {
  container,
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
import { profilesSchema } from '../../run/profile-description.js'
import { peersOutcome } from '../gossip/schema.js'
import { namespacesSchema } from '../namespace-schema.js'
import { RENDEZVOUS_OPTIONS } from './options.js'
import { makeOperationShape } from './outcome.js'

/**
 * @typedef {import('../../report/schema.js').Shape<typeof churned>} Churned - the outcome of churn. A *registration* is of a client in a
 *   namespace; registering again renews it. Times in ms since the measurement began, unless said
 * @typedef {import('../../report/schema.js').Shape<typeof peersOutcome>} PeersOutcome - of clients that are full peers
 * @typedef {Churned['lives']['listed'][number]} PeerLife
 * @typedef {Churned['visible']} Visible
 * @typedef {Churned['left']} LeftByDead
 * @typedef {NonNullable<LeftByDead['expiryLag']>} Spread
 * @typedef {Churned['discovered']} Discovered
 * @typedef {Discovered['withDuplicates']} RecordCount
 * @typedef {Churned['series'][number]} ChurnPoint
 */

const life = z.looseObject({
  node: count.describe(
    'each client that is started has a number of its own and, where it is a new peer, an identity of its own'
  ),
  slot: count.describe('the peer of the beginning whose place it took'),
  startDueMs: figure.describe('since the measurement began; null: it was there from the beginning'),
  startedMs: figure,
  connectedMs: figure,
  registeredMs: figure.describe('in every namespace'),
  firstDiscoveryMs: figure.describe('it was given the record of another peer that was living'),
  killDueMs: figure.describe('null: it was to stay'),
  killedMs: figure,
  error: text.nullable()
})

const lives = z.looseObject({
  started: count.describe('peers that took the place of a killed one'),
  killed: count,
  failed: count.describe('starts that led to no connection'),
  latestMs: number.describe('how late a kill or a start was at most'),
  listed: z.array(life),
  listedAll: z.boolean()
})

const visible = z
  .looseObject({
    registrations: count.describe('first ones of new peers'),
    seen: count,
    beforeReply: count.describe('seen before the reply to REGISTER came, which counts as 0'),
    killedUnseen: count,
    endedUnseen: count,
    delay: z.looseObject({ all: summary, known: summary }),
    histogram,
    censoredHistogram: histogram.nullable()
  })
  .describe('from the reply to REGISTER to the first reply to a DISCOVER of another peer that holds it')

const spread = z
  .looseObject({
    count,
    min: number,
    avg: number,
    median: number,
    max: number
  })
  .describe('ms')

const left = z
  .looseObject({
    registrations: count,
    expired: count.describe('whose time to live was over before the end'),
    unsure: count.describe('cut off while they were renewed: in no figure below'),
    unseen: count.describe('that no reply after the kill contained'),
    lastSeenAfterKill: summary,
    lastSeenHistogram: histogram,
    expiryLag: spread.nullable().describe('from the end of the time to live to the last reply with it'),
    overdue: count.describe('given to a DISCOVER that was sent after the end of their time to live')
  })
  .describe('registrations that killed peers left')

const records = z.looseObject({ records: count, stale: count })

const discovered = z.looseObject({
  replies: count,
  withDuplicates: records.describe('all records of other peers; stale: killed before the reply came'),
  withoutDuplicates: records.describe('of each discoverer only the first record of a registration'),
  duplicates: z.looseObject({
    inOneReply: count,
    again: count,
    renewed: count.describe('given again, but the peer has registered again since')
  }),
  own: count,
  unknown: count
})

/** The outcome of churn. */
const churned = z
  .looseObject({
    lives,
    connect: timesSinceStart.describe('from the start of a peer to its connection'),
    register: timesSinceStart.describe('from the start of a peer until it was registered in every namespace'),
    firstDiscovery: timesSinceStart.describe(
      'from the start of a peer to the first record of another living one'
    ),
    firstDiscoveryHistogram: histogram,
    operationsPerMinute: figure,
    cutOff: count.describe('operations in flight when their peer was killed: in no other figure'),
    visible,
    left,
    discovered,
    series: z.array(
      z.looseObject({
        atMs: number,
        server: count.nullable().describe('registrations, as the server counts; null: not known'),
        living: count.describe('registrations of living peers, as they know'),
        dead: count.describe('left by killed ones, whose time to live is not over'),
        replies: count.describe('to DISCOVER, since the point before; so for the others'),
        records: count,
        stale: count
      })
    )
  })
  .describe('of clients that come and go, as with --churn')

const operationType = z.enum(['REGISTER', 'DISCOVER', 'UNREGISTER', 'PUBLISH', 'CONNECT'])

/** operationSchema is the schema of the result of one type of operation. */
export const operationSchema = z.looseObject(makeOperationShape(z, parts))

const cpu = z
  .looseObject({ averagePercent: figure, medianPercent: figure, maxPercent: figure, samples: count })
  .describe('100 % is one core')
const memory = z.looseObject({ averageBytes: figure, medianBytes: figure, maxBytes: figure, samples: count })

const server = z.looseObject({
  cpu,
  memory,
  // `resident set` of a process, or `container usage without page cache`: figures that are counted differently cannot be compared
  memoryCountedAs: text.nullable(),
  // `atMs` since the run began
  series: z.array(z.looseObject({ atMs: number, cpuPercent: figure, rssBytes: number })),
  durations: z.record(text, summary).optional().describe("our server's own histogram")
})

const fault = z.looseObject({
  kind: z.enum(['pause', 'kill', 'restart', 'cpu']),
  server: count.optional().describe('of several, from 1'),
  atMs: number.describe('as planned, since the measurement began; so for the other times'),
  fromMs: number,
  toMs: figure.describe(
    'the server could do its work again, or the others, where one of several was killed; null: that was not seen'
  ),
  // cores that the server was limited to; null unless `cpu`
  cpus: figure,
  registrationsLost: figure.describe("by the server's own count; null: not counted"),
  // null: too short a time before it
  before: z.looseObject({ throughputPerSecond: number, p99Ms: number }).nullable(),
  recoveredThroughputMs: figure.describe('from toMs; null: not within the run'),
  recoveredP99Ms: figure.describe('from toMs; null: not within the run'),
  // from the fault until all was back and nothing could time out
  operationsLost: z.record(text, count).describe('by outcome'),
  // connections that were dialled again in this time
  reconnects: z.looseObject({ dials: count, peakPerSecond: count })
})

const trend = z
  .looseObject({
    perHour: number,
    low: number.describe('of its 95 % interval'),
    high: number,
    // of what it is the trend of
    median: number,
    // stretches
    points: count,
    verdict: z.enum(['growing', 'shrinking', 'not shown to grow'])
  })
  .nullable()

const soak = z.looseObject({
  stretchMs: number,
  serverBytes: trend.describe('memory of the server after the first third'),
  // `inUse`: of the least that was in use in each three stretches, as read just after garbage collections, `growing` from a tenth on;
  // null: there were too few
  ownBytes: z.array(z.looseObject({ process: text, trend, inUse: trend })),
  // of successes
  p50Ms: z.array(z.looseObject({ type: operationType, trend })),
  errors: z.array(z.looseObject({ operations: count, errors: count })).describe('in the thirds of the run')
})

/** makePointsSchema makes the schema of points over time. @template {import('zod').ZodType} T @param {T} type - of operation */
export const makePointsSchema = type =>
  z.array(
    z.looseObject({
      second: number.describe('since the measure phase began'),
      type,
      outcome: text,
      histogram: z.array(z.tuple([number, number])).describe('value in µs to 2 digits, and count')
    })
  )

const lookUp = z.looseObject({
  registrations: count.describe('that the server has confirmed, and were not taken back'),
  drawn: count.describe('of these, to be looked up'),
  lookedUp: count.describe('in namespaces that were read to their end, and not expired by then'),
  missing: count.describe('of those looked up'),
  interval: z
    .looseObject({ low: number, high: number })
    .nullable()
    .describe('share that is missing among all, with 95 % confidence'),
  problem: text.nullable().describe('why some could not be looked up')
})

const warmUp = z.looseObject({
  durationMs: number,
  operations: count.describe('that are not counted'),
  lastMove: figure.describe(
    'by which share of itself p50 moved over the last three stretches; null: too few of them, or of operations, to tell'
  ),
  settled: z.boolean().describe('that is less than a tenth, or what chance explains')
})

const pool = z.looseObject({
  connections: count,
  statements: count,
  waitedMs: figure.describe('for a connection, on average of a statement'),
  usedPercent: number.describe('of the connections were in use, on average')
})

const written = z
  .looseObject({
    writtenBytes: number.describe('tables, indexes and log'),
    walBytes: number.describe('of these: the log'),
    fsyncs: number.describe('that somebody waited for'),
    checkpointFsyncs: number
      .optional()
      .describe('of files, by checkpoints that ended in that time; absent in older results'),
    ms: number
  })
  .describe('by the database in so many ms. PostgreSQL 14 to 16')

const measured = {
  operations: z.partialRecord(operationType, operationSchema),
  warmUp: warmUp
    .nullable()
    .describe('null: there was none, or its length was not looked at, as in results from before it was'),
  measuredMs: number.describe('from the common start to the end of the last operation'),
  perSecond: makePointsSchema(operationType),
  // 1 up to ten minutes, then 2, 4 … so that there are never more than 600, and fewer where there is much in them; in a run with
  // faults never more than 3,600
  secondsPerPoint: number.describe('that an entry of perSecond covers'),
  server: server.nullable().describe('null: nothing could be sampled'),
  members: z
    .array(
      z.looseObject({
        ...{ name: text, cpu, memory },
        durations: z
          .record(text, summary)
          .optional()
          .describe(
            'its own time for what it served, by type; absent of the database, of a server that was gone at the end, and in older results'
          ),
        ...{ pool: pool.optional(), written: written.optional() }
      })
    )
    .optional()
    .describe(
      'with --store or --servers: each server, and the database where it is of the run: all its processes, ended ones too'
    ),
  fairness: z
    .looseObject({
      clients: figure,
      types: figure,
      providers: figure.optional(),
      discoverers: figure.optional()
    })
    .optional()
    .describe(
      "Jain's index, 1: all had as much: of clients by how many operations succeeded, of types by the share of them that did; null: there is one. With roles, clients of each, and the lower of both. Absent in older results"
    ),
  staleness: z
    .looseObject({
      ...summary.shape,
      notSeen: count.describe('within the timeout, because that server was gone or the run was broken off'),
      histogram: histogram.describe('of those seen, HDR V2 compressed base64, µs, 3 digits')
    })
    .optional()
    .describe('with several servers: from an acknowledged REGISTER at one to its first sight at another'),
  dialled: z
    .looseObject({ reconnects: count, failovers: count })
    .optional()
    .describe(
      'with --failover: connections that were dialled again because one was lost, and those to another server than the one before'
    ),
  limitedReplies: count
    .optional()
    .describe("that waited for the server's limits, by its own word; absent: none, or an older result")
}

const stretch = z.looseObject({
  count: count.describe('operations that were due in it, behind its lead-in'),
  failed: count.describe(
    'of those: refused, or without a reply; they count as longer than any that was answered'
  ),
  failures: z.record(text, count).describe('by outcome'),
  p50Ms: figure.describe('from when an operation was due; null: fewer than 10 beyond it, so for p99'),
  p99Ms: figure,
  censored: z
    .looseObject({ p50: z.boolean(), p99: z.boolean() })
    .describe('a lower bound, the timeout: operations that failed reach into it'),
  longestTurnMs: figure.describe('of the event loop of the server, CPU time; null: not known'),
  rssBytes: figure.describe('of the server, at most'),
  cpuPercent: figure.describe('of a core')
})

const hostileStretch = stretch.extend({
  notSent: figure.describe(
    'share of what was due that hostile peers were too late for; null: the load ended before they did'
  ),
  recoveryMs: figure.describe(
    'from its end until 9 of 10 operations took no longer than in quiet stretches, at a resolution of 250 ms; null: it is not known what is usual'
  ),
  recovered: z.boolean().describe('false: recoveryMs is a lower bound, for it was watched no longer')
})

const ratio = z.looseObject({
  quietMs: number.describe('Hodges–Lehmann estimate over stretches'),
  hostileMs: number,
  ratio: number,
  low: figure.describe('of the 95 % interval, exact sign-flip test over pairs; null: fewer than 6 pairs'),
  high: figure,
  atLeast: z.boolean().describe('operations without a reply reach into a hostile stretch')
})

const figures = z.looseObject({ quiet: figure, hostile: figure })
const counts = z.looseObject({ quiet: count, hostile: count })

const hostile = z.looseObject({
  spreads: z.boolean().describe('peers have addresses of their own; else all share one, and its limits'),
  priority: text.nullable().describe('of the hostile process'),
  pairs: z
    .array(
      z.looseObject({
        hostileFirst: z.boolean(),
        stealPercent: figure.describe('of all cores, taken by other guests of the host; null: not known'),
        setAside: z
          .enum(['NOT_CALM', 'STOLEN'])
          .nullable()
          .describe('why figures leave it out, unless there is no other; null: they do not'),
        quiet: stretch,
        hostile: hostileStretch
      })
    )
    .describe('in the order they were measured in'),
  unfinished: count.describe('pairs that were begun, and not over when the load ended'),
  left: z
    .looseObject({ heap: number, external: number })
    .nullable()
    .describe('of the server behind the load ÷ before it, with garbage collected; null: not known'),
  p50: ratio.nullable().describe('null: a stretch has too few operations for it'),
  p99: ratio.nullable(),
  ...{ count: counts, failed: counts },
  longestTurnMs: figures.describe('the longest of all stretches'),
  rssBytes: figures.describe('the most of all stretches'),
  cpuPercent: figures.describe('Hodges–Lehmann estimate'),
  recoveryMs: figure.describe('the longest; null: one is not known'),
  recovered: z.boolean().describe('false: recoveryMs is a lower bound'),
  notSent: figure.describe('the largest; null: none is known')
})

/** operationsOutcome is the schema of the outcome of a rendezvous run. */
export const operationsOutcome = z.looseObject({
  target: z.looseObject({
    kind: text,
    // why --server auto took a process or Docker
    chosenBy: text.nullable(),
    multiaddr: text.nullable(),
    container: container.nullable(),
    settings: z.record(text, z.unknown()).describe('changed from the defaults of library and specification')
  }),
  ...measured,
  limitedBy: limitedBy.optional(),
  registrations: z.looseObject({
    before: count.nullable(),
    after: count.nullable(),
    namespaces: count.nullable()
  }),
  namespaces: namespacesSchema.optional(),
  floor: z
    .looseObject({
      ratePerSecond: figure.describe('null: the closed model'),
      clients: count,
      operations: count,
      rt: summary
    })
    .optional()
    .describe(
      'what clients of the run measured of a null server on this machine, when the server under test had nothing to do; absent: not measured, as in older results'
    ),
  profiles: profilesSchema,
  gossip: peersOutcome
    .optional()
    .describe('of clients that are full peers, as with publish in --mix: what became of each message'),
  churn: churned.optional(),
  hostile: hostile.optional().describe('with hostile peers: quiet and hostile stretches in turn'),
  lookUp: lookUp.nullable().describe('at the end; null: not made, or nothing was registered'),
  thresholds: z.array(threshold),
  faults: z.array(fault),
  soak: soak.nullable().describe('null: shorter than 5 minutes')
})

export { operationsOutcome as outcome }

/** plan is the schema of a rendezvous plan in a result. */
export const plan = makePlanSchema({ name: 'rendezvous', options: RENDEZVOUS_OPTIONS })
