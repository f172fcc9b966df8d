// The command that runs the plan of a result again.
import { present } from '../../kit/collections.js'
import { clientPackages, gossipPackages, notInstalled } from '../../libp2p/stacks.js'
import { removedFrom } from '../../plan/command-line.js'
import { camelCase } from '../../plan/options.js'
import { makePlan } from '../../plan/plan.js'
import { formerProblems } from '../../plan/schema.js'
import { formerThresholds } from '../../plan/threshold.js'
import { readResult } from '../../report/read-result.js'
import { outputProblems } from '../../report/run-report.js'
import { onTerminal } from '../../report/text.js'
import { machineFacts, versionsOf } from '../../run/run-header.js'
import { usualScenario } from '../../scenarios/index.js'
import { baselineProblems, sameAgain } from '../../studies/compare/baseline.js'
import { machineDifferences, versionDifferences } from '../../studies/compare/comparison.js'
import { DOCUMENTS, folderKind } from '../../studies/study-folders.js'
import { readStudy } from '../../studies/study-views.js'
import { EXIT, folderArgument, refuse, unreadable } from '../exit.js'
import { runPlan } from '../scenario-command.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../studies/compare/comparison.js').Difference} Difference
 * @typedef {import('../../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').Surroundings} Surroundings
 */

/** What comes out is asked for alike of all of them. */
const USUAL = await usualScenario()
const { options: OPTIONS } = USUAL

const OUTPUT_OPTIONS = Object.fromEntries(
  // a plan of any scenario can be run again
  Object.entries(OPTIONS).filter(([key, { part }]) => part === 'output' && key !== 'hdr')
)

/** @type {CommandHelp} */
export const help = {
  options: OUTPUT_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['again, into a folder of its own', 'rerun results/20261120-0712-rendezvous-7'],
    ['elsewhere', 'rerun results/20261120-0712-rendezvous-7 --outputDir again']
  ]),
  epilogue:
    'The folder is that of a run, or a result.json. Exit codes are those of a run; 1 also says that a simulated run did not come to the same.'
}

/**
 * run runs the plan of a result again.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, surroundings) {
  const { output, problems } = outputOf(options)
  const { folder, problems: noFolder } = folderArgument(words, 'the folder of a run')
  const { result, problem } = folder === undefined ? {} : await resultAt(folder, surroundings.findScenario)
  const scenario = result === undefined ? undefined : await surroundings.findScenario(result.scenario)
  const held = await heldOf(result, output, surroundings)
  const all = present([
    ...noFolder,
    problem !== undefined && problem,
    ...problems,
    ...(result === undefined
      ? []
      : [
          ...missingStacks(result.plan),
          ...formerProblems(result.plan),
          ...(scenario == null ? [] : formerThresholds(result.plan.thresholds ?? [], scenario.figures)),
          ...ofOwnFile(result)
        ]),
    ...(await outputProblems(output, held)),
    ...(await baselineProblems(output, surroundings.findScenario, held))
  ])
  if (result === undefined || all.length > 0) return refuse('rerun', all, surroundings)
  if (!output.quiet)
    for (const line of elsewhere(result, scenario ?? null))
      surroundings.stderr.write(onTerminal(`${line}\n`, surroundings.stderr))
  const repeated = repeatOf(result, surroundings)
  const ended = await runPlan(
    { plan: Object.freeze(asChosen(result)), output, ended: repeated.ended },
    surroundings
  )
  if (typeof ended !== 'number') return refuse('rerun', [ended.problem], surroundings)
  return ended === EXIT.DONE && repeated.differs() ? EXIT.FAILED : ended
}

/** Where --server auto has put the server, it is put again: a process and a container are counted differently. @param {AnyResult} result @returns {any} */
function asChosen({ plan, outcome }) {
  const { kind, chosenBy } = ('target' in outcome && outcome.target) || {}
  return chosenBy != null && (kind === 'process' || kind === 'docker') ? { ...plan, server: kind } : plan
}

/** Says whether a run in virtual time came to the same again. @param {AnyResult} before @param {Surroundings} surroundings */
function repeatOf(before, { stderr }) {
  /** @type {ReturnType<typeof sameAgain>} */
  let found = null
  return {
    ended(/** @type {AnyResult} */ again) {
      found = sameAgain(before, again)
      if (found !== null) stderr.write(onTerminal(`${found.line}\n`, stderr))
    },
    differs: () => found?.same === false
  }
}

/** @param {AnyResult | undefined} result @param {import('../../plan/plan.js').Output} output @param {Surroundings} surroundings */
async function heldOf(result, { runs }, { findScenario }) {
  const scenario = result && (await findScenario(result.scenario))
  return scenario ? { plan: result.plan, scenario, runs } : null
}

/** @param {Record<string, unknown>} options */
function outputOf(options) {
  const ofPlan = (/** @type {string} */ name) =>
    ['plan', 'config'].includes(OPTIONS[camelCase(name)]?.part ?? 'plan') && camelCase(name) in OPTIONS
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
 * @param {FindScenario} find
 * @returns {Promise<string | null>} null: nothing, or it holds nothing at all
 */
async function noSingleRun(path, find) {
  const kind = await folderKind(path)
  if (kind === null || kind === 'run') return null
  if (kind === 'runs') return 'is a folder of runs: rerun runs a single one of them again'
  const document = await readStudy(
    /** @type {import('../../studies/study.js').StudyFile<any>} */ (DOCUMENTS[kind]),
    path
  )
  const { studyCommandLine } = await import('../../studies/study-folders.js')
  return `is the folder of a study (${kind}), and rerun runs only single runs again; the study again: ${await studyCommandLine(kind, document, find)}`
}

/** @param {string} path @param {FindScenario} find @returns {Promise<{ result?: AnyResult, problem?: Problem }>} one of them */
async function resultAt(path, find) {
  try {
    const allowed = await noSingleRun(path, find)
    if (allowed !== null) return { problem: { flag: path, value: '', allowed } }
    return { result: await readResult(path, find) }
  } catch (error) {
    return { problem: unreadable(error) }
  }
}

/** @param {Difference[]} differences */
const listed = differences =>
  differences
    .map(({ what, base, candidate }) => `${what} ${base ?? 'none'} → ${candidate ?? 'none'}`)
    .join('; ')

/** What clients or nodes of a plan run on, as it is installed. @param {AnyResult['plan']} plan */
const packagesOf = plan =>
  'nodes' in plan ? gossipPackages(plan.stack) : clientPackages('stack' in plan ? plan.stack : undefined)

/** The versions of a result that can be had here without starting anything. @param {AnyResult} result @returns {AnyResult['run']} */
function comparable({ run, plan }) {
  const here = versionsOf(packagesOf(plan))
  const known = Object.entries(run.versions).filter(([what]) => Object.hasOwn(here, what))
  return { ...run, versions: Object.fromEntries(known) }
}

/** Stacks whose packages are not here. @param {AnyResult['plan']} plan @returns {Problem[]} */
function missingStacks(plan) {
  const { stack = [], serverStack = null } =
    /** @type {{ stack?: readonly string[], serverStack?: string | null }} */ (plan)
  return [...new Set(present([...stack, serverStack !== null && serverStack]))].flatMap(name => {
    const allowed = notInstalled(name)
    return allowed === null ? [] : [{ flag: '--stack', value: name, allowed }]
  })
}

/** A scenario of a user's own is run by its file. @param {AnyResult} result @returns {Problem[]} */
function ofOwnFile({ id, plan }) {
  const { commandLine } = /** @type {{ commandLine?: string }} */ (plan)
  return commandLine === undefined
    ? []
    : [{ flag: id, value: '', allowed: `is of a scenario of your own: ${commandLine}` }]
}

/** @param {AnyResult} result @param {import('../../scenarios/index.js').Scenario | null} scenario */
function elsewhere(result, scenario) {
  const before = comparable(result)
  const now = { machine: machineFacts(), versions: versionsOf(packagesOf(result.plan)) }
  const machines = machineDifferences(before, now)
  const others = versionDifferences(before, now)
  return present([
    ...removedFrom(result.plan, scenario),
    machines.length > 0 && `another machine than that of the result: ${listed(machines)}`,
    others.length > 0 && `other versions than those of the result: ${listed(others)}`
  ])
}
