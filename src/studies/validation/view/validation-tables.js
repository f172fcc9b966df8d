import { median } from '../../../kit/median.js'
import { MISSING, significant } from '../../../kit/numbers.js'

/**
 * @typedef {import('../result/conditions.js').Condition} Condition
 * @typedef {import('../result/counter-checks.js').CounterCheck} CounterCheck
 * @typedef {import('../result/judge-measures.js').MeasureVerdict} MeasureVerdict
 * @typedef {import('../result/measures.js').MeasureName} MeasureName
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** @type {Readonly<Record<MeasureName, string>>} */
const TITLES = {
  p50: 'p50 of latency, in L',
  p99: 'p99 of latency, in L',
  hops: 'Hops of deliveries',
  meshDegrees: 'Mesh degree',
  duplicates: 'Duplicates per delivery',
  rpcs: 'RPCs per delivery',
  control: 'Control messages per delivery',
  bytes: 'Bytes per delivery',
  goodput: 'Goodput of a connection, kB/s'
}

/** measureTitle names a measure. @param {MeasureName} name */
export const measureTitle = name => TITLES[name]

/** Median, least and most of runs. @param {number[]} figures */
function spread(figures) {
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map(figure => significant(figure))
  const middle = significant(median(figures))
  return least === most ? middle : `${middle} (${least}–${most})`
}

const VERDICTS = { agrees: '✓ agrees', differs: '✗ differs', undecided: 'undecided' }

/**
 * moreRuns says how many more runs would decide a measure.
 *
 * @param {Pick<MeasureVerdict, 'more'>} measure
 */
export const moreRuns = ({ more }) =>
  more === null ? 'no thousand runs would decide it' : `${more} more ${more === 1 ? 'run' : 'runs'} needed`

/** MEASURE_NOTES say how the table of measures is read. */
export const MEASURE_NOTES = [
  'Figures are those of a run: median of all runs, with the least and the most. Hops and mesh degree are means.',
  'Ratio: simulated to real, run by run with the same seed, with its 90 % interval. Inside the margin, which was fixed beforehand, it agrees (of 10 seeds at least); outside it differs; else it is undecided, which is not passed.',
  'Goodput of a connection that loses 1 % of its segments is held against the formula of Mathis et al., not against a real one.'
]

/** @param {number} ratio */
const written = ratio => ratio.toFixed(3)

/**
 * measureTable has a row for everything that is compared.
 *
 * @param {readonly MeasureVerdict[]} measures
 * @returns {Table}
 */
export const measureTable = measures => ({
  headings: ['Measure', 'Real', 'Simulated', 'Ratio', '90 % interval', 'Margin', 'Verdict'],
  align: ['l', 'r', 'r', 'r', 'r', 'r', 'l'],
  rows: measures.map(measure => {
    const { name, real, simulated, ratio, interval, margin, verdict } = measure
    return [
      TITLES[name],
      spread(real),
      spread(simulated),
      ratio === null ? MISSING : written(ratio),
      interval === null ? MISSING : `${written(interval.low)} … ${written(interval.high)}`,
      `± ${(100 * margin).toFixed(1)} %`,
      verdict === 'undecided' ? `${VERDICTS.undecided}: ${moreRuns(measure)}` : VERDICTS[verdict]
    ]
  })
})

/** @type {Readonly<Record<CounterCheck['what'], string>>} */
const WRONG = {
  latency: 'a simulation whose links are 10 % slower',
  loss: 'a connection that loses twice as much'
}

/**
 * counterSentences say whether a simulation that is wrong is noticed.
 *
 * @param {readonly CounterCheck[]} counter
 * @returns {string[]}
 */
export const counterSentences = counter =>
  counter.map(({ what, verdict }) =>
    verdict === 'differs'
      ? `Counter-check: ${WRONG[what]} differs, as it should.`
      : `Counter-check: ${WRONG[what]} is not noticed, so that nothing here is shown.`
  )

/** @type {Readonly<Record<Condition['name'], { title: string, figure: (x: number) => string, limit: (x: number) => string, remedy: string }>>} */
const CONDITION_WORDS = {
  links: {
    title: 'CPU time of a delivery',
    figure: x => `${significant(x)} ms`,
    limit: x => `at most L / 20: ${significant(x)} ms`,
    remedy: 'raise --linkLatency'
  },
  hops: {
    title: 'What a hop takes beyond its link',
    figure: x => `${significant(Math.max(0, x))} ms`,
    limit: x => `at most L / 20: ${significant(x)} ms`,
    remedy: 'raise --linkLatency, or leave the machine to it'
  },
  machine: {
    title: 'Doubtful runs',
    figure: x => String(x),
    limit: x => String(x),
    remedy: 'see why in their reports; raise --linkLatency, or leave the machine to it'
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
    remedy: 'see why in the reports of the runs'
  },
  mesh: {
    title: 'Runs without a formed mesh',
    figure: x => String(x),
    limit: x => String(x),
    remedy: 'raise --warmupTimeout'
  }
}

/** conditionTitle names a condition. @param {Condition['name']} name */
export const conditionTitle = name => CONDITION_WORDS[name].title

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
