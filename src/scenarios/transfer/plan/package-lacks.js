import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, packageFolder } from '../../../docker/installed-packages.js'

const HERE = dirname(fileURLToPath(import.meta.url))

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
