/**
 * TargetError says what became of the server under test; `code` is one of SERVER_NOT_STARTED, SERVER_DIED, SERVER_HUNG,
 * SERVER_GONE, CONTROL_FAILED, STORE_NOT_STARTED, STORE_AWAY, LEFT_BEHIND.
 */
export class TargetError extends Error {
  name = 'TargetError'

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    this.code = code
  }
}
