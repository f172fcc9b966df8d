import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Files that a declaration names, in imports of all kinds. */
const RELATIVE = /(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g

/**
 * reachedBy gives the declarations that one leads to.
 *
 * @param {string} entry - path
 * @returns {Set<string>} paths
 * @throws where one names another that does not exist
 */
export function reachedBy(entry) {
  const reached = new Set([entry])
  // a Set is walked to what is added meanwhile
  for (const file of reached) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(RELATIVE)) {
      const path = resolve(dirname(file), name).replace(/\.js$/, '.d.ts')
      if (!existsSync(path)) throw new Error(`${file} names ${name}, which does not exist`)
      reached.add(path)
    }
  }
  return reached
}
