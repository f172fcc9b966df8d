import { grouped, MISSING } from '../kit/numbers.js'
import { asMarkdown } from '../kit/table.js'
import { rowsOf } from '../result/matrix-folder.js'
import { figuresInLine, settingInLine } from './gossip/in-line.js'
import { profileInLine } from './profile/in-line.js'
import { workWords } from './progress-words.js'
import { rotationInLine } from './rotation/in-line.js'
import { rotatedInLine, rotatingInLine } from './rotation-rendezvous/in-line.js'
import { capacityAnswer } from './saturation/capacity-sentences.js'
import { saturationSentences } from './saturation/saturation-sentences.js'
import { figure, operationsOf, throughput } from './table.js'
import { validationAnswer } from './validation/validation-sentences.js'

/**
 * @typedef {import('../result/list-folder.js').Entry} Entry
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 */

/** @param {string} time ISO 8601 */
const minute = time => time.slice(0, 16).replace('T', ' ')

/** @param {Result} result */
const setting = ({ plan }) =>
  `${workWords(plan)}, ${grouped(plan.nClients)} ${plan.nClients === 1 ? 'client' : 'clients'}, ${grouped(plan.initialRegistrations)} registrations`

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/** @param {Result} result */
const figures = result =>
  operationsOf(result)
    .map(
      ([type, operation]) =>
        `${type} ${throughput(operation)} op/s, p50 ${figure(operation.rt.all.p50)} ms, p99 ${figure(operation.rt.all.p99)} ms`
    )
    .join('; ') || MISSING

/** @param {readonly { status: string }[]} parts */
const finished = parts => `${parts.filter(({ status }) => status === 'complete').length} of ${parts.length}`

/** What was run and what came of it. @type {Readonly<Record<AnyResult['scenario'], ((result: any) => string)[]>>} */
const RUNS = Object.freeze({
  rendezvous: [setting, figures],
  gossip: [settingInLine, figuresInLine],
  profile: [settingInLine, profileInLine],
  rotation: [settingInLine, rotationInLine],
  'rotation-rendezvous': [rotatingInLine, rotatedInLine]
})

/** @param {Extract<Entry, { kind: 'run' }>} entry */
function runCells({ result }) {
  const [what, came] = RUNS[result.scenario].map(text => text(result))
  return [minute(result.run.startedAt), what, state(result), came]
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
 * @returns {string} markdown
 */
export const runList = entries =>
  asMarkdown({
    headings: ['Folder', 'Began (UTC)', 'Scenario', 'Status', 'Figures'],
    align: ['l', 'l', 'l', 'l', 'l'],
    rows: entries.map(entry => [
      entry.name,
      .../** @type {(entry: any) => string[]} */ (CELLS[entry.kind])(entry).map(cell =>
        cell.replaceAll('|', '\\|')
      )
    ])
  })
