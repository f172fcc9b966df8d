import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROCESS = fileURLToPath(new URL('./janitor-process.js', import.meta.url))

/**
 * startJanitor starts a process that removes what a run has made in Docker once this process is gone without having done so,
 * as after SIGKILL. It sleeps until then.
 *
 * @param {string} run
 * @param {string} [folder] - of the run, removed as well
 * @returns {{ dismiss: () => Promise<void> }} to be called when nothing is left to remove
 */
export function startJanitor(run, folder) {
  // a session of its own: Ctrl-C must not end it before its work
  const child = spawn(process.execPath, [PROCESS, run, ...(folder === undefined ? [] : [folder])], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  const exited = once(child, 'exit').catch(() => {})
  child.unref()
  return {
    dismiss: async () => {
      child.ref()
      child.kill('SIGKILL')
      await exited
    }
  }
}
