import { packageLacks } from './package-lacks.js'

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
