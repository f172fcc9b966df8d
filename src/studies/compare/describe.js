// The description of a comparison.
import { enumerated, present } from '../../kit/collections.js'
import { counted, significant, UNITS, withUnit } from '../../kit/numbers.js'
import { differInStack } from '../../libp2p/stacks.js'
import { comparedIn } from '../../plan/threshold.js'
import { tuningOf } from '../../report/describe-run.js'
import { column, drawn, four, overlay, percent, percentiles, table } from '../../report/description.js'
import { pooledTimes } from '../../report/result-folder.js'
import { carriedOverTime } from '../qa/qa-document.js'
import { fittedTable, runWarnings } from '../study-views.js'
import { baselineLine, comparedFigures, LEVEL, SMALLEST_CHANGE, spreadsOf } from './comparison.js'
import { letterOf, wholePlaces } from './comparison-document.js'

/**
 * @typedef {import('./comparison.js').Against} Against
 * @typedef {import('./comparison.js').Comparison} Comparison
 * @typedef {import('./comparison.js').MetricComparison} MetricComparison
 */

/** A title within a sentence: an abbreviation keeps its capitals. @param {Pick<MetricComparison, 'figure'>} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** @param {MetricComparison} comparison */
function changed(comparison) {
  const percent = 100 * (Number(comparison.ratio) - 1)
  const size = Math.abs(percent)
  return `${nameOf(comparison)} ${size < 99.95 ? size.toFixed(1) : significant(size)} % ${percent > 0 ? 'higher' : 'lower'}`
}

/** How a side compares with the first one. @param {Against} against @param {string} letter */
function clause({ pairs, leastPairs, metrics }, letter) {
  const found = (/** @type {MetricComparison['verdict']} */ verdict) =>
    metrics.filter(metric => metric.verdict === verdict)
  const different = found('different')
  if (metrics.every(({ ratio }) => ratio === null)) return `A and ${letter} have no figure in common`
  if (pairs < leastPairs)
    return `too few runs to tell whether ${letter} differs from A: ${counted(pairs, 'pair')} of the ${leastPairs} needed`
  if (different.length > 0)
    return `compared with A, ${letter} has ${enumerated(different.map(changed))} (${counted(pairs, 'pair')} of runs)`
  const open = [...found('undecided'), ...found('not measured')]
  if (open.length === 0)
    return `A and ${letter} are the same within ${100 * SMALLEST_CHANGE} % (${counted(pairs, 'pair')} of runs)`
  return `${counted(pairs, 'pair')} of runs leave open whether A and ${letter} differ in ${enumerated(open.map(nameOf))}`
}

/** @param {Comparison} comparison @param {number} asked - runs */
function ofOneSide({ sides: [{ results }], spreads: [spreads] }, asked) {
  const complete = results.length === asked ? '' : `${results.length} of `
  const runs = `${complete}${counted(asked, 'run')} of one plan`
  if (spreads.length === 0) return runs
  const [{ figure, spread }] = spreads
  const unit = figure.unit ?? UNITS[figure.quantity].own
  const written = (/** @type {number} */ value) => withUnit(value, unit)
  return `${runs}: median ${nameOf({ figure })} ${written(spread.median)}, from ${written(spread.least)} to ${written(spread.most)}`
}

/** Which sides are libp2p as published, where sides differ in it or in its generation. @param {Comparison} comparison @returns {string[]} */
function stockWords({ sides }) {
  const plans = sides.map(({ results }) => /** @type {any} */ (results[0].plan))
  const words = plans.map(tuningOf)
  const isSame = words.every(word => word === words[0])
  if (!('stock' in sides[0].scenario.options) || (isSame && !differInStack(plans))) return []
  // stacks are not tuned alike: what one is changed in, another may have as it is
  if (isSame && words[0] === 'tuned') return ['tuned, and stacks are not tuned alike: see --stock']
  return isSame
    ? [`${words[0]} on ${sides.length === 2 ? 'both' : 'all'} sides`]
    : [words.map((word, place) => `${letterOf(place)} ${word}`).join(', ')]
}

/**
 * comparisonHeadline says in one sentence what a comparison showed.
 *
 * @param {Comparison} comparison
 * @param {import('./comparison-document.js').ComparisonDocument | null} document - of its study
 */
function comparisonHeadline(comparison, document) {
  const { against, sides, baseline } = comparison
  const clauses =
    against.length === 0
      ? [ofOneSide(comparison, document?.sides[0].runs.length ?? sides[0].results.length)]
      : against.map((each, i) => clause(each, letterOf(i + 1)))
  const text = [
    ...clauses,
    ...stockWords(comparison),
    ...(baseline === null ? [] : [baselineLine(baseline)])
  ].join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('./comparison.js').Spreading} Spreading
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('../../report/description.js').DescribedRun} DescribedRun
 */

/** @template Row @typedef {import('../../report/description.js').ColumnOf<Row>} ColumnOf */

/** More rows of differences are for the page. */
const MAX_DIFFERENCES = 5

/** A figure with its unit. @param {Figure} figure */
const inUnit = ({ title, unit, quantity }) => [title, unit ?? UNITS[quantity].own].filter(Boolean).join(', ')

/** What is counted in whole numbers is written so. @param {number} value @param {boolean} atLeast @param {Figure} figure @returns {Cell} */
const cellOf = (value, atLeast, { quantity }) =>
  atLeast
    ? { atLeast: value }
    : quantity === 'number' && Number.isInteger(value)
      ? { value, kind: 'count' }
      : value

/** The median of a figure over the runs of a side. @param {readonly Spreading[]} spreads @param {Figure} figure @returns {Cell} */
function medianCell(spreads, figure) {
  const found = spreads.find(each => each.figure.name === figure.name)
  return found === undefined ? null : cellOf(found.spread.median, found.atLeast, figure)
}

/** @type {Readonly<Record<MetricComparison['verdict'], string>>} */
const VERDICTS = {
  different: 'different',
  'same within 5 %': 'same',
  undecided: 'undecided',
  'too few runs to tell': 'too few runs',
  'not measured': 'no data'
}

/** Whether a difference is for the better. @param {MetricComparison} metric */
function verdictCell({ verdict, ratio, figure: { better } }) {
  if (verdict !== 'different' || ratio === null || better === null) return VERDICTS[verdict]
  return (better === 'higher') === ratio > 1 ? 'better' : 'worse'
}

/** @param {Against | undefined} against */
const methodNote = against =>
  against !== undefined &&
  `Better or worse: changed by more than ${100 * SMALLEST_CHANGE} % and p < ${LEVEL} (Holm). Same: the 90 % interval lies within ${100 * SMALLEST_CHANGE} %. Change: Hodges–Lehmann estimate over ${counted(against.pairs, 'pair')} of runs, with its 95 % interval and p by an exact sign-flip test.`

/** A row for each figure and side. @param {Comparison} comparison @returns {DescribedTable} */
function comparisonTable({ spreads, against }) {
  const several = against.length > 1
  const rows = against.flatMap(({ metrics }, i) => metrics.map(metric => ({ metric, place: i + 1 })))
  const note = methodNote(against.find(({ pairs, leastPairs }) => pairs >= leastPairs))
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Figure', ({ metric: { figure } }) => inUnit(figure), 'text'],
    ...(several ? /** @type {typeof columns} */ ([['Side', ({ place }) => letterOf(place), 'text']]) : []),
    ['A', ({ metric }) => medianCell(spreads[0], metric.figure), 'number'],
    [several ? 'Value' : 'B', ({ metric, place }) => medianCell(spreads[place], metric.figure), 'number'],
    ['Change %', ({ metric }) => changePercent(metric.ratio), 'percent'],
    ['Low', ({ metric }) => changePercent(metric.interval?.low), 'percent'],
    ['High', ({ metric }) => changePercent(metric.interval?.high), 'percent'],
    ['Verdict', ({ metric }) => verdictCell(metric), 'text'],
    ['p', ({ metric }) => metric.p, 'number', 'wide'],
    ['p (Holm)', ({ metric }) => metric.adjustedP, 'number', 'wide'],
    ['Smallest change shown %', ({ metric }) => percent(metric.seen?.change), 'percent', 'wide'],
    ['More pairs', ({ metric }) => metric.seen?.more?.pairs, 'count', 'wide'],
    ['They would show %', ({ metric }) => percent(metric.seen?.more?.change), 'percent', 'wide']
  ]
  return fittedTable(table('comparison', 'Comparison', rows, columns, note ? { note } : {}), [
    ['Low', 'High']
  ])
}

/** How far the runs of each side lie apart. @param {readonly Side[]} sides @param {readonly Spreading[][]} spreads @param {{ id: string, title: string }} of */
function spreadTable(sides, spreads, { id, title }) {
  const rows = spreads[0].flatMap(({ figure: { name } }) =>
    spreads.flatMap((side, place) =>
      side.filter(({ figure }) => figure.name === name).map(spreading => ({ ...spreading, place }))
    )
  )
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Figure', ({ figure }) => inUnit(figure), 'text'],
    ...(sides.length === 1
      ? []
      : /** @type {typeof columns} */ ([['Side', ({ place }) => letterOf(place), 'text']])),
    ['Median', ({ spread, atLeast, figure }) => cellOf(spread.median, atLeast, figure), 'number'],
    ['Min', ({ spread, atLeast, figure }) => cellOf(spread.least, atLeast, figure), 'number'],
    ['Max', ({ spread, atLeast, figure }) => cellOf(spread.most, atLeast, figure), 'number'],
    ['Max ÷ min', ({ spread }) => (spread.least > 0 ? spread.most / spread.least : null), 'number'],
    [
      'Outliers',
      ({ spread: { outliers } }) => outliers.map(place => `run ${place + 1}`).join(', ') || null,
      'text',
      'wide'
    ],
    ['Drift %', ({ spread }) => changePercent(spread.drift), 'percent', 'wide']
  ]
  return table(id, title, rows, columns)
}

/** @param {readonly Side[]} sides @param {ComparisonDocument | null} document */
const sidesTable = (sides, document) =>
  table(
    'sides',
    'What is compared',
    sides.map((side, place) => ({ ...side, place, run: side.results[0].run })),
    [
      ['Side', ({ place }) => letterOf(place), 'text'],
      ['Runs of', ({ label }) => label, 'text'],
      ['Runs', ({ results }) => results.length, 'count'],
      ['Asked for', ({ place }) => document?.sides[place].runs.length, 'count', 'wide'],
      ['Date', ({ run }) => run.startedAt.slice(0, 10), 'text'],
      ['Version', ({ run }) => run.versions['libp2p-loadtest'], 'text', 'wide']
    ],
    { terminal: true }
  )

/** @param {unknown} value - of a plan, a machine or a version */
function shown(value) {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const GROUPS = { plan: 'Plan', machine: 'Machine', versions: 'Version' }

/** @param {readonly Against[]} against */
function differencesTable(against) {
  const rows = against.flatMap(({ differences }, i) =>
    Object.entries(GROUPS).flatMap(([group, of]) =>
      differences[/** @type {keyof typeof GROUPS} */ (group)].map(found => ({ ...found, of, place: i + 1 }))
    )
  )
  const several = against.length > 1
  return {
    ...table('differences', 'Differences', rows, [
      ['Of', ({ of }) => of, 'text'],
      ['Difference', ({ what }) => what, 'text'],
      ['A', ({ base }) => shown(base), 'text'],
      ['Side', ({ place }) => (several ? letterOf(place) : null), 'text'],
      [several ? 'Value' : 'B', ({ candidate }) => shown(candidate), 'text']
    ]),
    ...(rows.length <= MAX_DIFFERENCES ? { terminal: true } : {})
  }
}

/** Rules, those of a baseline included. @param {Comparison} comparison */
function rulesTable({ sides, against, baseline }) {
  const last = letterOf(sides.length - 1)
  const rows = [
    ...against.flatMap(({ rules }, i) => rules.map(rule => ({ ...rule, side: letterOf(i + 1), to: 'A' }))),
    ...(baseline?.rules ?? []).map(rule => ({ ...rule, side: last, to: 'baseline' }))
  ]
  return {
    ...table('rules', 'Rules', rows, [
      ['Rule', ({ text }) => text, 'text'],
      ['Side', ({ side }) => side, 'text'],
      ['Against', ({ to }) => to, 'text'],
      ['Verdict', ({ verdict }) => verdict, 'text'],
      ['Change %', ({ ratio }) => changePercent(ratio), 'percent'],
      ['Low', ({ interval }) => changePercent(interval?.low), 'percent'],
      ['High', ({ interval }) => changePercent(interval?.high), 'percent'],
      ['Why', ({ why }) => why, 'text', 'wide'],
      ['Smallest change shown %', ({ seen }) => percent(seen?.change), 'percent', 'wide'],
      ['More pairs', ({ seen }) => seen?.more?.pairs, 'count', 'wide'],
      ['They would show %', ({ seen }) => percent(seen?.more?.change), 'percent', 'wide']
    ]),
    terminal: true
  }
}

/** @param {Comparison['thresholds']} thresholds */
const thresholdsTable = thresholds => ({
  ...table('thresholds-of-runs', 'Thresholds', thresholds, [
    ['Threshold', ({ text }) => text, 'text'],
    ['Side', ({ side }) => side, 'text'],
    ['Verdict', ({ runs, passed }) => (passed < runs ? 'FAIL' : 'PASS'), 'text'],
    ['Runs passed', ({ passed }) => passed, 'count'],
    ['Runs', ({ runs }) => runs, 'count']
  ]),
  terminal: true
})

/** Every run with the figures that decide. @param {readonly Side[]} sides @param {ComparisonDocument | null} document @returns {DescribedTable} */
function runsTable(sides, document) {
  const [{ scenario, results }] = sides
  const figures = comparedIn(scenario.compared, results[0].plan)
  const whole = document === null ? null : wholePlaces(document)
  const rows = sides.flatMap(({ results }, place) =>
    results.map((result, i) => {
      const at = whole?.[i] ?? i
      const folder = document?.sides[place].runs[at] ?? result.id
      return { at, place, folder, values: comparedFigures(result, figures) }
    })
  )
  return table(
    'runs',
    'Every run',
    rows.sort((a, b) => a.at - b.at || a.place - b.place),
    [
      ['Run', ({ folder }) => folder, 'text'],
      ['Number', ({ at }) => at + 1, 'count'],
      ['Side', ({ place }) => letterOf(place), 'text'],
      ...figures.map(figure =>
        column(
          inUnit(figure),
          (/** @type {typeof rows[number]} */ { values: { [figure.name]: value } }) =>
            value && cellOf(value.value, value.atLeast, figure),
          'number'
        )
      )
    ]
  )
}

/** A process and a container count memory differently. @param {Against} against */
const memoryDiffers = ({ differences: { machine } }) => machine.some(({ what }) => what === 'server in')

/** All figures that a run of every side has: medians, and how they changed. @param {Comparison} comparison */
function allFiguresTable({ sides, against }) {
  const all = sides.map(({ results, scenario }) => spreadsOf(results, scenario.figures))
  if (sides.length === 1) return spreadTable(sides, all, { id: 'all-figures', title: 'All figures' })
  const median = (/** @type {number} */ place, /** @type {Figure} */ { name }) =>
    all[place].find(({ figure }) => figure.name === name)?.spread.median ?? null
  const rows = sides[0].scenario.figures.filter(figure =>
    all.some((_, place) => median(place, figure) !== null)
  )
  const isDifferent = against.some(memoryDiffers)
  return {
    ...table('all-figures', 'All figures', rows, [
      ['Figure', inUnit, 'text'],
      ...sides.flatMap((_, place) => {
        /** @type {ColumnOf<Figure>[]} */
        const columns = [[letterOf(place), figure => medianCell(all[place], figure), 'number']]
        const ratio = (/** @type {Figure} */ figure) => {
          const [base, own] = [median(0, figure), median(place, figure)]
          if (isDifferent && figure.quantity === 'memory') return null
          return base === null || own === null || base <= 0 ? null : own / base
        }
        return place === 0
          ? columns
          : [...columns, /** @type {ColumnOf<Figure>} */ ([`${letterOf(place)} ÷ A`, ratio, 'number'])]
      })
    ]),
    ...(isDifferent
      ? { note: 'Memory of a process (resident set) and of a container count differently: no ratio.' }
      : {})
  }
}

/** Where what was carried in a second changed during a run. @param {readonly Side[]} sides */
const slopesTable = sides =>
  table(
    'throughput-changes',
    'Changes of throughput',
    sides.flatMap(({ results: [result] }, place) => {
      const { slope } = carriedOverTime(result)
      return slope === null ? [] : [{ place, slope }]
    }),
    [
      ['Side', ({ place }) => letterOf(place), 'text'],
      ['After s', ({ slope }) => slope.at, 's'],
      ['Before, in a second', ({ slope }) => slope.before, 'number'],
      ['From then on', ({ slope }) => slope.after, 'number']
    ],
    { note: 'Of the first run of each side: the slope of what was carried since the start of the run.' }
  )

/** @param {Comparison} comparison @returns {DescribedWarning[]} */
const warningsOf = ({ sides, spreads, against }) =>
  present([
    against.some(({ differences: { machine } }) => machine.length > 0) && {
      code: 'OTHER_MACHINE',
      text: 'The runs are from different machines: differences may come from the machines.'
    },
    against.some(({ alternated, pairs, leastPairs }) => !alternated && pairs >= leastPairs) && {
      code: 'NOT_ALTERNATED',
      text: 'The runs of the sides did not take turns: a drift of the machine counts as a difference.'
    },
    ...spreads.flatMap((side, place) =>
      side.flatMap(({ figure: { title }, spread: { outliers, drift } }) => {
        const whose = sides.length === 1 ? title : `${letterOf(place)}, ${title}`
        return present([
          drift !== null && {
            code: 'DRIFT',
            text: `${whose} drifts by ${Number(changePercent(drift)).toFixed(1)} % from the first run to the last.`
          },
          outliers.length > 0 && {
            code: 'OUTLIER',
            text: `${whose}: far from the other runs: ${outliers.map(place => `run ${place + 1}`).join(', ')}.`
          }
        ])
      })
    ),
    ...runWarnings(sides.flatMap(({ results }) => results))
  ])

/** @param {Comparison} comparison @returns {Description['tiles']} */
const tilesOf = ({ against: [first], spreads }) =>
  first === undefined
    ? spreads[0].map(({ figure, spread: { median }, atLeast }) => [
        `Median of ${inUnit(figure)}`,
        cellOf(median, atLeast, figure),
        'number'
      ])
    : first.metrics.map(({ figure, ratio }) => [`${figure.title}, change`, changePercent(ratio), 'percent'])

/**
 * runsToDescribe are the runs whose plots are laid over each other: of each side the one in the middle by the first figure that decides.
 *
 * @param {Pick<Comparison, 'sides'>} comparison
 */
export const runsToDescribe = ({ sides }) =>
  sides.map(({ label, results, scenario }, place) => {
    const [figure] = comparedIn(scenario.compared, results[0].plan)
    const deciding = (/** @type {Side['results'][number]} */ result) =>
      figure === undefined ? 0 : (comparedFigures(result, [figure])[figure.name]?.value ?? 0)
    const ascending = results.toSorted((a, b) => deciding(a) - deciding(b))
    return {
      label: sides.length === 1 ? label : `${letterOf(place)} ${label}`,
      result: ascending[Math.floor((ascending.length - 1) / 2)],
      scenario
    }
  })

/**
 * describeComparison describes a comparison of runs: of several plans (`ab`, `compare`), or of one that was repeated (`--runs`).
 *
 * @param {Comparison} comparison
 * @param {{ document?: ComparisonDocument | null, runs?: readonly DescribedRun[] }} [of] - `document`: of its study; `runs`: those of
 *   `runsToDescribe`, described
 * @returns {Description}
 */
export function describeComparison(comparison, { document = null, runs = [] } = {}) {
  const { sides, spreads, against, thresholds } = comparison
  const alone = sides.length === 1
  const repeated = sides.some(({ results }) => results.length > 1)
  const first = alone
    ? spreadTable(sides, spreads, { id: 'repetition', title: 'Repeated runs' })
    : comparisonTable(comparison)
  const tables = [
    first,
    ...(alone ? [] : [sidesTable(sides, document), differencesTable(against)]),
    rulesTable(comparison),
    thresholdsTable(thresholds),
    ...(repeated && !alone
      ? [spreadTable(sides, spreads, { id: 'spread', title: 'Spread of the runs' })]
      : []),
    allFiguresTable(comparison),
    runsTable(sides, document),
    slopesTable(sides)
  ]
  return {
    title: alone ? `Repeated runs: ${sides[0].label}` : sides.map(({ label }) => label).join(' against '),
    headline: comparisonHeadline(comparison, document),
    tiles: tilesOf(comparison).slice(0, 4),
    tables: tables.filter(({ rows }) => rows.length > 0),
    plots: comparisonPlots(comparison, runs),
    warnings: warningsOf(comparison)
  }
}

/**
 * @typedef {import('../../report/schema.js').Plot} Plot
 */

/**
 * changePercent is how far a ratio is from 1, in %.
 *
 * @param {number | null | undefined} ratio
 * @returns {number | null} null: nothing bounds it
 */
const changePercent = ratio =>
  ratio == null || ratio === 0 || !Number.isFinite(ratio) ? null : 100 * (ratio - 1)

const OF_SEVERAL = 'Of each side the run in the middle.'

/** Pairs by what is known of them. @param {MetricComparison} metric @param {string} letter */
function pairSeries({ pairs }, letter) {
  const points = pairs.flatMap(({ base, candidate }, i) =>
    base !== null && candidate !== null && base.value > 0 && candidate.value > 0
      ? [{ at: i + 1, value: 100 * (candidate.value / base.value - 1), base, candidate }]
      : []
  )
  const kinds = /** @type {const} */ ([
    ['pair of runs', false, false],
    [`at least: operations of ${letter} had no reply`, false, true],
    ['at most: operations of A had no reply', true, false],
    ['not bounded', true, true]
  ])
  return kinds.flatMap(([label, ofBase, ofCandidate]) => {
    const those = points.filter(
      ({ base, candidate }) => base.atLeast === ofBase && candidate.atLeast === ofCandidate
    )
    return those.length === 0
      ? []
      : [
          {
            label,
            style: /** @type {const} */ ('points'),
            values: those.map(({ at, value }) => [at, four(value)])
          }
        ]
  })
}

/** How a figure changed from the first side, pair by pair. @param {MetricComparison} metric @param {string} letter @returns {Plot[]} */
function changePlot(metric, letter) {
  const { figure, pairs, ratio, interval } = metric
  const points = pairSeries(metric, letter)
  const estimate = changePercent(ratio)
  if (estimate === null || points.length === 0) return []
  const limit = 100 * SMALLEST_CHANGE
  const most = 1.1 * Math.max(limit, ...points.flatMap(({ values }) => values.map(([, y]) => Math.abs(y))))
  const band = interval && [changePercent(interval.low) ?? -most, changePercent(interval.high) ?? most]
  return [
    {
      id: `change-${letter}-${metric.metric.replace(/([a-z])([A-Z])/g, '$1-$2')}`
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
      title: `${figure.title}: change from A to ${letter}`,
      kind: 'lines',
      ...(figure.better && { note: `${figure.better === 'higher' ? 'Higher' : 'Lower'} is better.` }),
      x: 'Pair of runs, in the order of time',
      y: 'Change, %',
      series: present([
        band && {
          label: '95 % interval',
          style: /** @type {const} */ ('area'),
          values: [0.5, pairs.length + 0.5].map(at => [at, ...[estimate, ...band].map(four)])
        },
        ...points
      ]),
      marks: [
        { y: four(estimate), label: 'estimate' },
        { y: limit, label: `+${limit} %` },
        { y: -limit, label: `−${limit} %` }
      ]
    }
  ]
}

/** The times of all runs of a side together. @param {readonly Side[]} sides @returns {Plot[]} */
function timesPlot(sides) {
  const { times } = sides[0].scenario.compared
  if (times === undefined) return []
  const series = sides.flatMap(({ label, results }, place) => {
    const { all } = pooledTimes(results.flatMap(({ outcome }) => times.of(outcome)))
    return percentiles(sides.length === 1 ? label : `${letterOf(place)} ${label}`, all)
  })
  return drawn({
    ...{ id: 'times-by-percentile', title: `${times.title} by percentile`, kind: 'lines' },
    note: 'All runs of a side together.',
    x: `${times.what} that took no longer, %`,
    y: `${times.title}, ms`,
    ...{ nines: true, logY: true, series }
  })
}

/**
 * comparisonPlots draw how figures changed, pair by pair, and the times of each side. The best plot is a figure that changed; else the times.
 *
 * @param {Pick<import('./comparison.js').Comparison, 'sides' | 'against'>} comparison
 * @param {readonly DescribedRun[]} runs - one of each side
 * @returns {Plot[]}
 */
function comparisonPlots({ sides, against }, runs) {
  const changes = against.flatMap(({ metrics }, i) =>
    metrics
      .toSorted((a, b) => Number(b.verdict === 'different') - Number(a.verdict === 'different'))
      .flatMap(metric => changePlot(metric, letterOf(i + 1)))
  )
  const [best, ...others] = [...changes, ...timesPlot(sides)]
  const overlaid = sides.every(({ results }) => results.length === 1)
    ? overlay(runs)
    : overlay(runs).map(plot => ({ ...plot, note: [plot.note, OF_SEVERAL].filter(Boolean).join(' ') }))
  return best === undefined ? overlaid : [{ ...best, main: true }, ...others, ...overlaid]
}
