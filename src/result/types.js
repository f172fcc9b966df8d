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
 * What stands in documents is described by their schemas alone: `schema-parts.js`, `scenarios/rendezvous/outcome-schema.js`.
 *
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'CONNECT'} OperationType
 *
 * @typedef {Shape<typeof import('./schema-parts.js').percentile>} Percentile - one figure of a distribution
 * @typedef {Shape<typeof import('./schema-parts.js').summary>} Summary - a distribution of times
 * @typedef {Shape<typeof import('./schema-parts.js').threshold>} ThresholdResult
 * @typedef {Shape<typeof import('./schema-parts.js').run>['health'][number]} WorkerHealth
 * @typedef {Shape<typeof import('../scenarios/rendezvous/outcome-schema.js').operationsOutcome>} OperationsOutcome
 * @typedef {NonNullable<OperationsOutcome['operations']['DISCOVER']>} OperationResult
 * @typedef {NonNullable<OperationsOutcome['server']>} ServerResult
 * @typedef {OperationsOutcome['faults'][number]} FaultResult - what a fault did to the load
 * @typedef {NonNullable<OperationsOutcome['soak']>} Soak - what changed over a run of 5 minutes or more
 * @typedef {NonNullable<Soak['serverBytes']>} Trend - Theil–Sen slope of the medians of equal stretches, with its 95 % interval
 *
 * @typedef {string} Outcome - `OK`, a status such as `E_UNAVAILABLE`, or one of the outcomes without a reply: `TIMEOUT`,
 *   `RESET` (stream reset without a reply), `LOST` (connection lost), `DROPPED` (never sent: --maxInFlight reached),
 *   `BAD_REPLY` (a reply that failed its check)
 *
 * @typedef {Pick<OperationResult, 'count' | 'errors' | 'outcomes' | 'throughputPerSecond' | 'throughputIsLowerBound' | 'rt'>}
 *   OperationFigures
 *
 * @typedef {object} Figures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {Partial<Record<OperationType, OperationFigures>>} operations
 * @property {Pick<ServerResult, 'cpu' | 'memory'> | null} server - null: not known
 * @property {number} measuredMs
 *
 * @typedef {object} LookUp - what became of registrations that the server has confirmed
 * @property {number} registrations - all that were confirmed and not taken back
 * @property {number} drawn - to be looked up
 * @property {number} lookedUp - in namespaces that were read to their end, and not expired by then
 * @property {number} missing - of those
 * @property {{ low: number, high: number } | null} interval - share that is missing among all, with 95 % confidence; null: none was
 *   looked up
 * @property {string | null} problem - why some could not be looked up
 *
 * @typedef {{ code: string, message: string }} Reason
 *
 * @typedef {{ code: string, values: Record<string, unknown> }} Warning - texts stand in result/warnings.js
 *
 * @typedef {object} Result
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'rendezvous'} scenario
 * @property {'complete' | 'partial'} status
 * @property {Reason | null} reason - why it is partial
 * @property {import('../plan/plan.js').Plan} plan
 * @property {object} outcome - what the plan determines or what was measured of the target
 * @property {{ kind: string, chosenBy: string | null, multiaddr: string | null,
 *   container: import('../target/target.js').Container | null, settings: Record<string, unknown> }} outcome.target -
 *   `chosenBy`: why --server auto took a process or Docker; `settings`: what was changed from the defaults of library and
 *   specification
 * @property {Partial<Record<OperationType, OperationResult>>} outcome.operations
 * @property {{ index: number, startMs: number, durationMs: number, operations: number }[]} outcome.rounds - startMs since
 *   the measure phase began
 * @property {number} outcome.measuredMs - sum of the rounds
 * @property {{ second: number, type: OperationType, outcome: Outcome, histogram: [number, number][] }[]} outcome.perSecond -
 *   sparse: value in µs to 2 digits, count; `second` since the measure phase began
 * @property {number} outcome.secondsPerPoint - that an entry of `perSecond` covers, from its `second` on: 1 up to ten minutes, then 2,
 *   4 … so that there are never more than 600, and fewer where there is much in them; in a run with faults never more than 3,600
 * @property {ServerResult | null} outcome.server - null: nothing could be sampled
 * @property {{ operations: Partial<Record<OperationType, Summary>> } | null} outcome.probe
 * @property {{ before: number | null, after: number | null, namespaces: number | null }} outcome.registrations
 * @property {LookUp | null} outcome.lookUp - whether what was registered is there at the end; null: not made, or nothing was registered
 * @property {ThresholdResult[]} outcome.thresholds - in the order of the plan
 * @property {FaultResult[]} outcome.faults - what was done to the server, in order
 * @property {Soak | null} outcome.soak - what changed over a run of 5 minutes or more; null: it was shorter
 * @property {object} run - what differs from run to run
 * @property {string} run.startedAt - ISO 8601
 * @property {string | null} run.finishedAt
 * @property {{ name: string, state: 'running' | 'done' | 'failed', startMs: number, durationMs: number | null, detail: string | null }[]} run.phases
 * @property {{ platform: string, arch: string, cpu: string, cores: number, memoryBytes: number, loadAverage: number[] }} run.machine
 * @property {Record<string, string>} run.versions
 * @property {WorkerHealth[]} run.health - one per worker process
 * @property {Warning[]} run.warnings
 *
 * @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 *
 * @typedef {{ type: 'start', id: string, plan: import('../plan/plan.js').AnyPlan, run: object }} StartRecord
 * @typedef {{ type: 'phase', name: string, state: 'begin' | 'done' | 'failed', atMs: number, detail?: string }} PhaseRecord
 * @typedef {{ type: 'progress', phase: string, done: number, total: number | null, unit: string, ratePerSecond?: number,
 *   p50Ms?: number, p99Ms?: number, cpuPercent?: number | null, rssBytes?: number | null, etaMs?: number | null }} ProgressRecord
 * @typedef {object} IntervalRecord - once a second while the measure phase goes on: what was measured so far
 * @property {'interval'} type
 * @property {Figures | import('../scenarios/gossip/gossip-types.js').GossipFigures} figures - of the scenario
 * @property {number[]} utilizations - of the event loop of each worker process, 0 to 1
 * @property {ThresholdResult[]} thresholds - those that can be judged already
 *
 * @typedef {{ type: 'warning', warning: Warning }} WarningRecord
 * @typedef {{ type: 'partial', result: AnyResult }} PartialRecord - the result as far as it is known, after each phase
 * @typedef {{ type: 'result', result: AnyResult }} ResultRecord - always the last one
 * @typedef {StartRecord | PhaseRecord | ProgressRecord | IntervalRecord | WarningRecord | PartialRecord | ResultRecord} Record_
 */

export {}
