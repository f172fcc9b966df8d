import { z } from 'zod'
import { PLAN_SCHEMA } from '../plan/plan-schema.js'

/** SCHEMA_VERSION of the results that this version writes. Only a change that old readers would misread counts it up. */
export const SCHEMA_VERSION = 1

const number = z.number()
const count = z.int().min(0)
const figure = number.nullable()
const text = z.string()
const operationType = z.enum(['REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'])
const time = z.iso.datetime()

const percentile = z.looseObject({
  ms: number,
  censored: z.boolean().describe('a lower bound: operations without a reply reach into it'),
  doubtful: z.boolean().describe('the load generator added more than a tenth of it')
})

const summary = z.looseObject({
  count,
  avg: percentile.nullable(),
  p50: percentile.nullable().describe('null: fewer than 10 samples beyond it; so for every percentile'),
  p90: percentile.nullable(),
  p95: percentile.nullable(),
  p99: percentile.nullable(),
  p999: percentile.nullable(),
  max: percentile.nullable()
})

const operation = z.looseObject({
  count,
  errors: count,
  outcomes: z.record(text, count),
  throughputPerSecond: number,
  throughputIsLowerBound: z.boolean(),
  rt: z.looseObject({ all: summary, ok: summary }).describe('response time'),
  service: summary.optional().describe('open model: from the actual send'),
  lag: summary.optional().describe('open model: how late operations were sent'),
  bytesPerReply: figure,
  serverCpuMicrosPerOperation: figure,
  histograms: z.record(text, text).describe('per outcome, HDR V2 compressed base64, µs, 3 digits')
})

const server = z.looseObject({
  cpu: z
    .looseObject({ averagePercent: figure, medianPercent: figure, maxPercent: figure, samples: count })
    .describe('100 % is one core'),
  memory: z.looseObject({ averageBytes: figure, medianBytes: figure, maxBytes: figure, samples: count }),
  memoryCountedAs: text.nullable(),
  series: z.array(z.looseObject({ atMs: number, cpuPercent: figure, rssBytes: number })),
  durations: z.record(text, summary).optional().describe("our server's own histogram")
})

const container = z.looseObject({
  id: text,
  name: text,
  image: text,
  imageId: text,
  cpus: figure,
  memoryBytes: figure
})

const threshold = z.looseObject({
  text,
  metric: text,
  operator: z.enum(['<', '<=', '>', '>=']),
  limit: number,
  unit: text.describe('of limit and actual: ms, /s, %, MB, or none'),
  actual: figure.describe('null: there is no such figure'),
  passed: z.boolean(),
  reason: text.optional()
})

const outcome = z.looseObject({
  target: z.looseObject({
    kind: text,
    chosenBy: text.nullable(),
    multiaddr: text.nullable(),
    container: container.nullable(),
    settings: z.record(text, z.unknown()).describe('changed from the defaults of library and specification')
  }),
  operations: z.partialRecord(operationType, operation),
  rounds: z.array(z.looseObject({ index: count, startMs: number, durationMs: number, operations: count })),
  measuredMs: number.describe('sum of the rounds'),
  perSecond: z.array(
    z.looseObject({
      second: number.describe('since the measure phase began'),
      type: operationType,
      outcome: text,
      histogram: z.array(z.tuple([number, number])).describe('value in µs to 2 digits, and count')
    })
  ),
  server: server.nullable().describe('null: nothing could be sampled'),
  probe: z.looseObject({ operations: z.partialRecord(operationType, summary) }).nullable(),
  registrations: z.looseObject({
    before: count.nullable(),
    after: count.nullable(),
    namespaces: count.nullable()
  }),
  thresholds: z.array(threshold)
})

const machine = z.looseObject({
  platform: text,
  arch: text,
  cpu: text,
  cores: number,
  memoryBytes: number,
  loadAverage: z.array(number)
})

const run = z.looseObject({
  startedAt: time,
  finishedAt: time.nullable(),
  phases: z.array(
    z.looseObject({
      name: text,
      state: z.enum(['running', 'done', 'failed']),
      startMs: number,
      durationMs: figure,
      detail: text.nullable()
    })
  ),
  machine,
  versions: z.record(text, text),
  health: z.array(
    z.looseObject({
      worker: count,
      utilization: number.describe('of the event loop, 0 to 1'),
      cpuPercent: number,
      turns: summary,
      added: summary
    })
  ),
  warnings: z.array(z.looseObject({ code: text, values: z.record(text, z.unknown()) }))
})

/**
 * RESULT_SCHEMA describes the result of one run; `src/result/types.js` says more of each part. What a later version adds is
 * let through.
 */
export const RESULT_SCHEMA = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  id: text.describe("also the name of the run's folder"),
  scenario: z.literal('rendezvous'),
  status: z.enum(['complete', 'partial']),
  reason: z.looseObject({ code: text, message: text }).nullable().describe('why it is partial'),
  plan: PLAN_SCHEMA,
  outcome: outcome.describe('what the plan determines or what was measured of the target'),
  run: run.describe('what differs from run to run')
})

/**
 * jsonSchemas gives the JSON Schema (draft 2020-12) of what is written into files, by name.
 *
 * @returns {{ result: object, plan: object }}
 */
export const jsonSchemas = () => ({
  result: { title: 'Result of a run of libp2p-loadtest', ...z.toJSONSchema(RESULT_SCHEMA) },
  plan: { title: 'Plan of a run of libp2p-loadtest', ...z.toJSONSchema(PLAN_SCHEMA) }
})
