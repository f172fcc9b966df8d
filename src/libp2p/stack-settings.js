import { DEFAULT_STACK, stackNamed } from './stacks.js'

/**
 * @typedef {import('./types.js').Setting} Setting
 * @typedef {Readonly<Record<string, Setting>>} Settings
 */

/** @param {Settings} settings @param {string} name - of a stack */
const on = (settings, name) => ({
  ...settings,
  ...Object.fromEntries(
    Object.entries(stackNamed(name).settings).filter(([setting]) => Object.hasOwn(settings, setting))
  )
})

/**
 * stackSettings are the settings of nodes on some stacks. Where stacks differ, a setting has the stack's name behind it.
 *
 * @param {Settings} settings - written for all stacks
 * @param {readonly string[]} [names] - of stacks
 * @returns {Settings}
 */
export function stackSettings(settings, names = [DEFAULT_STACK]) {
  const all = names.map(name => /** @type {const} */ ([name, on(settings, name)]))
  const entries = Object.keys(settings).flatMap(setting => {
    const each = all.map(([name, settled]) => /** @type {const} */ ([name, settled[setting]]))
    const same = each.every(([, value]) => value === each[0][1])
    return each
      .slice(0, same ? 1 : each.length)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [same || names.length === 1 ? setting : `${setting} (${name})`, value])
  })
  return Object.freeze(Object.fromEntries(entries))
}
