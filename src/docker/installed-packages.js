import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * packageFolder finds an installed package as Node would; packages do not have to export their package.json.
 *
 * @param {string} name
 * @param {string} from - folder of the file that imports it
 * @returns {string | null}
 */
export function packageFolder(name, from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(from)
  return parent === from ? null : packageFolder(name, parent)
}

/**
 * manifestOf reads the package.json in a folder.
 *
 * @param {string} folder
 * @returns {{ name: string, version: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }}
 */
export const manifestOf = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * withDependencies gives the folders of packages and of all they need.
 *
 * @param {Iterable<string>} folders
 * @returns {Set<string>}
 */
export function withDependencies(folders) {
  const found = new Set(folders)
  // a Set is walked to what is added meanwhile
  for (const folder of found) {
    const { dependencies, optionalDependencies } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const needed = packageFolder(name, folder)
      if (needed !== null) found.add(needed)
      else if (!optionalDependencies?.[name])
        throw new Error(`${name}, which ${folder} needs, is not installed`)
    }
  }
  return found
}
