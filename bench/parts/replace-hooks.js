import { readFile } from 'node:fs/promises'

/** by URL @type {Record<string, string>} */
let sources = {}

/** @param {typeof sources} data */
export const initialize = data => {
  sources = data
}

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) =>
  Object.hasOwn(sources, url)
    ? { format: 'module', shortCircuit: true, source: await readFile(new URL(sources[url])) }
    : next(url, context)
