// Gives a scenario that the user wrote the interface of built-in scenarios, also for stored results without its file.
import { PROGRAM } from '../../kit/runtime.js'
import { makePlanFlags, quoteShellWord } from '../../plan/command-line.js'
import { makeOperationFigures } from '../rendezvous/figures.js'
import { asCustomPlan, makeCustomOptions, makeNeededRules } from './module.js'

/**
 * @typedef {import('./module.js').CustomModule} CustomModule
 * @typedef {Omit<CustomModule, 'run' | 'describeResult'>} CustomInterface
 * @typedef {import('../index.js').Scenario} Scenario
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 */

/** Prefix of their names in plans and results. No other scenario has it. */
const CUSTOM_PREFIX = 'run-'

/**
 * makeCustomScenario makes the interface of a user's own scenario from its module. The functions of the module are only known in the process of
 * the scenario, which makes its plans. In other processes the interface only has the options of all such scenarios.
 *
 * @param {CustomInterface} module
 * @param {string} path - of its file, as typed
 * @returns {Scenario}
 */
export function makeCustomScenario(module, path) {
  const { describe = `Run the scenario of ${path}`, rules = [], operations } = module
  const name = `${CUSTOM_PREFIX}${module.name}`
  const words = `run ${quoteShellWord(path)}`
  const figures = makeOperationFigures(/** @type {readonly OperationType[]} */ (operations))
  const options = makeCustomOptions(module, figures)
  /** @type {Scenario} */
  const scenario = Object.freeze({
    name,
    command: { words, describe, examples: [], epilogue: EXIT_CODES },
    options,
    combinations: [...makeNeededRules(module), ...rules],
    rivals: [],
    toPlan(/** @type {Record<string, unknown>} */ picked) {
      const plan = { scenario: name, ...picked, thresholds: Object.freeze(picked.thresholds ?? []) }
      const flags = makePlanFlags(
        scenario,
        /** @type {import('../index.js').AnyPlan} */ (/** @type {unknown} */ (plan))
      )
      return { ...plan, commandLine: [PROGRAM, words, ...flags].join(' ') }
    },
    flat: plan => plan,
    unsaid: () => [],
    commandLine: plan => asCustomPlan(plan).commandLine,
    estimateMs(plan) {
      const { warmupMs, durationMs } = asCustomPlan(plan)
      return warmupMs + durationMs
    },
    async schemas() {
      const { outcome, makeCustomPlanSchema } = await import('./schema.js')
      return { outcome, plan: makeCustomPlanSchema(name) }
    },
    filled: document => document,
    figures,
    compared: null,
    run: async () => (await import('./run/custom-run.js')).makeCustomRunner(path, figures),
    describe: () => import('./describe.js')
  })
  return scenario
}

const EXIT_CODES =
  'Exit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'

/** isCustom says whether a scenario is a user's own. @param {string} name - in plans and results */
export const isCustom = name => name.startsWith(CUSTOM_PREFIX)

/**
 * makeStoredScenario makes the interface for stored results of a user's own scenario, without its file.
 *
 * @param {string} name - in the result
 * @returns {Scenario}
 */
export const makeStoredScenario = name =>
  makeCustomScenario({ name: name.slice(CUSTOM_PREFIX.length), operations: [] }, '<file>')
