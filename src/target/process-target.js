// Starts our rendezvous server in a process of its own, as the target of a run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { omitMissing } from '../kit/collections.js'
import { findLoopbackHost, formatMultiaddrHost } from '../kit/host-address.js'
import { makeRemoteProfile } from '../measure/process-profile.js'
import { watchProcessLimits } from '../measure/resources.js'
import { NODE_FLAGS } from '../server/server-process.js'
import {
  collectLastLines,
  RESIDENT_SET,
  readProcess,
  readReadyLine,
  ServerControl,
  TargetError
} from './target.js'

/** @typedef {import('node:stream').Readable} Readable */

const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url))
const PROFILE = new URL('./processes/server-profile.js', import.meta.url).href
const GRACE_MS = 5000

/**
 * @typedef {object} ServerProcess - our server in a process of its own
 * @property {number} pid
 * @property {Promise<TargetError>} exited - reason of its end
 * @property {Awaited<ReturnType<typeof readReadyLine>>} address
 * @property {(signal: NodeJS.Signals) => void} signal
 * @property {import('../measure/process-profile.js').ProcessProfile | null} profile - null: it cannot be profiled
 * @property {() => Promise<void>} kill - ends it at once, which is no failure
 * @property {() => Promise<void>} stop - ends it, hard after a grace period
 */

/**
 * startServerProcess starts our server.
 *
 * @param {object} options
 * @param {string[]} options.flags
 * @param {NetworkNamespace | null} [options.inside] - a network namespace; default: that of this process
 * @param {number} [options.httpPort] - of its HTTP port, outside the namespace; default: any
 * @param {boolean} [options.stock] - without our flags of V8
 * @param {boolean} [options.profiled] - it can be profiled
 * @param {AbortSignal} options.signal
 * @param {(error: TargetError) => void} options.onFailed - it ended by itself, after it was ready
 * @returns {Promise<ServerProcess>} when it is ready
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function startServerProcess({
  flags,
  inside = null,
  httpPort = 0,
  stock = false,
  profiled = false,
  signal,
  onFailed
}) {
  const nodeFlags = [...(stock ? [] : NODE_FLAGS), ...(profiled ? ['--import', PROFILE] : [])]
  const [command, ...args] = [...(inside?.through ?? []), process.execPath, ...nodeFlags, MAIN, ...flags]
  const limits = watchProcessLimits()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
  const { stdout, stderr } =
    /** @type {import('node:child_process').ChildProcessByStdio<null, Readable, Readable>} */ (child)
  const log = collectLastLines(stderr)
  let ready = false
  let stopping = false
  const exited = once(child, 'exit').then(
    ([code, killedBy]) => {
      const how = killedBy == null ? `exit code ${code}` : `signal ${killedBy}`
      const cause = stopping ? '' : limits({ signal: killedBy, started: ready })
      const error = new TargetError(
        'SERVER_DIED',
        `the server (pid ${child.pid}) ended with ${how}${cause}${log.words()}`
      )
      if (ready && !stopping) onFailed(error)
      return error
    },
    error => {
      throw new TargetError('SERVER_NOT_STARTED', `the server: ${error.message}${limits({ started: false })}`)
    }
  )
  const kill = async () => {
    stopping = true
    child.kill('SIGKILL')
    await exited
  }
  const stop = async () => {
    stopping = true
    child.kill('SIGTERM')
    // a stopped process does not see SIGTERM until it is continued
    child.kill('SIGCONT')
    const hard = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
    await exited.catch(() => {})
    clearTimeout(hard)
  }
  try {
    if (inside !== null) await sendHttpSocket(child, httpPort, exited)
    const address = await readReadyLine(stdout, { exited, signal })
    ready = true
    const pid = /** @type {number} */ (child.pid)
    const profile = profiled
      ? makeRemoteProfile((method, argument) => profileCall(child, exited, { method, argument }))
      : null
    return { pid, exited, address, profile, signal: name => void child.kill(name), kill, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * sendHttpSocket gives a server the socket of its HTTP port: a socket belongs to the network namespace that it was made in.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} port
 * @param {Promise<unknown>} exited
 */
async function sendHttpSocket(child, port, exited) {
  // the server sends a message when it waits for the socket: a profiled process receives messages before that
  await Promise.race([once(child, 'message'), exited])

  const server = createServer()
  server.listen(port, findLoopbackHost())
  await once(server, 'listening')
  // a failure means that the server has ended, which `exited` reports
  await new Promise(resolve => child.send('http', server, resolve))
  server.close()
}

/**
 * profileCall calls a method of the profile in the server's process; see server-profile.js.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<Error>} exited
 * @param {{ method: string, argument: unknown }} what
 */
async function profileCall(child, exited, { method, argument }) {
  return new Promise((resolve, reject) => {
    const listen = (/** @type {any} */ answer) => {
      if (answer?.profile !== method) return
      child.off('message', listen)
      if (answer.error === undefined) resolve(answer.result)
      else reject(new Error(`the server could not be sampled: ${answer.error}`))
    }
    child.on('message', listen)
    exited.then(reject, reject)
    child.send({ profile: method, argument }, error => error && reject(error))
  })
}

/**
 * @typedef {object} NetworkNamespace - a network namespace
 * @property {string} host - address in it
 * @property {readonly string[]} through - a command that runs another command there
 */

/**
 * startProcessTarget starts our rendezvous server as a process of its own.
 *
 * @param {object} options
 * @param {Record<string, string | number | boolean>} options.settings - options of the server that differ from its defaults
 * @param {NetworkNamespace | null} [options.inside] - default: the network namespace of this process
 * @param {string} [options.host] - address that it listens on, without `inside`
 * @param {boolean} [options.profiled] - it can be profiled
 * @param {AbortSignal} options.signal
 * @param {(error: import('./target.js').TargetError) => void} options.onFailed - the server ended by itself, after
 *   it was ready
 * @returns {Promise<import('./target.js').Target>}
 * @throws {import('./target.js').TargetError} SERVER_NOT_STARTED
 */
export async function startProcessTarget({
  settings,
  inside = null,
  host = findLoopbackHost(),
  profiled = false,
  signal,
  onFailed
}) {
  /** @param {string} listen @param {string} httpPort @param {AbortSignal} signal */
  const start = (listen, httpPort, signal) => {
    const flags = [
      `--listen=${listen}`,
      `--httpHost=${findLoopbackHost()}`,
      `--httpPort=${httpPort}`,
      '--control',
      '--logLevel=warn',
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
      ...(inside === null ? [] : ['--httpFromParent'])
    ]
    const stock = settings.stock === true
    return startServerProcess({
      flags,
      inside,
      httpPort: Number(httpPort),
      stock,
      profiled,
      signal,
      onFailed
    })
  }
  let server = await start(`${formatMultiaddrHost(inside?.host ?? host)}/tcp/0`, '0', signal)
  const { multiaddr, http } = server.address
  const control = new ServerControl(http, () => server.exited)
  const nodeSettings = await control.settings().catch(async error => {
    await server.stop()
    throw error
  })
  return {
    kind: 'process',
    multiaddr,
    get pid() {
      return server.pid
    },
    container: null,
    versions: {},
    settings,
    nodeSettings,
    control,
    memoryCountedAs: RESIDENT_SET,
    reading: () => readProcess(server.pid),
    get profiles() {
      return omitMissing([server.profile])
    },
    faults: {
      pause: async () => server.signal('SIGSTOP'),
      resume: async () => server.signal('SIGCONT'),
      kill: async () => server.signal('SIGKILL'),
      down: () => server.kill(),
      up: async signal => {
        server = await start(multiaddr.split('/p2p/')[0], new URL(http).port, signal)
      },
      limitCpus: null
    },
    stop: () => server.stop()
  }
}
