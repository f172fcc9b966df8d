// Where a server keeps its registrations: the address of the store, its errors.
import { totalmem } from 'node:os'

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

/** StoreUnavailableError is why a store does not serve a request at this moment; what it says may be told to whoever asked. */
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
 * defaultStoreBytes is what registrations may take when nothing else is said: a quarter of the memory of the control group, or of
 * the machine.
 *
 * @param {{ constrained?: number, total: number }} [memory] - bytes; `constrained` by a control group, above `total` or 0: by none
 */
export function defaultStoreBytes({ constrained = 0, total } = memoryThereIs()) {
  return Math.floor((constrained > 0 ? Math.min(constrained, total) : total) * SHARE)
}

const memoryThereIs = () => ({ constrained: process.constrainedMemory?.(), total: totalmem() })
