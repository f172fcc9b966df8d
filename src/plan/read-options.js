import { z } from 'zod'
import { nearWord } from '../kit/problem-words.js'
import { withoutPassword } from '../kit/without-password.js'
import { noUse, takenOf } from './option.js'
import { camelCase } from './option-text.js'
import { REMOVED_OPTIONS } from './removed-options.js'
import { schemaOf } from './schema-of.js'

/**
 * @typedef {object} Problem - one thing that keeps a run from starting; reads as a sentence: flag, value, allowed
 * @property {string} flag - `--nClients`; for a configuration file `load.yaml: nClients`; empty where no flag is meant
 * @property {string} value - as given, but for passwords; empty for a flag without one
 * @property {string} allowed - what is allowed instead, or what to change
 *
 * @typedef {object} Given - an option somebody gave
 * @property {unknown} value - in the plan's unit
 * @property {string} flag - where it was given, as in Problem
 * @property {string} text - the value as given, but for passwords
 * @property {string | null} file - the configuration file it comes from; null: the command line
 *
 * @typedef {{ value: string, allowed: string }} Refusal
 *
 * @typedef {Readonly<Record<string, Readonly<import('./option.js').Option>>>} OptionTable
 *
 * @typedef {object} Source
 * @property {string | null} file
 * @property {Record<string, unknown>} options
 */

/** @param {unknown} raw @returns {string} */
function shown(raw) {
  if (raw === true || raw === undefined || raw === null) return ''
  if (Array.isArray(raw)) return raw.map(shown).join(', ')
  return withoutPassword(typeof raw === 'object' ? JSON.stringify(raw) : String(raw))
}

/** @param {string} name @param {string | null} file @param {OptionTable} table */
function flagName(name, file, table) {
  if (file !== null) return `${file}: ${name}`
  return name.length === 1 && !Object.hasOwn(table, name) ? `-${name}` : `--${name}`
}

/** @param {string} name @param {string | null} file @param {OptionTable} table @returns {string} */
function unknownOption(name, file, table) {
  if (Object.hasOwn(REMOVED_OPTIONS, camelCase(name)))
    return `is gone: ${REMOVED_OPTIONS[camelCase(name)].instead}`
  const near = nearWord(camelCase(name), Object.keys(takenOf(table)))
  return near === null ? 'is no option' : `is no option; did you mean ${file === null ? '--' : ''}${near}?`
}

/**
 * @param {OptionTable[string]} option
 * @param {unknown} raw
 * @param {string | null} file
 * @returns {{ value: unknown } | { refused: Refusal[] }}
 */
function readValue(option, raw, file) {
  const { allowed, part, item, between, read, why, fixed, anyway } = option
  const refuse = (/** @type {string} */ allowed) => ({ refused: [{ value: shown(raw), allowed }] })
  if (fixed !== undefined && (anyway === undefined || raw !== anyway)) return refuse(noUse(fixed))
  if (file !== null && part === 'config') return refuse('can only be given on the command line')
  if (item !== undefined)
    return readList(
      [raw].flat().flatMap(each => severalIn(each, between)),
      item
    )
  if (file === null && Array.isArray(raw)) return refuse('must be given only once')
  if (read !== undefined) {
    const own = read(raw, z)
    return 'allowed' in own ? refuse(own.allowed) : own
  }
  const { success, data } = schemaOf(option).safeParse(raw)
  return success ? { value: data } : refuse(why?.(raw) ?? allowed)
}

/** @param {unknown} value @param {string | undefined} between @returns {unknown[]} */
const severalIn = (value, between) =>
  between !== undefined && typeof value === 'string' && value.includes(between)
    ? value.split(between).filter(part => part.trim() !== '')
    : [value]

/**
 * @param {unknown[]} list
 * @param {NonNullable<import('./values.js').Kind['item']>} item
 * @returns {{ value: unknown } | { refused: Refusal[] }}
 */
function readList(list, item) {
  const items = list.map(raw => ({ raw, read: item(raw) }))
  const refused = items.flatMap(({ raw, read }) =>
    'allowed' in read ? [{ value: shown(raw), allowed: read.allowed }] : []
  )
  if (refused.length > 0) return { refused }
  return { value: items.flatMap(({ read }) => ('value' in read ? [read.value] : [])) }
}

/** An option that has another name now is the one it became. @param {string} name @param {OptionTable} table */
const keyOf = (name, table) =>
  Object.hasOwn(table, name)
    ? name
    : (Object.keys(table).find(key => table[key].formerly?.includes(name)) ?? name)

/**
 * readOptions validates each option of one source by itself.
 *
 * @param {Source} source
 * @param {OptionTable} table - of the options there are
 * @returns {{ given: Map<string, Given>, problems: Problem[], bad: Set<string> }} `bad`: options whose value is not
 *   allowed
 */
export function readOptions({ file, options }, table) {
  /** @type {{ given: Map<string, Given>, problems: Problem[], bad: Set<string> }} */
  const result = { given: new Map(), problems: [], bad: new Set() }
  for (const [name, raw] of Object.entries(options)) {
    if (raw == null) continue // YAML writes null for an option left open
    const key = keyOf(camelCase(name), table)
    const place = { flag: flagName(name, file, table), text: shown(raw), file }
    const read = Object.hasOwn(table, key)
      ? readValue(table[key], raw, file)
      : { refused: [{ value: place.text, allowed: unknownOption(name, file, table) }] }
    if ('value' in read) result.given.set(key, { ...place, value: read.value })
    else {
      result.bad.add(key)
      result.problems.push(...read.refused.map(refusal => ({ flag: place.flag, ...refusal })))
    }
  }
  return result
}
