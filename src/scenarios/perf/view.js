import { perfPlan } from './perf-plan.js'
import { perfResult } from './perf-types.js'
import { baselineParts, exchangesCsv, transfersCsv } from './view/files.js'
import { came, setting, work } from './view/in-line.js'
import { PERF_NOTES } from './view/notes.js'
import { perfCells, perfFileHeadings } from './view/table.js'

/** @returns {[string, string]} */
const against = () => ['Ends', 'a process each']

/** The target is met only once the warm-up dials it. @param {import('../../plan/plan.js').AnyPlan} plan */
const isElsewhere = plan => perfPlan(plan).target !== null

/** VIEW shows what moved. @type {import('../../report/view.js').ScenarioView<any>} */
export const VIEW = {
  words: {
    phases: {
      setup: plan =>
        isElsewhere(plan)
          ? ['starting the client', 'client ready']
          : ['starting both ends', 'both ends ready'],
      warmup: () => /** @type {[string, string]} */ (['warming up', 'warm-up']),
      measure: () => /** @type {[string, string]} */ (['moving bytes', 'bytes moved']),
      latency: () => /** @type {[string, string]} */ (['exchanging bytes', 'bytes exchanged']),
      handshakes: () => /** @type {[string, string]} */ (['shaking hands', 'hands shaken']),
      teardown: plan =>
        isElsewhere(plan)
          ? ['stopping the client', 'client stopped']
          : ['stopping both ends', 'both ends stopped']
    },
    work,
    setting,
    rateUnit: '/s',
    measured: ''
  },
  cells: perfCells,
  fileHeadings: perfFileHeadings,
  fileRows: result => ({
    headings: perfFileHeadings(),
    rows: perfCells(result).rows.map(row => [...row, result.status, result.id])
  }),
  notes: PERF_NOTES,
  parts: baselineParts,
  inLine: { what: ({ plan }) => work(plan), came },
  settings: {
    path: 'outcome.settings',
    read: result =>
      Object.entries(perfResult(result).outcome.settings ?? {}).map(([name, { value, why }]) => ({
        whose: '',
        name,
        value,
        why
      }))
  },
  against: { once: against, repeatedly: against },
  started: against,
  beside: () => ({ tables: [], notes: [] }),
  csv: [
    { file: 'transfers.csv', render: transfersCsv },
    { file: 'rows.csv', render: exchangesCsv }
  ],
  gauges: [],
  matrix: {
    columns: () => [],
    lines: (row, result) => [{ row, result }],
    signs: [],
    setting: () => [],
    words: { work: 'bytes', members: 'ways' },
    lead: () => 'Bytes were moved over libp2p and beside it.',
    withoutPlots: 'Each row is a table of its own.',
    inLine: came
  },
  page: async () => (await import('./page.js')).PAGE
}
