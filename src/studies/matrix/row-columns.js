import { isDeepStrictEqual } from 'node:util'
import { planFlags, valueText } from '../../plan/plan-flags.js'

/**
 * What the rows of a table of a matrix differ in, and what they have in common: read from their plans.
 *
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('./matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../report/description/description.js').Cell} Cell
 * @typedef {import('../../report/description/description.js').Column} Column
 * @typedef {import('../../report/description/description.js').Kind} Kind
 * @typedef {import('../../scenarios/scenario.js').Planning} Planning
 *
 * @typedef {object} RowFigures - what a matrix knows of the first table of a run of a scenario
 * @property {Readonly<Record<string, string | readonly string[]>>} columns - headings by the name of an option or of a published figure; of a
 *   figure that is a list, one for each
 * @property {readonly string[]} [drawn] - headings of figures that are drawn over what rows differ in; default: one or two of each kind
 * @property {readonly string[]} [over] - headings of measured figures that those are drawn over, too
 *
 * @typedef {object} CaseColumn - an option that rows differ in
 * @property {string} option
 * @property {Column} column
 * @property {(plan: RowRecord['plan']) => string | number | null} of
 */

/** How numbers of a plan are shown, by the ending of their keys. @type {readonly [ending: string, unit: string, kind: Kind, factor: number][]} */
const UNITS = [
  ['BytesPerSecond', ' MB/s', 'number', 1e-6],
  ['PerSecond', ' /s', 'number', 1],
  ['Seconds', ' s', 's', 1],
  ['Ms', ' s', 's', 1e-3],
  ['Bytes', ' bytes', 'count', 1]
]

/**
 * @param {Planning['options']} options
 * @param {string} option
 * @param {{ values: readonly unknown[], flat: (plan: any) => Record<string, any> }} how - `values`: of all rows
 * @returns {CaseColumn}
 */
function caseColumn(options, option, { values, flat }) {
  const { planKey = option } = options[option]
  const read = (/** @type {RowRecord['plan']} */ plan) => flat(plan)[planKey] ?? null
  if (!values.every(value => value === null || typeof value === 'number'))
    return {
      option,
      column: [option, 'text'],
      of: plan => {
        const value = read(plan)
        return value === null ? null : valueText(option, options[option], value)
      }
    }
  const [, unit, kind, factor] = UNITS.find(([ending]) => planKey.endsWith(ending)) ?? [
    '',
    '',
    values.every(value => value === null || Number.isInteger(value)) ? 'count' : 'number',
    1
  ]
  return {
    option,
    column: [`${option}${unit}`, kind],
    of: plan => {
      const value = read(plan)
      return value === null ? null : Number((value * factor).toPrecision(12))
    }
  }
}

/** @param {Planning} scenario */
const planOptions = ({ options }) =>
  Object.keys(options).filter(key => (options[key].part ?? 'plan') === 'plan' && key !== 'threshold')

/**
 * caseColumns are the options that the plans of rows differ in.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {CaseColumn[]}
 */
export const caseColumns = (rows, scenario) =>
  planOptions(scenario).flatMap(option => {
    const { planKey = option } = scenario.options[option]
    const values = rows.map(({ plan }) => scenario.flat(plan)[planKey] ?? null)
    return values.every(value => isDeepStrictEqual(value, values[0]))
      ? []
      : [caseColumn(scenario.options, option, { values, flat: scenario.flat })]
  })

/**
 * unscaledColumns are the values that rows would have had without `--scale`.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {CaseColumn[]} `of`: of a plan that was not scaled
 */
export const unscaledColumns = (rows, scenario) =>
  planOptions(scenario).flatMap(option => {
    const { planKey = option } = scenario.options[option]
    const values = rows.map(({ unscaled }) => unscaled[planKey] ?? null)
    if (values.every(value => value === null)) return []
    const { column, of } = caseColumn(scenario.options, option, { values, flat: plan => plan })
    const [heading, kind] = column
    return [{ option, column: [`${heading} unscaled`, kind, 'wide'], of }]
  })

/**
 * commonOptions are the options that all rows were given alike, and that differ from the defaults.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {[option: string, value: string][]}
 */
export function commonOptions(rows, scenario) {
  const [first = [], ...others] = rows.map(({ plan }) => planFlags(scenario, plan))
  return first
    .filter(flag => others.every(flags => flags.includes(flag)))
    .map(flag => {
      const [name, ...value] = flag.split(' ')
      return [name.replace(/^--/, ''), value.join(' ') || 'on']
    })
}
