import { usableCores } from '../kit/control-group.js'
import { readOptions } from './read-options.js'
import { defaultOf } from './schema-of.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {AnyPlan['scenario']} ScenarioName
 *
 * @typedef {import('../scenarios/rendezvous/plan/options.js').Plan} Plan
 *
 * @typedef {object} Output - what is made of the result; nothing of it changes the run
 * @property {string | null} outputFile
 * @property {string | null} [hdrFile] - where response times are written as a log of histograms; of operations alone
 * @property {string | null} [deliveriesFile] - where each delivery is a row; of gossip alone
 * @property {string | null} junit - where is written what was held to something
 * @property {string | null} jsonLines - where the records are written while the run goes on; `-`: to standard output
 * @property {string} outputDir
 * @property {number} runs - of the plan
 * @property {string | true | null} resume - folder of runs that is gone on in; true: the latest one
 * @property {string | null} baseline - folder of earlier runs
 * @property {readonly import('./fail-rule.js').FailRule[] | null} failOn - what fails against it; null: as
 *   is usual
 * @property {boolean} allowUndecided - a rule that is left open is no failure
 * @property {boolean} dryRun - nothing is run
 * @property {boolean} csv - the figures are also written as CSV
 * @property {boolean} json
 * @property {boolean} quiet
 * @property {boolean} strict - a result that the load generator limited is no success
 * @property {string | null} [bus] - over which agents are reached; with `busCredentials`, `busCa`
 * @property {string | null} [busCredentials]
 * @property {string | null} [busCa]
 * @property {import('./agents-option.js').Wanted | null} [agents] - that hold the workers; null: this machine does
 * @property {'continue' | 'stop'} [onLostAgent]
 * @property {string | null} [address] - of this machine, for agents; null: that which reaches the bus
 * @property {number | null} dashboardPort - where a page of what goes on is served; 0: any that is free; null: nowhere
 * @property {number | null} prometheusPort - where the run's own metrics are served; 0: any that is free; null: nowhere
 *
 * @typedef {import('./read-options.js').Problem} Problem
 * @typedef {import('./read-options.js').Given} Given
 *
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../scenarios/scenario.js').Planning} Planning
 *
 * @typedef {{ plan: Readonly<Plan>, output: Readonly<Output>, problems?: undefined }} Planned
 * @typedef {{ plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }} AnyPlanned
 * @typedef {{ problems: Problem[], plan?: undefined, output: Readonly<Output> }} Refused - `output` as far as it was
 *   allowed, so that its paths can be checked in the same breath
 */

/**
 * overlay lays options over others by their keys: they win, and put out of force what cannot stand beside them.
 *
 * @template T
 * @param {Map<string, T>} under
 * @param {Map<string, T>} over
 * @param {Planning['rivals']} rivals
 * @returns {Map<string, T>}
 */
export function overlay(under, over, rivals) {
  const given = new Map([...under, ...over])
  for (const [flag, rival] of rivals) {
    if (over.has(flag) && !over.has(rival)) given.delete(rival)
  }
  return given
}

/**
 * @param {Planning} scenario
 * @param {Map<string, Given>} given
 * @returns {Record<string, any>} every option that was given or has a default, by key
 */
function withDefaults({ options }, given) {
  /** @param {string} key */
  const optionValue = key => given.get(key)?.value ?? defaultOf(options[key])
  return Object.fromEntries(Object.keys(options).map(key => [key, optionValue(key)]))
}

/**
 * @param {Planning} scenario
 * @param {Record<string, any>} values
 * @param {Map<string, Given>} given
 * @param {{ bad: Set<string>, despite: string | null }} passed - rules are that look at a bad value, or lack this
 * @returns {Problem[]}
 */
function impossible({ options, combinations }, values, given, { bad, despite }) {
  return combinations.flatMap(({ flag, needs = [], lacks, refuse }) => {
    if ([flag, ...needs].some(key => bad.has(key))) return []
    if (lacks !== undefined && lacks === despite) return []
    const allowed = refuse(values, given)
    const place = given.get(flag) ?? { flag: `--${flag}`, text: String(options[flag].default ?? '') }
    return allowed ? [{ flag: place.flag, value: place.text, allowed }] : []
  })
}

/**
 * @param {Planning} scenario
 * @param {Record<string, any>} values
 * @param {'plan' | 'output'} part
 */
function pick({ options }, values, part) {
  const entries = Object.entries(options).filter(
    ([, option]) =>
      (option.part ?? 'plan') === part && (!option.ofSomePlans || option.only?.met(values) !== false)
  )
  return Object.fromEntries(entries.map(([key, { planKey = key }]) => [planKey, values[key] ?? null]))
}

/** What no scenario need have an option for. @type {Partial<Output>} */
const NO_OUTPUT = {
  junit: null,
  jsonLines: null,
  dashboardPort: null,
  runs: 1,
  resume: null,
  baseline: null,
  failOn: null,
  allowUndecided: false,
  dryRun: false
}

/**
 * makePlan validates the options of a scenario and makes the plan of a run from them, or names every problem at once.
 *
 * @param {Planning} scenario
 * @param {Record<string, unknown>} options - by flag name, in camelCase or kebab-case, values as typed or as in YAML
 * @param {object} [more]
 * @param {{ file: string, options: Record<string, unknown> }} [more.config] - options of a configuration file; `options`
 *   win over them
 * @param {number} [more.cores] - of this machine
 * @param {'simulated' | null} [more.despite] - what does not exist: a plan that needs it is made all the same, though it cannot be run
 * @returns {AnyPlanned | Refused}
 */
export function makePlan(scenario, options, { config, cores = usableCores(), despite = null } = {}) {
  const file = readOptions(config ?? { file: '', options: {} }, scenario.options)
  const flags = readOptions({ file: null, options }, scenario.options)
  const given = overlay(file.given, flags.given, scenario.rivals)
  const { implied = values => values } = scenario
  const values = implied(withDefaults(scenario, given), given)
  const bad = new Set([...file.bad, ...flags.bad])
  const problems = [
    ...file.problems,
    ...flags.problems,
    ...impossible(scenario, values, given, { bad, despite })
  ]
  const output = Object.freeze(/** @type {Output} */ ({ ...NO_OUTPUT, ...pick(scenario, values, 'output') }))
  if (problems.length > 0) return { problems, output }
  const plan = scenario.toPlan(pick(scenario, values, 'plan'), values, { cores })
  return { plan: /** @type {Readonly<AnyPlan>} */ (Object.freeze(plan)), output }
}
