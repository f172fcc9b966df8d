import { z } from 'zod'
import { isEncodedHistogram } from '../measure/encoded-histogram.js'
import { isEncodedOverheads } from '../measure/overhead.js'

/** number, count, figure, text and time are the plain values of result documents. */
export const number = z.number()
export const count = z.int().min(0)
export const figure = number.nullable()
export const text = z.string()
export const time = z.iso.datetime()

/** histogram is one of times, in a text. */
export const histogram = text
  .refine(isEncodedHistogram, { error: 'is no histogram that can be read' })
  .describe('HDR V2, compressed, base64, µs, 3 digits')

/** overheads are those of operations, by their time. */
export const overheads = text
  .refine(isEncodedOverheads, { error: 'are no overheads that can be read' })
  .describe('operations by response time and client overhead, packed, base64')

/** percentile is one figure of a distribution. */
export const percentile = z.looseObject({
  ms: number,
  // printed as `> x`
  censored: z.boolean().describe('a lower bound: operations without a reply reach into it'),
  overheadMs: number
    .optional()
    .describe(
      'median client overhead of the operations whose time lies within 5 % of it (or of the ten nearest); absent: not measured'
    )
})

/** summary is a distribution of times. */
export const summary = z.looseObject({
  count,
  // null: no operation
  avg: percentile.nullable(),
  p50: percentile.nullable().describe('null: fewer than 10 samples beyond it; so for every percentile'),
  p90: percentile.nullable(),
  p95: percentile.nullable(),
  p99: percentile.nullable(),
  p999: percentile.nullable(),
  max: percentile.nullable()
})

/** threshold is how one was judged. */
export const threshold = z.looseObject({
  text,
  metric: text,
  operator: z.enum(['<', '<=', '>', '>=']),
  // in `unit`, as is `actual`
  limit: number,
  unit: text.describe('of limit and actual: ms, /s, %, MB, or none'),
  actual: figure.describe('null: there is no such figure'),
  passed: z.boolean(),
  // why it failed without a figure above or below the limit, or what to know of the figure
  reason: text.optional()
})

/** limitedBy is what was used up first. */
export const limitedBy = z
  .looseObject({
    by: z
      .array(text)
      .describe('server CPU, load generator, machine, link, store, offered load; none: not determined'),
    shares: z
      .array(z.looseObject({ name: text, percent: number, of: text.optional().describe('in words') }))
      .describe('how far each was used, as far as it is known')
  })
  .describe('what was used up first; absent in older results')

const machine = z.looseObject({
  platform: text,
  arch: text,
  cpu: text,
  cores: number,
  memoryBytes: number,
  loadAverage: z.array(number)
})

const late = {
  pressurePercent: figure.describe(
    'of the time something was ready to run and had no core; null: not known, so for all of these'
  ),
  stealPercent: figure.describe('of all cores, taken by other guests of the host')
}

const lateProcess = {
  ownPercent: figure.describe('of the time its main thread, the one of the event loop, worked'),
  waitedPercent: figure.describe('of the time it was ready to run and waited for a core')
}

/** lateness is who could be late while was measured: each process by its own work or for want of a core, the machine. */
export const lateness = z.looseObject({
  ...late,
  throttledMs: figure
    .optional()
    .describe(
      'for which this program was held back, for it had used the cores that its control group may; absent: it was not, or that is not known'
    ),
  hiccups: summary.describe('by how much short sleeps were too long, of a thread that does nothing else'),
  processes: z.array(z.looseObject({ name: text, ...lateProcess })),
  // seconds; of a long run 2, 4 … of them together
  series: z.array(
    z.looseObject({
      atMs: number.describe('its end, since the run began'),
      hiccupMs: number.describe('the longest'),
      ...late,
      processes: z.array(z.looseObject(lateProcess)).describe('in the same order')
    })
  )
})

/** Older results say where it is, or null. */
const program = z.union([z.boolean(), text]).nullable()

/** host is what the machine was like for a load test when a run began. What its system does not tell is null. */
const host = z.looseObject({
  cores: count,
  quotaCores: figure.describe('that may be used; null: all, or not known'),
  pressurePercent: figure.describe('of the 10 s before, in which something was ready to run and had no core'),
  stealPercent: figure.describe('of all cores since the system began, taken by other guests of the host'),
  clockSource: text.nullable(),
  openFiles: figure.describe('that a process may have'),
  namespaces: figure.describe('of users that there may be'),
  congestionControl: text.nullable().optional().describe('that TCP goes by'),
  // programs that are there
  docker: program,
  nft: program,
  postgres: program,
  nats: program
})

/** health is how busy each worker was. */
export const health = z.array(
  z.looseObject({
    worker: count,
    utilization: number.describe('of the event loop, 0 to 1'),
    cpuPercent: number,
    // lengths of event-loop turns that did work
    turns: summary,
    overhead: summary.describe(
      'of operations: sent late, own work, waiting behind its own turns or for a core'
    )
  })
)

/** agentRow is a machine that held workers. */
export const agentRow = z.looseObject({
  id: text,
  host: text,
  tags: z.array(text),
  cores: count,
  memoryBytes: number,
  node: text,
  workers: z.array(count).describe('that it held, by their places in the run'),
  clock: z
    .looseObject({
      offsetMs: number.describe('against the clock of the coordinator; both count since they started'),
      errorMs: number.describe('it is off by no more: half of the least round trip'),
      driftPpm: figure.describe('how much faster it goes; null: it is not known to 20 ppm')
    })
    .nullable(),
  lateMs: figure.describe('how late its workers began, by its own clock'),
  lost: z.looseObject({ atMs: number.describe('since the run began'), why: text }).nullable(),
  operations: count.optional(),
  busiest: number.optional().describe('utilization of the busiest of its workers'),
  overheadMs: number.optional().describe('the greatest client overhead of an operation')
})

/** run is what differs from run to run, whatever the scenario. */
export const run = z.looseObject({
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
  host: host.optional().describe('absent: not looked at, as in results from before it was'),
  versions: z.record(text, text),
  health,
  lateness: lateness.optional().describe('absent: not watched, as in results from before it was'),
  agents: z.array(agentRow).optional().describe('absent: workers were on this machine'),
  starts: z
    .looseObject({
      count,
      spreadMs: number.describe('how far apart workers began, each by its own clock: median over the starts'),
      worstMs: number.describe('the greatest of them')
    })
    .nullable()
    .optional()
    .describe(
      'that workers on several machines were told of ahead: a warm-up, a round or a measurement is one'
    ),
  warnings: z.array(z.looseObject({ code: text, values: z.record(text, z.unknown()) }))
})

/** container is one that a server runs in. */
export const container = z.looseObject({
  id: text,
  name: text,
  image: text,
  imageId: text,
  cpus: figure,
  memoryBytes: figure
})

/** timesSinceStart are times of peers that were started during a run, since their start. */
export const timesSinceStart = z.looseObject({
  ...summary.shape,
  never: count
    .optional()
    .describe(
      'how many of these were killed, or saw the end of the run, before it happened: their times are censored. Absent in older results, which left them out'
    )
})
