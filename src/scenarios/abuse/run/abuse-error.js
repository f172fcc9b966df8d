/** AbuseError says why a run with hostile peers could not go on: ABUSE_FAILED, HONEST_NOT_SERVED, WORKER_HUNG. */
export class AbuseError extends Error {
  name = 'AbuseError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}
