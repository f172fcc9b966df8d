/**
 * @typedef {{ kind: 'memory' } | { kind: 'pglite', folder: string } | { kind: 'postgres', url: string }} StoreAddress - where a server
 *   keeps its registrations
 */

const PGLITE = 'pglite:'

/**
 * readStoreAddress reads `memory`, `pglite:<folder>` or `postgres://…`.
 *
 * @param {unknown} text
 * @returns {StoreAddress | undefined} undefined: it is none of these
 */
export function readStoreAddress(text) {
  if (typeof text !== 'string') return
  if (text === 'memory') return { kind: 'memory' }
  if (text.startsWith(PGLITE) && text.length > PGLITE.length)
    return { kind: 'pglite', folder: text.slice(PGLITE.length) }
  if (/^postgres(ql)?:\/\/./.test(text) && isUrl(text)) return { kind: 'postgres', url: text }
}

/** A URL without a host names a socket: the parser wants one. @param {string} text */
const isUrl = text =>
  URL.canParse(
    text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1host').replace(/^(\w+:\/\/)(?=[/?#])/, '$1host')
  )

/**
 * withoutPassword is a text in which a store may be named, without the password in it.
 *
 * @param {string} text
 */
export const withoutPassword = text =>
  text
    .replace(/(postgres(?:ql)?:\/\/[^:/?#@\s]*):[^@/\s]*@/g, '$1:***@')
    .replace(/([?&]password=)[^&\s]*/gi, '$1***')
