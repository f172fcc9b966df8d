import { z } from 'zod'
import { planSchema } from '../../plan/plan-schema.js'
import { count, figure, limitedBy, number, text, threshold } from '../../result/schema-parts.js'
import { namespaces } from '../namespaces/namespace-schema.js'
import { PERF_OPTIONS } from './plan/perf-options.js'

const direction = z.enum(['upload', 'download'])

/** Null where there are fewer than six values, or no two that enclose it with 95 % confidence. */
const centre = z.looseObject({ median: number, low: figure, high: figure })

const sides = z.looseObject({ client: figure, server: figure.describe('null: not known') })

const quartiles = z.looseObject({ count, min: number, q1: number, median: number, q3: number, max: number })

const transfer = z.looseObject({
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
  clientRssBytes: number.describe('when it had ended: the process holds all ways'),
  serverRssBytes: figure
})

const row = z.looseObject({
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
    'most that may be under way in all its streams; null: no window, or not known'
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

/** plan of a run that moves bytes, as it stands in a result. */
export const plan = planSchema({ name: 'perf', options: PERF_OPTIONS })

/** outcome is what was measured. */
export const outcome = z.looseObject({
  target: text.nullable().describe('null: a server of our own'),
  settings: z.record(text, z.looseObject({ value: z.unknown(), why: text })),
  ways: z.array(z.looseObject({ name: text, kind: text })),
  transfers: z.array(transfer),
  rows: z.array(row),
  latency: z.array(
    z.looseObject({
      way: text,
      open: quartiles.describe('ms to open a stream'),
      exchange: quartiles.describe('ms from then until the byte came back'),
      both: quartiles
    })
  ),
  handshakes: z.array(
    z.looseObject({
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
  namespaces: namespaces.optional(),
  thresholds: z.array(threshold)
})
