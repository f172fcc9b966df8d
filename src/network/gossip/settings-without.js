/** @typedef {Record<string, { value: unknown, why: string }>} Settings - `why`: for the result */

/**
 * settingsWithout are those of nodes that lack some parts.
 *
 * @param {readonly string[]} parts - what the names of their settings begin with: `yamux.`
 * @param {Readonly<Settings>} settings
 * @returns {Settings}
 */
export const settingsWithout = (parts, settings) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !parts.some(part => name.startsWith(part))))
