// How the command of any scenario runs it: plan from flags and files, run, result in a folder, checks, exit code.
import { makeClock } from '../kit/time.js'
import { makePlan, readConfig } from '../plan/plan.js'
import { computeTookMs, listFailedThresholds, makeEndChecks, makeThresholdChecks } from '../report/checks.js'
import { describeRun, formatWarning } from '../report/describe-run.js'
import {
  deliverRecords,
  formatResult,
  makeResultWriter,
  makeRunFolder,
  makeRunId
} from '../report/result-folder.js'
import { findOutputProblems, loadViews, makeOutputFileWriter, makeViewWriter } from '../report/run-report.js'
import { formatDescribedTable, listFilledTables, wrapForTerminal } from '../report/text.js'
import { failsStrict, hasErrorWarnings, listErrorWarnings, listStrictWarnings } from '../report/warnings.js'
import { makePresetScenario, PRESETS } from '../scenarios/presets.js'
import { showDryRun } from './dry-run.js'
import { catchSignals, computeExitCode, EXIT, formatError, makeStrayWordProblems, refuse } from './exit.js'
import { openFleet } from './fleet.js'
import {
  makeFolderOrProblem,
  openLines,
  redirectStdout,
  serveDashboard,
  servePrometheus,
  writeChecks
} from './outputs.js'
import { makeTerminalReport } from './terminal.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./command-line.js').Arguments} Arguments
 * @typedef {import('./index.js').ProcessIo} ProcessIo
 */

/**
 * makeScenarioCommand makes the command that plans a run of a scenario, runs it, shows and stores its result.
 *
 * @param {string} name - of the scenario, or of a preset
 * @param {string} words - of the command, after the program's name
 * @param {MakePlan} [make] - makes the plan; default: in this process
 * @returns {(args: Arguments, io: ProcessIo) => Promise<number>} gives the exit code
 */
export const makeScenarioCommand = (name, words, make) => async (args, io) => {
  const { findScenario } = io
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : null
  const baseScenario = /** @type {import('../scenarios/index.js').Scenario} */ (
    await findScenario(preset?.scenario ?? name)
  )
  const scenario = preset === null ? baseScenario : makePresetScenario(baseScenario, preset)
  const { problems, ...planned } = await planFromArguments(scenario, args, findScenario, make)
  if (!('plan' in planned)) return refuse(words, problems ?? [], io)
  const ended = await runPlan(planned, io)
  return typeof ended === 'number' ? ended : refuse(words, [ended.problem], io)
}

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {(...args: Parameters<typeof makePlan>) => ReturnType<typeof makePlan> | Promise<ReturnType<typeof makePlan>>} MakePlan
 */

/**
 * The code that compares results is loaded only for runs with a baseline.
 *
 * @type {typeof import('../studies/compare/baseline.js').findBaselineProblems}
 */
const baselineProblems = async (output, ...more) =>
  output.baseline === null
    ? []
    : (await import('../studies/compare/baseline.js')).findBaselineProblems(output, ...more)

/**
 * planFromArguments makes the plan of a run from its flags and its configuration file, or finds all problems of these and of the files
 * that they name.
 *
 * @param {import('../scenarios/index.js').Scenario} scenario
 * @param {Arguments} args
 * @param {LoadScenario} find
 * @param {MakePlan} [make]
 * @returns {Promise<{ problems: Problem[] } | { plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }>}
 */
export async function planFromArguments(scenario, { options, words }, find, make = makePlan) {
  const path = options.config
  const { config, problem: unreadable } =
    typeof path === 'string' && path !== '' ? await readConfig(path) : {}
  const { plan, output, problems: refused = [] } = await make(scenario, options, { config })
  const candidate = plan === undefined ? null : { plan, scenario, runs: output.runs }
  const problems = [
    ...makeStrayWordProblems(words, 'is neither a command nor the value of an option'),
    ...(unreadable === undefined ? [] : [unreadable]),
    ...refused,
    ...(await findOutputProblems(output, candidate)),
    ...(await baselineProblems(output, find, candidate))
  ]
  return plan === undefined || problems.length > 0 ? { problems } : { plan, output }
}

/** Whether a run is complete, or was ended by a threshold, as its plan demands. @param {Pick<import('../report/result-folder.js').DeliveredRecords, 'result' | 'finished'>} delivered */
const isComplete = ({ result, finished }) =>
  finished && (result?.status === 'complete' || result?.reason?.code === 'THRESHOLD_FAILED')

/**
 * computeRunExitCode is the exit code of a run.
 *
 * @param {import('../report/result-folder.js').DeliveredRecords} delivered
 * @param {{ interrupted: boolean, strict: boolean }} how
 * @returns {number}
 */
export function computeRunExitCode({ result, finished, errors }, how) {
  const status = isComplete({ result, finished }) ? 'complete' : 'partial'
  const verdict =
    result === null
      ? {}
      : {
          notMet: listFailedThresholds(result).length > 0,
          generatorLimited: failsStrict(result),
          failed: errors.length > 0 || hasErrorWarnings(result)
        }
  return computeExitCode({ status }, verdict, how)
}

/** @typedef {import('../scenarios/index.js').AnyResult} AnyResult */

/** Phases with load; the phases before them only prepare it. */
const LOAD_PHASES = new Set(['preload', 'warmup', 'measure', 'publish'])

/**
 * isWithoutLoad says whether a run has no load yet, or failed before it had any: only the reason is shown of such a run. A result is always
 * shown if the user ended the run, or if registrations are left at the target.
 *
 * @param {AnyResult} result
 */
export const isWithoutLoad = ({ status, reason, run }) =>
  status === 'partial' &&
  reason?.code !== 'INTERRUPTED' &&
  !run.phases.some(({ name }) => LOAD_PHASES.has(name)) &&
  !run.warnings.some(({ code }) => code === 'LEFT_UNTIL_TTL')

/**
 * describeFailureBeforeLoad is the reason in one line, its code at the end.
 *
 * @param {AnyResult} result
 * @returns {string} without a line break
 */
export const describeFailureBeforeLoad = ({ reason }) => {
  const { code, message } = reason ?? { code: 'RUN_FAILED', message: 'the run failed' }
  const lines = message.split('\n').map(line => line.trim())
  return `${lines.filter(line => line !== '').join(' ')} (${code})`
}

/**
 * Makes a consumer that takes no results without load.
 *
 * @param {import('../report/result-folder.js').Consumer} consumer
 * @returns {import('../report/result-folder.js').Consumer}
 */
const withLoadOnly = ({ add, close }) => ({
  add: record => ('result' in record && isWithoutLoad(record.result) ? undefined : add(record)),
  close
})

/**
 * The checks of a run: that it ended without errors, and its thresholds.
 *
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {{ result: import('../scenarios/index.js').AnyResult | null, whole: boolean, errors: readonly string[] }} ended - `whole`: it is
 *   complete, or a threshold ended it; `errors`: of the consumers of its records
 * @param {{ id: string, startedAt: string, finishedAt: string, strict: boolean, figures?: () => string }} how - begin and end, for a run without
 *   a result
 * @returns {import('../report/checks.js').CheckReport}
 */
function runChecks(plan, { result, whole, errors }, { strict, id, startedAt, finishedAt, figures }) {
  const hasResult = result !== null
  const all = [
    ...(hasResult ? listErrorWarnings(result).map(error => formatWarning(error, result)) : []),
    ...errors
  ]
  return {
    kind: plan.scenario,
    name: id,
    startedAt,
    figures,
    checks: [
      ...makeEndChecks(
        { status: whole ? 'complete' : 'partial', reason: (!whole && result?.reason) || null },
        { failed: all.length > 0, errors: all, generatorLimited: hasResult && failsStrict(result) },
        {
          group: 'run',
          strict,
          ms: computeTookMs(result?.run.finishedAt ? result.run : { startedAt, finishedAt }),
          why: hasResult ? listStrictWarnings(result).map(warning => formatWarning(warning, result)) : []
        }
      ),
      ...(hasResult ? makeThresholdChecks('thresholds', result) : [])
    ]
  }
}

/**
 * @typedef {import('../report/result-folder.js').RunFolder} RunFolder
 * @typedef {object} PlannedRun
 * @property {Readonly<AnyPlan>} plan
 * @property {Readonly<Output>} output
 * @property {(result: AnyResult) => void} [ended] - takes the result of a single run that had load
 */

/**
 * runPlan runs a plan, shows its result and stores it in a folder of its own.
 *
 * @param {PlannedRun} planned
 * @param {ProcessIo} io
 * @returns {Promise<number | { problem: Problem }>} exit code, or why nothing was started
 */
export async function runPlan(planned, io) {
  if (planned.output.runs > 1) return runRepeatedly(planned, io)
  if (planned.output.dryRun) return showDryRun({ plans: [planned.plan], output: planned.output }, io)
  const runScenario = await io.loadRun()
  const viewOf = await loadViews([planned.plan], io.findScenario)
  const view = viewOf(planned.plan)
  const watched = await servePrometheus(planned.output.prometheusPort, [view])
  if ('problem' in watched) return watched
  const dashboard = await serveDashboard(planned.output.dashboardPort)
  const fleet = 'problem' in dashboard ? dashboard : await openFleet(planned, io)
  const { outputDir } = planned.output
  const folder =
    'problem' in fleet
      ? fleet
      : await makeFolderOrProblem(
          outputDir,
          () => makeRunFolder(outputDir, makeRunId(io.now(), planned.plan)),
          "the run's folder"
        )
  try {
    if ('problem' in folder || 'problem' in fleet || 'problem' in dashboard) {
      for (const consumer of watched.consumers) await consumer.close()
      return /** @type {{ problem: Problem }} */ (folder)
    }
    return await run({ ...planned, folder, fleet, runScenario, view, watched, dashboard }, io)
  } finally {
    if (!('problem' in fleet)) await fleet.close()
    if (!('problem' in dashboard)) await dashboard.stop()
  }
}

/** @param {PlannedRun} planned @param {ProcessIo} io @returns {Promise<number | { problem: Problem }>} */
async function runRepeatedly({ plan, output }, io) {
  const { COMPARISON_STUDY } = await import('../studies/compare/study.js')
  const { computeMinPairsOfPlan } = await import('../studies/compare/comparison.js')
  const { describeExpectedPower, planRepetition } = await import('../studies/compare/plan.js')
  const { runStudyCommand } = await import('./study-command.js')
  const scenario = /** @type {import('../scenarios/index.js').Scenario} */ (
    await io.findScenario(plan.scenario)
  )
  const made = await planRepetition(
    { plan, output, scenario },
    {
      now: io.now(),
      findScenario: io.findScenario
    }
  )
  const { runs, baseline } = output
  const beginning =
    baseline === null ? undefined : describeExpectedPower(runs, computeMinPairsOfPlan(scenario, plan))
  return runStudyCommand(COMPARISON_STUDY, made, { command: scenario.command.words, beginning }, io)
}

/**
 * @param {PlannedRun & { folder: RunFolder, fleet: import('./fleet.js').OpenFleet, runScenario: import('./index.js').RunScenario,
 *   view: import('../report/run-report.js').View, watched: import('./outputs.js').PrometheusServer, dashboard: import('./outputs.js').Dashboard }} what
 * @param {ProcessIo} io
 */
async function run({ plan, output, ended, folder, fleet, runScenario, view, watched, dashboard }, io) {
  const { stdout, stderr, version, cacheDir, process, now, env } = redirectStdout(output, io)
  const lines = await openLines(output.jsonLines, io, dashboard.sinks)
  const began = now()
  const clock = makeClock(began)
  const terminal = await makeTerminalReport({
    ...{ stdout, stderr, output, version, view, env, folder: folder.path }
  })
  const file = output.outputFile === null ? [] : [makeOutputFileWriter(output.outputFile, view)]
  const { signal, release } = catchSignals(process, () =>
    terminal.notice('stopping; Ctrl-C again ends at once')
  )
  if (watched.url !== null) terminal.notice(`metrics at ${watched.url}`)
  // the address is secret: a quiet run must show it, too
  if (dashboard.url !== null && output.quiet) stderr.write(`dashboard at ${dashboard.url}\n`)
  else if (dashboard.url !== null) terminal.notice(`dashboard at ${dashboard.url}`)
  const { csv, deliveriesFile: deliveries } = output
  const records = runScenario(plan, {
    ...{ id: folder.id, folder: folder.path, deliveries, signal, cacheDir },
    ...fleet.components
  })
  const shown = [
    ...file,
    ...(await hdrLogTo(output.hdrFile)),
    ...watched.consumers,
    terminal,
    makeViewWriter(folder.path, { csv }, text => void stderr.write(text), view)
  ]
  const delivered = await deliverRecords(records, [
    makeResultWriter(folder, { worthKeeping: result => !isWithoutLoad(result) }),
    ...lines.ofRun({ view, folder: folder.path }),
    ...shown.map(withLoadOnly)
  ])
  await lines.close()
  release()
  const { result, finished } = delivered
  if (result !== null && finished && isWithoutLoad(result)) {
    if (output.json) stdout.write(formatResult(result))
    stderr.write(wrapForTerminal(`${describeFailureBeforeLoad(result)}\n`, stderr))
  } else if (result !== null) ended?.(result)
  for (const error of delivered.errors) {
    if (error !== signal.reason) stderr.write(wrapForTerminal(formatError(error), stderr))
  }
  if (output.quiet && result !== null)
    for (const error of listErrorWarnings(result))
      stderr.write(wrapForTerminal(`${formatWarning(error, result)}\n`, stderr))
  const { strict } = output
  const exitCode = computeRunExitCode(delivered, { interrupted: signal.aborted, strict })
  if (exitCode === EXIT.GENERATOR_LIMITED)
    stderr.write(wrapForTerminal(strictText(/** @type {AnyResult} */ (delivered.result)), stderr))
  const errors = delivered.errors.filter(error => error !== signal.reason).map(messageOf)
  const checked = runChecks(
    plan,
    { result, whole: isComplete(delivered), errors },
    {
      id: folder.id,
      startedAt: began.toISOString(),
      finishedAt: clock().toISOString(),
      strict,
      figures: () =>
        result === null
          ? ''
          : listFilledTables(describeRun(result, view))
              .slice(0, 1)
              .map(table => formatDescribedTable(table))
              .join('')
    }
  )
  return writeChecks(checked, { junit: output.junit, exitCode }, io)
}

/** The HDR library is loaded only for runs that write such a log. @param {string | null | undefined} path */
const hdrLogTo = async path =>
  path == null ? [] : [(await import('../report/run-report.js')).makeHdrLogWriter(path)]

/** @param {unknown} error */
const messageOf = error => (error instanceof Error ? error.message : String(error))

/** @param {AnyResult} result */
const strictText = result =>
  `--strict: the load generator limited the result\n${listStrictWarnings(result)
    .map(warning => `  ${formatWarning(warning, result)}\n`)
    .join('')}`
