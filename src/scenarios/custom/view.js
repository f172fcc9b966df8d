import { counted, grouped, spell } from '../../kit/numbers.js'
import { operationsCsv, perSecondCsv } from '../../report/csv.js'
import { FIGURES, figure, operationsOf, throughput } from '../../report/table.js'
import { operationsInLine } from '../rendezvous/view/operations-in-line.js'
import { failuresInWords, OPERATION_SIGNS } from '../rendezvous/view/rendezvous-notes.js'
import { customPlan } from './custom-plan.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 */

const HEADINGS = ['Operation', 'Ops', 'Errors', 'Op/s', ...FIGURES.map(([, heading]) => heading)]

/** @param {Result} result @param {(whole: number) => string} [whole] - how whole numbers are written */
const rows = (result, whole = grouped) =>
  operationsOf(result).map(([type, operation]) => [
    type,
    whole(operation.count),
    whole(operation.errors),
    throughput(operation, whole),
    ...FIGURES.map(([key]) => figure(operation.rt.all[key], whole))
  ])

/** Of its rows in a file that tables are collected in. */
const fileHeadings = () => [...HEADINGS, 'Status', 'Run']

/** @returns {[string, string]} */
const OF_A_USER = () => ['Scenario', 'a user’s own']

/** @param {unknown} plan */
function work(plan) {
  const { scenario, durationMs } = customPlan(plan)
  return `${spell(durationMs)} of ${scenario}`
}

/** VIEW shows a run of a scenario of a user's own. @type {import('../../report/view.js').ScenarioView<import('../rendezvous/rendezvous-types.js').OperationsResult>} */
export const VIEW = {
  words: {
    phases: {
      warmup: () => /** @type {[string, string]} */ (['warming up', 'warm-up']),
      measure: () => /** @type {[string, string]} */ (['measuring', 'measured']),
      teardown: () => /** @type {[string, string]} */ (['clearing up', 'cleared up'])
    },
    work,
    setting: plan => [`${counted(customPlan(plan).inFlight, 'operation')} under way at once`],
    rateUnit: 'op/s',
    measured: ''
  },
  cells: (/** @type {Result} */ result) => ({
    headings: [...HEADINGS],
    rows: rows(result)
  }),
  fileHeadings,
  fileRows: (/** @type {Result} */ result) => ({
    headings: fileHeadings(),
    rows: rows(result, String).map(cells => [...cells, result.status, result.id])
  }),
  notes: {
    signs: OPERATION_SIGNS,
    reading: (/** @type {Result} */ result) =>
      operationsOf(result).length > 0
        ? ['Response times in ms, closed model: each operation is followed by the next.']
        : [],
    failures: failuresInWords,
    references: () => [],
    further: () => []
  },
  parts: () => [],
  inLine: { what: ({ plan }) => work(plan), came: operationsInLine },
  settings: { path: '', read: () => [] },
  against: { once: OF_A_USER, repeatedly: OF_A_USER },
  started: OF_A_USER,
  beside: () => ({ tables: [], notes: [] }),
  csv: [
    { file: 'operations.csv', render: operationsCsv },
    { file: 'per-second.csv', render: perSecondCsv }
  ],
  gauges: [],
  // no matrix has rows of it
  matrix: {
    columns: () => [],
    lines: () => [],
    signs: [],
    setting: () => [],
    words: { work: '', members: '' },
    lead: () => '',
    withoutPlots: '',
    inLine: operationsInLine
  },
  page: async () => (await import('./page.js')).PAGE
}
