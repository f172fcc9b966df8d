// The commands for stored results: `list` shows the results in a folder, `report` writes their reports again.
import { readdir } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { formatCount } from '../../kit/numbers.js'
import { getTerminalColumns } from '../../kit/text-layout.js'
import { OPTION_GROUPS, OUTPUT_OPTIONS, toCamelCase } from '../../plan/options.js'
import { parseCommandOptions } from '../../plan/plan.js'
import { wholeNumber, yesOrNo } from '../../plan/values.js'
import { formatCell, readCell } from '../../report/kinds.js'
import { readResultFile } from '../../report/read-result.js'
import { parseMinute } from '../../report/result-folder.js'
import { loadViews } from '../../report/run-report.js'
import { ALL_STUDIES, rebuild } from '../../studies/index.js'
import { readFolderKind, STUDY_DOCUMENTS } from '../../studies/study-folders.js'
import { EXIT, makeFileProblem, readFolderArgument, refuse } from '../exit.js'
import { writeDescription, writeTable } from '../terminal.js'

/**
 * What `list` shows of a folder of results: figures first, from the tiles of descriptions, then the folder.
 *
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').Column} Column
 *
 * @typedef {object} ListItem - a folder of results; as it is, for `--json`
 * @property {string} folder
 * @property {string | null} startedAt - ISO 8601; null: it cannot be read
 * @property {string} what - was run
 * @property {string} status
 * @property {{ name: string, value: string | number | null, text: string }[]} figures
 */

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/**
 * makeListItem makes the line of `list` for a folder.
 *
 * @param {ResultEntry} entry
 * @param {(entry: Exclude<ResultEntry, { kind: 'unreadable' }>) => Promise<Description>} describe - of a study without its runs: these are not read
 * @returns {Promise<ListItem>}
 */
export async function makeListItem(entry, describe) {
  const { name: folder } = entry
  if (entry.kind === 'unreadable')
    return { folder, startedAt: null, what: entry.why, status: 'unreadable', figures: [] }
  const head = entry.kind === 'run' ? entry.result : entry.document
  const { title, tiles } = await describe(entry)
  return {
    folder,
    startedAt: entry.kind === 'run' ? entry.result.run.startedAt : entry.document.startedAt,
    what: title,
    status: state(head),
    figures: tiles
      .filter(([, value]) => value !== null)
      .map(([name, value, kind]) => ({
        name,
        value: readCell(value),
        text: `${name} ${formatCell(value, kind, { withUnit: true })}`.trimStart()
      }))
  }
}

const GAP = 2
const MIN_COLUMNS = 20
/** Of a terminal that has room for the time and for what was run, too: names of folders mostly say both. */
const WIDE = 100
const MAX_WHAT = 36

/** @param {string} text @param {number} columns */
const cut = (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`)

/** The status of an incomplete result, then its figures. @param {ListItem} row */
const figuresOf = ({ figures, status, what }) =>
  [
    ...(status === 'complete' ? [] : [`${status}: ${figures.length === 0 ? what : ''}`.replace(/: $/, '')]),
    ...figures.map(({ text }) => text)
  ].join(', ')

/**
 * makeListTable makes the table of `list`.
 *
 * @param {readonly ListItem[]} rows
 * @param {number} [columns] - of a terminal: texts are cut to fit; default: they are whole
 * @returns {DescribedTable}
 */
export function makeListTable(rows, columns) {
  /** @type {[heading: string, of: (row: ListItem) => string | null, width?: number][]} */
  const wide = [
    ['Began', ({ startedAt }) => startedAt?.slice(0, 16).replace('T', ' ') ?? null],
    ['What', ({ what }) => what, MAX_WHAT]
  ]
  const shown = [...(columns === undefined || columns >= WIDE ? wide : []), ...ALWAYS]
  return {
    ...{ id: 'results', title: 'Results' },
    columns: shown.map(([heading]) => /** @type {Column} */ ([heading, 'text'])),
    rows: fitted(
      rows.map(row => shown.map(([, of]) => of(row))),
      shown,
      columns
    )
  }
}

/** @type {[heading: string, of: (row: ListItem) => string | null, width?: number][]} */
const ALWAYS = [
  ['Figures', figuresOf],
  ['Folder', ({ folder }) => folder]
]

/**
 * Cuts texts so that the table fits. Names of folders are never cut, since users copy them; figures get the room that is left.
 *
 * @param {(string | null)[][]} rows
 * @param {readonly [heading: string, of: (row: ListItem) => string | null, width?: number][]} shown
 * @param {number | undefined} columns
 */
function fitted(rows, shown, columns) {
  if (columns === undefined) return rows
  const widths = shown.map(([heading, , maxWidth = Number.POSITIVE_INFINITY], i) =>
    Math.min(maxWidth, Math.max(heading.length, ...rows.map(row => row[i]?.length ?? 1)))
  )
  const figures = shown.findIndex(([heading]) => heading === 'Figures')
  const others = widths.filter((_, i) => i !== figures).reduce((sum, each) => sum + each + GAP, 0)
  const limits = widths.with(figures, Math.max(MIN_COLUMNS, columns - others))
  return rows.map(row => row.map((text, i) => (text === null ? null : cut(text, limits[i]))))
}

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {{ name: string } & (
 *   { kind: 'run', result: AnyResult } | { kind: import('../../studies/study-folders.js').StudyKind, document: any } |
 *   { kind: 'unreadable', why: string })} ResultEntry - a folder of results
 */

/** @param {string} folder @param {string} name @param {LoadScenario} find @returns {Promise<ResultEntry | null>} null: it holds nothing to list */
async function entryOf(folder, name, find) {
  const path = join(folder, name)
  const kind = await readFolderKind(path)
  if (kind === null || kind === 'runs') return null
  if (kind === 'run') return { name, kind, result: await readResultFile(path, find) }
  const { file, read } = STUDY_DOCUMENTS[kind]
  const document = await read(path)
  return document === null
    ? { name, kind: 'unreadable', why: `its ${file} cannot be read` }
    : { name, kind, document }
}

/**
 * The time when a result began, by its document or else by its name. An unknown time counts as the newest, so that the folder is seen.
 *
 * @param {ResultEntry} entry
 * @returns {number} ms since 1970
 */
function began(entry) {
  if (entry.kind === 'unreadable') return finite(parseMinute(entry.name), Number.MAX_VALUE)
  return finite(Date.parse(entry.kind === 'run' ? entry.result.run.startedAt : entry.document.startedAt), 0)
}

/** @param {number} ms @param {number} otherwise */
const finite = (ms, otherwise) => (Number.isFinite(ms) ? ms : otherwise)

/** @param {ResultEntry} one @param {ResultEntry} other */
const byTime = (one, other) => began(one) - began(other)

/**
 * listFolder reads all results of a folder, in the order of time.
 *
 * @param {string} folder
 * @param {LoadScenario} find
 * @returns {Promise<ResultEntry[]>}
 */
export async function listFolder(folder, find) {
  const names = (await readdir(folder)).sort()
  const entries = await Promise.all(
    names.map(name =>
      entryOf(folder, name, find).catch(
        error => /** @type {ResultEntry} */ ({ name, kind: 'unreadable', why: error.why ?? error.message })
      )
    )
  )
  return entries.filter(entry => entry !== null).sort(byTime)
}

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 */

const { outputDir, json } = OUTPUT_OPTIONS
const LIST_OPTIONS = {
  limit: {
    group: OPTION_GROUPS.OUTPUT,
    ...wholeNumber(1, 1e6),
    default: 20,
    describe: 'number of newest results to list'
  },
  outputDir: { ...outputDir, describe: 'folder of results' },
  json: { ...json, describe: 'print results as JSON, without shortening' }
}

/** @type {CommandHelp} */
export const LIST = {
  options: LIST_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['the latest results', 'list'],
    ['into another folder', 'list my-results'],
    ['for programs', 'list --limit 1000 --json']
  ]),
  epilogue: 'Shows runs and studies, newest first, with main figures; for unreadable results, why.'
}

/**
 * listCommand lists a folder of results.
 *
 * @param {Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function listCommand({ options, words }, io) {
  const { findScenario } = io
  const { own, problems } = parseCommandOptions(LIST_OPTIONS, options)
  const [folder = own.outputDir, ...more] = words
  const isOutputDirSet = isSet('outputDir', options)
  const strays = more.map(word => ({ flag: word, value: '', allowed: 'is one folder too many' }))
  const others = isOutputDirSet ? otherFolder(folder, own.outputDir) : []
  const all = [...problems, ...strays, ...others]
  if (all.length > 0) return refuse('list', all, io)
  const isNamed = words.length > 0 || isOutputDirSet
  // the default folder need not exist before the first run
  const entries = await listFolder(folder, findScenario).catch(() =>
    isNamed ? null : /** @type {ResultEntry[]} */ ([])
  )
  if (entries === null)
    return refuse('list', [{ flag: folder, value: '', allowed: 'is no folder that can be read' }], io)
  const newest = entries.reverse().slice(0, Number(own.limit))
  const viewOf = await loadViews(
    newest.flatMap(entry => (entry.kind === 'run' ? [entry.result] : [])),
    findScenario
  )
  const rows = await Promise.all(
    newest.map(entry => makeListItem(entry, async of => describedIn(of, viewOf)))
  )
  if (own.json) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else writeList(rows, { count: entries.length, folder, io })
  return EXIT.DONE
}

/** @param {string} key @param {Record<string, unknown>} options - as typed */
const isSet = (key, options) => Object.keys(options).some(name => toCamelCase(name) === key)

/** @param {string} folder - that is listed @param {string} outputDir @returns {import('../../plan/plan.js').Problem[]} */
const otherFolder = (folder, outputDir) =>
  resolve(folder) === resolve(outputDir)
    ? []
    : [
        {
          flag: '--outputDir',
          value: outputDir,
          allowed: `is another folder than ${folder}: name one of them only`
        }
      ]

/**
 * A short description of a folder. Runs of studies are not read.
 *
 * @param {Exclude<ResultEntry, { kind: 'unreadable' }>} entry
 * @param {import('../../report/run-report.js').ViewOf} viewOf
 * @returns {import('../../report/schema.js').Description}
 */
function describedIn(entry, viewOf) {
  if (entry.kind === 'run') {
    const { describePlan, describeResult } = viewOf(entry.result)
    return { ...describeResult(entry.result), title: describePlan(entry.result.plan).what }
  }
  const [title, figures] = ALL_STUDIES[entry.kind].inLine(entry.document)
  return { title, headline: '', tiles: [['', figures, 'text']], tables: [], plots: [], warnings: [] }
}

/** A terminal's table is indented. */
const INDENT = 2

/**
 * @param {ListItem[]} rows
 * @param {{ count: number, folder: string, io: import('../index.js').ProcessIo }} of - `count`: there are
 */
function writeList(rows, { count, folder, io }) {
  const { stdout } = io
  if (count === 0) return void stdout.write(`no results in ${folder}\n`)
  writeTable(makeListTable(rows, stdout.isTTY ? getTerminalColumns(stdout) - INDENT : undefined), io)
  const left = count - rows.length
  if (left > 0) stdout.write(`${left} older: --limit ${count}\n`)
}

const { csv } = OUTPUT_OPTIONS
const REPORT_OPTIONS = {
  csv,
  runs: {
    group: csv.group,
    default: true,
    ...yesOrNo(),
    describe: "also write the pages of a study's runs; --no-runs: only its own, with links to existing ones"
  }
}

/** @type {CommandHelp} */
export const REPORT = {
  options: REPORT_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['of one run', 'report results/20261120-0712-rendezvous-7'],
    ['its figures as CSV', 'report results/20261120-0712-rendezvous-7 --csv'],
    ['of a matrix and its rows', 'report results/20261120-0712-matrix-rendezvous'],
    ['of a comparison, without its runs', 'report results/20261120-0712-ab-7 --no-runs']
  ]),
  epilogue:
    'Give the folder of a run, matrix, ab, saturate or qa, or a folder of runs. Results of older versions are readable.'
}

/** More files are counted. */
const MAX_NAMED = 6

/** @param {readonly string[]} files */
const fileNames = files =>
  files.length <= MAX_NAMED
    ? files.join(' · ')
    : `${formatCount(files.length, 'file')}: ${[...new Set(files.map(file => basename(file)))].join(' · ')}`

/**
 * reportCommand makes the views of a folder of results again.
 *
 * @param {Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function reportCommand({ options, words }, io) {
  const { own, problems } = parseCommandOptions(REPORT_OPTIONS, options)
  const { folder, problems: noFolder } = readFolderArgument(words, 'a folder of results')
  if (folder === undefined || problems.length > 0) return refuse('report', [...noFolder, ...problems], io)
  try {
    const { description, files } = await rebuild(folder, {
      csv: own.csv,
      runs: own.runs,
      find: io.findScenario
    })
    const { stdout } = io
    const written = [
      `written: ${join(folder, '/')}   ${fileNames(files.map(file => relative(folder, file)))}`
    ]
    if (description === null) stdout.write(`${written[0]}\n`)
    else writeDescription(description, io, written)
    return EXIT.DONE
  } catch (error) {
    return refuse('report', [makeFileProblem(error)], io)
  }
}
