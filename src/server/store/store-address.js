export { withoutPassword } from '../../kit/without-password.js'

/**
 * @typedef {{ kind: 'memory' } | { kind: 'postgres', url: string }} StoreAddress - where a server keeps its registrations
 */

/**
 * readStoreAddress reads `memory` or `postgres://…`.
 *
 * @param {unknown} text
 * @returns {StoreAddress | undefined} undefined: it is none of these
 */
export function readStoreAddress(text) {
  if (typeof text !== 'string') return
  if (text === 'memory') return { kind: 'memory' }
  if (/^postgres(ql)?:\/\/./.test(text) && urlOf(text) !== null) return { kind: 'postgres', url: text }
}

/** A URL without a host names a socket: the parser wants one. @param {string} text @returns {URL | null} */
function urlOf(text) {
  const whole = text
    .replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1host')
    .replace(/^(\w+:\/\/)(?=[/?#])/, '$1host')
  return URL.canParse(whole) ? new URL(whole) : null
}

/** hasPassword says whether there is one in the address of a database. @param {string} text */
export function hasPassword(text) {
  const url = urlOf(text)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}
