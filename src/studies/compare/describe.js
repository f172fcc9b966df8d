// Makes the headline, tables and overlaid plots of a comparison of runs (`ab`, `compare`, `--runs`).
import { joinWords, omitMissing } from '../../kit/collections.js'
import { capitalize, formatCount, formatSignificant, formatWithUnit, UNITS } from '../../kit/numbers.js'
import { hasSeveralStacks } from '../../libp2p/stacks.js'
import { listComparedFigures } from '../../plan/threshold.js'
import { describeTuning } from '../../report/describe-run.js'
import {
  keepPlotWithSeries,
  makeColumn,
  makePercentileCurve,
  makeSlug,
  makeTable,
  overlayPlots,
  roundToFourDigits,
  toPercent
} from '../../report/description.js'
import { poolTimes } from '../../report/result-folder.js'
import { isSimulated } from '../../scenarios/network-options.js'
import { accumulateThroughput } from '../qa/qa-document.js'
import { collectRunWarnings, fitTable } from '../study-views.js'
import {
  describeBaselineVerdict,
  MIN_CHANGE,
  measureSpreads,
  readComparedFigures,
  SIGNIFICANCE_LEVEL
} from './comparison.js'
import { findCompletePairs, sideLetter } from './comparison-document.js'

/**
 * @typedef {import('./comparison.js').SideComparison} SideComparison
 * @typedef {import('./comparison.js').Comparison} Comparison
 * @typedef {import('./comparison.js').MetricComparison} MetricComparison
 */

/** The title of a figure within a sentence; an abbreviation keeps its capitals. @param {Pick<MetricComparison, 'figure'>} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** @param {MetricComparison} comparison */
function changed(comparison) {
  const percent = 100 * (Number(comparison.ratio) - 1)
  const size = Math.abs(percent)
  return `${nameOf(comparison)} ${size < 99.95 ? size.toFixed(1) : formatSignificant(size)} % ${percent > 0 ? 'higher' : 'lower'}`
}

/** How a side compares with the first one. @param {SideComparison} against @param {string} letter */
function clause({ pairs, leastPairs, metrics }, letter) {
  const metricsOf = (/** @type {MetricComparison['verdict']} */ verdict) =>
    metrics.filter(metric => metric.verdict === verdict)
  const different = metricsOf('different')
  const pairsOfRuns = `${formatCount(pairs, 'pair')} of runs`
  if (metrics.every(({ ratio }) => ratio === null)) return `A and ${letter} have no figure in common`
  if (pairs < leastPairs)
    return `too few runs to tell whether ${letter} differs from A: ${formatCount(pairs, 'pair')} of the ${leastPairs} needed`
  if (different.length > 0)
    return `compared with A, ${letter} has ${joinWords(different.map(changed))} (${pairsOfRuns})`
  const open = [...metricsOf('undecided'), ...metricsOf('not measured')]
  if (open.length === 0) return `A and ${letter} are the same within ${100 * MIN_CHANGE} % (${pairsOfRuns})`
  return `${pairsOfRuns} leave open whether A and ${letter} differ in ${joinWords(open.map(nameOf))}`
}

/** @param {Comparison} comparison @param {number} planned - runs */
function repetitionClause({ sides: [{ results }], spreads: [spreads] }, planned) {
  const complete = results.length === planned ? '' : `${results.length} of `
  const runs = `${complete}${formatCount(planned, 'run')} of one plan`
  if (spreads.length === 0) return runs
  const [{ figure, spread }] = spreads
  const unit = figure.unit ?? UNITS[figure.quantity].own
  const written = (/** @type {number} */ value) => formatWithUnit(value, unit)
  return `${runs}: median ${nameOf({ figure })} ${written(spread.median)}, from ${written(spread.least)} to ${written(spread.most)}`
}

/** Which sides run libp2p as published, if sides differ in that or in the stack. @param {Comparison} comparison @returns {string[]} */
function stockClauses({ sides }) {
  const plans = sides.map(({ results }) => /** @type {any} */ (results[0].plan))
  const words = plans.map(describeTuning)
  const isSame = words.every(word => word === words[0])
  if (!('stock' in sides[0].scenario.options) || (isSame && !hasSeveralStacks(plans))) return []
  // our changes differ between stacks: what is changed in one may be a default of another
  if (isSame && words[0] === 'tuned') return ['tuned, and stacks are not tuned alike: see --stock']
  return isSame
    ? [`${words[0]} on ${sides.length === 2 ? 'both' : 'all'} sides`]
    : [words.map((word, place) => `${sideLetter(place)} ${word}`).join(', ')]
}

/**
 * comparisonHeadline says in one sentence what a comparison showed.
 *
 * @param {Comparison} comparison
 * @param {import('./comparison-document.js').ComparisonDocument | null} document - of its study
 */
function comparisonHeadline(comparison, document) {
  const { against, sides, baseline } = comparison
  const clauses = [
    ...(against.length === 0
      ? [repetitionClause(comparison, document?.sides[0].runs.length ?? sides[0].results.length)]
      : against.map((each, i) => clause(each, sideLetter(i + 1)))),
    ...stockClauses(comparison),
    ...(baseline === null ? [] : [describeBaselineVerdict(baseline)])
  ]
  return `${capitalize(clauses.join('; '))}.`
}

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('./comparison.js').FigureSpread} FigureSpread
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('../../report/description.js').DescribedRun} DescribedRun
 */

/** @template Row @typedef {import('../../report/description.js').ColumnOf<Row>} ColumnOf */

/** A terminal shows the table of differences up to this many rows; the page shows all. */
const MAX_DIFFERENCES = 5

/** The title of a figure with its unit. @param {Figure} figure */
const titleWithUnit = ({ title, unit, quantity }) =>
  [title, unit ?? UNITS[quantity].own].filter(Boolean).join(', ')

/** The value of a figure in a table. Counts are written without decimals. @param {number} value @param {boolean} atLeast @param {Figure} figure @returns {Cell} */
const cellOf = (value, atLeast, { quantity }) =>
  atLeast
    ? { atLeast: value }
    : quantity === 'number' && Number.isInteger(value)
      ? { value, kind: 'count' }
      : value

/** The median of a figure over the runs of a side. @param {readonly FigureSpread[]} spreads @param {Figure} figure @returns {Cell} */
function medianCell(spreads, figure) {
  const spread = spreads.find(each => each.figure.name === figure.name)
  return spread === undefined ? null : cellOf(spread.spread.median, spread.atLeast, figure)
}

/** @type {Readonly<Record<MetricComparison['verdict'], string>>} */
const VERDICTS = {
  different: 'different',
  'same within 5 %': 'same',
  undecided: 'undecided',
  'too few runs to tell': 'too few runs',
  'not measured': 'no data'
}

/** The verdict on a figure: whether a difference is better or worse. @param {MetricComparison} metric */
function verdictCell({ verdict, ratio, figure: { better } }) {
  if (verdict !== 'different' || ratio === null || better === null) return VERDICTS[verdict]
  return (better === 'higher') === ratio > 1 ? 'better' : 'worse'
}

/** Columns that say which changes a comparison could have detected. @type {ColumnOf<{ seen: MetricComparison['seen'] }>[]} */
const POWER_COLUMNS = [
  ['Smallest change shown %', ({ seen }) => toPercent(seen?.change), 'percent', 'wide'],
  ['More pairs', ({ seen }) => seen?.more?.pairs, 'count', 'wide'],
  ['They would show %', ({ seen }) => toPercent(seen?.more?.change), 'percent', 'wide']
]

/** Columns of a change with its interval. @type {ColumnOf<Pick<MetricComparison, 'ratio' | 'interval'>>[]} */
const CHANGE_COLUMNS = [
  ['Change %', ({ ratio }) => changePercent(ratio), 'percent'],
  ['Low', ({ interval }) => changePercent(interval?.low), 'percent'],
  ['High', ({ interval }) => changePercent(interval?.high), 'percent']
]

/** The letter of a side. @type {ColumnOf<{ place: number }>} */
const SIDE_COLUMN = ['Side', ({ place }) => sideLetter(place), 'text']

/** A row for each figure and each side after the first. @param {Comparison} comparison @returns {DescribedTable} */
function comparisonTable({ spreads, against }) {
  const several = against.length > 1
  const rows = against.flatMap(({ metrics }, i) => metrics.map(metric => ({ ...metric, place: i + 1 })))
  const decided = against.find(({ pairs, leastPairs }) => pairs >= leastPairs)
  const note =
    decided &&
    `Better or worse: changed by more than ${100 * MIN_CHANGE} % and p < ${SIGNIFICANCE_LEVEL} (Holm). Same: the 90 % interval lies within ${100 * MIN_CHANGE} %. Change: Hodges–Lehmann estimate over ${formatCount(decided.pairs, 'pair')} of runs, with its 95 % interval and p by an exact sign-flip test.`
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Figure', ({ figure }) => titleWithUnit(figure), 'text'],
    ...(several ? [SIDE_COLUMN] : []),
    ['A', ({ figure }) => medianCell(spreads[0], figure), 'number'],
    [several ? 'Value' : 'B', ({ figure, place }) => medianCell(spreads[place], figure), 'number'],
    ...CHANGE_COLUMNS,
    ['Verdict', verdictCell, 'text'],
    ['p', ({ p }) => p, 'number', 'wide'],
    ['p (Holm)', ({ adjustedP }) => adjustedP, 'number', 'wide'],
    ...POWER_COLUMNS
  ]
  return fitTable(makeTable('comparison', 'Comparison', rows, columns, note ? { note } : {}), [
    ['Low', 'High']
  ])
}

/** How the figures of each side vary from run to run. @param {readonly Side[]} sides @param {readonly FigureSpread[][]} spreads @param {string} id @param {string} title */
function spreadTable(sides, spreads, id, title) {
  const rows = spreads[0].flatMap(({ figure: { name } }) =>
    spreads.flatMap((side, place) =>
      side.filter(({ figure }) => figure.name === name).map(spreading => ({ ...spreading, place }))
    )
  )
  const value = (/** @type {'median' | 'least' | 'most'} */ key) => (/** @type {FigureSpread} */ each) =>
    cellOf(each.spread[key], each.atLeast, each.figure)
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Figure', ({ figure }) => titleWithUnit(figure), 'text'],
    ...(sides.length === 1 ? [] : [SIDE_COLUMN]),
    ['Median', value('median'), 'number'],
    ['Min', value('least'), 'number'],
    ['Max', value('most'), 'number'],
    ['Max ÷ min', ({ spread }) => (spread.least > 0 ? spread.most / spread.least : null), 'number'],
    ['Outliers', ({ spread }) => runNames(spread.outliers) || null, 'text', 'wide'],
    ['Drift %', ({ spread }) => changePercent(spread.drift), 'percent', 'wide']
  ]
  return makeTable(id, title, rows, columns)
}

/** @param {readonly number[]} places - of runs, from 0 */
const runNames = places => places.map(place => `run ${place + 1}`).join(', ')

/** @param {readonly Side[]} sides @param {ComparisonDocument | null} document */
const sidesTable = (sides, document) =>
  makeTable(
    'sides',
    'What is compared',
    sides.map((side, place) => ({ ...side, place, run: side.results[0].run })),
    [
      SIDE_COLUMN,
      ['Runs of', ({ label }) => label, 'text'],
      ['Runs', ({ results }) => results.length, 'count'],
      ['Asked for', ({ place }) => document?.sides[place].runs.length, 'count', 'wide'],
      ['Date', ({ run }) => run.startedAt.slice(0, 10), 'text'],
      ['Version', ({ run }) => run.versions['libp2p-loadtest'], 'text', 'wide']
    ],
    { terminal: true }
  )

/** @param {unknown} value - of a plan, a machine or a version */
function valueText(value) {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @param {readonly SideComparison[]} against */
function differencesTable(against) {
  const rows = against.flatMap(({ differences: { plan, machine, versions } }, i) =>
    Object.entries({ Plan: plan, Machine: machine, Version: versions }).flatMap(([of, differences]) =>
      differences.map(difference => ({ ...difference, of, place: i + 1 }))
    )
  )
  const several = against.length > 1
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Of', ({ of }) => of, 'text'],
    ['Difference', ({ what }) => what, 'text'],
    ['A', ({ base }) => valueText(base), 'text'],
    ...(several ? [SIDE_COLUMN] : []),
    [several ? 'Value' : 'B', ({ candidate }) => valueText(candidate), 'text']
  ]
  const more = rows.length <= MAX_DIFFERENCES ? { terminal: true } : {}
  return makeTable('differences', 'Differences', rows, columns, more)
}

/** Rules of the comparison, then those of its baseline. @param {Comparison} comparison */
function rulesTable({ sides, against, baseline }) {
  const last = sides.length - 1
  const rows = [
    ...against.flatMap(({ rules }, i) => rules.map(rule => ({ ...rule, place: i + 1, to: 'A' }))),
    ...(baseline?.rules ?? []).map(rule => ({ ...rule, place: last, to: 'baseline' }))
  ]
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Rule', ({ text }) => text, 'text'],
    SIDE_COLUMN,
    ['Against', ({ to }) => to, 'text'],
    ['Verdict', ({ verdict }) => verdict, 'text'],
    ...CHANGE_COLUMNS,
    ['Why', ({ why }) => why, 'text', 'wide'],
    ...POWER_COLUMNS
  ]
  return makeTable('rules', 'Rules', rows, columns, { terminal: true })
}

/** @param {Comparison['thresholds']} thresholds */
const thresholdsTable = thresholds =>
  makeTable(
    'thresholds-of-runs',
    'Thresholds',
    thresholds,
    [
      ['Threshold', ({ text }) => text, 'text'],
      ['Side', ({ side }) => side, 'text'],
      ['Verdict', ({ runs, passed }) => (passed < runs ? 'FAIL' : 'PASS'), 'text'],
      ['Runs passed', ({ passed }) => passed, 'count'],
      ['Runs', ({ runs }) => runs, 'count']
    ],
    { terminal: true }
  )

/** Every run with the figures that decide. @param {readonly Side[]} sides @param {ComparisonDocument | null} document @returns {DescribedTable} */
function runsTable(sides, document) {
  const [{ scenario, results }] = sides
  const figures = listComparedFigures(scenario.compared, results[0].plan)
  const complete = document === null ? null : findCompletePairs(document)
  const rows = sides.flatMap(({ results }, place) =>
    results.map((result, i) => {
      const at = complete?.[i] ?? i
      const folder = document?.sides[place].runs[at] ?? result.id
      return { at, place, folder, values: readComparedFigures(result, figures) }
    })
  )
  /** @type {ColumnOf<typeof rows[number]>[]} */
  const columns = [
    ['Run', ({ folder }) => folder, 'text'],
    ['Number', ({ at }) => at + 1, 'count'],
    SIDE_COLUMN,
    ...figures.map(figure =>
      makeColumn(
        titleWithUnit(figure),
        (/** @type {typeof rows[number]} */ { values: { [figure.name]: value } }) =>
          value && cellOf(value.value, value.atLeast, figure),
        'number'
      )
    )
  ]
  const inOrder = rows.sort((a, b) => a.at - b.at || a.place - b.place)
  return makeTable('runs', 'Every run', inOrder, columns)
}

/** Medians of all figures that any side has, and their ratios to those of the first side. @param {Comparison} comparison */
function allFiguresTable({ sides, against }) {
  const all = sides.map(({ results, scenario }) => measureSpreads(results, scenario.figures))
  if (sides.length === 1) return spreadTable(sides, all, 'all-figures', 'All figures')
  const medianOf = (/** @type {number} */ place, /** @type {Figure} */ { name }) =>
    all[place].find(({ figure }) => figure.name === name)?.spread.median ?? null
  const rows = sides[0].scenario.figures.filter(figure =>
    all.some((_, place) => medianOf(place, figure) !== null)
  )
  // a process and a container count memory differently
  const serversDiffer = against.some(({ differences: { machine } }) =>
    machine.some(({ what }) => what === 'server in')
  )
  const ratio = (/** @type {Figure} */ figure, /** @type {number} */ place) => {
    const [base, own] = [medianOf(0, figure), medianOf(place, figure)]
    if (serversDiffer && figure.quantity === 'memory') return null
    return base === null || own === null || base <= 0 ? null : own / base
  }
  /** @type {ColumnOf<Figure>[]} */
  const columns = sides.flatMap((_, place) => {
    const letter = sideLetter(place)
    /** @type {ColumnOf<Figure>} */
    const value = [letter, figure => medianCell(all[place], figure), 'number']
    return place === 0 ? [value] : [value, [`${letter} ÷ A`, figure => ratio(figure, place), 'number']]
  })
  const note = 'Memory of a process (resident set) and of a container count differently: no ratio.'
  return makeTable(
    'all-figures',
    'All figures',
    rows,
    [['Figure', titleWithUnit, 'text'], ...columns],
    serversDiffer ? { note } : {}
  )
}

/** When the throughput of the first run of each side changed. @param {readonly Side[]} sides */
const slopesTable = sides =>
  makeTable(
    'throughput-changes',
    'Changes of throughput',
    sides.flatMap(({ results: [result] }, place) => {
      const { slope } = accumulateThroughput(result)
      return slope === null ? [] : [{ place, slope }]
    }),
    [
      SIDE_COLUMN,
      ['After s', ({ slope }) => slope.at, 's'],
      ['Before, in a second', ({ slope }) => slope.before, 'number'],
      ['From then on', ({ slope }) => slope.after, 'number']
    ],
    { note: 'Of the first run of each side: the slope of what was carried since the start of the run.' }
  )

/** @param {Comparison} comparison @returns {DescribedWarning[]} */
const warningsOf = ({ sides, spreads, against }) =>
  omitMissing([
    against.some(({ differences: { machine } }) => machine.length > 0) && {
      code: 'OTHER_MACHINE',
      text: 'The runs are from different machines: differences may come from the machines.'
    },
    against.some(({ alternated, pairs, leastPairs }) => !alternated && pairs >= leastPairs) && {
      code: 'NOT_ALTERNATED',
      text: 'The runs of the sides did not take turns: a drift of the machine counts as a difference.'
    },
    ...spreads.flatMap((side, place) =>
      // simulated runs do not depend on the machine, and each pair has its own seed
      isSimulated(sides[place].results[0].plan)
        ? []
        : side.flatMap(({ figure: { title }, spread: { outliers, drift } }) => {
            const whose = sides.length === 1 ? title : `${sideLetter(place)}, ${title}`
            return omitMissing([
              drift !== null && {
                code: 'DRIFT',
                text: `${whose} drifts by ${Number(changePercent(drift)).toFixed(1)} % from the first run to the last.`
              },
              outliers.length > 0 && {
                code: 'OUTLIER',
                text: `${whose}: far from the other runs: ${runNames(outliers)}.`
              }
            ])
          })
    ),
    ...collectRunWarnings(sides.flatMap(({ results }) => results))
  ])

/** @param {Comparison} comparison @returns {Description['tiles']} */
const tilesOf = ({ against: [first], spreads }) =>
  first === undefined
    ? spreads[0].map(({ figure, spread: { median }, atLeast }) => [
        `Median of ${titleWithUnit(figure)}`,
        cellOf(median, atLeast, figure),
        'number'
      ])
    : first.metrics.map(({ figure, ratio }) => [`${figure.title}, change`, changePercent(ratio), 'percent'])

/**
 * chooseRunsToDescribe chooses the runs whose plots are overlaid: of each side the median run by the first figure that decides.
 *
 * @param {Pick<Comparison, 'sides'>} comparison
 */
export const chooseRunsToDescribe = ({ sides }) =>
  sides.map(({ label, results, scenario }, place) => {
    const [figure] = listComparedFigures(scenario.compared, results[0].plan)
    const deciding = (/** @type {Side['results'][number]} */ result) =>
      figure === undefined ? 0 : (readComparedFigures(result, [figure])[figure.name]?.value ?? 0)
    const ascending = results.toSorted((a, b) => deciding(a) - deciding(b))
    return {
      label: sides.length === 1 ? label : `${sideLetter(place)} ${label}`,
      result: ascending[Math.floor((ascending.length - 1) / 2)],
      scenario
    }
  })

/**
 * describeComparison describes a comparison of runs: of several plans (`ab`, `compare`), or of one that was repeated (`--runs`).
 *
 * @param {Comparison} comparison
 * @param {{ document?: ComparisonDocument | null, runs?: readonly DescribedRun[] }} [of] - `document`: of its study; `runs`: those of
 *   `chooseRunsToDescribe`, described
 * @returns {Description}
 */
export function describeComparison(comparison, { document = null, runs = [] } = {}) {
  const { sides, spreads, against, thresholds } = comparison
  const isRepetition = sides.length === 1
  const tables = [
    ...(isRepetition
      ? [spreadTable(sides, spreads, 'repetition', 'Repeated runs')]
      : [comparisonTable(comparison), sidesTable(sides, document), differencesTable(against)]),
    rulesTable(comparison),
    thresholdsTable(thresholds),
    ...(!isRepetition && sides.some(({ results }) => results.length > 1)
      ? [spreadTable(sides, spreads, 'spread', 'Spread of the runs')]
      : []),
    allFiguresTable(comparison),
    runsTable(sides, document),
    slopesTable(sides)
  ]
  return {
    title: isRepetition
      ? `Repeated runs: ${sides[0].label}`
      : sides.map(({ label }) => label).join(' against '),
    headline: comparisonHeadline(comparison, document),
    tiles: tilesOf(comparison).slice(0, 4),
    tables: tables.filter(({ rows }) => rows.length > 0),
    plots: comparisonPlots(comparison, runs),
    warnings: warningsOf(comparison)
  }
}

/** @typedef {import('../../report/schema.js').Plot} Plot */

/** How far a ratio is from 1, in %. @param {number | null | undefined} ratio @returns {number | null} null: unknown, or without a bound */
const changePercent = ratio =>
  ratio == null || ratio === 0 || !Number.isFinite(ratio) ? null : 100 * (ratio - 1)
/** Series of the pairs of runs: a series for each combination of exact values and bounds. @param {MetricComparison} metric @param {string} letter */
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
    const values = points
      .filter(({ base, candidate }) => base.atLeast === ofBase && candidate.atLeast === ofCandidate)
      .map(({ at, value }) => [at, roundToFourDigits(value)])
    return values.length === 0 ? [] : [{ label, style: /** @type {const} */ ('points'), values }]
  })
}

/** The change of a figure from the first side, pair by pair. @param {MetricComparison} metric @param {string} letter @returns {Plot[]} */
function changePlot(metric, letter) {
  const { figure, pairs, ratio, interval } = metric
  const points = pairSeries(metric, letter)
  const estimate = changePercent(ratio)
  if (estimate === null || points.length === 0) return []
  const limit = 100 * MIN_CHANGE
  const max = 1.1 * Math.max(limit, ...points.flatMap(({ values }) => values.map(([, y]) => Math.abs(y))))
  const band = interval && [changePercent(interval.low) ?? -max, changePercent(interval.high) ?? max]
  return [
    {
      id: makeSlug(`change-${letter}-${metric.metric.replace(/([a-z])([A-Z])/g, '$1-$2')}`),
      title: `${figure.title}: change from A to ${letter}`,
      kind: 'lines',
      ...(figure.better && { note: `${figure.better === 'higher' ? 'Higher' : 'Lower'} is better.` }),
      x: 'Pair of runs, in the order of time',
      y: 'Change, %',
      series: omitMissing([
        band && {
          label: '95 % interval',
          style: /** @type {const} */ ('area'),
          values: [0.5, pairs.length + 0.5].map(at => [at, ...[estimate, ...band].map(roundToFourDigits)])
        },
        ...points
      ]),
      marks: [
        { y: roundToFourDigits(estimate), label: 'estimate' },
        { y: limit, label: `+${limit} %` },
        { y: -limit, label: `−${limit} %` }
      ]
    }
  ]
}

/** The pooled times of all runs of each side, by percentile. @param {readonly Side[]} sides @returns {Plot[]} */
function timesPlot(sides) {
  const { times } = sides[0].scenario.compared
  if (times === undefined) return []
  const series = sides.flatMap(({ label, results }, place) => {
    const { all } = poolTimes(results.flatMap(({ outcome }) => times.of(outcome)))
    return makePercentileCurve(sides.length === 1 ? label : `${sideLetter(place)} ${label}`, all)
  })
  return keepPlotWithSeries({
    id: 'times-by-percentile',
    title: `${times.title} by percentile`,
    kind: 'lines',
    note: 'All runs of a side together.',
    x: `${times.what} that took no longer, %`,
    y: `${times.title}, ms`,
    nines: true,
    logY: true,
    series
  })
}

/**
 * comparisonPlots draws how figures changed, pair by pair, and the times of each side. The main plot is of a figure that changed, else of times.
 *
 * @param {Pick<import('./comparison.js').Comparison, 'sides' | 'against'>} comparison
 * @param {readonly DescribedRun[]} runs - one of each side
 * @returns {Plot[]}
 */
function comparisonPlots({ sides, against }, runs) {
  const changes = against.flatMap(({ metrics }, i) =>
    metrics
      .toSorted((a, b) => Number(b.verdict === 'different') - Number(a.verdict === 'different'))
      .flatMap(metric => changePlot(metric, sideLetter(i + 1)))
  )
  const [best, ...others] = [...changes, ...timesPlot(sides)]
  const overlaid = sides.every(({ results }) => results.length === 1)
    ? overlayPlots(runs)
    : overlayPlots(runs).map(plot => ({
        ...plot,
        note: [plot.note, 'Of each side the run in the middle.'].filter(Boolean).join(' ')
      }))
  return best === undefined ? overlaid : [{ ...best, main: true }, ...others, ...overlaid]
}
