import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.js'

/** What starts an engine in a network namespace, so that it ends with the test, and what speaks with it. */
const PROGRAMS = ['dockerd', 'docker', 'nsenter', 'setpriv']
const INSTALL = 'apt-get install -y docker.io util-linux'

const missing = PROGRAMS.filter(name => spawnSync(name, ['--version']).error !== undefined)

/** NO_ENGINE_OF_OWN is why tests are skipped that start a Docker engine; false: they are not. Where everything is to be tested they fail. */
export const NO_ENGINE_OF_OWN =
  missing.length === 0 || process.env.CI ? false : `there is no ${missing.join(', ')}: ${INSTALL}`

if (NO_ENGINE_OF_OWN && process.env.SKIPPED_LOG)
  appendFileSync(process.env.SKIPPED_LOG, `agents that Docker Swarm places: ${NO_ENGINE_OF_OWN}\n`)

const ENDS_WITHIN_MS = 30_000

/**
 * @typedef {object} OwnEngine - a Docker engine that a test has started, beside one that may be there
 * @property {(...args: string[]) => string} docker - runs a command on it, and gives what it prints
 * @property {(image: string) => void} take - copies an image from the engine of this machine
 * @property {() => Promise<string[]>} end - ends it; gives what is left of it
 */

/**
 * startEngine starts an engine with nothing of another one's: its data, its socket, its containerd and, with its networks and rules, its bridge
 * are in a folder and a network namespace of their own.
 *
 * @param {import('../broken/machines.js').Machine} machine
 * @returns {Promise<OwnEngine>}
 */
export async function startEngine({ name }) {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-engine-'))
  const host = `unix://${join(folder, 'socket')}`
  const log = join(folder, 'log')
  const output = openSync(log, 'w')
  const own = { 'data-root': 'data', 'exec-root': 'exec', pidfile: 'pid' }
  const flags = Object.entries(own).map(([flag, file]) => `--${flag}=${join(folder, file)}`)
  // `ip netns exec` would hide control groups from it
  const inNamespace = ['--pdeathsig', 'TERM', 'nsenter', `--net=/run/netns/${name}`]
  const child = spawn('setpriv', [...inNamespace, 'dockerd', '--host', host, ...flags], {
    stdio: ['ignore', output, output]
  })
  const exited = once(child, 'exit')
  /** @param {string[]} args */
  const call = args => {
    const { DOCKER_CONTEXT: _, DOCKER_HOST: __, ...env } = process.env
    return spawnSync('docker', ['--host', host, ...args], { encoding: 'utf8', env })
  }
  /** @param {string[]} args */
  const docker = (...args) => {
    const { status, stdout, stderr } = call(args)
    if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const end = async () => {
    call(['swarm', 'leave', '--force'])
    child.kill('SIGTERM')
    const late = setTimeout(() => void child.kill('SIGKILL'), ENDS_WITHIN_MS)
    await exited
    clearTimeout(late)
    return leftOf(folder)
  }
  try {
    await until(() => child.exitCode !== null || call(['info']).status === 0, { everyMs: 200 })
    if (child.exitCode !== null) throw new Error(`the engine did not start:\n${readFileSync(log, 'utf8')}`)
  } catch (error) {
    await end()
    throw error
  }
  return { docker, end, take: image => take(image, host) }
}

/** @param {string} image @param {string} host - where it goes */
function take(image, host) {
  const { status, stderr } = spawnSync('sh', ['-c', `docker save ${image} | docker --host ${host} load`], {
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`${image} could not be copied: ${stderr}`)
}

/**
 * An engine that has ended leaves mounts, of network namespaces that are nobody's any more; and processes, where it was killed.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} processes that were left; the folder, unless it could be removed
 */
async function leftOf(folder) {
  const processes = processesOf(folder)
  for (const { pid } of processes) process.kill(pid, 'SIGKILL')
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[4] ?? '')
    .filter(path => path.startsWith(`${folder}/`))
  for (const path of mounts.reverse()) spawnSync('umount', ['--lazy', path])
  const notRemoved = await rm(folder, { recursive: true, force: true }).then(() => [], String)
  return [...processes.map(({ command }) => command), ...notRemoved]
}

/** @param {string} folder */
function processesOf(folder) {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
      return command.includes(`${folder}/`) ? [{ pid: Number(pid), command }] : []
    } catch {
      return [] // gone meanwhile
    }
  })
}
