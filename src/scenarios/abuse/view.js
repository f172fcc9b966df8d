import { abuseResult } from './abuse-types.js'
import { stretchesCsv } from './view/files.js'
import { came, setting, work } from './view/in-line.js'
import { ABUSE_NOTES } from './view/notes.js'
import { abuseCells, abuseFileHeadings } from './view/table.js'

/** @returns {[string, string]} */
const against = () => ['Each kind', 'a server, honest clients and hostile peers, a process each']

/** @param {string} running @param {string} done @returns {() => [string, string]} */
const phase = (running, done) => () => [running, done]

/** VIEW shows what hostile peers did. @type {import('../../report/view.js').ScenarioView<any>} */
export const VIEW = {
  words: {
    phases: {
      setup: phase('starting server and peers', 'server and peers ready'),
      warmup: phase('warming up', 'warm-up'),
      measure: phase('measuring in turn', 'measured in turn'),
      teardown: phase('stopping all', 'all stopped')
    },
    work,
    setting,
    rateUnit: '/s',
    measured: ''
  },
  cells: abuseCells,
  fileHeadings: abuseFileHeadings,
  fileRows: result => ({
    headings: abuseFileHeadings(),
    rows: abuseCells(result).rows.map(row => [...row, result.status, result.id])
  }),
  notes: ABUSE_NOTES,
  parts: () => [],
  inLine: { what: ({ plan }) => work(plan), came },
  settings: {
    path: 'outcome.target.settings',
    read: result =>
      Object.entries(abuseResult(result).outcome.target.settings).map(([name, { value, why }]) => ({
        whose: 'server',
        name,
        value,
        why
      }))
  },
  against: { once: against, repeatedly: against },
  started: against,
  beside: () => ({ tables: [], notes: [] }),
  csv: [{ file: 'stretches.csv', render: stretchesCsv }],
  gauges: [],
  matrix: {
    columns: () => [],
    lines: (row, result) => [{ row, result }],
    signs: [],
    setting: () => [],
    words: { work: 'stretches', members: 'kinds' },
    lead: () => 'Hostile peers ran beside honest clients.',
    withoutPlots: 'Each row is a table of its own.',
    inLine: came
  },
  page: async () => (await import('./page.js')).PAGE
}
