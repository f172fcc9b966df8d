import '../../report/sample-result.js'
import { armThresholds } from '../../../src/studies/comparison/ab-thresholds.js'
import { compare } from '../../../src/studies/comparison/comparison.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { makePlan, sideOf } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/studies/comparison/ab-comparison.js').AbRead} AbRead
 * @typedef {import('../../../src/studies/comparison/ab-folder.js').AbDocument} AbDocument
 * @typedef {import('../../../src/studies/comparison/ab-comparison.js').AbComparison} AbComparison
 *
 * @typedef {object} AbShape
 * @property {number} [pairs]
 * @property {number} [slower] - p50 and p99 of B by this factor
 * @property {Partial<AbDocument>} [document]
 * @property {Partial<AbComparison>} [comparison]
 * @property {Partial<Record<'a' | 'b', Record<string, unknown>>>} [options] - of the plans
 * @property {import('../../../src/result/types.js').ThresholdResult[]} [thresholds] - of every run
 */

/** @param {number} factor @param {number} place @param {{ id: string } & Record<string, any>} parts */
function run(factor, place, { id, options, thresholds }) {
  // the machine scatters, and drifts a little
  const scatter = 1 + 0.02 * Math.sin(7 * place) + 0.001 * place
  const p50 = 12 * factor * scatter
  const REGISTER = operation({
    all: summary(5000, { p50: time(p50), p99: time(3.1 * p50 * scatter, { doubtful: place === 3 }) }),
    throughputPerSecond: 3000 / (1 + (factor - 1) / 2) / scatter,
    serverCpuMicrosPerOperation: 210 * scatter ** 2
  })
  return sampleResult({ options, outcome: { operations: { REGISTER }, thresholds }, result: { id } })
}

/**
 * abSample is what an ab folder holds, made up.
 *
 * @param {AbShape} [shape]
 * @returns {AbRead}
 */
export function abSample({
  pairs = 8,
  slower = 1.3,
  document,
  comparison,
  options = { a: {}, b: { inFlight: 8 } },
  thresholds = []
} = {}) {
  const ids = Array.from({ length: pairs }, (_, i) => String(i + 1).padStart(2, '0'))
  const results = ids.map((id, i) => ({
    a: run(1, 2 * i, { id: `ab-7-a${id}`, options: options.a, thresholds }),
    b: run(slower, 2 * i + 1, { id: `ab-7-b${id}`, options: options.b, thresholds })
  }))
  const sides = /** @type {AbRead['sides']} */ ([
    sideOf(
      'A plan.yaml',
      results.map(({ a }) => a)
    ),
    sideOf(
      'B --inFlight 8',
      results.map(({ b }) => b)
    )
  ])
  const planOf = (/** @type {Record<string, unknown> | undefined} */ given) =>
    /** @type {any} */ (makePlan(given ?? {}, { cores: 2 }).plan)
  return {
    document: {
      schemaVersion: 1,
      id: '20261120-0712-ab-7',
      status: 'complete',
      reason: null,
      startedAt: '2026-11-20T07:12:00.000Z',
      finishedAt: '2026-11-20T07:20:00.000Z',
      arms: {
        a: { label: 'plan.yaml', plan: planOf(options.a) },
        b: { label: '--inFlight 8', plan: planOf(options.b) }
      },
      failOn: [],
      baseline: null,
      held: null,
      pairs: ids.map(id => ({ a: `a/ab-7-a${id}`, b: `b/ab-7-b${id}` })),
      ...document
    },
    comparison: {
      ...compare(sides[0], sides[1], { alternated: true }),
      thresholds: armThresholds({ a: sides[0].results, b: sides[1].results }),
      baseline: null,
      ...comparison
    },
    sides
  }
}
