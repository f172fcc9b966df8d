import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { triedOnce } from '../kit/tried-once.js'

const PROBE = fileURLToPath(new URL('./engine-probe.js', import.meta.url))
/** An engine that is asked has two seconds, and this process has to start. */
const WITHIN_MS = 20_000
const CURE =
  'install and start one ("apt-get install -y docker.io && dockerd &" as root), and let this user open its socket ("usermod -aG docker USER")'
const INSTEAD =
  'or take --network namespaces, which needs no engine, or --network loopback: neither limits the CPU or the memory of nodes'

/** Where an engine is looked for that is not in the usual place. */
const engineAddress = () => process.env.DOCKER_HOST

/**
 * dockerLack asks whether nodes can run in containers here.
 *
 * @returns {string | null} what is missing, how to get it, and what can be run instead; null: nothing
 */
export const dockerLack = triedOnce(() => {
  const { status, stdout } = spawnSync(process.execPath, [PROBE], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: WITHIN_MS,
    encoding: 'utf8'
  })
  if (status === 0) return null
  return `needs a Docker engine of this machine, and ${stdout || 'none answers'}: ${CURE}; ${INSTEAD}`
}, engineAddress)
