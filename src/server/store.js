// Parses the option --store (memory or a PostgreSQL address). Also defines store errors and the default memory for
// registrations.
import { totalmem } from 'node:os'

/**
 * @typedef {{ kind: 'memory' } | { kind: 'postgres', url: string }} StoreAddress - where a server keeps its registrations
 */

/**
 * readStoreAddress reads `memory` or `postgres://…`.
 *
 * @param {unknown} text
 * @returns {StoreAddress | undefined} undefined: it is neither
 */
export function readStoreAddress(text) {
  if (typeof text !== 'string') return
  if (text === 'memory') return { kind: 'memory' }
  if (/^postgres(ql)?:\/\/./.test(text) && urlOf(text) !== null) return { kind: 'postgres', url: text }
}

/** A database URL without a host means a socket; the URL parser requires a host. @param {string} text @returns {URL | null} */
function urlOf(text) {
  const whole = text
    .replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1host')
    .replace(/^(\w+:\/\/)(?=[/?#])/, '$1host')
  return URL.canParse(whole) ? new URL(whole) : null
}

/** hasPassword says whether the address of a database contains a password. @param {string} text */
export function hasPassword(text) {
  const url = urlOf(text)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}

/** StoreUnavailableError is the reason why a store does not serve a request at this moment; its message is sent to the client. */
export class StoreUnavailableError extends Error {
  name = 'StoreUnavailableError'
  code = 'ERR_STORE_UNAVAILABLE'
}

/** StoreOpenError says why a store cannot be opened. */
export class StoreOpenError extends Error {
  name = 'StoreOpenError'
  code = 'CANNOT_OPEN_STORE'
}

const SHARE = 1 / 4

/**
 * computeDefaultStoreBytes gives the default memory for registrations: a quarter of the memory of the control group, or of the machine.
 *
 * @param {{ constrained?: number, total: number }} [memory] - bytes; `constrained`: limit of the control group; above `total` or 0: none
 */
export function computeDefaultStoreBytes({ constrained = 0, total } = presentMemory()) {
  return Math.floor((constrained > 0 ? Math.min(constrained, total) : total) * SHARE)
}

const presentMemory = () => ({ constrained: process.constrainedMemory?.(), total: totalmem() })
