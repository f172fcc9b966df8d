// Checks what callers of the library pass to `run`: a plan or a study, with settings.
import { formatProblems } from '../kit/option-problems.js'
import { loadScenario, SCENARIOS } from '../scenarios/index.js'
import { makePresetScenario, PRESETS } from '../scenarios/presets.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../index.js').Study} Study
 */

/**
 * findScenarioOrPreset finds a scenario or a preset by its name.
 *
 * @param {unknown} name
 * @returns {Promise<import('../scenarios/index.js').Scenario>}
 * @throws {TypeError} where there is none of that name
 */
export async function findScenarioOrPreset(name) {
  const scenario = typeof name === 'string' ? await loadScenario(name) : undefined
  const preset = PRESETS[/** @type {string} */ (name)]
  if (scenario !== undefined) return preset === undefined ? scenario : makePresetScenario(scenario, preset)
  const names = Object.keys({ ...SCENARIOS, ...PRESETS }).join(', ')
  throw new TypeError(`there is no scenario ${String(name)}: there are ${names}`)
}

const WANTED = 'a plan, as makePlan gives it, or a study, as makeStudy does'

/** PlanError is thrown instead of a run when a plan has problems; it has them. */
export class PlanError extends Error {
  name = 'PlanError'
  code = 'BAD_PLAN'

  /** @param {readonly Problem[]} problems */
  constructor(problems) {
    super(formatProblems(problems))
    this.problems = problems
  }
}

/**
 * checkPlanOrStudy checks a plan or a study, or the result of makePlan or makeStudy.
 *
 * @param {unknown} what
 * @returns {Promise<{ plan: AnyPlan, study?: undefined } | { study: Study, plan?: undefined }>}
 * @throws {PlanError} where there is none but problems
 * @throws {TypeError} where it is something else
 */
export async function checkPlanOrStudy(what) {
  const input = /** @type {any} */ (await what)
  if (input === null || typeof input !== 'object')
    throw new TypeError(`what is run must be ${WANTED}: it is ${input === null ? 'null' : typeof input}`)
  const { problems, plan, study } = input
  if (Array.isArray(problems) && problems.length > 0) throw new PlanError(problems)
  if (plan !== undefined) return { plan: await completePlan(plan) }
  if (study !== undefined) return { study: completeStudy(study) }
  return 'planned' in input ? { study: completeStudy(input) } : { plan: await completePlan(input) }
}

/** @param {any} study @returns {Study} */
function completeStudy(study) {
  if (typeof study?.kind === 'string' && study.planned?.document !== undefined) return study
  throw new TypeError('what is run is no study: makeStudy gives one')
}

/**
 * Plans of makePlan are frozen and complete. Other plans are checked by the schema of plans.
 *
 * @param {any} plan
 * @returns {Promise<AnyPlan>}
 */
async function completePlan(plan) {
  if (plan?.scenario === undefined)
    throw new TypeError(`what is run lacks a scenario, and is neither ${WANTED.replace(', or ', ', nor ')}`)
  const scenario = await findScenarioOrPreset(plan.scenario)
  if (Object.isFrozen(plan)) return plan
  const { plan: schema } = await scenario.schemas()
  const { success, error } = schema.safeParse(JSON.parse(JSON.stringify(plan)))
  if (success) return plan
  const missing = error.issues.filter(({ path: [key] }) => plan[key] === undefined)
  const wrong = error.issues.filter(issue => !missing.includes(issue))
  throw new PlanError([
    ...lacks(missing.map(({ path: [key] }) => String(key))),
    ...wrong.map(({ path, message }) => ({ flag: `plan.${path.join('.')}`, value: '', allowed: message })),
    { flag: '', value: '', allowed: `makePlan('${scenario.name}', options) makes whole plans` }
  ])
}

const MAX_MISSING_NAMED = 5

/** @param {string[]} keys @returns {Problem[]} */
function lacks(keys) {
  if (keys.length === 0) return []
  const left = keys.length - MAX_MISSING_NAMED
  const more = left > 0 ? ` and ${left} more` : ''
  return [
    { flag: 'the plan', value: '', allowed: `lacks ${keys.slice(0, MAX_MISSING_NAMED).join(', ')}${more}` }
  ]
}

/** @type {Readonly<Record<string, (value: any) => string | null>>} what is wrong with a setting */
const SETTINGS = Object.freeze({
  id: value => (/^[\w.=-]+$/.test(String(value)) ? null : 'must be of letters, digits and . _ = -'),
  folder: value => (typeof value === 'string' ? null : 'must be the path of a folder'),
  deliveries: value =>
    typeof value === 'string' && /\.(csv|jsonl)(\.gz)?$/.test(value)
      ? null
      : 'must be the path of a file that ends in .csv, .csv.gz, .jsonl, .jsonl.gz',
  signal: value => (value instanceof AbortSignal ? null : 'must be an AbortSignal'),
  cacheDir: value => (typeof value === 'string' ? null : 'must be the path of a folder'),
  fleet: () => null,
  handover: () => null,
  onRecord: value => (typeof value === 'function' ? null : 'must be a function of a record')
})

/**
 * checkSettings checks the settings of a run: each is known and has the right type.
 *
 * @param {unknown} settings - of a run
 * @throws {TypeError} where one is unknown or cannot be used
 */
export function checkSettings(settings) {
  if (settings === null || typeof settings !== 'object')
    throw new TypeError(
      `settings of a run must be an object, such as { signal }: they are ${String(settings)}`
    )
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(SETTINGS, name))
      throw new TypeError(`${name} is no setting of a run: there are ${Object.keys(SETTINGS).join(', ')}`)
    const problem = value === undefined ? null : SETTINGS[name](value)
    if (problem !== null) throw new TypeError(`${name} ${problem}`)
  }
}
