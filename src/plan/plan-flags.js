import { OPTIONS } from './options.js'
import { makePlan } from './plan.js'

/** @typedef {import('./plan.js').Plan} Plan */

/** How values are typed whose key in the plan ends so. @type {readonly [string, (value: number) => string][]} */
const UNITS = Object.freeze([
  ['Ms', value => `${value}ms`],
  ['PerSecond', value => `${value}/s`],
  ['Seconds', value => `${value}s`],
  ['Bytes', value => `${value / 1024}kb`]
])

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

/** @param {import('./threshold.js').Threshold} threshold */
const thresholdTyped = ({ text, abortOnFail, graceMs }) =>
  `${text}${abortOnFail ? `, abortOnFail, grace=${graceMs}ms` : ''}`

/** @param {string} key @param {string} planKey @param {unknown} value */
function flags(key, planKey, value) {
  if (typeof value === 'boolean') return [value ? `--${key}` : `--no-${key}`]
  const each = Array.isArray(value) ? value.map(thresholdTyped) : [typed(planKey, value)]
  return each.map(word => `--${key} ${quoted(word)}`)
}

/** What a plan has when nothing is asked for, but workers, which depend on the machine. */
const usual = () => ({ .../** @type {Plan} */ (makePlan({}).plan), workers: null })

/**
 * planFlags gives the flags that make a plan, on any machine. What is as it usually is has none.
 *
 * @param {Plan} plan
 * @returns {string[]} each with its value, as typed in a shell
 */
export function planFlags(plan) {
  const defaults = /** @type {Record<string, unknown>} */ (usual())
  const values = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (plan))
  // one round of so many operations, or operations for so long: the one puts the other out of force
  const unsaid = plan.durationMs === null ? [] : ['benchmarkRuns', 'minDurationMs']
  const entries = Object.entries(OPTIONS).filter(([, { part = 'plan' }]) => part === 'plan')
  return entries.flatMap(([key, { planKey = key }]) => {
    const value = values[planKey]
    const same = value == null || value === defaults[planKey] || unsaid.includes(planKey)
    return same ? [] : flags(key, planKey, value)
  })
}
