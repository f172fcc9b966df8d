// JSON Schemas of the plan and outcome in a transfer result, for files and for zeros.
import { z } from 'zod'
import { FORMER_VALUES, makePlanSchema } from '../../plan/schema.js'
import { count, figure, limitedBy, number, text, threshold } from '../../report/schema.js'
import { namespacesSchema } from '../namespace-schema.js'
import { TRANSFER_OPTIONS } from './options.js'
import { PROTOCOL_NAMES } from './plan/transfer-plan.js'

/** A protocol, also one of earlier releases. */
export const protocolSchema = z.enum([
  ...PROTOCOL_NAMES,
  .../** @type {never[]} */ (Object.keys(FORMER_VALUES.ways))
])

const line = {
  latencyMs: number.describe('one way; where each link has its own, on average'),
  bytesPerSecond: figure.describe('that each side can send; null: unlimited')
}

const interval = {
  median: figure,
  low: figure.describe('95 % interval of the median over repeats; null: fewer than 6'),
  high: figure
}

const spread = z.looseObject({ median: figure, slowest: figure })

const file = z.looseObject({
  root: text.describe('CID'),
  blocks: count,
  sizeBytes: count,
  treeBytes: count.describe('of all its blocks')
})

const transferCase = z.looseObject({
  way: protocolSchema,
  ...line,
  batches: count.describe('repeats'),
  transfers: count,
  failed: count,
  seconds: z
    .looseObject({ ...interval, slowest: figure })
    .describe('from the first request of a repeat until its slowest requestor has stored everything'),
  goodput: z.looseObject(interval).describe('payload of a requestor, bytes per second'),
  firstByteMs: spread.describe('from the request'),
  waitMs: spread.describe('of a request for its turn at the provider'),
  connectMs: figure.describe('until connections are open; not part of the times'),
  roundTripMs: figure.describe('as measured on the connection, with nothing else on it'),
  factorToHttp: z
    .looseObject(interval)
    .nullable()
    .describe(
      'seconds as a multiple of those of http in the same repeat; null: it is http, or http was not measured'
    ),
  wirePerByte: figure.describe('bytes through the requestor’s sockets, both ways, per byte of payload'),
  blocks: figure,
  cpuSecondsPerGB: z.looseObject({ provider: figure, requestors: figure }),
  peakBytes: z.looseObject({ provider: figure, requestor: figure }).describe('resident memory'),
  fairness: figure.describe('Jain’s index of goodput over requestors; null: there is one'),
  windowBytes: figure.describe('largest window of the muxer’s streams; null: none'),
  model: z.looseObject({
    bytesPerSecond: figure.describe('what line and window let through; null: neither limits'),
    limit: text.nullable()
  }),
  verdict: z.looseObject({ limit: text, text }),
  limitedBy: limitedBy.optional()
})

const transfer = z.looseObject({
  way: protocolSchema,
  ...line,
  repeat: count,
  requestor: count,
  file: count,
  outcome: text.describe('OK, or a code: UNASKED, CORRUPT, ENDED_EARLY, REFUSED, TIMEOUT, BROKEN'),
  error: text.nullable(),
  waitMs: figure,
  firstByteMs: figure,
  totalMs: figure,
  goodput: figure.describe('bytes per second'),
  wirePerByte: figure,
  blocks: count,
  curve: z
    .array(z.tuple([number, number]))
    .optional()
    .describe('ms, bytes stored by then; of the first repeat')
})

const memory = { residentBytes: count, heapBytes: count, externalBytes: count }

// peakBytes: resident, read every 20 ms
const side = { cpuMs: number, wallMs: number, peakBytes: number }

const batch = z.looseObject({
  way: protocolSchema,
  ...line,
  repeat: count,
  payloadBytes: count.describe('of each requestor'),
  provider: z.looseObject(side),
  requestors: z.array(
    z.looseObject({ ...side, connectMs: number, roundTripMs: number, spanMs: figure, wireBytes: figure })
  )
})

const limit = z.looseObject({ limit: count, most: count.describe('that was reached') })

/** filesOutcomeSchema describes measurements of files. */
export const filesOutcomeSchema = z.looseObject({
  files: z.array(file),
  leftOut: z.array(z.looseObject({ way: text, why: text })).describe('ways that cannot be used here'),
  limits: z
    .looseObject({
      inProgressRequests: limit,
      memoryPerPeerBytes: limit,
      memoryTotalBytes: limit,
      waitingRequests: count
    })
    .nullable()
    .describe('of the provider; null: it exited before it reported'),
  line: z
    .looseObject({ at: text, slowStart: z.boolean() })
    .describe('how latencies and bandwidths come about'),
  namespaces: z
    .array(namespacesSchema.extend(line))
    .optional()
    .describe('what joined the sides in each round'),
  settings: z.record(text, z.looseObject({ value: z.unknown(), why: text })),
  cases: z.array(transferCase),
  batches: z.array(batch),
  transfers: z.array(transfer),
  waiting: z.array(
    z.looseObject({ way: protocolSchema, ...line, points: z.array(z.tuple([number, number, number])) })
  ),
  blockTimes: z
    .array(
      z.looseObject({
        way: protocolSchema,
        ...line,
        transfer: text,
        cid: text,
        queuedMs: figure.describe('at the provider, since the repeat began'),
        sentMs: figure,
        receivedMs: figure,
        storedMs: figure
      })
    )
    .nullable()
    .describe('of the first repeats; null: not looked at'),
  memory: z
    .array(
      z.looseObject({
        way: protocolSchema,
        ...line,
        repeat: count,
        side: text.describe('provider, or requestor and its number'),
        blocks: figure.describe('that were stored by then; null: the end of the repeat'),
        before: z.looseObject(memory),
        after: z.looseObject(memory).describe('a full collection')
      })
    )
    .nullable()
    .describe('null: not looked at'),
  thresholds: z.array(threshold)
})

const round = z.looseObject(line)

const direction = z.enum(['upload', 'download'])

/** The interval is null if there are fewer than six values, or if no two of them enclose the median with 95 % confidence. */
const centre = z.looseObject({ median: number, low: figure, high: figure })

const sides = z.looseObject({ client: figure, server: figure.describe('null: not known') })

const quartiles = z.looseObject({ count, min: number, q1: number, median: number, q3: number, max: number })

const zerosTransfer = z.looseObject({
  round,
  way: text,
  direction,
  streams: count.describe('on each connection'),
  repeat: count,
  bytes: count.describe('in all its streams together, counted at both ends, with a target at ours'),
  totalMs: number.describe(
    'from the first byte handed over to when the server has read the end, or the client'
  ),
  firstByteMs: figure.describe('until the first byte came back'),
  bytesPerSecond: number,
  steadyBytesPerSecond: figure.describe(
    'rate of the second half, at the end that receives it; null: not known'
  ),
  clientCpuMs: number,
  serverCpuMs: figure.describe('null: not known'),
  clientRssBytes: number.describe('after its end: one process runs all ways'),
  serverRssBytes: figure
})

const row = z.looseObject({
  round,
  way: text,
  direction,
  streams: count,
  transfers: count,
  bytesPerSecond: centre,
  slowestBytesPerSecond: number,
  steadyBytesPerSecond: number.describe('median'),
  overhead: z
    .array(centre.extend({ to: text }))
    .describe('how many times as long as by a baseline, in the same repeat'),
  roundTripMs: figure.describe('median of twenty exchanges of a byte on an idle connection'),
  windowBytes: figure.describe(
    'most bytes that may be in flight in all its streams; null: no window, or not known'
  ),
  modelBytesPerSecond: figure.describe('min(window ÷ round trip, line); null: neither limits'),
  verdict: z.looseObject({
    limit: z.enum(['line', 'round trips', 'window', 'growing window', 'CPU', 'TCP', 'waiting']),
    side: text.nullable().describe('whose CPU: client or server'),
    reached: figure.describe(
      'share of the line, of the window, of a core (waiting: of the busier side), or how many round trips; null: not known'
    )
  }),
  limitedBy: limitedBy.optional(),
  cpuSecondsPerGB: sides,
  cores: sides.describe('CPU time by wall time'),
  rssBytes: sides
})

/** zerosOutcomeSchema describes measurements of uploads, downloads, latency and handshakes. */
export const zerosOutcomeSchema = z.looseObject({
  target: text.nullable().describe('null: a provider of our own'),
  settings: z.record(text, z.looseObject({ value: z.unknown(), why: text })),
  ways: z.array(z.looseObject({ name: text, kind: text })),
  transfers: z.array(zerosTransfer),
  rows: z.array(row),
  latency: z.array(
    z.looseObject({
      round,
      way: text,
      open: quartiles.describe('ms to open a stream'),
      exchange: quartiles.describe('ms from then until the byte came back'),
      both: quartiles
    })
  ),
  handshakes: z.array(
    z.looseObject({
      round,
      way: text,
      duePerSecond: number,
      due: count,
      failed: count,
      failure: text.nullable(),
      perSecond: centre.nullable().describe('completed; null: none'),
      times: quartiles
        .extend({
          censored: z
            .boolean()
            .optional()
            .describe(
              'the median is a lower bound: handshakes that failed reach into it; absent: they were left out'
            ),
          overheadMs: number
            .optional()
            .describe(
              'client overhead at the median: how late the handshakes around it began; absent: not measured'
            )
        })
        .nullable()
        .describe('ms, from when they were due, also of those that failed'),
      roundTrips: figure.describe(
        'median of times by the round trip; null: that is below 5 ms, or the median a lower bound'
      ),
      utilization: number.optional().describe("of the client's event loop, 0 to 1; absent: not looked at"),
      cpuMsEach: sides
    })
  ),
  measuredMs: number,
  namespaces: z.array(namespacesSchema.extend(line)).optional(),
  thresholds: z.array(threshold)
})

/** outcome describes the measurements of a transfer. */
export const outcome = z.union([filesOutcomeSchema, zerosOutcomeSchema])

/** plan describes the plan of a transfer in a result. */
export const plan = makePlanSchema(
  { name: 'transfer', options: TRANSFER_OPTIONS },
  {
    without: { compareHttp: true, compareLibp2pHttp: true },
    more: { ways: z.array(protocolSchema), leftOut: z.array(z.looseObject({ way: text, why: text })) }
  }
)
