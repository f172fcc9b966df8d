// The `rerun` command: runs the plan of a stored result again.
import { omitMissing } from '../../kit/collections.js'
import { formatCount } from '../../kit/numbers.js'
import { describeMissingPackages, listClientPackages, listGossipPackages } from '../../libp2p/stacks.js'
import { describeRemovedOptions } from '../../plan/command-line.js'
import { toCamelCase } from '../../plan/options.js'
import { makePlan } from '../../plan/plan.js'
import { findFormerValueProblems } from '../../plan/schema.js'
import { findFormerThresholdProblems } from '../../plan/threshold.js'
import { readResultFile } from '../../report/read-result.js'
import { findOutputProblems } from '../../report/run-report.js'
import { wrapForTerminal } from '../../report/text.js'
import { readMachineFacts, readVersions } from '../../run/run-header.js'
import { loadDefaultScenario } from '../../scenarios/index.js'
import { compareRepetition, findBaselineProblems } from '../../studies/compare/baseline.js'
import {
  findMachineDifferences,
  findVersionDifferences,
  formatDifferences
} from '../../studies/compare/comparison.js'
import { readChosenServer } from '../../studies/study.js'
import { makeStudyCommandLine, readFolderKind, STUDY_DOCUMENTS } from '../../studies/study-folders.js'
import { readStudy } from '../../studies/study-views.js'
import { EXIT, makeFileProblem, readFolderArgument, refuse } from '../exit.js'
import { runPlan } from '../scenario-command.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

/** Options of the output are the same for all scenarios: they are read with those of the usual one. */
const USUAL = await loadDefaultScenario()
const { options: OPTIONS } = USUAL

const OUTPUT_OPTIONS = Object.fromEntries(
  // --hdr exists for some scenarios only
  Object.entries(OPTIONS).filter(([key, { part }]) => part === 'output' && key !== 'hdr')
)

/** @type {CommandHelp} */
export const help = {
  options: OUTPUT_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['repeat, into a new folder', 'rerun results/20261120-0712-rendezvous-7'],
    ['into another folder', 'rerun results/20261120-0712-rendezvous-7 --outputDir again']
  ]),
  epilogue:
    "Give a run's folder or a result.json.\nExit codes: as of a run; 1 also if a simulated run gave another result."
}

/**
 * run runs the plan of a result again.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, io) {
  const { output, problems } = outputOf(options)
  const { folder, problems: noFolder } = readFolderArgument(words, 'the folder of a run')
  const { result, problem } = folder === undefined ? {} : await resultAt(folder, io.findScenario)
  const scenario = result === undefined ? undefined : await io.findScenario(result.scenario)
  const candidate = result && scenario ? { plan: result.plan, scenario, runs: output.runs } : null
  const all = omitMissing([
    ...noFolder,
    problem !== undefined && problem,
    ...problems,
    ...(result === undefined ? [] : planProblems(result, scenario ?? null)),
    ...(await findOutputProblems(output, candidate)),
    ...(await findBaselineProblems(output, io.findScenario, candidate))
  ])
  if (result === undefined || all.length > 0) return refuse('rerun', all, io)
  if (!output.quiet)
    for (const line of environmentChanges(result, { scenario: scenario ?? null, agents: output.agents }))
      io.stderr.write(wrapForTerminal(`${line}\n`, io.stderr))
  /** @type {ReturnType<typeof compareRepetition>} */
  let repetition = null
  const compareRuns = (/** @type {AnyResult} */ again) => {
    repetition = compareRepetition(result, again)
    if (repetition !== null) io.stderr.write(wrapForTerminal(`${repetition.line}\n`, io.stderr))
  }
  // where --server auto started the server, it is started again: a process and a container are measured differently
  const server = readChosenServer(result)
  const plan = Object.freeze(/** @type {any} */ (server ? { ...result.plan, server } : result.plan))
  const ended = await runPlan({ plan, output, ended: compareRuns }, io)
  if (typeof ended !== 'number') return refuse('rerun', [ended.problem], io)
  const isDifferent = /** @type {ReturnType<typeof compareRepetition>} */ (repetition)?.same === false
  return ended === EXIT.DONE && isDifferent ? EXIT.FAILED : ended
}

/** @param {Record<string, unknown>} options */
function outputOf(options) {
  const ofPlan = (/** @type {string} */ name) =>
    ['plan', 'config'].includes(OPTIONS[toCamelCase(name)]?.part ?? 'plan') && toCamelCase(name) in OPTIONS
  const entries = Object.entries(options)
  const { output, problems = [] } = makePlan(
    USUAL,
    Object.fromEntries(entries.filter(([name]) => !ofPlan(name)))
  )
  const refused = entries
    .filter(([name]) => ofPlan(name))
    .map(([name, value]) => ({
      flag: `--${name}`,
      value: value === true ? '' : String(value),
      allowed: 'cannot be changed: the plan of the result is run as it is'
    }))
  return { output, problems: [...problems, ...refused] }
}

/**
 * What is wrong with a folder that holds several runs.
 *
 * @param {string} path
 * @param {LoadScenario} find
 * @returns {Promise<string | null>} null: nothing, or it holds nothing at all
 */
async function noSingleRun(path, find) {
  const kind = await readFolderKind(path)
  if (kind === null || kind === 'run') return null
  if (kind === 'runs') return 'is a folder of runs: rerun runs a single one of them again'
  const document = await readStudy(
    /** @type {import('../../studies/study.js').StudyFile<any>} */ (STUDY_DOCUMENTS[kind]),
    path
  )
  return `is the folder of a study (${kind}), and rerun runs only single runs again; the study again: ${await makeStudyCommandLine(kind, document, find)}`
}

/** @param {string} path @param {LoadScenario} find @returns {Promise<{ result?: AnyResult, problem?: Problem }>} one of them */
async function resultAt(path, find) {
  try {
    const allowed = await noSingleRun(path, find)
    if (allowed !== null) return { problem: { flag: path, value: '', allowed } }
    return { result: await readResultFile(path, find) }
  } catch (error) {
    return { problem: makeFileProblem(error) }
  }
}

/** Packages of the stack that clients or nodes of a plan use. @param {AnyResult['plan']} plan */
const packagesOf = plan =>
  'nodes' in plan
    ? listGossipPackages(plan.stack)
    : listClientPackages('stack' in plan ? plan.stack : undefined)

/** Problems with running the plan of a result again. @param {AnyResult} result @param {import('../../scenarios/index.js').Scenario | null} scenario @returns {Problem[]} */
function planProblems({ id, plan }, scenario) {
  const {
    stack = [],
    serverStack,
    commandLine
  } = /** @type {{ stack?: readonly string[], serverStack?: string | null, commandLine?: string }} */ (plan)
  const missingStacks = [...new Set(omitMissing([...stack, serverStack]))].flatMap(name => {
    const allowed = describeMissingPackages(name)
    return allowed === null ? [] : [{ flag: '--stack', value: name, allowed }]
  })
  return [
    ...missingStacks,
    ...findFormerValueProblems(plan),
    ...(scenario === null ? [] : findFormerThresholdProblems(plan.thresholds ?? [], scenario.figures)),
    ...(commandLine === undefined
      ? []
      : [{ flag: id, value: '', allowed: `is of a scenario of your own: ${commandLine}` }])
  ]
}

/**
 * What differs from the run of a result: its options, agents, the machine, the versions.
 *
 * @param {AnyResult} result
 * @param {{ scenario: import('../../scenarios/index.js').Scenario | null, agents?: import('../../plan/agents.js').WantedAgents | null }} now
 */
function environmentChanges(result, { scenario, agents }) {
  const now = { machine: readMachineFacts(), versions: readVersions(packagesOf(result.plan)) }
  // other versions are known only while a run goes on
  const known = Object.entries(result.run.versions).filter(([what]) => Object.hasOwn(now.versions, what))
  const before = { ...result.run, versions: Object.fromEntries(known) }
  const machines = findMachineDifferences(before, now)
  const others = findVersionDifferences(before, now)
  return omitMissing([
    ...describeRemovedOptions(result.plan, scenario),
    result.run.agents !== undefined &&
      !agents &&
      `${formatCount(result.run.agents.length, 'agent')} ran the workers of the result; now this machine does: --bus and --agents use agents again`,
    machines.length > 0 && `another machine than that of the result: ${formatDifferences(machines)}`,
    others.length > 0 && `other versions than those of the result: ${formatDifferences(others)}`
  ])
}
