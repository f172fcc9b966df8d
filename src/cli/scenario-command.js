// The command that runs a scenario: a plan is made of its options, run, shown, kept.
import { PROGRAM } from '../kit/runtime.js'
import { clockFrom } from '../kit/time.js'
import { makePlan, readConfig } from '../plan/plan.js'
import { endChecks, failedThresholds, thresholdChecks, tookMs } from '../report/checks.js'
import { describeRun, warningText } from '../report/describe-run.js'
import { deliverRecords, makeRunFolder, resultFolder, resultText, runId } from '../report/result-folder.js'
import { loadViews, outputFile, outputProblems, viewsOfRun } from '../report/run-report.js'
import { markdownTable, onTerminal, shownTables } from '../report/text.js'
import { errorsOf, failsStrict, hasErrors, strictWarnings } from '../report/warnings.js'
import { PRESETS, presetScenario } from '../scenarios/presets.js'
import { dryRun } from './dry-run.js'
import { EXIT, errorText, exitCode, interrupts, problemList } from './exit.js'
import { fleetFor } from './fleet.js'
import { besideLines, linesTo, serveDashboard, servePrometheus, takeFolder, writeChecks } from './outputs.js'
import { terminalReport } from './terminal.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./command-line.js').Arguments} Arguments
 * @typedef {import('./index.js').Surroundings} Surroundings
 */

/**
 * scenarioCommand gives the command that plans a run of a scenario, runs it and shows and keeps its result.
 *
 * @param {string} name - of the scenario, or of a preset
 * @param {string} help - the command that shows its help, after the program's name
 * @param {MakePlan} [make] - its plan; default: in this process
 * @returns {(args: Arguments, surroundings: Surroundings) => Promise<number>} gives the exit code
 */
export const scenarioCommand = (name, help, make) => async (args, surroundings) => {
  const { findScenario } = surroundings
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : null
  const found = /** @type {import('../scenarios/index.js').Scenario} */ (
    await findScenario(preset?.scenario ?? name)
  )
  const scenario = preset === null ? found : presetScenario(found, preset)
  const { problems, ...planned } = await planFromArguments(scenario, args, findScenario, make)
  if (!('plan' in planned)) return refuse(problems ?? [], help, surroundings)
  const ended = await runPlan(planned, surroundings)
  return typeof ended === 'number' ? ended : refuse([ended.problem], help, surroundings)
}

/**
 * @param {Problem[]} problems
 * @param {string} help
 * @param {Surroundings} surroundings
 */
function refuse(problems, help, { stderr }) {
  stderr.write(onTerminal(problemList(problems, `${PROGRAM} ${help}`), stderr))
  return EXIT.USAGE
}

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {(...given: Parameters<typeof makePlan>) => ReturnType<typeof makePlan> | Promise<ReturnType<typeof makePlan>>} MakePlan
 */

/** @param {string} word @returns {Problem} */
const strayWord = word => ({
  flag: word,
  value: '',
  allowed: 'is neither a command nor the value of an option'
})

/**
 * @param {Arguments['options']} options
 * @returns {ReturnType<typeof readConfig>}
 */
async function configOf({ config: path }) {
  return typeof path === 'string' && path !== '' ? readConfig(path) : {}
}

/**
 * A baseline is read by what compares results, which few runs need.
 *
 * @type {typeof import('../studies/compare/baseline.js').baselineProblems}
 */
const baselineProblems = async (output, ...more) =>
  output.baseline === null
    ? []
    : (await import('../studies/compare/baseline.js')).baselineProblems(output, ...more)

/**
 * planFromArguments makes the plan of a run from its flags and its configuration file, or names all that is wrong with
 * them and with the files they name.
 *
 * @param {import('../scenarios/index.js').Scenario} scenario
 * @param {Arguments} args
 * @param {FindScenario} find
 * @param {MakePlan} [make]
 * @returns {Promise<{ problems: Problem[] } | { plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }>}
 */
export async function planFromArguments(scenario, { options, words }, find, make = makePlan) {
  const { config, problem: unreadable } = await configOf(options)
  const { plan, output, problems: refused = [] } = await make(scenario, options, { config })
  const held = plan === undefined ? null : { plan, scenario, runs: output.runs }
  const problems = [
    ...words.map(strayWord),
    ...(unreadable === undefined ? [] : [unreadable]),
    ...refused,
    ...(await outputProblems(output, held)),
    ...(await baselineProblems(output, find, held))
  ]
  return plan === undefined || problems.length > 0 ? { problems } : { plan, output }
}

/** A run that a threshold broke off did what was asked for. @param {import('../report/schema.js').Reason | null} [reason] */
const ended = reason => reason?.code === 'THRESHOLD_FAILED'

/**
 * isWhole says whether a run came to its end, or was ended as was asked for.
 *
 * @param {Pick<import('../report/result-folder.js').Delivered, 'result' | 'finished'>} delivered
 */
const isWhole = ({ result, finished }) => finished && (result?.status === 'complete' || ended(result?.reason))

/**
 * runExitCode says how a run went.
 *
 * @param {import('../report/result-folder.js').Delivered} delivered
 * @param {{ interrupted: boolean, strict: boolean }} how
 * @returns {number}
 */
export function runExitCode({ result, finished, errors }, how) {
  const whole = isWhole({ result, finished })
  const verdict =
    result === null
      ? {}
      : {
          notMet: failedThresholds(result).length > 0,
          generatorLimited: failsStrict(result),
          failed: errors.length > 0 || hasErrors(result)
        }
  return exitCode({ status: whole ? 'complete' : 'partial' }, verdict, how)
}

/** @typedef {import('../scenarios/index.js').AnyResult} AnyResult */

/** The phases in which a load begins: what comes before them only makes ready. */
const LOADS = new Set(['preload', 'warmup', 'measure', 'publish'])

/** What is left at a target of others is to be told of. @param {AnyResult['run']} run */
const leftSomething = ({ warnings }) => warnings.some(({ code }) => code === 'LEFT_UNTIL_TTL')

/**
 * neverBegan says whether a run has failed, or goes on, before there was any load: there is nothing to show of it but why. What its user
 * ended is kept whatever it came to.
 *
 * @param {AnyResult} result
 */
export const neverBegan = ({ status, reason, run }) =>
  status === 'partial' &&
  reason?.code !== 'INTERRUPTED' &&
  !run.phases.some(({ name }) => LOADS.has(name)) &&
  !leftSomething(run)

/**
 * whyItNeverBegan says what was wrong in one line, its code at the end.
 *
 * @param {AnyResult} result
 * @returns {string} without a line break
 */
export const whyItNeverBegan = ({ reason }) => {
  const { code, message } = reason ?? { code: 'RUN_FAILED', message: 'the run failed' }
  const lines = message.split('\n').map(line => line.trim())
  return `${lines.filter(line => line !== '').join(' ')} (${code})`
}

/**
 * onceBegun is a consumer that is told nothing of what a run came to before it had begun.
 *
 * @param {import('../report/result-folder.js').Consumer} consumer
 * @returns {import('../report/result-folder.js').Consumer}
 */
const onceBegun = ({ add, close }) => ({
  add: record => ('result' in record && neverBegan(record.result) ? undefined : add(record)),
  close
})

/**
 * runChecks are what a run was held to.
 *
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {{ result: import('../scenarios/index.js').AnyResult | null, whole: boolean, errors: readonly string[] }} ended - `whole`: it came to
 *   its end, or a threshold broke it off; `errors`: of what takes its records
 * @param {{ id: string, startedAt: string, finishedAt: string, strict: boolean, figures?: () => string }} how - when it began and ended, where no
 *   result says so
 * @returns {import('../report/checks.js').Checked}
 */
function runChecks(plan, { result, whole, errors }, { strict, ...about }) {
  const kept = result !== null
  const words = kept ? errorsOf(result).map(error => warningText(error, result)) : []
  const all = [...words, ...errors]
  const { id, startedAt, finishedAt, figures } = about
  return {
    kind: plan.scenario,
    name: id,
    startedAt,
    figures,
    checks: [
      ...endChecks(
        { status: whole ? 'complete' : 'partial', reason: (!whole && result?.reason) || null },
        { failed: all.length > 0, errors: all, generatorLimited: kept && failsStrict(result) },
        {
          group: 'run',
          strict,
          ms: tookMs(result?.run.finishedAt ? result.run : { startedAt, finishedAt }),
          why: kept ? strictWarnings(result).map(warning => warningText(warning, result)) : []
        }
      ),
      ...(kept ? thresholdChecks('thresholds', result) : [])
    ]
  }
}

/**
 * @typedef {import('../report/result-folder.js').RunFolder} RunFolder
 * @typedef {object} Planned
 * @property {Readonly<AnyPlan>} plan
 * @property {Readonly<Output>} output
 * @property {(result: AnyResult) => void} [ended] - takes the result of a single run that has begun
 */

/**
 * runPlan runs a plan, shows its result and keeps it in a folder of its own.
 *
 * @param {Planned} planned
 * @param {Surroundings} surroundings
 * @returns {Promise<number | { problem: Problem }>} exit code, or why nothing was started
 */
export async function runPlan(planned, surroundings) {
  if (planned.output.runs > 1) return runRepeatedly(planned, surroundings)
  if (planned.output.dryRun) return dryRun({ plans: [planned.plan], output: planned.output }, surroundings)
  const runScenario = await surroundings.loadRun()
  const viewOf = await loadViews([planned.plan], surroundings.findScenario)
  const view = viewOf(planned.plan)
  const watched = await servePrometheus(planned.output.prometheusPort, [view])
  if ('problem' in watched) return watched
  const dashboard = await serveDashboard(planned.output.dashboardPort)
  const fleet = 'problem' in dashboard ? dashboard : await fleetFor(planned, surroundings)
  const folder = 'problem' in fleet ? fleet : await folderFor(planned, surroundings)
  try {
    if ('problem' in folder || 'problem' in fleet || 'problem' in dashboard) {
      for (const consumer of watched.consumers) await consumer.close()
      return /** @type {{ problem: Problem }} */ (folder)
    }
    return await run({ ...planned, folder, fleet, runScenario, view, watched, dashboard }, surroundings)
  } finally {
    if (!('problem' in fleet)) await fleet.close()
    if (!('problem' in dashboard)) await dashboard.stop()
  }
}

/** @param {Planned} planned @param {Surroundings} surroundings @returns {Promise<number | { problem: Problem }>} */
async function runRepeatedly({ plan, output }, surroundings) {
  const { COMPARISON_STUDY } = await import('../studies/compare/study.js')
  const { leastPairsOf } = await import('../studies/compare/comparison.js')
  const { expectedPower } = await import('../studies/compare/plan.js')
  const { planRepetition } = await import('../studies/compare/plan.js')
  const { runStudyCommand } = await import('./study-command.js')
  const scenario = /** @type {import('../scenarios/index.js').Scenario} */ (
    await surroundings.findScenario(plan.scenario)
  )
  const made = await planRepetition(
    { plan, output, scenario },
    {
      now: surroundings.now(),
      findScenario: surroundings.findScenario
    }
  )
  const { runs, baseline } = output
  const beginning = baseline === null ? undefined : expectedPower(runs, leastPairsOf(scenario, plan))
  return runStudyCommand(COMPARISON_STUDY, made, { command: scenario.command.words, beginning }, surroundings)
}

/**
 * @param {Planned} planned
 * @param {Surroundings} surroundings
 * @returns {Promise<RunFolder | { problem: Problem }>}
 */
const folderFor = ({ plan, output: { outputDir } }, { now }) =>
  takeFolder(outputDir, () => makeRunFolder(outputDir, runId(now(), plan)), "the run's folder")

/**
 * @param {Planned & { folder: RunFolder, fleet: import('./fleet.js').Opened, runScenario: import('./index.js').RunScenario,
 *   view: import('../report/run-report.js').View, watched: import('./outputs.js').Watched, dashboard: import('./outputs.js').Dashboard }} what
 * @param {Surroundings} surroundings
 */
async function run(
  { plan, output, ended, folder, fleet, runScenario, view, watched, dashboard },
  surroundings
) {
  const { stdout, stderr, version, cacheDir, process, now, env } = besideLines(output, surroundings)
  const lines = await linesTo(output.jsonLines, surroundings, dashboard.sinks)
  const began = now()
  const clock = clockFrom(began)
  const terminal = await terminalReport({
    ...{ stdout, stderr, output, version, view, env, folder: folder.path }
  })
  const file = output.outputFile === null ? [] : [outputFile(output.outputFile, view)]
  const { signal, release } = interrupts(process, () =>
    terminal.notice('stopping; Ctrl-C again ends at once')
  )
  if (watched.url !== null) terminal.notice(`metrics at ${watched.url}`)
  // nobody can guess where it is
  if (dashboard.url !== null && output.quiet) stderr.write(`dashboard at ${dashboard.url}\n`)
  else if (dashboard.url !== null) terminal.notice(`dashboard at ${dashboard.url}`)
  const { csv, deliveriesFile: deliveries } = output
  const records = runScenario(plan, {
    ...{ id: folder.id, folder: folder.path, deliveries, signal, cacheDir },
    ...fleet.given
  })
  const shown = [
    ...file,
    ...(await hdrLogTo(output.hdrFile)),
    ...watched.consumers,
    terminal,
    viewsOfRun(folder.path, { csv }, text => void stderr.write(text), view)
  ]
  const delivered = await deliverRecords(records, [
    resultFolder(folder, { worthKeeping: result => !neverBegan(result) }),
    ...lines.ofRun({ view, folder: folder.path }),
    ...shown.map(onceBegun)
  ])
  await lines.close()
  release()
  const { result, finished } = delivered
  if (result !== null && finished && neverBegan(result)) {
    if (output.json) stdout.write(resultText(result))
    stderr.write(onTerminal(`${whyItNeverBegan(result)}\n`, stderr))
  } else if (result !== null) ended?.(result)
  for (const error of delivered.errors) {
    if (error !== signal.reason) stderr.write(onTerminal(errorText(error), stderr))
  }
  if (output.quiet && result !== null)
    for (const error of errorsOf(result)) stderr.write(onTerminal(`${warningText(error, result)}\n`, stderr))
  const { strict } = output
  const exitCode = runExitCode(delivered, { interrupted: signal.aborted, strict })
  if (exitCode === EXIT.GENERATOR_LIMITED)
    stderr.write(onTerminal(strictText(/** @type {AnyResult} */ (delivered.result)), stderr))
  const errors = delivered.errors.filter(error => error !== signal.reason).map(messageOf)
  const checked = runChecks(
    plan,
    { result, whole: isWhole(delivered), errors },
    {
      id: folder.id,
      startedAt: began.toISOString(),
      finishedAt: clock().toISOString(),
      strict,
      figures: () =>
        result === null
          ? ''
          : shownTables(describeRun(result, view))
              .slice(0, 1)
              .map(table => markdownTable(table))
              .join('')
    }
  )
  return writeChecks(checked, { junit: output.junit, exitCode }, surroundings)
}

/** What it stands on is loaded where one is asked for. @param {string | null | undefined} path */
const hdrLogTo = async path => (path == null ? [] : [(await import('../report/run-report.js')).hdrLog(path)])

/** @param {unknown} error */
const messageOf = error => (error instanceof Error ? error.message : String(error))

/** @param {AnyResult} result */
const strictText = result =>
  `--strict: the load generator limited the result\n${strictWarnings(result)
    .map(warning => `  ${warningText(warning, result)}\n`)
    .join('')}`
