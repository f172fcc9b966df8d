import '../../src/kit/runtime.js'
import { makePlan } from '../scenarios.js'

/**
 * @typedef {import('../../src/report/schema.js').Result} Result
 * @typedef {import('../../src/report/schema.js').Summary} Summary
 * @typedef {import('../../src/report/schema.js').OperationResult} OperationResult
 * @typedef {import('../../src/report/schema.js').Percentile} Percentile
 */

/**
 * time is one figure of a distribution.
 *
 * @param {number} ms
 * @param {Partial<Pick<Percentile, 'censored' | 'overheadMs'>>} [more]
 * @returns {Percentile}
 */
export const time = (ms, more = {}) => ({ ms, censored: false, ...more })

/**
 * summary is a distribution of times.
 *
 * @param {number} count
 * @param {Partial<Summary>} [figures]
 * @returns {Summary}
 */
export const summary = (count, figures = {}) => ({
  count,
  avg: time(16.04),
  p50: time(15),
  p90: time(20.5),
  p95: time(22.22),
  p99: time(25.96),
  p999: null,
  max: time(26),
  ...figures
})

/**
 * operation is what was measured of one type.
 *
 * @param {Partial<OperationResult> & { all?: Summary }} [parts]
 * @returns {OperationResult}
 */
export const operation = ({ all = summary(500), ...parts } = {}) => ({
  count: 500,
  errors: 0,
  outcomes: { OK: 500 },
  throughputPerSecond: 249.6,
  rt: { all, ok: all },
  bytesPerReply: null,
  serverCpuMicrosPerOperation: null,
  histograms: {},
  ...parts
})

/** @type {import('../../src/report/schema.js').ServerResult} */
export const SERVER = {
  cpu: { averagePercent: 31.2, medianPercent: 42, maxPercent: 61, samples: 40 },
  memory: { averageBytes: 98e6, medianBytes: 98.4e6, maxBytes: 1_106e6, samples: 40 },
  memoryCountedAs: 'resident set',
  series: []
}

/**
 * sampleResult is a hand-made result.
 *
 * @param {object} [parts]
 * @param {Record<string, unknown>} [parts.options] - of its plan
 * @param {Partial<Result['outcome']>} [parts.outcome]
 * @param {Partial<Result>} [parts.result]
 * @param {Result['run']['warnings']} [parts.warnings]
 * @returns {Result}
 */
export function sampleResult({ options = {}, outcome = {}, result = {}, warnings = [] } = {}) {
  const { plan, problems } = makePlan(options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return {
    schemaVersion: 2,
    id: '20261120-0712-rendezvous-1',
    scenario: 'rendezvous',
    status: 'complete',
    reason: null,
    plan,
    outcome: {
      target: {
        kind: 'process',
        chosenBy: null,
        multiaddr: '/ip4/127.0.0.1/tcp/8000',
        container: null,
        settings: {}
      },
      operations: { REGISTER: operation() },
      warmUp: null,
      measuredMs: 2000,
      perSecond: [],
      server: SERVER,
      registrations: { before: null, after: null, namespaces: null },
      lookUp: null,
      thresholds: [],
      faults: [],
      soak: null,
      secondsPerPoint: 1,
      ...outcome
    },
    run: {
      startedAt: '2026-11-20T07:12:00.000Z',
      finishedAt: '2026-11-20T07:12:20.000Z',
      phases: [],
      machine: {
        platform: 'linux',
        arch: 'x64',
        cpu: 'some',
        cores: 2,
        memoryBytes: 8e9,
        loadAverage: [0, 0, 0]
      },
      versions: { node: '20.20.2' },
      health: [],
      warnings
    },
    ...result
  }
}

/**
 * collector is a stream that keeps what is written.
 *
 * @returns {import('../../src/cli/terminal.js').Stream & { text(): string }}
 */
export function collector() {
  let text = ''
  const stream = {
    write(/** @type {string} */ chunk) {
      text += chunk
      return true
    },
    on: () => stream,
    text: () => text
  }
  return /** @type {any} */ (stream)
}
