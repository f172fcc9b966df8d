import { counted, grouped, spell } from '../../kit/numbers.js'
import { operationsCsv, perSecondCsv } from '../../report/csv.js'
import { FIGURES, figure, operationsOf, throughput } from '../../report/table.js'
import { operationsInLine } from '../rendezvous/view/operations-in-line.js'
import { operationTables } from '../rendezvous/view/operations-side-by-side.js'
import { failuresInWords, OPERATION_SIGNS } from '../rendezvous/view/rendezvous-notes.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('./types.js').CustomPlan} CustomPlan
 */

const HEADINGS = Object.freeze([
  'Operation',
  'Ops',
  'Errors',
  'Op/s',
  ...FIGURES.map(([, heading]) => heading)
])

/** @param {Result} result @param {(whole: number) => string} [whole] - how whole numbers are written */
const rows = (result, whole = grouped) =>
  operationsOf(result).map(([type, operation]) => [
    type,
    whole(operation.count),
    whole(operation.errors),
    throughput(operation, whole),
    ...FIGURES.map(([key]) => figure(operation.rt.all[key], whole))
  ])

/** @returns {[string, string]} */
const OF_A_USER = () => ['Scenario', 'a user’s own']

/** @param {CustomPlan} plan */
const work = ({ scenario, durationMs }) => `${spell(durationMs)} of ${scenario}`

/** VIEW shows a run of a scenario of a user's own. @type {import('../../report/view.js').ScenarioView} */
export const VIEW = Object.freeze({
  words: {
    phases: {
      warmup: () => /** @type {[string, string]} */ (['warming up', 'warm-up']),
      measure: () => /** @type {[string, string]} */ (['measuring', 'measured']),
      teardown: () => /** @type {[string, string]} */ (['clearing up', 'cleared up'])
    },
    work,
    setting: (/** @type {CustomPlan} */ { inFlight }) => [
      `${counted(inFlight, 'operation')} under way at once`
    ],
    rateUnit: 'op/s',
    measured: ''
  },
  cells: (/** @type {Result} */ result) => ({
    headings: [...HEADINGS],
    align: HEADINGS.map((_, column) => /** @type {'l' | 'r'} */ (column === 0 ? 'l' : 'r')),
    rows: rows(result)
  }),
  fileRows: (/** @type {Result} */ result) => ({
    headings: [...HEADINGS, 'Status', 'Run'],
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
  inLine: { what: (/** @type {{ plan: CustomPlan }} */ { plan }) => work(plan), came: operationsInLine },
  settings: { path: '', read: () => [] },
  against: { once: OF_A_USER, repeatedly: OF_A_USER },
  started: OF_A_USER,
  beside: operationTables,
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
})
