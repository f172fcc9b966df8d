import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))

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

/** @param {readonly string[]} chain @returns {string | null} folder of the last package, found from the one before */
const folderOf = chain =>
  chain.reduce(
    (/** @type {string | null} */ from, name) => (from === null ? null : packageFolder(name, from)),
    HERE
  )

/** @param {string} range - `>=22.19.0` @param {string} version */
function lacks(range, version) {
  const least = /^>=\s*(\d+)\.?(\d*)/.exec(range)
  if (least === null) return false
  const [major, minor] = version.split('.').map(Number)
  return major < Number(least[1]) || (major === Number(least[1]) && minor < Number(least[2] || 0))
}

/**
 * packageLacks says why a package cannot be used here.
 *
 * @param {readonly string[]} chain - the package, or one that leads to another, which it is about
 * @param {{ node: string, wants?: string, install?: string }} here - version of Node, the one without which npm leaves the package out,
 *   and what installs it; default: it comes with the optional ones
 * @returns {string[]} empty: it can
 */
export function packageLacks(chain, { node, wants = '', install = 'npm install --include=optional' }) {
  const name = String(chain.at(-1))
  const folder = folderOf(chain)
  if (folder === null) {
    if (chain.length > 1) return []
    const why = lacks(wants, node)
      ? `which npm leaves out unless Node is ${wants}; this is ${node}`
      : `which is not installed: run ${install}`
    return [`it needs ${name}, ${why}`]
  }
  const { version, engines } = /** @type {{ version: string, engines?: { node?: string } }} */ (
    manifestOf(folder)
  )
  return lacks(engines?.node ?? '', node)
    ? [`it needs ${name} ${version}, which wants Node ${engines?.node}; this is ${node}`]
    : []
}
