// The command line that makes a plan again.
import { isDeepStrictEqual } from 'node:util'
import { REMOVED_OPTIONS, takenOf } from './options.js'
import { defaultOf } from './schema.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').Planning} Planning
 */

/** How values are typed whose key in the plan ends so. @type {readonly [string, (value: number) => string][]} */
const UNITS = [
  ['Ms', value => `${value}ms`],
  ['PerSecond', value => `${value}/s`],
  ['Seconds', value => `${value}s`]
]

/** @param {string} planKey @param {unknown} value */
function typed(planKey, value) {
  if (typeof value === 'object')
    return Object.entries(/** @type {object} */ (value))
      .map(([name, share]) => `${name}=${share}`)
      .join(',')
  const [, withUnit = String] = UNITS.find(([ending]) => planKey.endsWith(ending)) ?? []
  return withUnit(/** @type {number} */ (value))
}

/** @param {string} word as a shell takes it */
export const quoted = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/**
 * @param {string} key
 * @param {Readonly<import('./options.js').Option>} option
 * @param {any} value
 */
function flags(key, { planKey = key, write, item }, value) {
  if (write === undefined && typeof value === 'boolean') return [value ? `--${key}` : `--no-${key}`]
  const each = item === undefined ? [value] : value
  return each.map(
    (/** @type {unknown} */ one) =>
      `--${key} ${quoted(write === undefined ? typed(planKey, one) : write(one))}`
  )
}

/**
 * valueText writes a value of a plan as it is typed.
 *
 * @param {string} key - of the option
 * @param {Readonly<import('./options.js').Option>} option
 * @param {any} value
 */
export function valueText(key, { planKey = key, write, item }, value) {
  if (write === undefined && typeof value === 'boolean') return value ? 'on' : 'off'
  const each = item === undefined ? [value] : value
  return each
    .map((/** @type {unknown} */ one) => (write === undefined ? typed(planKey, one) : write(one)))
    .join(', ')
}

/**
 * What a plan has when nothing is asked for, but workers, which depend on the machine.
 *
 * @param {Planning} scenario
 */
const usual = ({ options }) => {
  const entries = Object.entries(options).filter(([key]) => key !== 'workers')
  return Object.fromEntries(entries.map(([key, option]) => [option.planKey ?? key, defaultOf(option)]))
}

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

/**
 * planFlags gives the flags that make a plan, on any machine. What is as it usually is has none.
 *
 * @param {Planning} scenario
 * @param {AnyPlan} plan
 * @returns {string[]} each with its value, as typed in a shell
 */
export function planFlags(scenario, plan) {
  const { options, flat, unsaid } = scenario
  const defaults = usual(scenario)
  const values = flat(plan)
  const entries = Object.entries(takenOf(options)).filter(([, { part = 'plan' }]) => part === 'plan')
  return entries.flatMap(([key, option]) => {
    const { planKey = key } = option
    const value = values[planKey]
    const left = value == null || same(value, defaults[planKey]) || unsaid(plan).includes(planKey)
    return left ? [] : flags(key, option, value)
  })
}

/** @param {any} value */
const isNothing = value => value == null || value === 0 || value === false || value.length === 0

/**
 * removedFrom are the options in the plan of a stored result that have no effect any more.
 *
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {import('../scenarios/index.js').Planning | null} scenario - of the plan; null: none of the program
 * @returns {string[]} one line each
 */
export function removedFrom(plan, scenario) {
  const { flat = () => plan } = scenario ?? {}
  const values = /** @type {Record<string, any>} */ (flat(plan))
  return Object.entries(REMOVED_OPTIONS)
    .filter(([, { of }]) => of === undefined || of.includes(plan.scenario))
    .map(([name, { planKey = name, was, instead }]) => ({ name, value: values[planKey], was, instead }))
    .filter(({ value, was }) => !isNothing(value) && !isDeepStrictEqual(value, was))
    .map(({ name, value, instead }) => `--${name} ${shown(value)} is gone: ${instead}`)
}

/** @param {any} value */
const shown = value => (typeof value === 'object' ? JSON.stringify(value) : value)
