import '../../report/sample-result.js'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import { compareAllSides } from '../../../src/studies/compare/comparison.js'
import { histogramOf } from '../../measure/samples.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { makePlan, sideOf } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/studies/compare/comparison.js').Comparison} Comparison
 * @typedef {import('../../../src/studies/compare/comparison-document.js').ComparisonDocument} ComparisonDocument
 *
 * @typedef {object} Shape
 * @property {number} [runs] - of each side
 * @property {readonly number[]} [slower] - p50 and p99 of each further side by this factor
 * @property {Partial<ComparisonDocument>} [document]
 * @property {Partial<Comparison>} [comparison]
 * @property {readonly Record<string, unknown>[]} [options] - of the plans
 * @property {import('../../../src/report/schema.js').ThresholdResult[]} [thresholds] - of every run
 */

const LABELS = ['plan.yaml', '--inFlight 8', '--inFlight 16']
const OPTIONS = [{}, { inFlight: 8 }, { inFlight: 16 }]

/** @param {number} factor @param {number} place @param {{ id: string } & Record<string, any>} parts */
function run(factor, place, { id, options, thresholds }) {
  // the machine scatters, and drifts a little
  const scatter = 1 + 0.02 * Math.sin(7 * place) + 0.001 * place
  const p50 = 12 * factor * scatter
  const REGISTER = operation({
    all: summary(5000, { p50: time(p50), p99: time(3.1 * p50 * scatter) }),
    histograms: { OK: encodeHistogram(histogramOf([1, 2, 3, 5, 9].map(ms => Math.round(1000 * ms * p50)))) },
    throughputPerSecond: 3000 / (1 + (factor - 1) / 2) / scatter,
    serverCpuMicrosPerOperation: 210 * scatter ** 2
  })
  return sampleResult({ options, outcome: { operations: { REGISTER }, thresholds }, result: { id } })
}

/**
 * comparisonSample is what the folder of a comparison holds, made up.
 *
 * @param {Shape} [shape]
 * @returns {{ document: ComparisonDocument, comparison: Comparison }}
 */
export function comparisonSample({
  runs = 8,
  slower = [1.3],
  document,
  comparison,
  options = OPTIONS,
  thresholds = []
} = {}) {
  const numbers = Array.from({ length: runs }, (_, i) => String(i + 1).padStart(2, '0'))
  const factors = [1, ...slower]
  const idOf = (/** @type {number} */ place, /** @type {string} */ number) => `ab-7-${'abc'[place]}${number}`
  const sides = factors.map((factor, place) => ({
    ...sideOf(
      LABELS[place],
      numbers.map((number, i) =>
        run(factor, factors.length * i + place, {
          id: idOf(place, number),
          options: options[place],
          thresholds
        })
      )
    ),
    study: 'results/x'
  }))
  return {
    document: {
      ...{ schemaVersion: 2, id: '20261120-0712-ab-7', status: 'complete', reason: null },
      ...{ startedAt: '2026-11-20T07:12:00.000Z', finishedAt: '2026-11-20T07:20:00.000Z' },
      sides: sides.map(({ label }, place) => ({
        label,
        plan: /** @type {any} */ (makePlan(options[place], { cores: 2 }).plan),
        runs: numbers.map(number => `${'abc'[place]}/${idOf(place, number)}`)
      })),
      ...{ failOn: [], baseline: null, held: null },
      ...document
    },
    comparison: { ...compareAllSides(sides), ...comparison }
  }
}
