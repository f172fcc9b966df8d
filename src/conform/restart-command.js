import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Untestable } from './verdict.js'

/**
 * restartCommand makes of a command for the shell what starts the target again.
 *
 * @param {string} command - ends when the target is on its way; what it leaves running is its own
 * @returns {(signal: AbortSignal) => Promise<void>} throws an Untestable when the command fails
 */
export const restartCommand = command => async signal => {
  const child = spawn(command, { shell: true, stdio: 'ignore', signal, killSignal: 'SIGKILL' })
  // not `close`: a server that it starts in the background may hold on to it
  const [code, killed] = await once(child, 'exit')
  if (code !== 0) throw new Untestable(`--restart ended with ${code ?? killed}`)
}
