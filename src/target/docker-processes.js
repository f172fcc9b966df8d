// Checks whether nodes can run in Docker here. Also starts the process that removes a run's containers if the run is
// killed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { rememberSuccess } from '../kit/runtime.js'

const PROBE = fileURLToPath(new URL('./docker/engine-probe.js', import.meta.url))
/** An engine has two seconds to answer, and the process has to start. */
const WITHIN_MS = 20_000
const CURE =
  'install and start one ("apt-get install -y docker.io && dockerd &" as root), and let this user open its socket ("usermod -aG docker USER")'
const INSTEAD =
  'or use --network namespaces, which needs no engine, or --network loopback: neither limits the CPU or the memory of nodes'

/** An address of the engine other than the usual one. */
const readEngineAddress = () => process.env.DOCKER_HOST

/**
 * findDockerProblem checks whether nodes can run in containers here.
 *
 * @returns {string | null} what is missing, how to get it, and the alternatives; null: nothing is missing
 */
export const findDockerProblem = rememberSuccess(() => {
  const { status, stdout } = spawnSync(process.execPath, [PROBE], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: WITHIN_MS,
    encoding: 'utf8'
  })
  if (status === 0) return null
  return `needs a Docker engine of this machine, and ${stdout || 'none answers'}: ${CURE}; ${INSTEAD}`
}, readEngineAddress)

const JANITOR_PROCESS = fileURLToPath(new URL('./docker/cleanup-process.js', import.meta.url))

/**
 * startJanitor starts a process that removes a run's objects in Docker if this process ends without doing so, as after SIGKILL. It sleeps
 * until then.
 *
 * @param {string} run
 * @param {string} [folder] - of the run, removed as well
 * @returns {{ dismiss: () => Promise<void> }} to be called after everything is removed
 */
export function startJanitor(run, folder) {
  // a session of its own: Ctrl-C must not end it before its work
  const child = spawn(process.execPath, [JANITOR_PROCESS, run, ...(folder === undefined ? [] : [folder])], {
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
