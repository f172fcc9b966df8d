/**
 * DockerError says what cannot be done with Docker, and what to do about it; `code` is one of NO_ENGINE, NO_IMAGE,
 * BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT, NO_CONTAINER, LEFT_BEHIND.
 */
export class DockerError extends Error {
  name = 'DockerError'

  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * engineWords is what an engine gives as the reason of a refusal.
 *
 * @param {unknown} error
 */
export function engineWords(error) {
  const { json, message, code } = /** @type {Error & { json?: { message?: string }, code?: string }} */ (
    error
  )
  return isEngineGone(error) ? `it is gone (${code})` : (json?.message ?? message).trim()
}

/** What a socket says whose engine was there before. */
const GONE = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']

/** isEngineGone says whether there was no engine to refuse anything. @param {unknown} error */
export const isEngineGone = error => GONE.includes(/** @type {{ code?: string }} */ (error).code ?? '')
