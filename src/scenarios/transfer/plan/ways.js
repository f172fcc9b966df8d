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

const PACKAGE = '@chainsafe/libp2p-quic'
/** Its module is made for this Node and later ones, and is not installed on others. */
const LEAST_NODE = 22

/**
 * quicLacks says why transport quic cannot be used here.
 *
 * @param {string} node - version of Node
 * @returns {string | null} null: it can
 */
export function quicLacks(node) {
  if (Number(node.split('.')[0]) < LEAST_NODE)
    return `wants Node ${LEAST_NODE} or later (${PACKAGE} 2); this is ${node}: use tcp or websocket`
  const why = packageLacks([PACKAGE], { node, install: `npm install ${PACKAGE}@2` })
  return why.length === 0 ? null : `cannot be used here: ${why.join('; ')}`
}

/**
 * @typedef {'blocks' | 'http' | 'https' | 'libp2p-http' | 'stream'} Way - how the bytes move
 *
 * @typedef {object} WayTraits
 * @property {string} describe
 * @property {boolean} libp2p - it goes over a connection of libp2p
 * @property {string} [wants] - of Node, by packages that its own bring along: npm leaves them out where that is not so
 * @property {readonly (readonly string[])[]} [needs] - packages beside those that every node has; the first of each by which the next is found
 */

/** WAYS are all ways there are, in the order of all views. @type {Readonly<Record<Way, WayTraits>>} */
export const WAYS = Object.freeze({
  blocks: { describe: 'blocks in the order of a depth-first walk, each asked for by its root', libp2p: true },
  http: { describe: 'HTTP/1.1 of Node, the blocks as a CAR', libp2p: false },
  https: { describe: 'the same over TLS', libp2p: false },
  'libp2p-http': {
    describe: '@libp2p/http, the blocks as a CAR',
    libp2p: true,
    needs: [['@libp2p/http'], ['@libp2p/http', 'undici']],
    wants: '>=22.19.0'
  },
  stream: { describe: 'one raw libp2p stream, the blocks as a CAR', libp2p: true }
})

/** WAY_NAMES in the order of all views. */
export const WAY_NAMES = Object.freeze(/** @type {Way[]} */ (Object.keys(WAYS)))

/** CORE_WAYS are taken where none are named. */
export const CORE_WAYS = Object.freeze(/** @type {Way[]} */ (['blocks', 'http', 'libp2p-http', 'stream']))

/**
 * wayLacks says why a way cannot be used here.
 *
 * @param {Way} way
 * @param {string} [node] - version of Node
 * @returns {string | null} null: it can
 */
export function wayLacks(way, node = process.versions.node) {
  const { needs = [], wants } = WAYS[way]
  const why = needs.flatMap(chain => packageLacks(chain, { node, wants }))
  return why.length === 0 ? null : `${way} cannot be used here: ${why.join('; ')}`
}
