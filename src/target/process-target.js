import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processReading } from './process-reading.js'
import { ServerControl } from './server-control.js'
import { TargetError } from './target-error.js'

/** @typedef {import('node:stream').Readable} Readable */

const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url))
const READY_TIMEOUT_MS = 30_000
const GRACE_MS = 5000
const LOG_LINES_KEPT = 20

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
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const { stdout, stderr } =
    /** @type {import('node:child_process').ChildProcessByStdio<null, Readable, Readable>} */ (child)
  const log = keepLastLines(stderr)
  let ready = false
  let asked = false
  const exited = once(child, 'exit').then(([code, killedBy]) => {
    const how = killedBy == null ? `exit code ${code}` : `signal ${killedBy}`
    const error = new TargetError(
      'SERVER_DIED',
      `the server (pid ${child.pid}) ended with ${how}${log.tail()}`
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
    const { multiaddr, http } = await readyLine(stdout, exited, signal)
    ready = true
    return {
      kind: 'process',
      multiaddr,
      pid: /** @type {number} */ (child.pid),
      settings,
      control: new ServerControl(http),
      reading: () => processReading(/** @type {number} */ (child.pid)),
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * @param {Readable} stdout
 * @param {Promise<TargetError>} exited
 * @param {AbortSignal} signal
 */
async function readyLine(stdout, exited, signal) {
  const late = AbortSignal.timeout(READY_TIMEOUT_MS)
  const lines = createInterface({ input: stdout })
  const line = once(lines, 'line', { signal: AbortSignal.any([signal, late]) }).catch(() => {
    signal.throwIfAborted()
    throw new TargetError(
      'SERVER_NOT_STARTED',
      `the server was not ready within ${READY_TIMEOUT_MS / 1000} s`
    )
  })
  const first = await Promise.race([line, exited])
  if (first instanceof TargetError) throw new TargetError('SERVER_NOT_STARTED', first.message)
  const [, multiaddr, http] = String(first[0]).split(' ')
  return { multiaddr, http }
}

/** @param {Readable} stream */
function keepLastLines(stream) {
  /** @type {string[]} */
  const lines = []
  createInterface({ input: stream }).on('line', line => {
    lines.push(line)
    if (lines.length > LOG_LINES_KEPT) lines.shift()
  })
  return { tail: () => (lines.length > 0 ? `; its last words:\n${lines.join('\n')}` : '') }
}
