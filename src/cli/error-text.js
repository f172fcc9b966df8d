/**
 * @param {Error} error
 * @returns {Error[]} the error and its causes
 */
function chain(error) {
  return [error, ...(error.cause instanceof Error ? chain(error.cause) : [])]
}

/**
 * errorText writes an error for people: its message, with the messages of its causes. With DEBUG set it has the stacks.
 *
 * @param {unknown} error
 * @param {Record<string, string | undefined>} [env]
 * @returns {string}
 */
export function errorText(error, env = process.env) {
  if (!(error instanceof Error)) return `error: ${String(error)}\n`
  if (env.DEBUG)
    return `error: ${chain(error)
      .map(({ stack }) => stack)
      .join('\ncaused by ')}\n`
  return `error: ${chain(error)
    .map(({ message, name }) => message || name)
    .join(': ')}\n`
}
