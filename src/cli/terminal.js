// Prints the progress of a run and its result: formatted at a terminal, as markdown and plain lines in a pipe.

import { getRawStream } from '../kit/safe-text.js'
import { getTerminalColumns } from '../kit/text-layout.js'
import { formatThreshold, listFailedThresholds } from '../report/checks.js'
import { describeRun } from '../report/describe-run.js'
import { formatResult, selectResultToKeep } from '../report/result-folder.js'
import { makeRepeatCommandLine, RUN_FILES } from '../report/run-report.js'
import {
  formatDescribedTable,
  formatForPipe,
  formatForTerminal,
  formatHead,
  formatPhase,
  formatProgress,
  formatTerminalTable,
  getPhaseTitles,
  hasColour,
  makePhaseTimer
} from '../report/text.js'

/**
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 *
 * @typedef {object} Progress - shows how a run goes on
 * @property {(record: RunRecord) => void} add
 * @property {(text: string) => void} notice - says something in between
 * @property {() => void} close
 */

const MIN_MS = 2000

/**
 * makePlainProgress writes a line per phase, and at most one in two seconds while a phase goes on: for logs.
 *
 * @param {object} components
 * @param {(line: string) => void} components.write
 * @param {string} components.version
 * @param {import('../report/run-report.js').View} components.view
 * @param {() => number} [components.now] - ms, monotonic
 * @returns {Progress}
 */
export function makePlainProgress({ write, version, view, now = () => performance.now() }) {
  const took = makePhaseTimer()
  /** @type {AnyPlan | undefined} */
  let plan
  let lastLine = now()

  /** @param {Extract<RunRecord, { type: 'phase' }>} record */
  function phase(record) {
    const ms = took(record)
    if (plan === undefined || record.state === 'begin') return
    const { running, done } = getPhaseTitles(record.name, plan, view)
    const [sign, title] = record.state === 'done' ? ['✔', done] : ['✖', `${running} broken off`]
    write(`${sign} ${formatPhase(title, ms, record.detail)}`)
  }

  /** @param {Extract<RunRecord, { type: 'progress' }>} record */
  function progress(record) {
    if (plan === undefined || now() - lastLine < MIN_MS) return
    lastLine = now()
    write(
      `  ${formatProgress(getPhaseTitles(record.phase, plan, view).running, record, { withBar: false, view, plan })}`
    )
  }

  return {
    add(record) {
      if (record.type === 'start') {
        plan = record.plan
        for (const line of formatHead(record, version, view)) write(line)
      } else if (record.type === 'phase') phase(record)
      else if (record.type === 'progress') progress(record)
    },
    notice: write,
    close() {}
  }
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../plan/plan.js').Output} Output
 *
 * @typedef {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} Stream
 *
 * @typedef {object} TerminalComponents
 * @property {Stream} stdout - takes the table, or the document with --json
 * @property {Stream} stderr - takes progress, notices and errors, so that stdout can go to a file
 * @property {Pick<Output, 'json' | 'quiet'>} output
 * @property {string} version - of this tool
 * @property {import('../report/run-report.js').View} view
 * @property {string | null} folder - path of the run's folder
 * @property {NodeJS.ProcessEnv} env - NO_COLOR
 */

/** @type {Progress} */
const NO_PROGRESS = { add() {}, notice() {}, close() {} }

/**
 * @param {TerminalComponents} components
 * @returns {Promise<Progress>}
 */
async function progressFor({ stderr, output, version, view }) {
  if (output.quiet) return NO_PROGRESS
  if (stderr.isTTY) {
    const { makeLiveProgress } = await import('./progress.js')
    return makeLiveProgress({ stream: stderr, version, view })
  }
  return makePlainProgress({ write: line => void stderr.write(`${line}\n`), version, view })
}

/**
 * @param {AnyResult} result
 * @param {TerminalComponents} components
 */
function show(result, { stdout, stderr, output, folder, view, env }) {
  if (output.json) stdout.write(formatResult(result))
  else {
    const described = describeRun(result, view)
    if (!output.quiet) return writeDescription(described, { stdout, env }, whereLines(result, folder, view))
    const [first] = described.tables
    if (first.rows.length > 0) stdout.write(`${formatDescribedTable(first)}\n`)
  }
  // a description shows this itself
  if (result.status === 'partial')
    stderr.write(`partial result: ${result.reason?.message ?? 'the run did not end'}\n`)
  for (const threshold of listFailedThresholds(result)) stderr.write(`${formatThreshold(threshold)}\n`)
}

/** @param {AnyResult} result @param {string | null} folder @param {import('../report/run-report.js').View} view */
const whereLines = ({ plan }, folder, view) =>
  folder === null
    ? []
    : [
        `${folder}/   ${RUN_FILES.join(' · ')}`,
        `repeat: ${makeRepeatCommandLine(folder, plan, view.scenario)}`
      ]

/**
 * writeDescription writes a description to a stream: for a person at a terminal, or as markdown in a pipe.
 *
 * @param {import('../report/schema.js').Description} description
 * @param {{ stdout: Stream, env: NodeJS.ProcessEnv }} to
 * @param {readonly string[]} [where] - lines at the end
 */
export function writeDescription(description, { stdout, env }, where = []) {
  if (!stdout.isTTY) return void stdout.write(formatForPipe(description, { where }))
  // the raw stream keeps escape codes of colours
  getRawStream(stdout).write(formatForTerminal(description, lookOf(stdout, env), { where }))
}

/**
 * writeTable writes a table with all its rows to a stream: as it fits a terminal, or as markdown in a pipe.
 *
 * @param {import('../report/schema.js').DescribedTable} table
 * @param {{ stdout: Stream, env: NodeJS.ProcessEnv }} to
 */
export function writeTable(table, { stdout, env }) {
  if (!stdout.isTTY) return void stdout.write(`${formatDescribedTable(table)}\n`)
  getRawStream(stdout).write(`${formatTerminalTable(table, { ...lookOf(stdout, env), maxRows: Infinity })}\n`)
}

/** @param {Stream} stream @param {NodeJS.ProcessEnv} env */
const lookOf = (stream, env) => ({ columns: getTerminalColumns(stream), colour: hasColour(stream, env) })

/**
 * makeTerminalReport shows a run on a terminal while it goes on and its result at the end. A run that ends without a result
 * shows what was known of it.
 *
 * @param {TerminalComponents} components
 * @returns {Promise<Progress>}
 */
export async function makeTerminalReport(components) {
  const progress = await progressFor(components)
  /** @type {AnyResult | undefined} */
  let latest

  return {
    add(record) {
      progress.add(record)
      if (record.type === 'partial' || record.type === 'result') latest = selectResultToKeep(record)
    },
    notice: progress.notice,
    close() {
      progress.close()
      if (latest !== undefined) show(latest, components)
    }
  }
}
