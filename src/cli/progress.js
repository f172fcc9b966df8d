// Live progress of a run or study on a terminal: phases, finished runs, estimated time left.

import ora from 'ora'
import { formatDuration } from '../kit/numbers.js'
import { escapeInvisible, getRawStream } from '../kit/safe-text.js'
import { fitParts, flowParts, getSpinnerColumns, getTerminalColumns, wrapText } from '../kit/text-layout.js'
import {
  formatHead,
  formatPhase,
  formatProgress,
  formatTile,
  getPhaseTitles,
  hasColour,
  listProgressParts,
  makePhaseTimer,
  wrapForTerminal
} from '../report/text.js'

/**
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../report/schema.js').ProgressRecord} ProgressRecord
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('./terminal.js').Progress} Progress
 */

/** The number of latest figures that are shown as a curve. */
const MAX_FIGURES = 5

/**
 * makeLiveProgress shows the phases on a terminal: a check mark for those that are done, a moving line for the one that
 * goes on.
 *
 * @param {object} components
 * @param {NodeJS.WritableStream & { columns?: number }} components.stream - a terminal
 * @param {string} components.version
 * @param {import('../report/run-report.js').View} components.view
 * @returns {Progress}
 */
export function makeLiveProgress({ stream, version, view }) {
  const spinner = spinnerOn(stream)
  const took = makePhaseTimer()
  /** @type {AnyPlan | undefined} */
  let plan
  /** @type {ProgressRecord[]} of the phase that goes on, the latest last */
  let recent = []
  const getColumns = () => getSpinnerColumns(stream)
  const ended = (/** @type {string} */ line) => wrapText(line, getColumns())

  /** @param {Extract<RunRecord, { type: 'phase' }>} record */
  function phase(record) {
    const ms = took(record)
    const { running, done } = getPhaseTitles(record.name, /** @type {AnyPlan} */ (plan), view)
    recent = []
    if (record.state === 'begin') spinner.start(fitParts([running], getColumns()))
    else if (record.state === 'done') spinner.succeed(ended(formatPhase(done, ms, record.detail)))
    else spinner.fail(ended(formatPhase(`${running} broken off`, ms, record.detail)))
  }

  /** @param {ProgressRecord} record @param {AnyPlan} of */
  function progress(record, of) {
    spinner.text = formatProgress(getPhaseTitles(record.phase, of, view).running, record, {
      ...{ withBar: true, view, plan: of, before: recent, columns: getColumns() }
    })
    recent = [...recent, record].slice(-MAX_FIGURES)
  }

  /** @param {string} text */
  function above(text) {
    const { isSpinning, text: current } = spinner
    if (isSpinning) spinner.stop()
    stream.write(`${text}\n`)
    if (isSpinning) spinner.start(current)
  }

  return {
    add(record) {
      if (record.type === 'start') {
        plan = record.plan
        above(
          formatHead(record, version, view)
            .map(line => wrapText(line, getTerminalColumns(stream)))
            .join('\n')
        )
      } else if (plan === undefined) return
      else if (record.type === 'phase') phase(record)
      else if (record.type === 'progress') progress(record, plan)
    },
    notice: text => above(wrapForTerminal(text, stream)),
    close: () => void spinner.stop()
  }
}

/**
 * spinnerOn is a line of a terminal that moves while something goes on. It moves the cursor itself, and shows texts visibly.
 *
 * @param {NodeJS.WritableStream & { isTTY?: boolean }} stream - a terminal
 * @param {NodeJS.ProcessEnv} [env] - NO_COLOR
 */
function spinnerOn(stream, env = process.env) {
  const color = hasColour(stream, env) ? 'cyan' : false
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({
    stream: getRawStream(stream),
    color,
    indent: 2,
    discardStdin: false,
    isEnabled: true
  })
  return {
    get isSpinning() {
      return spinner.isSpinning
    },
    get text() {
      return spinner.text
    },
    set text(text) {
      spinner.text = escapeInvisible(text)
    },
    /** @param {string} [text] - default: the one it had */
    start: text => void spinner.start(text === undefined ? undefined : escapeInvisible(text)),
    succeed: (/** @type {string} */ text) => void spinner.succeed(escapeInvisible(text)),
    fail: (/** @type {string} */ text) => void spinner.fail(escapeInvisible(text)),
    stop: () => void spinner.stop()
  }
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../studies/matrix/matrix-document.js').RowRecord} RowRecord
 * @typedef {import('../report/run-report.js').View} View
 * @typedef {import('../report/run-report.js').ViewOf} ViewOf
 *
 * @typedef {object} RunPlace - of a row among those that are run
 * @property {Pick<RowRecord, 'id' | 'plan' | 'status' | 'reason' | 'tookMs'>} row - or whatever else is run one after the other
 * @property {number} index - from 1
 * @property {number} total
 * @property {number} etaMs - of the whole study
 * @property {boolean} paceKnown - a run has shown how long runs take
 *
 * @typedef {object} StudyProgress
 * @property {(place: RunPlace) => void} begin
 * @property {(record: RunRecord, place?: RunPlace) => void} add - a record of a row that goes on; `place`: which one, where several do
 * @property {(place: RunPlace, result: AnyResult | null) => void} end
 * @property {(text: string) => void} notice
 * @property {() => void} close
 */

/** formatRunTitle names a run. @param {RunPlace} place */
export const formatRunTitle = ({ row, index, total }) =>
  `${String(index).padStart(String(total).length)}/${total}  ${row.id}`

/** Before the first run, the time on this machine may be up to this many times the estimate. */
const UNKNOWN_PACE = 3

/** formatUnknownPace is a range of time, for estimates before the first run. @param {number} ms */
export const formatUnknownPace = ms => `${formatDuration(ms)} to ${formatDuration(UNKNOWN_PACE * ms)}`

/**
 * formatEta say when a study will have ended: a range, until its first run has shown how long runs take here.
 *
 * @param {Pick<RunPlace, 'etaMs' | 'paceKnown'>} place
 */
export const formatEta = ({ etaMs, paceKnown }) =>
  `ETA ${paceKnown ? formatDuration(etaMs) : formatUnknownPace(etaMs)}`

/**
 * The status of a run that is not complete, and the reason. A reason may begin with the status.
 *
 * @param {string} how
 * @param {string} why
 */
const endWords = (how, why) => (why.startsWith(how) ? why : `${how}: ${why}`)

/**
 * The parts of the line of a run that has ended. Figures that are missing or 0 are left out.
 *
 * @param {RunPlace} place
 * @param {import('../scenarios/index.js').AnyResult | null} result
 * @param {import('../report/run-report.js').ViewOf} viewOf
 */
function endParts({ row, ...place }, result, viewOf) {
  const failed = row.status === 'complete' ? [] : [endWords(row.status, row.reason?.message ?? 'no result')]
  const tiles = result === null ? [] : viewOf(result).describeResult(result).tiles
  const figures = tiles.filter(([, value]) => value !== null && value !== 0).map(formatTile)
  return [formatRunTitle({ row, ...place }), formatDuration(row.tookMs ?? 0), ...failed, ...figures]
}

/**
 * formatEndLine is the line of a run that has ended.
 *
 * @param {Parameters<typeof endParts>} about
 */
export const formatEndLine = (...about) => endParts(...about).join('   ')

/** What a run is at. @param {RunRecord} record @param {import('../scenarios/index.js').AnyPlan} plan @param {View} view @returns {string[]} none: it says nothing of it */
function activity(record, plan, view) {
  if (record.type === 'phase' && record.state === 'begin')
    return [getPhaseTitles(record.name, plan, view).running]
  if (record.type !== 'progress') return []
  const { running } = getPhaseTitles(record.phase, plan, view)
  return listProgressParts(running, record, { withBar: false, view, plan })
}

const INDENT = '  '

/**
 * liveStudyProgress shows runs on a terminal: a check mark for those that are done, a moving line for those that go on.
 *
 * @param {NodeJS.WritableStream & { columns?: number }} stream - a terminal
 * @param {ViewOf} viewOf
 * @returns {StudyProgress}
 */
function liveStudyProgress(stream, viewOf) {
  const spinner = spinnerOn(stream)
  /** @type {Map<string, { place: RunPlace, doing: string[] }>} by id: rows that go on, the latest last */
  const running = new Map()
  let left = ''
  const text = () =>
    [...running.values()]
      .map(({ place, doing }) => fitParts([formatRunTitle(place), left, ...doing], getSpinnerColumns(stream)))
      .join('\n    ')
  const latest = () => [...running.values()].at(-1)?.place
  return {
    begin(place) {
      running.set(place.row.id, { place, doing: [] })
      left = `in all: ${formatEta(place)}`
      spinner.start(text())
    },
    add(record, place = latest()) {
      const row = place === undefined ? undefined : running.get(place.row.id)
      const plan = row?.place.row.plan
      const doing = plan === undefined ? [] : activity(record, plan, viewOf(plan))
      if (row === undefined || doing.length === 0) return
      row.doing = doing
      spinner.text = text()
    },
    end(place, result) {
      running.delete(place.row.id)
      const columns = getSpinnerColumns(stream)
      const line = flowParts(endParts(place, result, viewOf), columns)
        .map(each => wrapText(each, columns + INDENT.length, INDENT))
        .join('\n    ')
      if (place.row.status === 'complete') spinner.succeed(line)
      else spinner.fail(line)
      if (running.size > 0) spinner.start(text())
    },
    notice(text) {
      spinner.stop()
      stream.write(`${wrapForTerminal(text, stream)}\n`)
      spinner.start()
    },
    close: () => void spinner.stop()
  }
}

/** @type {StudyProgress} */
const NOTHING = { begin() {}, add() {}, end() {}, notice() {}, close() {} }

/** @param {(line: string) => void} write @param {ViewOf} viewOf @returns {StudyProgress} */
const plain = (write, viewOf) => ({
  ...NOTHING,
  begin: place => write(`  ${formatRunTitle(place)}   ${formatEta(place)}`),
  end: (place, result) =>
    write(`${place.row.status === 'complete' ? '✔' : '✖'} ${formatEndLine(place, result, viewOf)}`),
  notice: write
})

/**
 * makeStudyProgress shows how a study goes on: a line for each run that has ended, and on a terminal a moving one for the run
 * that goes on.
 *
 * @param {object} components
 * @param {import('./terminal.js').Stream} components.stream
 * @param {boolean} components.quiet
 * @param {ViewOf} components.viewOf
 * @returns {Promise<StudyProgress>}
 */
export async function makeStudyProgress({ stream, quiet, viewOf }) {
  if (quiet) return NOTHING
  if (!stream.isTTY) return plain(line => void stream.write(`${line}\n`), viewOf)
  return liveStudyProgress(stream, viewOf)
}
