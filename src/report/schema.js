// The Zod schemas of results, descriptions (tables and plots of a result) and JSON lines. Types and JSON Schemas are
// derived from them.
import { z } from 'zod'
import { isEncodedOverheads } from '../measure/client-overhead.js'
import { isEncodedHistogram } from '../measure/distribution.js'

/** number, count, figure, text and time are the plain values of result documents. */
export const number = z.number()
export const count = z.int().min(0)
export const figure = number.nullable()
export const text = z.string()
const time = z.iso.datetime()

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
      'that workers on several machines received in advance: a warm-up, a round or a measurement is one'
    ),
  warnings: z.array(z.looseObject({ code: text, values: z.record(text, z.unknown()) }))
})

/** container is one that a server runs in. */
export const container = z.looseObject({
  id: text,
  name: text,
  image: text,
  imageId: text,
  // that it may use; null: not limited
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

/** What every line has. */
const any = {
  at: time.describe('when it was written'),
  run: text.describe("id of the run, also the name of its folder; of a line of a study, the study's")
}

/** What lines of runs have. */
const ofRun = {
  ...any,
  label: text.optional().describe('which run of a study: its row, its place')
}

const reason = z.looseObject({ code: text, message: text }).nullable()

const figures = z
  .record(text, number)
  .describe('by the names that thresholds have, in the unit of each; those that there are')

const lost = {
  atLeast: z.array(text).describe('names of figures that operations without a reply reach into')
}

const start = z.looseObject({
  type: z.literal('start'),
  ...ofRun,
  schemaVersion: z.literal(2),
  index: number.optional().describe('of the run in a study, from 1'),
  total: number.optional().describe('runs that the study makes, as far as it is known'),
  scenario: text,
  says: text.optional().describe('what is sent, by whom and where to, in words'),
  plan: z.looseObject({}).describe('as in result.json'),
  units: z.record(text, text).describe('of figures, by their names: ms, /s, %, MB; empty: a bare number')
})

const phase = z.looseObject({
  type: z.literal('phase'),
  ...ofRun,
  phase: text,
  title: text.optional().describe('of the phase, in words'),
  state: z.enum(['begin', 'done', 'failed']),
  atMs: number.describe('since the run began'),
  detail: text.optional()
})

const progress = z.looseObject({
  type: z.literal('progress'),
  ...ofRun,
  phase: text,
  done: number,
  total: figure.describe('null: not known'),
  unit: text.describe('of done and total'),
  ratePerSecond: number.optional().describe('just now; so for all that follows'),
  p50Ms: number.optional(),
  p99Ms: number.optional(),
  cpuPercent: figure.optional().describe('of what is under test; null: not known'),
  rssBytes: figure.optional(),
  etaMs: figure.optional().describe('of the phase')
})

const sample = z.looseObject({
  type: z.literal('sample'),
  ...ofRun,
  figures: figures.describe('measured so far, by name'),
  ...lost,
  utilizations: z.array(number).describe('of the event loop of each worker process, 0 to 1'),
  thresholds: z.array(threshold).describe('those that can be judged already')
})

const warning = z.looseObject({ type: z.literal('warning'), ...ofRun, code: text, message: text })

const end = z.looseObject({
  type: z.literal('end'),
  ...ofRun,
  status: z.enum(['complete', 'partial']),
  reason: reason.describe('why it is partial'),
  figures,
  ...lost,
  limitedBy: limitedBy.optional(),
  thresholds: z.array(threshold),
  warnings: z.array(text).describe('their codes'),
  folder: text.describe('of the run; everything else is in its result.json')
})

const study = z.looseObject({
  type: z.literal('study'),
  ...any,
  state: z.enum(['begin', 'end']),
  status: z.enum(['running', 'complete', 'partial']),
  reason: reason.describe('why it is partial'),
  folder: text
})

/** lineSchema describes a line of --jsonLines. What a later version adds is let through. */
export const lineSchema = z.discriminatedUnion('type', [start, phase, progress, sample, warning, end, study])

/** @typedef {import('../scenarios/index.js').Documents & { name: string }} Scenario */

/** SCHEMA_VERSION of the results that this version writes. Only a change that old readers would misread counts it up. */
export const SCHEMA_VERSION = 2

/** What every result has, around its plan and outcome. */
const around = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  id: text.describe("also the name of the run's folder"),
  status: z.enum(['complete', 'partial']),
  reason: reason.describe('why it is partial'),
  run: run.describe('what differs from run to run')
})

/**
 * resultSchema describes the result of one run of a scenario. What a later version adds is let through.
 *
 * @param {Scenario} scenario
 */
export async function resultSchema({ name, schemas }) {
  const { plan, outcome } = await schemas()
  return around.extend({
    scenario: z.literal(name),
    plan,
    outcome: outcome.describe('what the plan determines or what was measured of the target')
  })
}

/**
 * jsonSchemas gives the JSON Schema (draft 2020-12) of what is written into files, by name.
 *
 * @param {readonly Scenario[]} scenarios
 * @returns {Promise<{ result: object, plan: object, line: object }>}
 */
export async function jsonSchemas(scenarios) {
  const results = await Promise.all(scenarios.map(resultSchema))
  const plans = results.map(({ shape }) => shape.plan)
  return {
    result: {
      title: 'Result of a run of libp2p-loadtest',
      ...z.toJSONSchema(z.discriminatedUnion('scenario', /** @type {any} */ (results)))
    },
    plan: {
      title: 'Plan of a run of libp2p-loadtest',
      ...z.toJSONSchema(z.union(/** @type {any} */ (plans)))
    },
    line: { title: 'Line of --jsonLines', ...z.toJSONSchema(lineSchema) }
  }
}

/**
 * @template T
 * @typedef {keyof { [K in keyof T as string extends K ? never : K]: T[K] }} Named
 */

/**
 * @template T
 * @typedef {T extends readonly unknown[] ? { [K in keyof T]: Known<T[K]> }
 *   : T extends object ? [Named<T>] extends [never] ? { [K in keyof T]: Known<T[K]> } : { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
 *   : T} Known - what a schema names of a document, without what it lets through
 */

/**
 * @template {import('zod').ZodType} S
 * @typedef {Known<import('zod').infer<S>>} Shape - of documents that a schema describes
 */

/**
 * The shapes of a run: its records while it goes on and its result document. Only types live here.
 *
 * The contents of documents are described by their schemas alone: those above, and those of each scenario.
 *
 * @typedef {Shape<typeof percentile>} Percentile - one figure of a distribution
 * @typedef {Shape<typeof summary>} Summary - a distribution of times
 * @typedef {Shape<typeof threshold>} ThresholdResult
 * @typedef {Shape<typeof limitedBy>} LimitedBy - what was used up first
 * @typedef {Shape<typeof run>['health'][number]} WorkerHealth
 * @typedef {Shape<typeof agentRow>} AgentRow - a machine that held workers of a run
 * @typedef {NonNullable<Shape<typeof run>['lateness']>} Lateness - who could be late while was measured
 * @typedef {Shape<typeof import('../scenarios/rendezvous/schema.js').operationsOutcome>} OperationsOutcome
 * @typedef {keyof OperationsOutcome['operations']} OperationType
 * @typedef {NonNullable<OperationsOutcome['operations'][OperationType]>} OperationResult
 * @typedef {NonNullable<OperationsOutcome['server']>} ServerResult
 * @typedef {NonNullable<OperationsOutcome['warmUp']>} WarmUp
 * @typedef {NonNullable<OperationsOutcome['hostile']>} HostileOutcome - what clients experienced beside hostile peers
 * @typedef {OperationsOutcome['faults'][number]} FaultResult - what a fault did to the load
 * @typedef {NonNullable<OperationsOutcome['soak']>} Soak - what changed over a run of 5 minutes or more
 * @typedef {NonNullable<Soak['serverBytes']>} Trend - Theil–Sen slope of the medians of equal stretches, with its 95 % interval
 *
 * @typedef {string} Outcome - `OK`, a status such as `E_UNAVAILABLE`, or one of the outcomes without a reply: `TIMEOUT`,
 *   `RESET` (stream reset without a reply), `LOST` (connection lost), `DROPPED` (never sent: --maxInFlight reached),
 *   `BAD_REPLY` (a reply that failed its check)
 *
 * @typedef {Omit<OperationResult, 'service' | 'lag' | 'bytesPerReply' | 'serverCpuMicrosPerOperation' | 'histograms'>} OperationFigures -
 *   all but what only its end tells
 *
 * @typedef {object} Figures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {Partial<Record<OperationType, OperationFigures>>} operations
 * @property {Pick<ServerResult, 'cpu' | 'memory'> | null} server - null: not known
 * @property {number} measuredMs
 * @property {import('../scenarios/rendezvous/schema.js').Churned} [churn]
 * @property {HostileOutcome} [hostile] - with hostile peers
 *
 * @typedef {NonNullable<OperationsOutcome['lookUp']>} LookUp - what became of registrations that the server has confirmed
 *
 * @typedef {NonNullable<Shape<typeof reason>>} Reason
 * @typedef {Shape<typeof run>['warnings'][number]} Warning - warnings.js has its text
 *
 * @typedef {Shape<typeof around> & { scenario: 'rendezvous', plan: import('../scenarios/rendezvous/options.js').Plan,
 *   outcome: OperationsOutcome }} Result - `outcome`: what the plan determines or what was measured of the target
 *
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 *
 * @typedef {{ type: 'start', id: string, plan: import('../scenarios/index.js').AnyPlan, run: object }} StartRecord
 * @typedef {{ type: 'phase', name: string, state: 'begin' | 'done' | 'failed', atMs: number, detail?: string }} PhaseRecord
 * @typedef {{ type: 'progress', phase: string, done: number, total: number | null, unit: string, ratePerSecond?: number,
 *   p50Ms?: number, p99Ms?: number, cpuPercent?: number | null, rssBytes?: number | null, etaMs?: number | null }} ProgressRecord
 * @typedef {object} IntervalRecord - once a second while the measure phase goes on: what was measured so far
 * @property {'interval'} type
 * @property {Figures | import('../scenarios/gossip/outcome.js').GossipFigures} figures - of the scenario
 * @property {number[]} utilizations - of the event loop of each worker process, 0 to 1
 * @property {ThresholdResult[]} thresholds - those that can be judged already
 *
 * @typedef {{ type: 'measured', second: number, cells: import('../measure/operations.js').MeterCell[], beganEpochMs: number }} MeasuredRecord - of
 *   operations: what a worker has just handed over. `second`: of the measurement, which began at `beganEpochMs`
 *
 * @typedef {{ type: 'warning', warning: Warning }} WarningRecord
 * @typedef {{ type: 'partial', result: AnyResult }} PartialRecord - the result as far as it is known, after each phase
 * @typedef {{ type: 'result', result: AnyResult }} ResultRecord - always the last one
 * @typedef {StartRecord | PhaseRecord | ProgressRecord | IntervalRecord | MeasuredRecord | WarningRecord | PartialRecord | ResultRecord} RunRecord
 */

/**
 * What a result holds, as plain data: the only thing that terminal, markdown, CSV, page, dashboard, matrix and comparison show. A description
 * is JSON: it can be stored, checked, and leave the process of a custom scenario.
 *
 * A number stands in the unit that its heading or label names (`p50 ms`, `Memory MB`), so that every file holds the same number.
 *
 * @typedef {z.infer<typeof kind>} Kind - how a value is written, see kinds.js
 * @typedef {z.infer<typeof scalar>} Scalar - null: not measured
 * @typedef {z.infer<typeof bound>} LowerBound - operations that were lost reach into it: terminal and page write `> 12`, files 12
 * @typedef {z.infer<typeof cell>} Cell
 * @typedef {z.infer<typeof column>} Column - `wide`: not on a terminal
 * @typedef {z.infer<typeof table> & { inFull?: readonly Cell[][] }} DescribedTable - the first table of a run is its row in a matrix, in a pipe and in
 *   --outputFile. `inFull`: all rows, where reports have the first ones: for its CSV file alone, and in no JSON, see inFull
 * @typedef {z.infer<typeof series>} Series
 * @typedef {z.infer<typeof plot>} Plot
 * @typedef {{ name: string, value: number, self?: number, category?: string, children?: Frame[] }} Frame
 * @typedef {Omit<z.infer<typeof descriptionSchema>, 'tables'> & { tables: DescribedTable[] }} Description
 * @typedef {Description['warnings'][number]} DescribedWarning
 *
 * @typedef {object} PlanDescription - what is said while a run goes on
 * @property {string} what - what is sent, by whom, where to: parts joined by ` · `
 * @property {readonly string[]} [notes] - said below it, a line each
 * @property {Readonly<Record<string, readonly [running: string, done: string]>>} phases - by name
 * @property {string[] | null} columns - headings of the first table of its result, which do not depend on what was measured; null: only the
 *   result says which these are
 * @property {string} rateUnit - of what is sent
 * @property {string} measured - whose CPU and memory are watched
 *
 * @typedef {object} Describe - what `describe.js` of a scenario exports
 * @property {(plan: any) => PlanDescription} describePlan
 * @property {(result: any) => Description} describeResult - of a partial result too
 */

/** A custom scenario's description is bounded: so many tables and plots, so many bytes. */
export const MAX_TABLES = 50
export const MAX_PLOTS = 50
export const MAX_DESCRIPTION_BYTES = 1_000_000

const KINDS = /** @type {const} */ (['text', 'count', 'number', 'ms', 's', 'percent', 'MB', 'perSecond'])

const kind = z.enum(KINDS)
const scalar = z.union([text, number, z.null()])
const bound = z.strictObject({ atLeast: number })
/** A value with a kind is a cell whose kind is not that of its column. */
const cell = z.union([scalar, bound, z.strictObject({ value: z.union([scalar, bound]), kind })], {
  error: 'must be a text, a number, null, { atLeast } or { value, kind }'
})
const column = z.union([z.tuple([z.string(), kind]), z.tuple([z.string(), kind, z.literal('wide')])], {
  error: `must be [heading, kind] or [heading, kind, 'wide'], with a kind of ${KINDS.join(', ')}`
})
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')

const table = z
  .strictObject({
    /** file name in CSV, anchor in the page; unique among tables and plots */
    id,
    title: z.string(),
    columns: z.array(column).min(1),
    /** none: the table is left out */
    rows: z.array(z.array(cell)),
    /** how its figures are to be read */
    note: z.string().optional(),
    /** a terminal shows it too; the first table is always shown */
    terminal: z.boolean().optional()
  })
  .refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length), {
    message: 'every row needs a cell for each column',
    path: ['rows']
  })

const numbers = z.array(number)
const withGaps = z.array(z.union([number, z.null()]))
const flag = z.boolean().optional()
const optionalText = text.optional()
const optionalNumber = number.optional()

/** @type {z.ZodType<Frame>} */
const frame = z.lazy(() => {
  const children = z.array(frame).optional()
  return z.strictObject({ name: text, value: number, self: optionalNumber, category: optionalText, children })
})

const STYLES = /** @type {const} */ (['line', 'steps', 'points', 'dotted', 'area'])
const series = z.strictObject({
  label: text,
  /** default: line; dotted: published, planned or modelled */
  style: z.enum(STYLES).optional(),
  /** [x, y], or [x, y, low, high] of a band; ascending x; y null: a gap */
  values: z.array(withGaps)
})
const texts = z.array(text)
const grid = z.strictObject({ columns: texts, rows: texts, values: z.array(z.array(scalar)) })

const plot = z.strictObject({
  id,
  title: z.string(),
  kind: z.enum(['lines', 'bars', 'heat', 'grid', 'graph', 'flame']),
  note: optionalText,
  /** titles of the axes, with their units */
  ...{ x: optionalText, y: optionalText },
  ...{ logX: flag, logY: flag },
  /** x is −log10 of the share that is left: 2 is p99 */
  nines: flag,
  /** the best of its kind: it stands in the first screen */
  main: flag,
  /** matrix and comparison draw it of several results over each other */
  compared: flag,
  /** of lines and bars; of bars the values are [from, to, count] */
  series: z.array(series).optional(),
  /** stretches of x that are shaded: faults, gaps, hostile peers */
  spans: z.array(z.strictObject({ from: number, to: number, label: text })).optional(),
  /** lines at a value */
  marks: z.array(z.strictObject({ x: optionalNumber, y: optionalNumber, label: text })).optional(),
  /** of heat: [x0, x1, y0, y1, count] */
  cells: z.array(numbers).optional(),
  /** of heat: [x, y, failed ? 1 : 0], what lies far out */
  dots: z.array(numbers).optional(),
  /** of grid: a value for each row and column */
  grid: grid.optional(),
  /** of graph: [x, y, value, size], each 0 to 1 but the value */
  nodes: z.array(withGaps).optional(),
  /** of graph: pairs of nodes */
  edges: z.array(numbers).optional(),
  /** of flame */
  root: frame.optional()
})

/** descriptionSchema checks a description: of a custom scenario when it is made, of all others in tests. */
export const descriptionSchema = z
  .strictObject({
    title: z.string(),
    /** one sentence: what was done, what came out */
    headline: z.string(),
    /** label, value and kind of the four figures a person looks for first */
    tiles: z.array(z.tuple([z.string(), cell, kind])),
    tables: z.array(table).max(MAX_TABLES),
    plots: z.array(plot).max(MAX_PLOTS),
    /** ordered by harm; a terminal shows three */
    warnings: z.array(z.strictObject({ code: z.string(), text: z.string() }))
  })
  .refine(
    ({ tables, plots }) => {
      const ids = [...tables, ...plots].map(({ id }) => id)
      return new Set(ids).size === ids.length
    },
    { message: 'ids of tables and plots must differ from each other' }
  )
