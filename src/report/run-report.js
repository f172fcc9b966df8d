// Writes the files made from a run's result: report.md, report.html, CSV, JSON lines, HDR logs, and command lines to
// repeat it.
import { constants, existsSync } from 'node:fs'
import { access, appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { omitMissing } from '../kit/collections.js'
import { MISSING_TEXT, UNITS } from '../kit/numbers.js'
import { PROGRAM } from '../kit/runtime.js'
import { escapeInvisible, escapeInvisibleInLine } from '../kit/safe-text.js'
import { encodeHistogram } from '../measure/distribution.js'
import { Histogram } from '../measure/histogram.js'
import { makePlanFlags, quoteShellWord } from '../plan/command-line.js'
import { STANDARD_OUTPUT } from '../plan/options.js'
import { listPlanFigures } from '../plan/threshold.js'
import { listFailedThresholds, summarizeThresholds } from './checks.js'
import { describeRun, formatRunTime, formatWarning, makeRunTables } from './describe-run.js'
import { formatPlainCell } from './kinds.js'
import { RESULT_FILE, replaceFile, selectResultToKeep } from './result-folder.js'
import { formatHead, getPhaseTitles, makeCsvFiles, writeMarkdownReport } from './text.js'

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./schema.js').RunRecord} RunRecord
 * @typedef {import('./schema.js').Description} Description
 */

const MARKDOWN = 'report.md'
const PAGE = 'report.html'

/** RUN_FILES are the files in the folder of a run that a user is pointed to. */
export const RUN_FILES = [PAGE, RESULT_FILE]

/**
 * writeView writes a view in place of an earlier one.
 *
 * @param {string} file
 * @param {string} content
 */
export const writeView = (file, content) =>
  replaceFile(file, file.endsWith('.html') ? content : escapeInvisible(content))

/**
 * writeReport writes a description into a folder, in place of earlier ones: report.md, report.html, CSV files.
 *
 * @param {string} folder
 * @param {Description} description
 * @param {object} about
 * @param {string} about.id - of the run or study
 * @param {string} about.version - of this program
 * @param {readonly string[]} about.lines - under the title
 * @param {string} about.command - that repeats it
 * @param {readonly import('./schema.js').DescribedTable[]} [about.tables] - at the end
 * @param {ReadonlyMap<string, string>} [about.links] - where cells of tables lead, by their texts
 * @param {readonly string[]} about.files - beside it
 * @param {{ csv?: boolean, page?: boolean }} which
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeReport(folder, description, about, { csv = false, page = true }) {
  const { lines, command, version, tables = [], links } = about
  const csvs = csv ? makeCsvFiles(description) : []
  /** @type {[string, string][]} */
  const files = [[MARKDOWN, writeMarkdownReport(description, { lines, command, about: tables })], ...csvs]
  if (page) {
    // its script is read from files: only where a page is made
    const { writeDescriptionPage } = await import('./page.js')
    const whole = { ...description, tables: [...description.tables, ...tables] }
    const beside = [...about.files, ...csvs.map(([file]) => file)]
    files.push([
      PAGE,
      writeDescriptionPage(whole, {
        head: { id: about.id, when: lines.join(' · '), command, links, files: beside, version }
      })
    ])
  }
  for (const [file, content] of files) await writeView(join(folder, file), content)
  return files.map(([file]) => join(folder, file))
}

/**
 * writeViews writes the views of a result into the folder of its run, in place of earlier ones.
 *
 * @param {AnyResult} result
 * @param {string} folder
 * @param {{ csv: boolean, page?: boolean }} which
 * @param {View} view
 * @returns {Promise<string[]>} paths of the files
 */
export function writeViews(result, folder, which, view) {
  const { plan, run } = result
  const version = run.versions['libp2p-loadtest'] ?? ''
  const [head, what] = formatHead({ plan, run }, version, view)
  const lines = [head, what, formatRunTime(run, run)]
  const command = `${makeRepeatCommandLine(folder, plan, view.scenario)}\n${makePlanCommandLine(plan, view.scenario)}`
  const about = {
    id: result.id,
    version,
    lines,
    command,
    tables: makeRunTables(result),
    files: [RESULT_FILE]
  }
  return writeReport(folder, describeRun(result, view), about, which)
}

/**
 * describeWriteError says that a view could not be written, and how it is made later, where there is anything to make it from.
 *
 * @param {unknown} error
 * @param {string} folder - whose views they are
 * @returns {string} a line
 */
export function describeWriteError(error, folder) {
  const again = existsSync(folder) ? `. Once more: ${PROGRAM} report ${quoteShellWord(folder)}` : ''
  return `⚠ Not every report was written: ${error instanceof Error ? error.message : String(error)}${again}\n`
}

/**
 * makeViewWriter writes the views once a run has ended, whatever its outcome. The result is kept already: a view that cannot be made
 * takes nothing from it, and can be made later.
 *
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @param {(text: string) => void} say - takes a line
 * @param {View} view
 * @returns {{ add(record: RunRecord): void, close(): Promise<void> }}
 */
export function makeViewWriter(folder, { csv }, say, view) {
  /** @type {AnyResult | null} */
  let latest = null
  return {
    add(record) {
      if (record.type === 'partial' || record.type === 'result') latest = selectResultToKeep(record)
    },
    async close() {
      if (latest === null) return
      try {
        await writeViews(latest, folder, { csv }, view)
      } catch (error) {
        say(describeWriteError(error, folder))
      }
    }
  }
}

/**
 * How plans and results of a scenario are described. Only types live here.
 *
 * @typedef {Readonly<import('./schema.js').Describe & { scenario: import('../scenarios/index.js').Scenario }>} View
 *
 * @typedef {(of: { scenario: string }) => View} ViewOf - of a plan, a result or the table of a matrix
 */

/**
 * loadViews loads how plans and results of some scenarios are described.
 *
 * @param {Iterable<{ scenario: string }>} shown - plans, results or tables of matrices
 * @param {import('../scenarios/index.js').LoadScenario} find
 * @returns {Promise<ViewOf>}
 */
export async function loadViews(shown, find) {
  const names = new Set([...shown].map(({ scenario }) => scenario))
  /** @type {Map<string, View>} */
  const views = new Map()
  for (const name of names) {
    const scenario = await find(name)
    if (scenario === undefined) continue
    const view = { ...(await scenario.describe()), scenario }
    // an older document may name what is a property of that scenario now: results are read as its own
    for (const each of [name, scenario.name]) views.set(each, view)
  }
  return ({ scenario }) => /** @type {View} */ (views.get(scenario))
}

/** Files of a run that a page can link to, the best first: pages are large, and not kept everywhere. */
const LINKED_FILES = [PAGE, MARKDOWN, RESULT_FILE]

/** @param {string} file @param {number} [mode] */
const canAccess = (file, mode) =>
  access(file, mode).then(
    () => true,
    () => false
  )

/**
 * findRunLinks finds a file to link to for each run that is kept beside a page.
 *
 * @param {string} folder - of the page
 * @param {readonly string[]} runs - folders in it
 * @returns {Promise<Map<string, string>>} by folder; one with nothing to look at has none
 */
export async function findRunLinks(folder, runs) {
  /** @type {Map<string, string>} */
  const links = new Map()
  for (const run of runs)
    for (const file of LINKED_FILES)
      if (!links.has(run) && (await canAccess(join(folder, run, file)))) links.set(run, posix.join(run, file))
  return links
}

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 */

/** The last columns of every row: which run it is of. @type {readonly (readonly [heading: string, of: (result: AnyResult) => string])[]} */
const OF_RUN = [
  [
    'Thresholds',
    result => {
      const failed = listFailedThresholds(result).map(({ text }) => text)
      return failed.length > 0 ? `FAIL: ${failed.join('; ')}` : (summarizeThresholds(result) ?? MISSING_TEXT)
    }
  ],
  ['Seed', ({ plan }) => String(plan.seed)],
  ['Status', ({ status }) => status],
  ['Run', ({ id }) => id]
]

/** Those that the table of a scenario does not have itself. @param {readonly string[]} headings */
const ofRun = headings => OF_RUN.filter(([heading]) => !headings.includes(heading))

/** @param {string[]} cells */
const rowLine = cells =>
  `| ${cells.map(cell => escapeInvisibleInLine(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** The first line of the last table of a file. @param {string} content */
const lastHeader = content =>
  content
    .slice(content.lastIndexOf('\n\n') + 1)
    .trim()
    .split('\n')[0]

/**
 * makeAppendedRows is the text to append to an output file: the rows of a result's first table, and the header before them unless the file
 * already ends in a table that they fit into.
 *
 * @param {string} content - of the file so far
 * @param {AnyResult} result
 * @param {View} view
 * @returns {string} empty when nothing was measured
 */
export function makeAppendedRows(content, result, { describeResult }) {
  const [first] = describeResult(result).tables
  if (first === undefined || first.rows.length === 0) return ''
  const { columns, rows } = first
  const own = columns.map(([heading]) => heading)
  const behind = ofRun(own)
  const headings = [...own, ...behind.map(([heading]) => heading)]
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n'
  const lines = rows.map(row =>
    rowLine([
      ...row.map((cell, i) => formatPlainCell(cell, columns[i][1])),
      ...behind.map(([, of]) => of(result))
    ])
  )
  if (lastHeader(content) === rowLine(headings)) return `${lineEnd}${lines.join('\n')}\n`
  const head = [rowLine(headings), rowLine(headings.map(() => '---'))]
  return `${lineEnd}${content === '' ? '' : '\n'}${[...head, ...lines].join('\n')}\n`
}

/** @param {string} path */
const contentOf = path =>
  readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/**
 * makeOutputFileWriter appends the rows of a result to a markdown file.
 *
 * @param {string} path
 * @param {View} view
 * @returns {{ add(record: RunRecord): Promise<void>, close(): void }}
 */
export const makeOutputFileWriter = (path, view) => ({
  async add(record) {
    if (record.type === 'result')
      await appendFile(path, makeAppendedRows(await contentOf(path), record.result, view))
  },
  close() {}
})

/**
 * findTableProblem says whether a file ends in a table that rows of a plan do not fit into.
 *
 * @param {string} path
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {Pick<View, 'describePlan'>} view
 * @returns {Promise<Problem | null>}
 */
export async function findTableProblem(path, plan, { describePlan }) {
  const { columns } = describePlan(plan)
  if (columns === null) return null
  const header = lastHeader(await contentOf(path))
  const own = rowLine([...columns, ...ofRun(columns).map(([heading]) => heading)])
  if (!header.startsWith('|') || header === own) return null
  const allowed = 'ends in a table with other columns, as of another scenario or version: name another file'
  return { flag: '--outputFile', value: path, allowed }
}

/**
 * findOutputFileProblem says why a file could not be written, before anything is started.
 *
 * @param {string} path
 * @param {string} [flag] - that names it
 * @returns {Promise<Problem | null>}
 */
export async function findOutputFileProblem(path, flag = '--outputFile') {
  const problem = (/** @type {string} */ allowed) => ({ flag, value: path, allowed })
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return problem('is a folder: name a file')
  const parent = dirname(path)
  if (stats === null && !(await stat(parent).catch(() => null))?.isDirectory())
    return problem(`cannot be made: there is no folder ${parent}`)
  if (await canAccess(stats === null ? parent : path, constants.W_OK)) return null
  return problem('cannot be written: choose another file or change its permissions')
}

/**
 * findOutputProblems says which files that are named cannot be written, before anything is started.
 *
 * @param {Pick<import('../plan/plan.js').Output, 'outputFile' | 'hdrFile' | 'deliveriesFile' | 'junit' | 'jsonLines' | 'json'>} output
 * @param {{ plan: import('../scenarios/index.js').AnyPlan, scenario: Scenario } | null} [run] - whose results are written; null: not known yet
 * @returns {Promise<Problem[]>}
 */
export async function findOutputProblems(output, run = null) {
  const { outputFile, hdrFile, deliveriesFile, junit, jsonLines, json } = output
  const isOnStandardOutput = jsonLines === STANDARD_OUTPUT
  const files = {
    '--outputFile': outputFile,
    '--hdr': hdrFile,
    '--deliveries': deliveriesFile,
    '--junit': junit,
    '--jsonLines': isOnStandardOutput ? null : jsonLines
  }
  const problems = []
  for (const [flag, path] of Object.entries(files)) {
    if (path == null) continue
    const problem = await findOutputFileProblem(path, flag)
    if (problem !== null) problems.push(problem)
    else if (flag === '--outputFile' && run !== null)
      problems.push(await findTableProblem(path, run.plan, await run.scenario.describe()))
  }
  const allowed = 'cannot be - with --json, which uses standard output alone: name a file'
  if (isOnStandardOutput && json) problems.push({ flag: '--jsonLines', value: STANDARD_OUTPUT, allowed })
  return omitMissing(problems)
}

/**
 * @typedef {import('../studies/compare/comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('../scenarios/index.js').Scenario} Scenario
 */

/**
 * makeRepeatCommandLine runs a plan again where its result is at hand.
 *
 * @param {string} folder - of the run
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {Scenario} scenario
 */
export const makeRepeatCommandLine = (folder, plan, { commandLine }) =>
  commandLine?.(plan) ?? `${PROGRAM} rerun ${quoteShellWord(folder)}`

/**
 * makePlanCommandLine runs a plan without its result at hand.
 *
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {Scenario} scenario
 */
export const makePlanCommandLine = (plan, scenario) =>
  scenario.commandLine?.(plan) ??
  [PROGRAM, ...commandOf(scenario), ...makePlanFlags(scenario, plan)].join(' ')

/** @param {Scenario} scenario */
const commandOf = ({ command: { words } }) => (words === '' ? [] : [words])

/** @param {string[]} flags @returns {Map<string, string>} by option: all it is given */
function byOption(flags) {
  /** @type {Map<string, string>} */
  const options = new Map()
  for (const flag of flags) {
    const name = flag.split(' ')[0].replace(/^--(no-)?/, '')
    options.set(name, options.has(name) ? `${options.get(name)} ${flag}` : flag)
  }
  return options
}

/** The options of one side, in quotes; a single one begins with a space, so that it is not taken for an option of the command. @param {string[]} flags */
function armWord(flags) {
  const text = flags.join(' ')
  return text === '' ? "''" : quoteShellWord(text.includes(' ') ? text : ` ${text}`)
}

/**
 * makeComparisonCommandLine makes a comparison again, without its plan files at hand.
 *
 * @param {Pick<ComparisonDocument, 'sides' | 'failOn' | 'baseline'>} document
 * @param {Scenario} scenario
 */
export function makeComparisonCommandLine({ sides, failOn, baseline }, scenario) {
  const rules = [
    ...failOn.map(rule => `--failOn ${quoteShellWord(rule)}`),
    ...(baseline === null ? [] : [`--baseline ${quoteShellWord(baseline)}`])
  ]
  const runs = `--runs ${sides[0].runs.length}`
  if (sides.length === 1) return [makePlanCommandLine(sides[0].plan, scenario), runs, ...rules].join(' ')
  const [a, ...others] = sides.map(({ plan }) => byOption(makePlanFlags(scenario, plan)))
  const shared = [...a].flatMap(([name, flag]) =>
    others.every(options => options.get(name) === flag) ? [flag] : []
  )
  const own = [a, ...others].map(options =>
    armWord([...options.values()].filter(flag => !shared.includes(flag)))
  )
  return [PROGRAM, 'ab', ...commandOf(scenario), ...own, runs, ...shared, ...rules].join(' ')
}

/**
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../measure/figure.js').MeasuredOutcome} MeasuredOutcome
 * @typedef {object} LineOf - a run whose records are written
 * @property {View} view - of its scenario
 * @property {string} folder - path of the run's folder
 * @property {string} [label] - which run of a study
 * @property {{ index: number, total: number }} [place] - of it among those that are made, from 1
 */

/** @param {readonly Figure[]} figures @param {MeasuredOutcome} outcome @param {Partial<AnyResult['run']>} [run] */
function readKnown(figures, outcome, run) {
  const known = figures.flatMap(({ name, read }) => {
    const reading = read(outcome, run)
    return reading.value === null || !Number.isFinite(reading.value)
      ? []
      : [{ name, value: reading.value, atLeast: reading.atLeast !== undefined }]
  })
  return {
    figures: Object.fromEntries(known.map(({ name, value }) => [name, value])),
    atLeast: known.flatMap(({ name, atLeast }) => (atLeast ? name : []))
  }
}

/** Those that are known while a run goes on. @param {readonly Figure[]} figures */
const liveFigures = figures =>
  figures.filter(({ live, prometheus }) => live !== undefined || prometheus !== undefined)

/**
 * lineOf is a record as a line has it. Some records are for other readers: histograms of each second, and results that are not whole yet.
 *
 * @param {RunRecord} record
 * @param {Omit<LineOf, 'label'> & { figures: readonly Figure[], plan: AnyResult['plan'] | undefined }} of - `figures`: that the plan can have
 * @returns {Record<string, unknown> | null}
 */
function lineOf(record, { figures, folder, view, plan, place }) {
  switch (record.type) {
    case 'start':
      return {
        type: 'start',
        schemaVersion: 2,
        ...place,
        scenario: record.plan.scenario,
        says: view.describePlan(record.plan).what,
        plan: record.plan,
        units: Object.fromEntries(
          figures.map(({ name, quantity, unit }) => [name, unit ?? UNITS[quantity].own])
        )
      }
    case 'phase': {
      const { name: phase, state, atMs, detail } = record
      const title = plan === undefined ? undefined : getPhaseTitles(phase, plan, view).running
      return { type: 'phase', phase, title, state, atMs, detail }
    }
    case 'progress':
      return { ...record }
    case 'interval': {
      const { utilizations, thresholds } = record
      return { type: 'sample', ...readKnown(liveFigures(figures), record.figures), utilizations, thresholds }
    }
    case 'warning':
      return { type: 'warning', code: record.warning.code, message: formatWarning(record.warning) }
    case 'result': {
      const { status, reason, outcome, run } = record.result
      return {
        type: 'end',
        status,
        reason,
        // what is partial may lack what others are read from
        ...readKnown(status === 'complete' ? figures : liveFigures(figures), outcome, run),
        ...('limitedBy' in outcome && { limitedBy: outcome.limitedBy }),
        thresholds: outcome.thresholds ?? [],
        warnings: run.warnings.map(({ code }) => code),
        folder
      }
    }
    default:
      return null
  }
}

/**
 * makeJsonLinesWriter writes the records of a run as JSON documents, one a line: lineSchema of schema.js describes them.
 *
 * @param {LineOf} of
 * @param {(line: object) => Promise<void>} write
 * @param {() => Date} now
 * @returns {(record: RunRecord) => Promise<void>}
 */
export function makeJsonLinesWriter({ view, folder, label, place }, write, now) {
  let run = ''
  /** @type {AnyResult['plan'] | undefined} */
  let plan
  /** @type {readonly Figure[]} */
  let figures = []
  return async record => {
    if (record.type === 'start' || record.type === 'result') {
      const of = record.type === 'start' ? record : record.result
      run = of.id
      plan = of.plan
      figures = listPlanFigures(view.scenario.figures, plan)
    }
    const line = lineOf(record, { figures, folder, view, plan, place })
    if (line === null) return
    const { type, ...content } = line
    await write({ type, at: now().toISOString(), run, ...(label !== undefined && { label }), ...content })
  }
}

/** Workers hand over a second at nearly the same time: after so many further seconds it is complete. */
const WHOLE_AFTER = 3

/** The first lines of a log, see https://github.com/HdrHistogram/HdrHistogram, HistogramLogWriter. @param {number} beganEpochMs */
const head = beganEpochMs => `#[Histogram log format version 1.3]
#[response times of operations in µs, from when they were due; those without a reply at the time they were waited for]
#[StartTime: ${(beganEpochMs / 1000).toFixed(3)} (seconds since epoch), ${new Date(beganEpochMs).toISOString()}]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
`

/**
 * makeHdrLogWriter writes the response times of a run as a log of HDR histograms: a line for each second and type of operation, V2 compressed,
 * with the type as its tag. Timestamps count from when the measurement began; the largest value stands in ms.
 *
 * @param {string} path - of a file that is written anew
 * @returns {{ add(record: RunRecord): Promise<void>, close(): void }}
 */
export function makeHdrLogWriter(path) {
  /** @type {Map<number, Map<string, Histogram>>} by second and type: those that may not be complete yet */
  const open = new Map()
  let started = false
  /** @param {number} before - seconds */
  const write = async before => {
    const whole = [...open].filter(([second]) => second < before).sort(([a], [b]) => a - b)
    for (const [second] of whole) open.delete(second)
    const lines = whole.flatMap(([second, types]) =>
      [...types].map(
        ([type, times]) =>
          `Tag=${type},${second.toFixed(3)},1.000,${(times.max / 1000).toFixed(3)},${encodeHistogram(times)}\n`
      )
    )
    if (lines.length > 0) await appendFile(path, lines.join(''))
  }
  return {
    async add(record) {
      if (record.type === 'measured') {
        if (!started) await writeFile(path, head(record.beganEpochMs))
        started = true
        const { second, cells } = record
        for (const { metric, type, data } of cells) {
          if (metric !== 'rt') continue
          const types = open.get(second) ?? new Map()
          open.set(second, types)
          const times = types.get(type) ?? new Histogram()
          types.set(type, times)
          times.merge(data)
        }
        await write(second - WHOLE_AFTER)
      } else if (record.type === 'result') await write(Infinity)
    },
    close() {}
  }
}
