/** INSTALLED is what the program is called where npm has installed it. */
export const INSTALLED = 'libp2p-loadtest'

const IN_A_PROJECT = new RegExp(`[\\\\/]node_modules[\\\\/]${INSTALLED}[\\\\/][^\\\\/]+$`)

/**
 * programOf says how to start the program again.
 *
 * @param {string} script - path it was started by
 * @param {string | undefined} npmCommand - of the npm that started it, if one did
 * @returns {string} what stands before its command and options
 */
export function programOf(script, npmCommand) {
  // on Windows what npm makes names the script itself
  const isInstalled = script.split(/[\\/]/).pop() === INSTALLED || IN_A_PROJECT.test(script)
  if (!isInstalled) return 'node index.js'
  return npmCommand === 'exec' ? `npx ${INSTALLED}` : INSTALLED
}

/** PROGRAM is how the program is called in texts: as it was started. */
export const PROGRAM = programOf(process.argv[1] ?? '', process.env.npm_command)
