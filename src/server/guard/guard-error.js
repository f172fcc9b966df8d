/** GuardError is why a connection ends that asks for too much. */
export class GuardError extends Error {
  name = 'GuardError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}
