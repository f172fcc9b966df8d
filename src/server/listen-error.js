/** ListenError says which addresses a server could not listen on, and why. */
export class ListenError extends Error {
  name = 'ListenError'
  code = 'CANNOT_LISTEN'
}

/**
 * listenError takes what the system said out of what was thrown when a server should listen: libp2p gives all addresses that
 * failed in one text, each with a stack trace.
 *
 * @param {unknown} thrown
 * @param {string} flag - the option that chooses another address
 * @returns {unknown} a ListenError, or what was thrown when it is about something else
 */
export function listenError(thrown, flag) {
  const { message = '' } = /** @type {Partial<Error>} */ (thrown)
  const failures = [...message.matchAll(/\blisten (E[A-Z]+: .+)$/gm)].map(([, why]) => why)
  if (failures.length === 0) return thrown
  return new ListenError(`cannot listen: ${failures.join('; ')}. Choose another address with ${flag}`)
}
