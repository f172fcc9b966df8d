/**
 * DockerError says what cannot be done with Docker, and what to do about it; `code` is one of NO_ENGINE, NO_IMAGE,
 * BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT, NO_CONTAINER.
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
  const { json, message } = /** @type {Error & { json?: { message?: string } }} */ (error)
  return (json?.message ?? message).trim()
}
