import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** SHIPPED is the folder of the files that come with the program. */
export const SHIPPED = fileURLToPath(new URL('../../benchmarks', import.meta.url))

const EXTENSION = '.yaml'

/** A name, with or without its extension, and no path. @param {string} word */
export const isName = word => /^[\w-]+(\.yaml)?$/.test(word)

/** @param {string} path */
const isThere = path =>
  stat(path).then(
    found => !found.isDirectory(),
    () => false
  )

/**
 * shippedFile finds what a word of the command line means: a file, or, where there is none of that path, one that comes with the
 * program by its name, from whatever folder it is started.
 *
 * @param {string} word - `mine.yaml`, `smoke`
 * @returns {Promise<string>} its path
 */
export async function shippedFile(word) {
  if (!isName(word) || (await isThere(word))) return word
  const path = join(SHIPPED, `${basename(word, EXTENSION)}${EXTENSION}`)
  return (await isThere(path)) ? path : word
}

/** shippedNames are those of all files that come with the program, in their order. */
export const shippedNames = async () =>
  (await readdir(SHIPPED))
    .filter(file => extname(file) === EXTENSION)
    .map(file => basename(file, EXTENSION))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
