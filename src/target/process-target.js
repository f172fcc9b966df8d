import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { lastLines } from './last-lines.js'
import { processReading, RESIDENT_SET } from './process-reading.js'
import { readyLine } from './ready-line.js'
import { ServerControl } from './server-control.js'
import { TargetError } from './target-error.js'

/** @typedef {import('node:stream').Readable} Readable */

const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url))
const GRACE_MS = 5000

/**
 * startProcessTarget starts our rendezvous server as a process of its own.
 *
 * @param {object} options
 * @param {Record<string, string | number | boolean>} options.settings - options of the server that differ from its defaults
 * @param {AbortSignal} options.signal
 * @param {(error: TargetError) => void} options.onFailed - the server ended without being asked, after it was ready
 * @returns {Promise<import('./target.js').Target>}
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function startProcessTarget({ settings, signal, onFailed }) {
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const fixed = [
    '--listen=/ip4/127.0.0.1/tcp/0',
    '--httpHost=127.0.0.1',
    '--httpPort=0',
    '--control',
    '--logLevel=warn'
  ]
  const child = spawn(process.execPath, [MAIN, ...fixed, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
  const { stdout, stderr } =
    /** @type {import('node:child_process').ChildProcessByStdio<null, Readable, Readable>} */ (child)
  const log = lastLines(stderr)
  let ready = false
  let asked = false
  const exited = once(child, 'exit').then(([code, killedBy]) => {
    const how = killedBy == null ? `exit code ${code}` : `signal ${killedBy}`
    const error = new TargetError(
      'SERVER_DIED',
      `the server (pid ${child.pid}) ended with ${how}${log.words()}`
    )
    if (ready && !asked) onFailed(error)
    return error
  })
  const stop = async () => {
    asked = true
    child.kill('SIGTERM')
    // a stopped process does not see SIGTERM until it is continued
    child.kill('SIGCONT')
    const hard = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
    await exited
    clearTimeout(hard)
  }
  try {
    const { multiaddr, http } = await readyLine(stdout, { exited, signal })
    ready = true
    return {
      kind: 'process',
      multiaddr,
      pid: /** @type {number} */ (child.pid),
      container: null,
      versions: {},
      settings,
      control: new ServerControl(http, exited),
      memoryCountedAs: RESIDENT_SET,
      reading: () => processReading(/** @type {number} */ (child.pid)),
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}
