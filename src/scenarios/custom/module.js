// Loads the JavaScript module of a scenario that the user wrote, checks it, and makes its options.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OPTION_GROUPS, OUTPUT_OPTIONS, STRICT_OPTION } from '../../plan/options.js'
import { thresholdsKind } from '../../plan/threshold.js'
import * as values from '../../plan/values.js'

/**
 * The interface of a user's own scenario; docs/extending.md has an example.
 *
 * @typedef {import('../../plan/options.js').Option} Option
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {typeof import('../../plan/values.js')} Kinds
 *
 * @typedef {Omit<Option, 'group'> & { group?: string, needed?: boolean }} CustomOption - `needed`: it has no default
 *
 * @typedef {(signal: AbortSignal) => Promise<unknown>} Operation - `signal`: aborted at its time limit or at the end of the run; it
 *   fails by throwing
 *
 * @typedef {object} CustomTools - the second parameter of `run`
 * @property {<T>(name: string, work: (signal: AbortSignal) => Promise<T> | T) => Promise<T>} phase - a part of the run that is shown
 *   with its time, and left at once when the run has to end
 * @property {(operations: Readonly<Record<string, Operation>>) => Promise<void>} measure - executes these in turn, by their names, until
 *   --duration is over; only once in a run
 * @property {(close: () => unknown) => void} onEnd - adds a function that is called at the end of the run, the last one first
 * @property {AbortSignal} signal - aborted when the run is ended
 *
 * @typedef {object} CustomModule - the default export of its file
 * @property {string} name
 * @property {string} [describe]
 * @property {(kinds: Kinds) => Readonly<Record<string, CustomOption>>} [options] - by flag
 * @property {readonly import('../../plan/options.js').Rule[]} [rules] - of options that cannot be run
 * @property {readonly string[]} operations - names of the measured operations, for thresholds
 * @property {(plan: Readonly<Record<string, any>>, tools: CustomTools) => Promise<unknown>} run
 * @property {(result: any) => Description | Promise<Description>} [describeResult] - tables and plots of its own, of a partial result too
 *
 * @typedef {object} CustomPlan
 * @property {string} scenario - `run-` and the name
 * @property {number} seed
 * @property {number} durationMs
 * @property {number} warmupMs
 * @property {number} timeoutMs - of an operation
 * @property {number} inFlight - simultaneous operations
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 * @property {string} commandLine - that makes it
 *
 * @typedef {Pick<import('../../report/schema.js').Result['outcome'], 'operations' | 'measuredMs' | 'perSecond' | 'secondsPerPoint'
 *   | 'thresholds'> & { description?: Description }} CustomOutcome
 */

/** BAD_SCENARIO_CODE is the code of a BadScenarioError, which crosses processes. */
export const BAD_SCENARIO_CODE = 'BAD_SCENARIO'

/** BadScenarioError says why a file is no valid scenario. */
export class BadScenarioError extends Error {
  name = 'BadScenarioError'
  code = BAD_SCENARIO_CODE
}

/** @param {unknown} module - the default export @returns {string | null} null: it is valid */
function findModuleProblem(module) {
  if (module === null || typeof module !== 'object')
    return 'must export a scenario by default: export default { name, operations, run }'
  const { name, describe, operations, run, options, rules, describeResult, view } =
    /** @type {Partial<Record<keyof CustomModule | 'view', unknown>>} */ (module)
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name))
    return 'must have a name of small letters, digits and -, such as identify'
  if (!Array.isArray(operations) || operations.length === 0 || !operations.every(isName))
    return "must have operations, the names of what it measures, such as ['IDENTIFY']"
  if (typeof run !== 'function') return 'must have run, a function of the plan and its tools'
  if (options !== undefined && typeof options !== 'function')
    return 'must have options as a function of the kinds of values there are, or none'
  if (describe !== undefined && typeof describe !== 'string') return 'must have describe as a text, or none'
  if (describeResult !== undefined && typeof describeResult !== 'function')
    return 'must have describeResult as a function of a result, or none'
  if (view !== undefined)
    return 'must have describeResult in place of view, which is no longer called (docs/extending.md)'
  if (rules !== undefined && !Array.isArray(rules)) return 'must have rules as a list, or none'
  return null
}

/** @param {unknown} name */
const isName = name => typeof name === 'string' && /^[A-Za-z]\w*$/.test(name)

/**
 * loadModule imports the file of a user's own scenario.
 *
 * @param {string} path
 * @returns {Promise<CustomModule>}
 * @throws {BadScenarioError} when it cannot be imported, or is no scenario
 */
export async function loadModule(path) {
  if (!existsSync(path)) throw new BadScenarioError('does not exist')
  const module = await import(pathToFileURL(resolve(path)).href).catch(cause => {
    throw new BadScenarioError(`cannot be imported: ${cause.message}`, { cause })
  })
  const why = findModuleProblem(module.default)
  if (why !== null) throw new BadScenarioError(why)
  return module.default
}

/** The group of options in --help, by default. */
const SCENARIO_GROUP = 'The scenario:'

/**
 * makeCustomOptions makes the options of a user's own scenario: its own options, and options that all such scenarios have.
 *
 * @param {Pick<CustomModule, 'options'>} module
 * @param {readonly import('../../measure/figure.js').Figure[]} figures - of the scenario
 * @returns {import('../../plan/plan.js').OptionTable}
 */
export function makeCustomOptions({ options = () => ({}) }, figures) {
  const { duration, wholeNumber } = values
  const own = Object.entries(options({ ...values }))
  return Object.freeze({
    ...Object.fromEntries(
      own.map(([key, option]) => [key, { group: SCENARIO_GROUP, common: true, ...option }])
    ),
    inFlight: {
      common: true,
      group: OPTION_GROUPS.MEASURE,
      default: 1,
      ...wholeNumber(1, 10_000),
      describe: 'operations in flight; each is followed by the next (closed model)'
    },
    timeout: {
      common: true,
      group: OPTION_GROUPS.MEASURE,
      default: '10s',
      ...duration({ min: '1ms', max: '1h' }),
      planKey: 'timeoutMs',
      describe: 'maximum time of an operation'
    },
    warmup: {
      common: true,
      group: OPTION_GROUPS.MEASURE,
      default: '1s',
      ...duration({ max: '1h' }),
      planKey: 'warmupMs',
      describe: 'uncounted load before the measurement'
    },
    duration: {
      common: true,
      short: 'd',
      group: OPTION_GROUPS.MEASURE,
      default: '10s',
      ...duration({ min: '100ms' }),
      planKey: 'durationMs',
      describe: 'duration of the measurement'
    },
    seed: {
      common: true,
      group: OPTION_GROUPS.MEASURE,
      default: 1,
      ...wholeNumber(0, 4_294_967_295),
      describe: "seed of the scenario's random choices"
    },
    threshold: {
      common: true,
      group: OPTION_GROUPS.VERDICT,
      defaultText: 'none',
      ...thresholdsKind(figures),
      planKey: 'thresholds',
      describe:
        'required value, such as "errorRate <= 1%"; if not met, exit code 3. Can be repeated. Append ", abortOnFail, grace=5s" to end a run that has failed it for 5 s'
    },
    ...STRICT_OPTION,
    ...OUTPUT_OPTIONS
  })
}

/** makeNeededRules refuse plans without a needed option. @param {Pick<CustomModule, 'options'>} module */
export const makeNeededRules = ({ options = () => ({}) }) =>
  Object.entries(options({ ...values })).flatMap(([flag, { needed = false }]) =>
    needed
      ? [
          {
            flag,
            refuse: (/** @type {unknown} */ _, /** @type {Map<string, unknown>} */ explicit) =>
              !explicit.has(flag) && 'is needed'
          }
        ]
      : []
  )

/**
 * asCustomPlan casts a plan of any scenario to a plan of a user's own scenario, whose options are not known here.
 *
 * @param {unknown} plan
 * @returns {CustomPlan}
 */
export const asCustomPlan = plan => /** @type {CustomPlan} */ (plan)
