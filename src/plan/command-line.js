// Writes the command line that repeats a plan, from the values that differ from the defaults.
import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../kit/collections.js'
import { listUsableOptions, REMOVED_OPTIONS } from './options.js'
import { getOptionDefault } from './schema.js'

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
export const quoteShellWord = word =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/**
 * Each value of an option as it is typed.
 *
 * @param {string} key
 * @param {Readonly<import('./options.js').Option>} option
 * @param {any} value - of a plan
 * @returns {string[]}
 */
const valueTexts = (key, { planKey = key, write = one => typed(planKey, one), item }, value) =>
  (item === undefined ? [value] : value).map((/** @type {any} */ one) => write(one))

/**
 * formatOptionValue writes a value of a plan as it is typed.
 *
 * @param {string} key - of the option
 * @param {Readonly<import('./options.js').Option>} option
 * @param {any} value
 */
export function formatOptionValue(key, option, value) {
  if (option.write === undefined && typeof value === 'boolean') return value ? 'on' : 'off'
  return valueTexts(key, option, value).join(', ')
}

/**
 * makePlanFlags gives the flags that make a plan, on any machine. Values that are the default need none.
 *
 * @param {Planning} scenario
 * @param {AnyPlan} plan
 * @returns {string[]} each with its value, as typed in a shell
 */
export function makePlanFlags(scenario, plan) {
  const { options, flat, unsaid } = scenario
  // the default of workers depends on the machine
  const defaults = Object.fromEntries(
    Object.entries(options)
      .filter(([key]) => key !== 'workers')
      .map(([key, option]) => [option.planKey ?? key, JSON.stringify(getOptionDefault(option))])
  )
  const values = flat(plan)
  const flags = Object.entries(listUsableOptions(options)).flatMap(([key, option]) => {
    const { part = 'plan', planKey = key, write, family: name = key, member = key, item } = option
    const value = values[planKey]
    const isDefault = JSON.stringify(value) === defaults[planKey]
    if (part !== 'plan' || value == null || isDefault || unsaid(plan).includes(planKey)) return []
    if (name === key && write === undefined && typeof value === 'boolean')
      return { name: value ? key : `no-${key}`, texts: null, isList: false }
    const texts = valueTexts(key, option, value)
    return {
      name,
      texts: name === key ? texts : texts.map(text => `${member}=${text}`),
      isList: item !== undefined
    }
  })
  return groupBy(flags, ({ name }) => name).flatMap(([name, parts]) => {
    if (parts.some(({ texts }) => texts === null)) return `--${name}`
    const texts = parts.flatMap(part => part.texts ?? [])
    const isList = texts.length === 0 || parts.some(part => part.isList)
    return (isList ? texts : [texts.join(',')]).map(text => `--${name} ${quoteShellWord(text)}`)
  })
}

/**
 * describeRemovedOptions are the options in the plan of a stored result that have no effect any more.
 *
 * @param {import('../scenarios/index.js').AnyPlan} plan
 * @param {import('../scenarios/index.js').Planning | null} scenario - of the plan; null: none of the program
 * @returns {string[]} one line each
 */
export function describeRemovedOptions(plan, scenario) {
  const { flat = () => plan } = scenario ?? {}
  const values = /** @type {Record<string, any>} */ (flat(plan))
  return Object.entries(REMOVED_OPTIONS)
    .filter(([, { of }]) => of === undefined || of.includes(plan.scenario))
    .map(([name, { planKey = name, was, instead }]) => ({ name, value: values[planKey], was, instead }))
    .filter(({ value, was }) => value && value.length !== 0 && !isDeepStrictEqual(value, was))
    .map(({ name, value, instead }) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : value
      return `--${name} ${text} was removed: ${instead}`
    })
}
