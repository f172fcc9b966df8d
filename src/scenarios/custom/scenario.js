import { PROGRAM } from '../../kit/runtime.js'
import { planFlags, quoted } from '../../plan/command-line.js'
import { figuresOf } from '../rendezvous/figures.js'
import { customOptions, customPlan, neededRules } from './module.js'

/**
 * @typedef {import('./module.js').CustomModule} CustomModule
 * @typedef {Omit<CustomModule, 'run' | 'describeResult'>} CustomDoor
 * @typedef {import('../index.js').Scenario} Scenario
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 */

/** What the names of such scenarios begin with in plans and results: no other does. */
const PREFIX = 'run-'

/**
 * customScenario makes a door of what a scenario of a user's own says of itself: what it leaves out is as is usual. Its functions are only
 * known in its own process, which makes its plans; elsewhere the door has the options that all have.
 *
 * @param {CustomDoor} module
 * @param {string} path - of its file, as typed
 * @returns {Scenario}
 */
export function customScenario(module, path) {
  const { describe = `Run the scenario of ${path}`, rules = [], operations } = module
  const name = `${PREFIX}${module.name}`
  const words = `run ${quoted(path)}`
  const figures = figuresOf(/** @type {readonly OperationType[]} */ (operations))
  const options = customOptions(module, figures)
  /** @type {Scenario} */
  const scenario = Object.freeze({
    name,
    command: { words, describe, examples: [], epilogue: EXIT_CODES },
    options,
    combinations: [...neededRules(module), ...rules],
    rivals: [],
    toPlan(/** @type {Record<string, unknown>} */ picked) {
      const plan = { scenario: name, ...picked, thresholds: Object.freeze(picked.thresholds ?? []) }
      const flags = planFlags(
        scenario,
        /** @type {import('../index.js').AnyPlan} */ (/** @type {unknown} */ (plan))
      )
      return { ...plan, commandLine: [PROGRAM, words, ...flags].join(' ') }
    },
    flat: plan => plan,
    unsaid: () => [],
    commandLine: plan => customPlan(plan).commandLine,
    estimateMs(plan) {
      const { warmupMs, durationMs } = customPlan(plan)
      return warmupMs + durationMs
    },
    schemas: () => schemasOf(name),
    filled: document => document,
    figures,
    compared: null,
    run: async () => (await import('./run/custom-run.js')).runCustom(path, figures),
    describe: () => import('./describe.js')
  })
  return scenario
}

const EXIT_CODES =
  'Exit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'

/** @param {string} name */
async function schemasOf(name) {
  const { outcome, planOf } = await import('./schema.js')
  return { outcome, plan: planOf(name) }
}

/** isCustom says whether a scenario is of a user's own. @param {string} name - in plans and results */
export const isCustom = name => name.startsWith(PREFIX)

/**
 * storedScenario is the door for results of a scenario of a user's own: its file is not looked for.
 *
 * @param {string} name - in the result
 * @returns {Scenario}
 */
export const storedScenario = name =>
  customScenario({ name: name.slice(PREFIX.length), operations: [] }, '<file>')
