import { grouped, MISSING } from '../kit/numbers.js'
import { asMarkdown } from '../kit/table.js'
import { settingInLine } from '../scenarios/gossip/view/in-line.js'
import { rowsOf } from './matrix/matrix-folder.js'
import { capacityAnswer } from './saturation/view/capacity-sentences.js'
import { saturationSentences } from './saturation/view/saturation-sentences.js'
import { validationAnswer } from './validation/view/validation-sentences.js'

/**
 * @typedef {import('./list-folder.js').Entry} Entry
 * @typedef {import('../report/view.js').ViewOf} ViewOf
 */

/** @param {string} time ISO 8601 */
const minute = time => time.slice(0, 16).replace('T', ' ')

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/** @param {readonly { status: string }[]} parts */
const finished = parts => `${parts.filter(({ status }) => status === 'complete').length} of ${parts.length}`

/** @param {Extract<Entry, { kind: 'run' }>} entry @param {ViewOf} viewOf */
function runCells({ result }, viewOf) {
  const { what, came } = viewOf(result).inLine
  return [minute(result.run.startedAt), what(result), state(result), came(result)]
}

/** What stands in a row, by what the folder holds: date (UTC), scenario, status, figures. */
const CELLS = Object.freeze({
  run: runCells,
  /** @param {Extract<Entry, { kind: 'matrix' }>} entry */
  matrix: ({ document }) => [
    minute(document.startedAt),
    `matrix: ${document.tables.map(({ title }) => title).join('; ')}`,
    state(document),
    `${finished(rowsOf(document))} rows`
  ],
  /** @param {Extract<Entry, { kind: 'ab' }>} entry */
  ab: ({ document }) => [
    minute(document.startedAt),
    `ab: ${document.arms.a.label} against ${document.arms.b.label}`,
    state(document),
    `${document.pairs.filter(({ a, b }) => a !== null && b !== null).length} of ${document.pairs.length} pairs`
  ],
  /** @param {Extract<Entry, { kind: 'saturate' }>} entry */
  saturate: ({ document }) => [
    minute(document.startedAt),
    `saturate ${document.scenario}: ${document.grid === null ? 'search' : `grid of ${document.grid.cells.length} cells`}`,
    state(document),
    saturationSentences(document)[0]
  ],
  /** @param {Extract<Entry, { kind: 'capacity' }>} entry */
  capacity: ({ document }) => [
    minute(document.startedAt),
    `capacity: ${grouped(document.network.peers)} peers`,
    state(document),
    capacityAnswer(document)
  ],
  /** @param {Extract<Entry, { kind: 'validation' }>} entry */
  validation: ({ document }) => [
    minute(document.startedAt),
    `validate: ${settingInLine({ plan: document.runs.real[0].plan })}`,
    state(document),
    validationAnswer(document)
  ],
  /** @param {Extract<Entry, { kind: 'unreadable' }>} entry */
  unreadable: ({ why }) => [MISSING, MISSING, `unreadable: ${why}`, MISSING]
})

/**
 * runList is the table of what a folder of results holds.
 *
 * @param {readonly Entry[]} entries
 * @param {ViewOf} viewOf
 * @returns {string} markdown
 */
export const runList = (entries, viewOf) =>
  asMarkdown({
    headings: ['Folder', 'Began (UTC)', 'Scenario', 'Status', 'Figures'],
    align: ['l', 'l', 'l', 'l', 'l'],
    rows: entries.map(entry => [
      entry.name,
      .../** @type {(entry: any, viewOf: ViewOf) => string[]} */ (CELLS[entry.kind])(entry, viewOf).map(
        cell => cell.replaceAll('|', '\\|')
      )
    ])
  })
