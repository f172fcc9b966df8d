// How any command that makes a study runs it: folder, runs, result, checks, exit code.
import { computeTookMs, makeEndChecks } from '../report/checks.js'
import { ResultFileError } from '../report/read-result.js'
import { describeWriteError, loadViews } from '../report/run-report.js'
import { formatPipeTables, wrapForTerminal } from '../report/text.js'
import { formatDocument, makeStudyFolder, REPORT_PAGE } from '../studies/study.js'
import { resumeCommandLine } from '../studies/study-folders.js'
import { describeStudy, writeStudyViews } from '../studies/study-views.js'
import { showDryRun } from './dry-run.js'
import { catchSignals, computeExitCode, formatError, refuse } from './exit.js'
import { openFleets } from './fleet.js'
import { makeFolderOrProblem, openLines, redirectStdout, serveDashboard, writeChecks } from './outputs.js'
import { makeStudyProgress } from './progress.js'
import { writeDescription } from './terminal.js'

/**
 * @typedef {import('../studies/study-views.js').StudyInterface} StudyInterface
 * @typedef {import('./index.js').ProcessIo} ProcessIo
 *
 * @typedef {import('../studies/study-views.js').PlannedStudy<any> & { loaded?: any, parallel?: number }} PlannedStudy - `loaded`: what its views are made
 *   from, where it is at hand and need not be read; `parallel`: so many runs go on side by side
 *
 * @typedef {object} How - a study is run by a command
 * @property {string} command - that shows its help
 * @property {string} [beginning] - text to show first
 * @property {string} [notice] - text to show with the progress
 * @property {object} [more] - components of its own
 *
 * @typedef {How & { dashboard: import('./outputs.js').Dashboard }} Shown
 */

/**
 * runStudyCommand makes the remaining runs of a study, shows the result, and gives the exit code. A study with problems is refused.
 *
 * @param {StudyInterface} study
 * @param {{ problems: import('../plan/plan.js').Problem[] } | { planned: PlannedStudy, problems?: undefined }} made - planned, or all that is
 *   wrong
 * @param {How} how
 * @param {ProcessIo} io
 * @returns {Promise<number>}
 */
export async function runStudyCommand(study, made, how, io) {
  if (made.problems !== undefined) return refuse(how.command, made.problems, io)
  const { planned } = made
  const { document, folder, output, parallel } = planned
  const plans = study.plans?.(document) ?? []
  if (output.dryRun)
    return showDryRun({ plans, output, folder, parallel, grows: study.grows?.(document) }, io)
  const dashboard = await serveDashboard(output.dashboardPort)
  if ('problem' in dashboard) return refuse(how.command, [dashboard.problem], io)
  try {
    const fleets = await openFleets([...new Set(plans)], output, io)
    if ('problem' in fleets) return refuse(how.command, [fleets.problem], io)
    const more = { ...how.more, ...fleets.components }
    return await runPlanned(study, planned, { ...how, more, dashboard }, io).finally(fleets.close)
  } finally {
    await dashboard.stop()
  }
}

/** @param {StudyInterface} study */
const kindOf = ({ document: { file } }) =>
  /** @type {import('../studies/study-folders.js').StudyKind} */ (file.replace('.json', ''))

/** @param {StudyInterface} study @param {PlannedStudy} planned @param {Shown} how @param {ProcessIo} io @returns {Promise<number>} */
async function runPlanned(study, planned, how, io) {
  const { document, output } = planned
  const { stdout, stderr } = redirectStdout(output, io)
  const folder = await folderFor(planned, io)
  if (typeof folder !== 'string') return refuse(how.command, [folder.problem], io)
  const say = (/** @type {string} */ text) => void stderr.write(wrapForTerminal(`${text}\n`, stderr))
  if (how.beginning !== undefined && !output.quiet) say(how.beginning)
  if (how.dashboard.url !== null) stderr.write(`dashboard at ${how.dashboard.url}\n`)
  const placed = { ...planned, folder }
  const { interrupted } = await withLines(placed, how, io, more =>
    conduct(study, placed, { ...how, more }, io)
  )
  if (document.reason !== null) say(`not complete: ${document.reason.message}`)
  const { loaded, description } = await describeAndWrite(study, placed, io)
  if (description !== null) {
    const { json = () => document } = study
    const where = [
      `${folder}/   ${[REPORT_PAGE, study.document.file].join(' · ')}`,
      ...(document.reason === null
        ? []
        : [
            `continue: ${await resumeCommandLine(kindOf(study), document, { folder, find: io.findScenario })}`
          ])
    ]
    if (output.json) stdout.write(formatDocument(json(loaded)))
    else writeDescription(description, { ...io, stdout }, where)
  }
  const verdict = { nothing: loaded === null, ...study.verdict(document, loaded) }
  for (const error of verdict.errors ?? []) say(`✖ ${error}`)
  const { strict, allowUndecided } = output
  const code = computeExitCode(document, verdict, { interrupted, strict, allowUndecided })
  return writeStudyChecks({ study, planned: placed, loaded, description, verdict }, code, io)
}

/**
 * Runs a study while its lines are written.
 *
 * @template T
 * @param {PlannedStudy & { folder: string }} planned
 * @param {Shown} how
 * @param {ProcessIo} io
 * @param {(more: object) => Promise<T>} conduct - is handed further components
 * @returns {Promise<T>}
 */
async function withLines({ document, folder, output }, { more, dashboard }, io, conduct) {
  const { ofRun, ofStudy, close } = await openLines(output.jsonLines, io, dashboard.sinks)
  try {
    await ofStudy({ document, folder, state: 'begin' })
    const ended = await conduct({ ...more, ofRun })
    await ofStudy({ document, folder, state: 'end' })
    return ended
  } finally {
    await close()
  }
}

/**
 * Writes the checks of a study for CI servers.
 *
 * @param {{ study: StudyInterface, planned: PlannedStudy & { folder: string }, loaded: any,
 *   description: import('../report/schema.js').Description | null, verdict: Parameters<typeof makeEndChecks>[1] }} ended -
 *   `loaded`: null: there is nothing to show
 * @param {number} exitCode
 * @param {ProcessIo} io
 */
function writeStudyChecks({ study, planned, loaded, description, verdict }, exitCode, io) {
  const { document, output } = planned
  const { strict, allowUndecided, junit } = output
  const kind = kindOf(study)
  const checks = [
    ...makeEndChecks(document, verdict, { group: kind, strict, ms: computeTookMs(document) }),
    ...(study.checks?.(document, loaded) ?? [])
  ]
  const figures = () => (description === null ? '' : formatPipeTables(description))
  const checked = { kind, name: document.id, startedAt: document.startedAt, checks, allowUndecided, figures }
  return writeChecks(checked, { junit, exitCode }, io)
}

/** @param {PlannedStudy} planned @param {ProcessIo} io */
async function folderFor({ folder, document, name, output: { outputDir } }, { now }) {
  if (folder !== null) return folder
  const made = await makeFolderOrProblem(outputDir, () => makeStudyFolder(outputDir, now(), name))
  if ('problem' in made) return made
  document.id = made.id
  return made.path
}

/**
 * Makes the remaining runs. Ctrl-C ends them cleanly.
 *
 * @param {StudyInterface} study
 * @param {PlannedStudy & { folder: string }} planned
 * @param {How} how
 * @param {ProcessIo} io
 * @returns {Promise<{ interrupted: boolean }>}
 */
async function conduct(
  study,
  { document, folder, output },
  { notice, more },
  { stderr, process, cacheDir, now, findScenario, loadRun }
) {
  const runScenario = await loadRun()
  const viewOf = await loadViews(study.shown(document), findScenario)
  const progress = await makeStudyProgress({ stream: stderr, quiet: output.quiet, viewOf })
  const { signal, release } = catchSignals(process, () =>
    progress.notice('stopping; Ctrl-C again ends at once')
  )
  const complain = (/** @type {string} */ text) => void stderr.write(wrapForTerminal(text, stderr))
  const tellError = (/** @type {unknown} */ error) => complain(formatError(error))
  const components = { runScenario, viewOf, signal, cacheDir, progress, complain, tellError, output, now }
  if (notice !== undefined) progress.notice(notice)
  try {
    await study.run(document, folder, { ...components, findScenario, ...more })
  } finally {
    release()
    progress.close()
  }
  return { interrupted: signal.aborted }
}

/**
 * @param {StudyInterface} study
 * @param {PlannedStudy & { folder: string }} planned
 * @param {ProcessIo} io
 * @returns {Promise<{ loaded: any, description: import('../report/schema.js').Description | null }>} null: there is nothing
 *   to show
 */
async function describeAndWrite(study, { document, folder, ...planned }, { stderr, findScenario: find }) {
  try {
    const loaded = planned.loaded ?? (await study.load(folder, document, find))
    const description = await describeStudy(study, document, { loaded, find })
    const { csv } = planned.output
    await writeStudyViews(study, folder, document, { loaded, description, csv }).catch(
      error => void stderr.write(describeWriteError(error, folder))
    )
    return { loaded, description }
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    stderr.write(`${error.file} ${error.why}\n`)
    return { loaded: null, description: null }
  }
}
