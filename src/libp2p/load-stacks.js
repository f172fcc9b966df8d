import { readdirSync } from 'node:fs'

/** @typedef {import('./types.js').NamedStack} NamedStack */

const STACK_FILE = /^(libp2p-\d+)\.js$/

/**
 * stackFiles finds the files of stacks. A file in the folder that is called `libp2p-<number>.js` is one.
 *
 * @param {URL} folder
 * @returns {{ name: string, url: URL }[]} by their names, the latest generation first
 */
export const stackFiles = folder =>
  readdirSync(folder)
    .flatMap(file => {
      const [, name] = STACK_FILE.exec(file) ?? []
      return name === undefined ? [] : [{ name, url: new URL(file, folder) }]
    })
    .sort((a, b) => b.name.localeCompare(a.name, 'en', { numeric: true }))

/**
 * loadStacks reads every stack there is, each from a file of its own: adding one is adding a file. No package of a stack is
 * imported before it makes a node.
 *
 * @param {URL} folder
 * @returns {Promise<ReadonlyMap<string, NamedStack>>} by name
 */
export async function loadStacks(folder) {
  const stacks = await Promise.all(
    stackFiles(folder).map(async ({ name, url }) => {
      const { stack } = /** @type {{ stack: import('./types.js').Stack }} */ (await import(url.href))
      return /** @type {const} */ ([name, Object.freeze({ name, ...stack })])
    })
  )
  return new Map(stacks)
}
