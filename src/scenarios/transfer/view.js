import { caseCells, caseFileHeadings, caseFileRows } from './view/case-table.js'
import { blocksCsv, casesCsv, memoryCsv, transfersCsv } from './view/csv.js'
import { nodeSettings } from './view/settings.js'
import { TRANSFER_MATRIX } from './view/transfer-matrix.js'
import { TRANSFER_NOTES } from './view/transfer-notes.js'
import { betweenWords, transfersInLine, workWords } from './view/transfer-words.js'
import { verdictParts } from './view/verdict-parts.js'

/** @typedef {import('./transfer-types.js').TransferResult} TransferResult */

/** @param {string} running @param {string} done @returns {() => [string, string]} */
const phase = (running, done) => () => [running, done]

/** @returns {[string, string]} */
const provider = () => ['Provider', 'ours, a process of its own']

/** VIEW shows transfers. @type {import('../../report/view.js').ScenarioView<any>} */
export const VIEW = {
  words: {
    phases: {
      setup: phase('starting provider and requestors', 'processes started'),
      files: phase('making files', 'files made'),
      warmup: phase('warming up', 'warm-up'),
      measure: phase('moving files', 'files moved'),
      cooldown: phase('reading limits', 'limits read'),
      teardown: phase('clearing up', 'cleared up')
    },
    work: workWords,
    setting: betweenWords,
    rateUnit: 'repeats/s',
    measured: 'provider'
  },
  cells: caseCells,
  fileHeadings: caseFileHeadings,
  fileRows: caseFileRows,
  notes: TRANSFER_NOTES,
  parts: verdictParts,
  inLine: { what: (/** @type {any} */ { plan }) => workWords(plan), came: transfersInLine },
  settings: { path: 'outcome.settings', read: nodeSettings },
  against: { once: provider, repeatedly: provider },
  started: provider,
  beside: () => ({ tables: [], notes: [] }),
  csv: [
    { file: 'cases.csv', render: casesCsv },
    { file: 'transfers.csv', render: transfersCsv },
    {
      file: 'blocks.csv',
      render: blocksCsv,
      when: (/** @type {TransferResult} */ { outcome }) => outcome.blockTimes !== null
    },
    {
      file: 'memory.csv',
      render: memoryCsv,
      when: (/** @type {TransferResult} */ { outcome }) => outcome.memory !== null
    }
  ],
  gauges: [],
  matrix: TRANSFER_MATRIX,
  page: async () => (await import('./page.js')).PAGE
}
