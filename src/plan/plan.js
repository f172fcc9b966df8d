// Makes the plan of a run from options and a configuration file, with all problems at once. Estimates how long runs
// take.
import { basename } from 'node:path'
import { z } from 'zod'
import { computeSum } from '../kit/collections.js'
import { isMapping, readYamlFile, STANDARD_INPUT } from '../kit/files.js'
import { hidePasswords } from '../kit/host-address.js'
import { countUsableCores } from '../kit/linux.js'
import { findNearWord } from '../kit/option-problems.js'
import {
  describeNoUse,
  listMembers,
  listUsableOptions,
  nameOption,
  REMOVED_OPTIONS,
  toCamelCase,
  unfoldFamilies
} from './options.js'
import { getKindSchema, getOptionDefault } from './schema.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {AnyPlan['scenario']} ScenarioName
 *
 * @typedef {import('../scenarios/rendezvous/options.js').Plan} Plan
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
 * @property {readonly import('./fail-rules.js').FailRule[] | null} failOn - what fails against it; null: as
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
 * @property {import('./agents.js').WantedAgents | null} [agents] - that hold the workers; null: this machine does
 * @property {'continue' | 'stop'} [onLostAgent]
 * @property {string | null} [address] - of this machine, for agents; null: that which reaches the bus
 * @property {number | null} dashboardPort - where a page of what goes on is served; 0: any that is free; null: nowhere
 * @property {number | null} prometheusPort - where the run's own metrics are served; 0: any that is free; null: nowhere
 *
 * @typedef {import('../scenarios/index.js').Scenario} Scenario
 * @typedef {import('../scenarios/index.js').Planning} Planning
 *
 * @typedef {{ plan: Readonly<Plan>, output: Readonly<Output>, problems?: undefined }} Planned
 * @typedef {{ plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }} AnyPlanned
 * @typedef {{ problems: Problem[], plan?: undefined, output: Readonly<Output> }} RefusedPlan - `output` as far as it was
 *   allowed, so that its paths can be checked in the same breath
 */

/**
 * overlayOptions lays options over others by their keys: they win, and put out of force what cannot stand beside them.
 *
 * @template T
 * @param {Map<string, T>} under
 * @param {Map<string, T>} over
 * @param {Planning['rivals']} rivals
 * @returns {Map<string, T>}
 */
export function overlayOptions(under, over, rivals) {
  const explicit = new Map([...under, ...over])
  for (const [flag, rival] of rivals) {
    if (over.has(flag) && !over.has(rival)) explicit.delete(rival)
  }
  return explicit
}

/**
 * Combinations of options that cannot be run.
 *
 * @param {Planning} scenario
 * @param {Record<string, any>} values
 * @param {Map<string, ExplicitOption>} explicit
 * @param {{ bad: Set<string>, despite: string | null }} skipped - rules that look at a bad value, or lack this
 * @returns {Problem[]}
 */
function refusedCombinations({ options, combinations }, values, explicit, { bad, despite }) {
  return combinations.flatMap(({ flag, needs = [], lacks, refuse }) => {
    if ([flag, ...needs].some(key => bad.has(key))) return []
    if (lacks !== undefined && lacks === despite) return []
    const allowed = refuse(values, explicit)
    const place = explicit.get(flag) ?? {
      flag: `--${nameOption(flag, options[flag])}`,
      text: String(options[flag].default ?? '')
    }
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

/** Defaults of outputs that a scenario may have no option for. @type {Partial<Output>} */
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
 * @returns {AnyPlanned | RefusedPlan}
 */
export function makePlan(scenario, options, { config, cores = countUsableCores(), despite = null } = {}) {
  const file = parseOptions(config ?? { file: '', options: {} }, scenario.options)
  const flags = parseOptions({ file: null, options }, scenario.options)
  const explicit = overlayOptions(file.explicit, flags.explicit, scenario.rivals)
  const { options: table, implied = values => values } = scenario
  const optionValue = (/** @type {string} */ key) => explicit.get(key)?.value ?? getOptionDefault(table[key])
  const values = implied(Object.fromEntries(Object.keys(table).map(key => [key, optionValue(key)])), explicit)
  const bad = new Set([...file.bad, ...flags.bad])
  const problems = [
    ...file.problems,
    ...flags.problems,
    ...refusedCombinations(scenario, values, explicit, { bad, despite })
  ]
  const output = Object.freeze(/** @type {Output} */ ({ ...NO_OUTPUT, ...pick(scenario, values, 'output') }))
  if (problems.length > 0) return { problems, output }
  const plan = scenario.toPlan(pick(scenario, values, 'plan'), values, { cores })
  return { plan: /** @type {Readonly<AnyPlan>} */ (Object.freeze(plan)), output }
}

/**
 * @typedef {import('../kit/option-problems.js').Problem} Problem
 *
 * @typedef {object} ExplicitOption - an option somebody gave
 * @property {unknown} value - in the plan's unit
 * @property {string} flag - where it was given, as in Problem
 * @property {string} text - the value as given, but for passwords
 * @property {string | null} file - the configuration file it comes from; null: the command line
 *
 * @typedef {{ value: string, allowed: string }} OptionRefusal
 *
 * @typedef {Readonly<Record<string, Readonly<import('./options.js').Option>>>} OptionTable
 *
 * @typedef {object} OptionSource
 * @property {string | null} file
 * @property {Record<string, unknown>} options
 */

/** @param {unknown} raw @returns {string} */
function shown(raw) {
  if (raw === true || raw === undefined || raw === null) return ''
  if (Array.isArray(raw)) return raw.map(shown).join(', ')
  return hidePasswords(typeof raw === 'object' ? JSON.stringify(raw) : String(raw))
}

/** @param {string} name @param {{ file: string | null, table: OptionTable, family?: string }} place @returns {string} */
function unknownOption(name, { file, table, family }) {
  if (family !== undefined) return `must be one of ${listMembers(table, toCamelCase(family)).join(', ')}`
  if (Object.hasOwn(REMOVED_OPTIONS, toCamelCase(name)))
    return `was removed: ${REMOVED_OPTIONS[toCamelCase(name)].instead}`
  const near = findNearWord(toCamelCase(name), Object.keys(listUsableOptions(table)))
  if (near === null) return 'is not an option'
  return `is not an option; did you mean ${file === null ? '--' : ''}${nameOption(near, table[near])}?`
}

/**
 * @param {OptionTable[string]} option
 * @param {unknown} raw
 * @param {string | null} file
 * @returns {{ value: unknown } | { refused: OptionRefusal[] }}
 */
function readValue(option, raw, file) {
  const { allowed, part, item, between, read, why, fixed, anyway } = option
  const refuse = (/** @type {string} */ allowed) => ({ refused: [{ value: shown(raw), allowed }] })
  if (fixed !== undefined && (anyway === undefined || raw !== anyway)) return refuse(describeNoUse(fixed))
  if (file !== null && part === 'config') return refuse('can only be given on the command line')
  if (item !== undefined) {
    const parts = (/** @type {unknown} */ each) =>
      between !== undefined && typeof each === 'string' && each.includes(between)
        ? each.split(between).filter(part => part.trim() !== '')
        : [each]
    const list = [raw].flat().flatMap(parts)
    const items = list.map(each => ({ each, read: item(each) }))
    const refused = items.flatMap(({ each, read }) =>
      'allowed' in read ? [{ value: shown(each), allowed: read.allowed }] : []
    )
    if (refused.length > 0) return { refused }
    return { value: items.flatMap(({ read }) => ('value' in read ? [read.value] : [])) }
  }
  if (file === null && Array.isArray(raw)) return refuse('must be given only once')
  if (read !== undefined) {
    const own = read(raw, z)
    return 'allowed' in own ? refuse(own.allowed) : own
  }
  const { success, data } = getKindSchema(option).safeParse(raw)
  return success ? { value: data } : refuse(why?.(raw) ?? allowed)
}

/**
 * parseOptions validates each option of one source by itself.
 *
 * @param {OptionSource} source
 * @param {OptionTable} table - of the options there are
 * @returns {{ explicit: Map<string, ExplicitOption>, problems: Problem[], bad: Set<string> }} `bad`: options whose value is not
 *   allowed
 */
export function parseOptions({ file, options }, table) {
  /** @type {{ explicit: Map<string, ExplicitOption>, problems: Problem[], bad: Set<string> }} */
  const result = { explicit: new Map(), problems: [], bad: new Set() }
  for (const { name, raw, family } of unfoldFamilies(options, table)) {
    if (raw == null) continue // YAML writes null for an option left open
    const typed = toCamelCase(name)
    // an option may be given by a name that it had in earlier releases
    const key = Object.hasOwn(table, typed)
      ? typed
      : (Object.keys(table).find(each => table[each].formerly?.includes(typed)) ?? typed)
    const dashes = name.length === 1 && family === undefined && !Object.hasOwn(table, name) ? '-' : '--'
    const full = family === undefined ? name : `${family} ${name}`
    const place = { flag: file === null ? `${dashes}${full}` : `${file}: ${full}`, text: shown(raw), file }
    const isTwice = result.explicit.has(key) && family !== undefined
    const read = !Object.hasOwn(table, key)
      ? { refused: [{ value: place.text, allowed: unknownOption(name, { file, table, family }) }] }
      : isTwice
        ? { refused: [{ value: place.text, allowed: 'must be given only once' }] }
        : readValue(table[key], raw, file)
    if ('value' in read) result.explicit.set(key, { ...place, value: read.value })
    else {
      result.bad.add(key)
      result.problems.push(...read.refused.map(refusal => ({ flag: place.flag, ...refusal })))
    }
  }
  return result
}

/**
 * parseCommandOptions reads the options of a command that are not those of a plan.
 *
 * @param {OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ own: Record<string, any>, problems: Problem[] }} `own`: values by key, those not given as they are by default
 */
export function parseCommandOptions(table, options) {
  const { explicit, problems } = parseOptions({ file: null, options }, table)
  const own = Object.fromEntries(
    Object.entries(table).map(([key, option]) => [key, explicit.get(key)?.value ?? option.default])
  )
  return { own, problems }
}

/**
 * splitOptions separates the options of a table from all others.
 *
 * @param {Readonly<Record<string, unknown>>} table - by key
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ mine: Record<string, unknown>, others: Record<string, unknown> }}
 */
export function splitOptions(table, options) {
  const entries = Object.entries(options)
  const isMine = (/** @type {string} */ name) => Object.hasOwn(table, toCamelCase(name))
  return {
    mine: Object.fromEntries(entries.filter(([name]) => isMine(name))),
    others: Object.fromEntries(entries.filter(([name]) => !isMine(name)))
  }
}

/**
 * removeMisplacedOptions takes out options that a command has no use for, and says what to do instead.
 *
 * @param {Readonly<Record<string, string>>} notHere - by key: why not
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ remaining: Record<string, unknown>, problems: Problem[] }}
 */
export function removeMisplacedOptions(notHere, options) {
  const { mine: misplaced, others: remaining } = splitOptions(notHere, options)
  const problems = Object.entries(misplaced).map(([name, raw]) => ({
    flag: `--${name}`,
    value: raw === true ? '' : String(raw),
    allowed: notHere[toCamelCase(name)]
  }))
  return { remaining, problems }
}

/**
 * @typedef {{ file: string, options: Record<string, unknown> }} Config
 */

/**
 * readConfig reads options from a YAML file, or a JSON file if it is named so; `-` is standard input.
 *
 * @param {string} path
 * @returns {Promise<{ config?: Config, problem?: Problem }>} one of them
 */
export async function readConfig(path) {
  /** @param {string} allowed */
  const refuse = allowed => ({ problem: { flag: '--config', value: path, allowed } })
  const { problem, ...file } = await readYamlFile(path)
  if (!('content' in file)) return refuse(problem ?? '')
  if (!isMapping(file.content)) return refuse('must be options by name, such as "nClients: 10"')
  const name = path === STANDARD_INPUT ? 'standard input' : basename(path)
  return { config: { file: name, options: file.content } }
}

/**
 * @typedef {object} Estimate - of a run
 * @property {number} estimateMs - about how long it takes in all
 * @property {number} fixedMs - of that, what it takes on any machine
 * @property {boolean} goesOn - it goes on with what the run before has left up
 */

/**
 * estimateRun estimates how long a run takes.
 *
 * @param {Pick<import('../scenarios/index.js').Scenario, 'estimateMs' | 'fixedMs'>} scenario
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {boolean} [goesOn]
 * @returns {Estimate}
 */
export const estimateRun = ({ estimateMs, fixedMs = () => 0 }, plan, goesOn = false) => ({
  estimateMs: estimateMs(plan, goesOn),
  fixedMs: fixedMs(plan, goesOn),
  goesOn
})

/** @param {Estimate} estimate */
const varies = ({ estimateMs, fixedMs }) => estimateMs - fixedMs

/**
 * estimateRemainingMs says how long what is left takes, going by how long runs like it have taken here: beside their estimates, and beyond what
 * they take anywhere.
 *
 * @param {readonly (Estimate & { tookMs: number })[]} done
 * @param {readonly Estimate[]} left
 * @returns {number} ms
 */
export function estimateRemainingMs(done, left) {
  const paceOf = (/** @type {boolean} */ goesOn) => {
    const alike = done.filter(run => run.goesOn === goesOn)
    const took = computeSum(alike, ({ tookMs, fixedMs }) => Math.max(0, tookMs - fixedMs))
    return alike.length === 0 ? 1 : took / computeSum(alike, varies)
  }
  const paces = { anew: paceOf(false), on: paceOf(true) }
  return computeSum(left, run => run.fixedMs + varies(run) * (run.goesOn ? paces.on : paces.anew))
}
