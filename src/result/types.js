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
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'PUBLISH' | 'CONNECT'} OperationType
 *
 * @typedef {Shape<typeof import('./schema-parts.js').percentile>} Percentile - one figure of a distribution
 * @typedef {Shape<typeof import('./schema-parts.js').summary>} Summary - a distribution of times
 * @typedef {Shape<typeof import('./schema-parts.js').threshold>} ThresholdResult
 * @typedef {Shape<typeof import('./schema-parts.js').limitedBy>} LimitedBy - what was used up first
 * @typedef {Shape<typeof import('./schema-parts.js').run>['health'][number]} WorkerHealth
 * @typedef {Shape<typeof import('./schema-parts.js').agentRow>} AgentRow - a machine that held workers of a run
 * @typedef {NonNullable<Shape<typeof import('./schema-parts.js').run>['lateness']>} Lateness - who could be late while was measured
 * @typedef {Shape<typeof import('../scenarios/rendezvous/outcome-schema.js').operationsOutcome>} OperationsOutcome
 * @typedef {NonNullable<OperationsOutcome['operations']['DISCOVER']>} OperationResult
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
 * @property {import('../scenarios/rendezvous/churn-schema.js').Churned} [churn]
 * @property {HostileOutcome} [hostile] - with hostile peers
 *
 * @typedef {NonNullable<OperationsOutcome['lookUp']>} LookUp - what became of registrations that the server has confirmed
 *
 * @typedef {{ code: string, message: string }} Reason
 *
 * @typedef {{ code: string, values: Record<string, unknown> }} Warning - texts stand in result/warnings.js
 *
 * @typedef {object} Result
 * @property {2} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'rendezvous'} scenario
 * @property {'complete' | 'partial'} status
 * @property {Reason | null} reason - why it is partial
 * @property {import('../plan/plan.js').Plan} plan
 * @property {OperationsOutcome} outcome - what the plan determines or what was measured of the target
 * @property {Omit<Shape<typeof import('./schema-parts.js').run>, 'warnings'> & { warnings: Warning[] }} run - what differs from run to run
 *
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
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
 * @typedef {{ type: 'measured', second: number, cells: import('../measure/meter.js').Cell[], beganEpochMs: number }} MeasuredRecord - of
 *   operations: what a worker has just handed over. `second`: of the measurement, which began at `beganEpochMs`
 *
 * @typedef {{ type: 'warning', warning: Warning }} WarningRecord
 * @typedef {{ type: 'partial', result: AnyResult }} PartialRecord - the result as far as it is known, after each phase
 * @typedef {{ type: 'result', result: AnyResult }} ResultRecord - always the last one
 * @typedef {StartRecord | PhaseRecord | ProgressRecord | IntervalRecord | MeasuredRecord | WarningRecord | PartialRecord | ResultRecord} Record_
 */

export {}
