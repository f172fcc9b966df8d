// Makes the headline, tables and plots of a quality report (`qa`).
import { isDeepStrictEqual } from 'node:util'
import { median } from '../../kit/collections.js'
import { capitalize } from '../../kit/numbers.js'
import { findGrowingQueue } from '../../measure/steady-state.js'
import { formatChurn } from '../../plan/churn.js'
import { describeHost } from '../../report/describe-run.js'
import { makeColumn, makeFactsTable, makeTable, overlayPlots } from '../../report/description.js'
import { formatObjective } from '../saturate/objective.js'
import { findSaturationDiagonal } from '../saturate/search.js'
import {
  findTerms,
  formatCellName,
  formatTrialName,
  listMeasuredCells,
  SATURATION_SCENARIOS
} from '../saturate/trials.js'
import { fitTable, mergeWarnings } from '../study-views.js'
import { MAX_RATIO, SHARE_POINTS } from './baseline.js'
import { accumulateThroughput, listTrials } from './qa-document.js'

/**
 * Plots that only a quality report has.
 *
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/schema.js').Series} Series
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {ReadonlyMap<string, { outcome: any }>} Results - by folder
 */

const SINCE = 'Time since the measurement began, s'

const MAX_POINTS = 300

/** @param {Series['values']} values */
function thinned(values) {
  const step = Math.ceil(values.length / MAX_POINTS)
  return values.filter((_, i) => i % step === 0 || i === values.length - 1)
}

/**
 * The plots of operations or deliveries over time, of the backlog, and of the load of the machine.
 *
 * @param {QaDocument} document
 * @param {Results} results
 * @returns {Plot[]}
 */
function qaPlots({ scenario, examined, steady, rotation }, results) {
  const what = scenario === 'gossip' ? 'Deliveries' : 'Operations'
  const resultOf = (/** @type {string | null | undefined} */ run) =>
    run == null ? undefined : results.get(run)
  const runs = examined.trials.flatMap(({ name, run }) => {
    const result = resultOf(run)
    return result === undefined ? [] : [{ label: name, result }]
  })
  const single = (/** @type {string} */ label, /** @type {string | null | undefined} */ run) => {
    const result = resultOf(run)
    return result === undefined ? [] : [{ label, result }]
  }
  return [
    ...carriedPlot(runs, { id: 'carried', title: `${what} of the examined load`, what }),
    ...carriedPlot(single('steady', steady?.run), {
      id: 'steady-carried',
      title: `${what} of the steady run`,
      what
    }),
    ...carriedPlot(single('churn', rotation.run), { id: 'churn-carried', title: `${what} with churn`, what }),
    ...(runs.length === 0 ? [] : zoomPlot(runs[0].result)),
    ...linesPlot(
      { id: 'backlog', title: 'Backlog', y: what, note: 'Due and not ended at the end of each second.' },
      examined.trials.map(({ name, point }) => ({
        label: name,
        values: point !== null && 'waiting' in point ? point.waiting.map((count, i) => [i + 1, count]) : []
      }))
    ),
    ...linesPlot(
      { id: 'load1', title: 'load1 of the machine', y: 'load1' },
      examined.trials.map(({ name }) => ({
        label: name,
        values: (examined.machine[name] ?? []).map(({ at, load1 }) => [at, load1])
      }))
    ),
    ...linesPlot(
      {
        ...{ id: 'sockets', title: 'TCP sockets in use', y: 'Sockets' },
        note: 'Of the whole machine; a connection between two of its processes has two.'
      },
      examined.trials.map(({ name }) => ({
        label: name,
        values: (examined.machine[name] ?? []).flatMap(({ at, sockets }) =>
          sockets === null ? [] : [[at, sockets]]
        )
      }))
    )
  ]
}

/** @param {Pick<Plot, 'id' | 'title' | 'y' | 'note' | 'marks'>} plot @param {Series[]} series @returns {Plot[]} */
function linesPlot(plot, series) {
  const drawn = series.filter(({ values }) => values.length > 0)
  return drawn.length === 0
    ? []
    : [
        {
          ...plot,
          kind: 'lines',
          x: SINCE,
          series: drawn.map(({ label, values }) => ({ label, values: thinned(values) }))
        }
      ]
}

/** @param {readonly { label: string, result: { outcome: any } }[]} runs @param {{ id: string, title: string, what: string }} how */
function carriedPlot(runs, { id, title, what }) {
  const drawn = runs.map(({ label, result }) => ({ label, ...accumulateThroughput(result) }))
  const marks = drawn.flatMap(({ label, slope }) =>
    slope === null ? [] : [{ x: slope.at, label: `${label}: throughput changes` }]
  )
  return linesPlot(
    {
      ...{ id, title, y: what, note: 'Since the beginning: the slope is the throughput.' },
      ...(marks.length > 0 && { marks })
    },
    drawn.map(({ label, points }) => ({ label, values: points.map(({ x, y }) => [x, y]) }))
  )
}

/** The slowest times of a second are not drawn: they would leave no room for the others. */
const ZOOMED_SHARE = 0.95
const MAX_TIMES = 200

/** Every time of the second in the middle of a run. @param {{ outcome: any }} result @returns {Plot[]} */
function zoomPlot({ outcome: { perSecond = [] } }) {
  /** @type {Map<number, [number, number][]>} */
  const seconds = new Map()
  for (const { second, type, outcome, histogram } of perSecond) {
    if (type === 'CONNECT' || (outcome !== undefined && outcome !== 'OK')) continue
    seconds.set(second, [...(seconds.get(second) ?? []), ...histogram])
  }
  const all = [...seconds].sort(([a], [b]) => a - b)
  const [second, entries = []] = all[Math.floor(all.length / 2)] ?? []
  const times = [...entries].sort(([a], [b]) => a - b)
  const count = times.reduce((sum, [, each]) => sum + each, 0)
  let passed = 0
  const shown = times
    .filter(([, each]) => {
      passed += each
      return passed - each < ZOOMED_SHARE * count
    })
    .slice(0, MAX_TIMES)
  if (shown.length < 2) return []
  return [
    {
      ...{ id: 'zoom', title: `Second ${second} of the first run`, kind: 'lines' },
      ...{ x: 'ms', y: 'Count', note: 'Every time of that second, without the slowest 5 %.' },
      series: [
        {
          label: 'Count',
          style: 'points',
          values: shown.map(([us, each]) => [Number((us / 1000).toPrecision(4)), each])
        }
      ]
    }
  ]
}

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('../../report/schema.js').Kind} Kind
 * @typedef {import('../../scenarios/saturation.js').TrialView} TrialView
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('./baseline.js').PartName} PartName
 *
 * @typedef {object} Described - what a quality report is described from, besides its document
 * @property {Pick<Description, 'tables' | 'plots'>} grid - the description of its grid
 * @property {ReadonlyMap<string, Description>} runs - by folder, as far as they can be read
 * @property {ReadonlyMap<string, import('../../scenarios/index.js').AnyResult>} results - by folder, as far as they can be read
 * @property {readonly Figure[]} rotating - figures by which runs with churn are compared
 *
 * @typedef {object} Step - of the report: one load that was run
 * @property {string} name
 * @property {readonly AnyTrial[]} trials
 */

/** @type {Readonly<Record<PartName, string>>} */
const PARTS = {
  saturation: 'Sustained load',
  times: 'Response times',
  resources: 'Resources',
  steady: 'Steady run',
  rotation: 'Churn'
}

const PART_NAMES = /** @type {PartName[]} */ (Object.keys(PARTS))

/**
 * describeQa describes a quality report: its verdict, the load sustained, and each of its steps.
 *
 * @param {QaDocument} document
 * @param {Described} described
 * @returns {Description}
 */
export function describeQa(document, { grid, runs, results, rotating }) {
  const view = findTerms(document)
  const inOrder = namedRuns(document).flatMap(({ name, run }) => {
    const description = runs.get(run)
    return description === undefined ? [] : [{ label: name, description }]
  })
  return {
    title: `Quality report of ${document.scenario}`,
    headline: makeQaHeadline(document),
    tiles: tiles(document, view),
    tables: [
      fitTable(steps(document, view), [['Achieved %']]),
      verdicts(document),
      figures(document),
      ...grid.tables.map(({ terminal: _, ...each }) => each),
      runTable(document),
      rotation(document, rotating),
      machine(document)
    ].filter(({ rows }, i) => i === 0 || rows.length > 0),
    plots: [...grid.plots, ...overlayPlots(inOrder, 'steps-'), ...qaPlots(document, results)],
    warnings: [
      ...ownWarnings(document, view),
      ...mergeWarnings(
        inOrder.map(({ label, description: { warnings } }) => ({ name: label, warnings })),
        'runs'
      )
    ]
  }
}

/** @param {QaDocument} document */
const namedRuns = ({ examined, steady, rotation }) =>
  [...examined.trials, ...(steady === null ? [] : [steady]), { ...rotation, name: 'churn' }].flatMap(
    ({ name, run }) => (run === null ? [] : [{ name, run }])
  )

/** @param {QaDocument} document */
function gridAnswer({ grid }) {
  const cells = listMeasuredCells(grid.cells)
  const { chosen } = grid
  const size = chosen?.connections ?? chosen?.nodes
  return {
    chosen: cells.find(cell => cell.ratePerSecond === chosen?.ratePerSecond && cell.size === size),
    beyond: findSaturationDiagonal(cells).beyond.at(0)
  }
}

/** makeQaHeadline is the verdict of a quality report, in a sentence, with the objective of its loads. @param {QaDocument} document */
export function makeQaHeadline(document) {
  const view = findTerms(document)
  const { scenario, objective, held } = document
  const { chosen, beyond } = gridAnswer(document)
  const verdict = held === null ? 'no baseline' : `${held.verdict} against ${held.baseline.id}`
  const words = (/** @type {NonNullable<typeof chosen>} */ cell) =>
    `${view.loadWords(cell.load)} (${formatCellName(view, cell)})`
  const carried = chosen === undefined ? 'no load was sustained' : `sustained ${words(chosen)}`
  const not = beyond === undefined ? '' : `, not ${words(beyond)}`
  const failed = (held?.parts ?? []).flatMap(({ part, verdict }) =>
    verdict === 'FAIL' ? PARTS[part].toLowerCase() : []
  )
  const by = objective === null ? '' : ` Objective: ${formatObjective(objective)}.`
  return `Quality of ${scenario}, ${verdict}: ${carried}${not}${failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`}.${by}`
}

/** @param {QaDocument} document @param {TrialView} view @returns {Description['tiles']} */
function tiles(document, view) {
  const { chosen } = gridAnswer(document)
  return [
    ['Verdict', document.held?.verdict ?? 'baseline', 'text'],
    ['Sustained', chosen?.load ?? null, 'perSecond'],
    ['p50', chosen?.point.rt.p50?.ms ?? null, 'ms'],
    ['p99', chosen === undefined ? null : view.tailOf(chosen.point), 'ms']
  ]
}

/** @type {readonly [ending: string, kind: Kind][]} */
const KINDS = [
  [', ms', 'ms'],
  [', %', 'percent'],
  [', MB', 'MB']
]

/** @param {{ title: string }} figure */
const kindOf = ({ title }) => KINDS.find(([ending]) => title.endsWith(ending))?.[1] ?? 'number'

/** @param {readonly number[]} values */
const medianOr = values => (values.length === 0 ? null : median(values))

/** The median of a figure over several runs. @param {readonly AnyTrial[]} trials @param {(point: any) => number | null | undefined} of @param {(point: any) => boolean} [isBound] @returns {Cell} */
function medianOf(trials, of, isBound = () => false) {
  const points = trials.flatMap(({ point }) => (point === null ? [] : [point]))
  const values = points.flatMap(point => of(point) ?? [])
  if (values.length === 0) return null
  return points.some(isBound) ? { atLeast: median(values) } : median(values)
}

/** @param {AnyTrial} trial */
function shareOf(trial) {
  const [cell] = listMeasuredCells([trial])
  return cell === undefined ? null : (100 * cell.achieved) / Math.max(1, cell.expected)
}

/** The load of a trial, if it is not counted as a rate. @param {AnyTrial} trial */
function ownLoad(trial) {
  const [cell] = listMeasuredCells([trial])
  return cell === undefined || cell.load === trial.perSecond ? null : cell.load
}

/** @param {AnyTrial} trial */
const sizeOf = ({ plan }) => SATURATION_SCENARIOS[plan.scenario].sizeOf(plan)

/** @param {QaDocument} document @param {TrialView} view @returns {DescribedTable} */
function steps(document, view) {
  const { scenario, examined, steady, steadySeconds, seconds, rotation } = document
  const { chosen, beyond } = gridAnswer(document)
  const churn = rotation.plan
  const of = (/** @type {string} */ name, /** @type {readonly AnyTrial[]} */ trials, held = seconds) =>
    trials.length === 0 ? [] : [{ name, trials, held }]
  /** @typedef {{ name: string, trials: readonly AnyTrial[], held: number }} Row */
  const rows = [
    ...of('Sustained', chosen === undefined ? [] : [chosen.trial]),
    ...of('Not sustained', beyond === undefined ? [] : [beyond.trial]),
    ...of('Examined', examined.trials),
    ...of('Steady', steady === null ? [] : [steady], steadySeconds),
    ...(churn === null ? [] : [{ name: 'Churn', trials: [], held: churn.durationMs / 1000 }])
  ]
  return {
    ...makeTable('steps', 'Steps', rows, [
      ['Step', ({ name }) => name, 'text'],
      [
        'Rate /s',
        ({ trials: [trial] }) => (trial ?? { perSecond: churn?.ratePerSecond }).perSecond,
        'number'
      ],
      [
        capitalize(view.many),
        ({ trials: [trial] }) => (trial === undefined ? null : sizeOf(trial)),
        'count',
        'wide'
      ],
      [
        view.loadHeading,
        ({ trials: [trial] }) => (trial === undefined ? null : ownLoad(trial)),
        'perSecond',
        'wide'
      ],
      ['Runs', ({ trials }) => Math.max(1, trials.length), 'count', 'wide'],
      ['Each s', ({ held }) => held, 's', 'wide'],
      ['Achieved %', ({ trials }) => medianOr(trials.flatMap(trial => shareOf(trial) ?? [])), 'percent'],
      ...SATURATION_SCENARIOS[scenario].qa.figures.map((figure, i) =>
        makeColumn(
          figure.title,
          (/** @type {Row} */ { trials }) => medianOf(trials, figure.of, figure.isBound),
          kindOf(figure),
          ...(i > 1 ? /** @type {const} */ (['wide']) : [])
        )
      )
    ]),
    note: `Rate: ${view.what} per second. Sustained: the largest load; not sustained: the smallest. Examined: the median of its runs. Steady: half of the examined load.`
  }
}

/** @param {QaDocument} document */
const verdicts = ({ held }) => ({
  ...makeTable(
    'verdicts',
    'Verdicts',
    (held?.parts ?? []).filter(({ part }) => PART_NAMES.includes(part)),
    [
      ['Part', ({ part }) => PARTS[part], 'text'],
      ['Verdict', ({ verdict }) => verdict, 'text'],
      ['Figures', ({ figures }) => figures.length, 'count'],
      [
        'Worse',
        ({ figures }) =>
          figures.flatMap(({ title, verdict }) => (verdict === 'FAIL' ? title : [])).join('; ') || null,
        'text'
      ],
      ['Why', ({ why }) => why, 'text', 'wide']
    ]
  ),
  terminal: true,
  note: `Baseline: same machine and plans. A figure fails if the 90 % interval of its ratio is above ${MAX_RATIO}, and passes if it is below. Shares may be worse by ${SHARE_POINTS.lower} points, delivery shares by ${SHARE_POINTS.higher}.`
})

/** @param {QaDocument} document */
const figures = ({ held }) =>
  makeTable(
    'compared-figures',
    'Compared figures',
    (held?.parts ?? []).flatMap(({ part, figures }) => figures.map(figure => ({ part, ...figure }))),
    [
      ['Part', ({ part }) => PARTS[part], 'text', 'wide'],
      ['Figure', ({ title }) => title, 'text'],
      ['Before', ({ before, bounds }) => bounded(before, bounds?.includes('before')), 'number'],
      ['Now', ({ now, bounds }) => bounded(now, bounds?.includes('now')), 'number'],
      ['Now ÷ before', ({ ratio }) => ratio, 'number'],
      ['From', ({ interval }) => interval?.low, 'number'],
      ['To', ({ interval }) => interval?.high, 'number'],
      ['Verdict', ({ verdict }) => verdict, 'text']
    ],
    { note: 'From, to: the 90 % interval of the ratio.' }
  )

/** @param {number | null} value @param {boolean} [isBound] @returns {Cell} */
const bounded = (value, isBound = false) => (value !== null && isBound ? { atLeast: value } : value)

const READINGS = /** @type {const} */ ([
  ['load1', 'load1', 'number'],
  ['TCP sockets', 'sockets', 'count']
])

/** @param {readonly Record<'load1' | 'sockets', number | null>[]} readings @param {'load1' | 'sockets'} key @param {'min' | 'max'} which */
function extremeOf(readings, key, which) {
  const known = readings.flatMap(reading => reading[key] ?? [])
  return known.length === 0 ? null : Math[which](...known)
}

/** Each run of the examined load, and the steady one. @param {QaDocument} document @returns {DescribedTable} */
function runTable({ scenario, examined, steady, on }) {
  const first = examined.trials.flatMap(({ point }) => point?.rt.p50?.ms ?? [])[0]
  const rows = [...examined.trials, ...(steady === null ? [] : [steady])].map(trial => ({
    trial,
    point: /** @type {any} */ (trial.point),
    readings: examined.machine[trial.name] ?? []
  }))
  /** @typedef {typeof rows[number]} Row */
  return {
    ...makeTable('examined-runs', 'Runs of the examined load, and the steady run', rows, [
      ['Run', ({ trial }) => trial.name, 'text'],
      ['Offered /s', ({ trial }) => trial.perSecond, 'number'],
      ['Due', ({ point }) => point?.due, 'count'],
      ['Achieved', ({ point }) => point?.achieved, 'count'],
      ['Achieved %', ({ trial }) => shareOf(trial), 'percent'],
      ...SATURATION_SCENARIOS[scenario].qa.figures.map(figure =>
        makeColumn(
          figure.title,
          (/** @type {Row} */ { trial }) => medianOf([trial], figure.of, figure.isBound),
          kindOf(figure)
        )
      ),
      ['p50 ÷ first run', ({ point }) => (first && point?.rt.p50 ? point.rt.p50.ms / first : null), 'number'],
      ['Failed', ({ point }) => point?.failed, 'count'],
      ['Missing', ({ point }) => point?.missing, 'count'],
      ['Backlog max', ({ point }) => (point?.waiting ? Math.max(0, ...point.waiting) : null), 'count'],
      [
        'Backlog grew',
        ({ trial, point }) =>
          point?.waiting ? (findGrowingQueue(point.waiting, trial.perSecond) === null ? 'no' : 'yes') : null,
        'text'
      ],
      ...READINGS.flatMap(([name, key, kind]) =>
        /** @type {const} */ (['min', 'max']).map(which =>
          makeColumn(
            `${name} ${which}`,
            (/** @type {Row} */ { readings }) => extremeOf(readings, key, which),
            kind,
            'wide'
          )
        )
      ),
      ['Took s', ({ trial }) => (trial.tookMs === null ? null : trial.tookMs / 1000), 's', 'wide'],
      ['Status', ({ trial }) => (trial.status === 'complete' ? null : trial.status), 'text']
    ]),
    ...(on === null ? {} : { note: `load1 is of the whole machine, which has ${on.machine.cores} cores.` })
  }
}

/** @param {QaDocument} document @param {readonly Figure[]} rotating */
function rotation({ rotation: { plan, figures, atLeast = [], slope } }, rotating) {
  const titles = new Map(rotating.map(({ name, title }) => [name, title]))
  return makeFactsTable(
    'churn',
    'Churn',
    plan === null
      ? []
      : [
          ['Peers', plan.nodes ?? plan.nClients, 'count'],
          ['Who leaves', formatChurn(plan.churn), 'text'],
          ['Duration', plan.durationMs / 1000, 's'],
          ...Object.entries(figures).map(
            ([name, value]) =>
              /** @type {[string, Cell, Kind]} */ ([
                titles.get(name) ?? name,
                bounded(value, atLeast.includes(name)),
                'number'
              ])
          ),
          ['Throughput changed after', slope?.at, 's'],
          ['Throughput before', slope?.before, 'perSecond'],
          ['Throughput from then on', slope?.after, 'perSecond']
        ]
  )
}

/** @param {QaDocument} document */
function machine({ watched, on }) {
  const { cpu, cores, memoryBytes, platform, arch, loadAverage = [] } = on?.machine ?? {}
  return makeFactsTable('machine', 'Machine and versions', [
    ...(on === null
      ? []
      : /** @type {[string, string | number, Kind][]} */ ([
          ['CPU', `${cores} × ${cpu}`, 'text'],
          ['Memory', Number(memoryBytes) / 1e6, 'MB'],
          ['System', `${platform} ${arch}`, 'text'],
          ['Load average at the start', loadAverage.map(load => load.toFixed(2)).join(', '), 'text']
        ])),
    ...(watched === null ? [] : describeHost(watched.host, watched.hiccups)).map(
      ([name, text]) => /** @type {[string, string, Kind]} */ ([name, text, 'text'])
    ),
    ...Object.entries(on?.versions ?? {}).map(
      ([name, version]) => /** @type {[string, string, Kind]} */ ([name, String(version), 'text'])
    )
  ])
}

/** @param {QaDocument} document @param {TrialView} view @returns {DescribedWarning[]} */
function ownWarnings(document, view) {
  const { quick, rotation, examined } = document
  const failed = listTrials(document).filter(({ status }) => status === 'failed')
  return [
    ...failed.map(trial => ({
      code: 'RUN_FAILED',
      text: `${trial.name} (${formatTrialName(view, trial)}) failed: ${trial.reason?.message ?? 'no result'}`
    })),
    ...(quick
      ? [{ code: 'QUICK', text: 'Its runs are too short to compare releases: leave --quick out.' }]
      : []),
    ...(rotation.why === null ? [] : [{ code: 'NO_CHURN', text: `No run with churn: ${rotation.why}.` }]),
    ...(examined.cell !== null && isDeepStrictEqual(examined.wanted, examined.cell)
      ? [
          {
            code: 'CELL_OF_BASELINE',
            text: `The examined load is that of the baseline (${formatCellName(view, examined.cell)}).`
          }
        ]
      : [])
  ]
}
