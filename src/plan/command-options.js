import { camelCase } from './option-text.js'
import { readOptions } from './read-options.js'

/**
 * @typedef {import('./read-options.js').OptionTable} OptionTable
 * @typedef {import('./read-options.js').Problem} Problem
 */

/**
 * readCommandOptions reads the options of a command that are not those of a plan.
 *
 * @param {OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ own: Record<string, any>, problems: Problem[] }} `own`: values by key, those not given as they are by default
 */
export function readCommandOptions(table, options) {
  const { given, problems } = readOptions({ file: null, options }, table)
  const own = Object.fromEntries(
    Object.entries(table).map(([key, option]) => [key, given.get(key)?.value ?? option.default])
  )
  return { own, problems }
}

/**
 * splitOptions tells the options of a command from all others.
 *
 * @param {OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ mine: Record<string, unknown>, others: Record<string, unknown> }}
 */
export function splitOptions(table, options) {
  const entries = Object.entries(options)
  const isMine = (/** @type {string} */ name) => Object.hasOwn(table, camelCase(name))
  return {
    mine: Object.fromEntries(entries.filter(([name]) => isMine(name))),
    others: Object.fromEntries(entries.filter(([name]) => !isMine(name)))
  }
}

/**
 * withoutMisplaced takes out options that a command has no use for, and says what to do instead.
 *
 * @param {Readonly<Record<string, string>>} notHere - by key: why not
 * @param {Record<string, unknown>} options - as typed
 * @returns {{ kept: Record<string, unknown>, problems: Problem[] }}
 */
export function withoutMisplaced(notHere, options) {
  const entries = Object.entries(options)
  const isMisplaced = (/** @type {string} */ name) => Object.hasOwn(notHere, camelCase(name))
  return {
    kept: Object.fromEntries(entries.filter(([name]) => !isMisplaced(name))),
    problems: entries
      .filter(([name]) => isMisplaced(name))
      .map(([name, raw]) => ({
        flag: `--${name}`,
        value: raw === true ? '' : String(raw),
        allowed: notHere[camelCase(name)]
      }))
  }
}
