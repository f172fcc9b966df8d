import { median } from '../../../kit/median.js'
import { MISSING, significant } from '../../../kit/numbers.js'

/**
 * @typedef {import('../result/conditions.js').Condition} Condition
 * @typedef {import('../result/judge-measures.js').MeasureVerdict} MeasureVerdict
 * @typedef {import('../result/measures.js').MeasureName} MeasureName
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** @param {number} x - 0 or above */
const share = x => `${(100 * x).toFixed(1)} %`
/** @param {number} x - |ln of a ratio| */
const factor = x => `× ${Math.exp(x).toFixed(3)}`
/** @param {number} x - in units of the latency of a link */
const inL = x => `${x.toFixed(3)} L`

/** @type {Readonly<Record<MeasureName, { title: string, distance: (x: number) => string }>>} */
const MEASURE_WORDS = {
  latency: { title: 'Latency, in L', distance: share },
  median: { title: 'Median latency, in L', distance: inL },
  hops: { title: 'Hops of deliveries', distance: share },
  meshDegrees: { title: 'Mesh degree', distance: share },
  duplicates: { title: 'Duplicates per delivery', distance: factor },
  rpcs: { title: 'RPCs per delivery', distance: factor },
  control: { title: 'Control messages per delivery', distance: factor },
  bytes: { title: 'Bytes per delivery', distance: factor }
}

/** measureTitle names a measure. @param {MeasureName} name */
export const measureTitle = name => MEASURE_WORDS[name].title

/** Median, least and most of runs. @param {number[]} figures */
function spread(figures) {
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map(figure => significant(figure))
  const middle = significant(median(figures))
  return least === most ? middle : `${middle} (${least}–${most})`
}

/** @param {boolean} passed */
const verdictCell = passed => (passed ? '✓' : '✗ no')

/** MEASURE_NOTES say how the table of measures is read. */
export const MEASURE_NOTES = [
  'Figures are means of a run, and medians of a run where it says so: median of all runs, with the least and the most.',
  'Distances: of latencies the Kolmogorov–Smirnov distance, where a tenth of L counts as no difference; of hops and mesh degrees the total variation; of all others the factor between two runs.',
  'Distance: from a real to a simulated run, on average. Between real runs: from one to another, on average. Allowed: the largest between two real runs, and a quarter more.',
  'By chance: how often runs split into two groups at random are as far apart. What is beyond the allowed distance and not a matter of chance, in less than 1 % of all splits, does not agree.'
]

/**
 * measureTable has a row for everything that is compared.
 *
 * @param {readonly MeasureVerdict[]} measures
 * @returns {Table}
 */
export const measureTable = measures => ({
  headings: [
    'Measure',
    'Real',
    'Simulated',
    'Distance',
    'Between real runs',
    'Allowed',
    'By chance',
    'Agrees'
  ],
  align: ['l', 'r', 'r', 'r', 'r', 'r', 'r', 'l'],
  rows: measures.map(({ name, real, simulated, distance, between, yardstick, p, passed }) => {
    const { title, distance: inWords } = MEASURE_WORDS[name]
    const distances = [distance, between, yardstick].map(inWords)
    return [title, spread(real), spread(simulated), ...distances, share(p), verdictCell(passed)]
  })
})

/** @type {Readonly<Record<Condition['name'], { title: string, figure: (x: number) => string, limit: (x: number) => string, remedy: string }>>} */
const CONDITION_WORDS = {
  links: {
    title: 'CPU time of a delivery',
    figure: x => `${significant(x)} ms`,
    limit: x => `at most L / 20: ${significant(x)} ms`,
    remedy: 'raise --linkLatency'
  },
  hops: {
    title: 'What a hop takes beyond L',
    figure: x => `${significant(Math.max(0, x))} ms`,
    limit: x => `at most L / 20: ${significant(x)} ms`,
    remedy: 'raise --linkLatency, or leave the machine to it'
  },
  load: {
    title: 'CPU of the busiest process',
    figure: x => `${significant(x)} %`,
    limit: x => `at most ${x} %: a quarter of what it carries`,
    remedy: 'lower --rate'
  },
  delivered: {
    title: 'Delivered, at least',
    figure: x => `${significant(100 * x)} %`,
    limit: () => '100 %',
    remedy: 'see why in the reports of the real runs'
  },
  mesh: {
    title: 'Runs without a formed mesh',
    figure: x => String(x),
    limit: x => String(x),
    remedy: 'raise --warmupTimeout'
  }
}

/**
 * conditionTable has a row for each condition of a comparison.
 *
 * @param {readonly Condition[]} conditions
 * @returns {Table}
 */
export const conditionTable = conditions => ({
  headings: ['Condition of the real runs', 'Worst run', 'Must be', 'Met'],
  align: ['l', 'r', 'l', 'l'],
  rows: conditions.map(({ name, figure, limit, met }) => {
    const words = CONDITION_WORDS[name]
    return [
      words.title,
      figure === null ? MISSING : words.figure(figure),
      words.limit(limit),
      met ? '✓' : `✗ no: ${words.remedy}`
    ]
  })
})
