/**
 * The shapes of a run: its records while it goes on and its result document. Only types live here.
 *
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'CONNECT'} OperationType
 *
 * @typedef {string} Outcome - `OK`, a status such as `E_UNAVAILABLE`, or one of the outcomes without a reply: `TIMEOUT`,
 *   `RESET` (stream reset without a reply), `LOST` (connection lost), `DROPPED` (never sent: --maxInFlight reached),
 *   `BAD_REPLY` (a reply that failed its check)
 *
 * @typedef {object} Percentile - one figure of a distribution
 * @property {number} ms
 * @property {boolean} censored - true: the figure is a lower bound, because operations without a reply reach into it;
 *   printed as `> x`
 * @property {boolean} doubtful - true: the load generator added more than a tenth of it; printed with a mark
 *
 * @typedef {object} Summary - a distribution of times
 * @property {number} count
 * @property {Percentile | null} avg - null: no operation
 * @property {Percentile | null} p50 - null: fewer than 10 samples beyond it; printed as `–`. So for every percentile
 * @property {Percentile | null} p90
 * @property {Percentile | null} p95
 * @property {Percentile | null} p99
 * @property {Percentile | null} p999
 * @property {Percentile | null} max
 *
 * @typedef {object} OperationResult
 * @property {number} count - operations that were due in the measure phase, whatever became of them
 * @property {number} errors - count without those of outcome OK
 * @property {Record<Outcome, number>} outcomes
 * @property {number} throughputPerSecond - operations of outcome OK per second of the measure phase
 * @property {boolean} throughputIsLowerBound - the generator was above 90 % busy
 * @property {{ all: Summary, ok: Summary }} rt - response time. `all` is the headline
 * @property {Summary} [service] - open model: from the actual send
 * @property {Summary} [lag] - open model: how late operations were sent
 * @property {number | null} bytesPerReply
 * @property {number | null} serverCpuMicrosPerOperation - only where one type ran alone
 * @property {Record<Outcome, string>} histograms - per outcome, HDR V2 compressed base64, µs, 3 digits
 *
 * @typedef {Pick<OperationResult, 'count' | 'errors' | 'outcomes' | 'throughputPerSecond' | 'throughputIsLowerBound' | 'rt'>}
 *   OperationFigures
 *
 * @typedef {object} Figures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {Partial<Record<OperationType, OperationFigures>>} operations
 * @property {Pick<ServerResult, 'cpu' | 'memory'> | null} server - null: not known
 * @property {number} measuredMs
 *
 * @typedef {object} ThresholdResult
 * @property {string} text - `DISCOVER.p99 < 50ms`
 * @property {string} metric
 * @property {'<' | '<=' | '>' | '>='} operator
 * @property {number} limit - in `unit`
 * @property {string} unit - ms, /s, %, MB, or none
 * @property {number | null} actual - in `unit`; null: there is no such figure, and the threshold has failed
 * @property {boolean} passed
 * @property {string} [reason] - why it failed without a figure above or below the limit, or what to know of the figure
 *
 * @typedef {object} ServerResult
 * @property {{ averagePercent: number | null, medianPercent: number | null, maxPercent: number | null, samples: number }} cpu
 *   - 100 % is one core; median and max are null below 10 samples
 * @property {{ averageBytes: number | null, medianBytes: number | null, maxBytes: number | null, samples: number }} memory
 * @property {string | null} memoryCountedAs - `resident set` of a process, or `container usage without page cache`: figures that
 *   are counted differently cannot be compared
 * @property {{ atMs: number, cpuPercent: number | null, rssBytes: number }[]} series - `atMs` since the run began
 * @property {Record<OperationType, Summary>} [durations] - our server's own histogram: decoded request to reply handed over
 *
 * @typedef {object} FaultResult - what a fault did to the load; times of the fault in ms since the measurement began
 * @property {import('../scenarios/rendezvous/plan/fault-option.js').FaultKind} kind
 * @property {number} atMs - as planned
 * @property {number} fromMs
 * @property {number | null} toMs - the server could do its work again; null: that was not seen
 * @property {number | null} cpus - that were left to it; null unless `cpu`
 * @property {number | null} registrationsLost - by the server's own count; null: not counted, as nothing ended
 * @property {{ throughputPerSecond: number, p99Ms: number } | null} before - null: too short a time before it
 * @property {number | null} recoveredThroughputMs - from `toMs` until throughput was back; null: not within the run
 * @property {number | null} recoveredP99Ms - so for p99
 * @property {Record<Outcome, number>} operationsLost - by outcome, from the fault until all was back and nothing could time out
 * @property {{ dials: number, peakPerSecond: number }} reconnects - connections that were dialled again in this time
 *
 * @typedef {object} Trend - Theil–Sen slope of the medians of equal stretches, with its 95 % interval
 * @property {number} perHour
 * @property {number} low
 * @property {number} high
 * @property {number} median - of what it is the trend of
 * @property {number} points - stretches
 * @property {'growing' | 'shrinking' | 'not shown to grow'} verdict
 *
 * @typedef {object} Soak
 * @property {number} stretchMs - length of the stretches
 * @property {Trend | null} serverBytes - memory of the server after the first third; null: not known
 * @property {{ process: string, trend: Trend | null, inUse: Trend | null }[]} ownBytes - so for our own processes; `inUse`: of the least
 *   that was in use in each three stretches, as read just after garbage collections, `growing` from a tenth on; null: there were too few
 * @property {{ type: OperationType, trend: Trend | null }[]} p50Ms - median response time of successes
 * @property {{ operations: number, errors: number }[]} errors - in the thirds of the run
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
 * @typedef {object} WorkerHealth
 * @property {number} worker
 * @property {number} utilization - event-loop utilisation, 0 to 1, over the measure phase
 * @property {number} cpuPercent
 * @property {Summary} turns - lengths of event-loop turns that did work
 * @property {Summary} added - time the generator added to each operation: lag and waiting behind its own turns
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
