// Creates Linux network namespaces on this machine, builds the commands that enter them, and checks what this machine
// supports.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rememberSuccess } from '../kit/runtime.js'
import { usesRouter } from './link-properties.js'
import { encodeFrames, FrameParser, LATENESS_REQUEST } from './namespaces/tun-device.js'

const MUX = fileURLToPath(new URL('./namespaces/mux.pl', import.meta.url))

/** namespaceAddress is where a namespace is reached. @param {number} namespace */
export const namespaceAddress = namespace =>
  `10.${[16, 8, 0].map(bits => ((namespace + 1) >> bits) & 255).join('.')}`

/** Numbers of the system calls unshare, clock_gettime and setns, see syscalls(2). @type {Readonly<Record<string, readonly number[]>>} */
const SYSTEM_CALLS = { x64: [272, 228, 308], arm64: [97, 113, 268] }

/** What becomes a command that the kernel ends with its parent, even while it is stopped and could not see that end. */
const END_WITH_PARENT = Object.freeze(['setpriv', '--pdeathsig', 'KILL'])

/**
 * muxCommand is what makes namespaces, without the rights of root: in a user namespace. Each command becomes the next one, so that the
 * process started is the one that holds the namespaces. Into those of others, such as containers, only root can bring a device.
 *
 * @param {number} namespaces
 * @param {string} congestion - what TCP is to go by, or `host`
 * @param {readonly string[]} [existing] - paths of namespaces that are there already; default: new ones are made
 * @returns {string[]}
 * @throws where the system calls of this machine are not known
 */
function muxCommand(namespaces, congestion, existing = []) {
  const calls = SYSTEM_CALLS[process.arch]
  if (calls === undefined)
    throw new Error(
      `namespaces are made on ${Object.keys(SYSTEM_CALLS).join(' and ')}, not on ${process.arch}`
    )
  const numbers = [...calls, namespaces].map(String)
  const unprivileged = existing.length === 0 ? ['unshare', '-rn'] : []
  const perl = ['perl', MUX, ...numbers, congestion, ...existing]
  return [...END_WITH_PARENT, ...unprivileged, ...perl]
}

/**
 * @typedef {object} OpenNamespaces - the namespaces, for whoever wants to enter them
 * @property {number} pid - of what holds them
 * @property {readonly number[]} descriptors - by namespace
 * @property {string} congestion - what TCP goes by there
 * @property {boolean} [ofOthers] - they are not in a user namespace of ours
 */

/**
 * makeEnterCommand becomes another command inside a namespace, in the same pid.
 *
 * @param {Pick<OpenNamespaces, 'pid' | 'descriptors' | 'ofOthers'>} held
 * @param {number} [namespace] - default: one without any device but `lo`
 * @returns {string[]}
 */
export const makeEnterCommand = ({ pid, descriptors, ofOthers }, namespace) => [
  ...END_WITH_PARENT,
  ...['nsenter', '-t', String(pid), ...(ofOthers ? [] : ['-U', '--preserve-credentials'])],
  namespace === undefined ? '-n' : `--net=/proc/${pid}/fd/${descriptors[namespace]}`
]

/** Namespaces are what holds the namespaces, and brings the packets out of them and into them. */
export class Namespaces {
  #mux
  #ended
  #frames = new FrameParser()
  #closed = false
  #ofOthers
  #parts

  /**
   * @param {{ namespaces: number, congestion: string, existing?: readonly string[] }} asked - `existing`: see muxCommand
   * @param {object} parts
   * @param {(stampNs: number, packet: Buffer) => void} parts.onPacket - that left its node
   * @param {() => void} parts.onChunk - after all that came at once
   * @param {(reportedNs: number, latenessMicros: number[]) => void} parts.onAnswer - to `ask`
   * @param {(error: Error) => void} parts.onDied
   */
  constructor({ namespaces, congestion, existing = [] }, parts) {
    const [command, ...args] = muxCommand(namespaces, congestion, existing)
    this.#ofOthers = existing.length > 0
    this.#parts = parts
    this.#mux = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    // it may have ended, or never begun, before anybody opens it
    this.#ended = this.#end()
    this.#ended.catch(() => {})
    // it ends while something is handed over; where no descriptors are left there is no stdin
    this.#mux.stdin?.on('error', () => {})
  }

  /** open resolves when the namespaces are there. @returns {Promise<OpenNamespaces>} */
  async open() {
    const mux = this.#mux
    const [descriptors, congestion] = await Promise.race([this.#ended, this.#firstLine()])
    const { onPacket, onChunk, onAnswer } = this.#parts
    mux.stdout.on('data', chunk => {
      this.#frames.take(chunk, onPacket, onAnswer)
      onChunk()
    })
    return {
      ...{ pid: Number(mux.pid), descriptors: descriptors.split(',').map(Number), congestion },
      ofOthers: this.#ofOthers
    }
  }

  /** deliver hands over packets with when they are due. @param {readonly { atNs: number, packet: Buffer }[]} packets */
  deliver(packets) {
    if (packets.length > 0) this.#mux.stdin.write(encodeFrames(packets))
  }

  /** ask asks how late packets were since last asked. */
  ask() {
    this.#mux.stdin.write(LATENESS_REQUEST)
  }

  /** close ends them, with all that is under way. */
  close() {
    this.#closed = true
    this.#mux.kill('SIGKILL')
  }

  /** @returns {Promise<never>} */
  async #end() {
    const mux = this.#mux
    let output = ''
    mux.stderr?.on('data', text => {
      output += text
    })
    const [code, signal] = await once(mux, 'close')
    const how = signal ?? `exit code ${code}`
    const why = output === '' ? '' : `: ${output.trim()}`
    const error = new Error(`the process that holds the namespaces (pid ${mux.pid}) ended with ${how}${why}`)
    if (!this.#closed) this.#parts.onDied(error)
    throw error
  }

  /** @returns {Promise<string[]>} its words; what stands behind it is left to be read */
  async #firstLine() {
    const { stdout } = this.#mux
    for (;;) {
      await once(stdout, 'readable')
      const bytes = /** @type {Buffer | null} */ (stdout.read())
      if (bytes === null) continue
      const end = bytes.indexOf(10)
      stdout.unshift(end === -1 ? bytes : bytes.subarray(end + 1))
      if (end !== -1) return bytes.toString('latin1', 0, end).split(' ')
    }
  }
}

const ALTERNATIVES =
  'or use --network loopback with --linkLatency, without loss, or --network simulated, which has every impairment'
/** Nothing here takes longer. */
const COMMAND_TIMEOUT_MS = 10_000

/** What is said when something goes wrong, and what to do. @type {readonly (readonly [RegExp, string])[]} */
const CAUSES = [
  [/execute perl/, 'install perl-base'],
  [
    /\/dev\/net\/tun/,
    'run "chmod 666 /dev/net/tun" as root once, or give a container "--device /dev/net/tun"'
  ],
  [
    /unshare/,
    'allow user namespaces ("sysctl kernel.unprivileged_userns_clone=1"; on Ubuntu 24.04 "sysctl kernel.apparmor_restrict_unprivileged_userns=0"; for a container "--security-opt seccomp=unconfined")'
  ]
]

/** tryCommand runs a command. @param {readonly string[]} command @returns {string | null} what went wrong */
export function tryCommand([command, ...args]) {
  const { error, status, stderr } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: COMMAND_TIMEOUT_MS,
    encoding: 'utf8'
  })
  if (error !== undefined) return `${command}: ${/** @type {NodeJS.ErrnoException} */ (error).code}`
  return status === 0 ? null : stderr.trim().split('\n')[0]
}

/** commandsPath is where commands are looked for. */
const commandsPath = () => process.env.PATH

/**
 * @param {readonly string[]} [before] - what the command that makes a namespace is started by
 * @param {readonly string[]} [existing] - see muxCommand
 * @returns {{ wrong: string, cure?: string } | null} why no namespace with a TUN device can be made, by making one; null: it can
 */
function namespaceProblem(before = [], existing = []) {
  try {
    const wrong = tryCommand([...before, ...muxCommand(1, 'host', existing)])
    if (wrong === null) return null
    const [, cure] = CAUSES.find(([cause]) => cause.test(wrong)) ?? []
    return { wrong: ` (${wrong})`, cure }
  } catch (error) {
    return { wrong: `: ${/** @type {Error} */ (error).message}` }
  }
}

const tryNamespaces = rememberSuccess(() => {
  if (process.platform !== 'linux') return 'needs Linux'
  const missing = ['setpriv', 'unshare', 'nsenter'].find(name => tryCommand([name, '--version']) !== null)
  if (missing !== undefined) return `needs ${missing}: install util-linux`
  const problem = namespaceProblem()
  if (problem === null) return null
  const { wrong, cure } = problem
  return `cannot be made here${wrong}${cure === undefined ? '' : `: ${cure}`}`
}, commandsPath)

/**
 * describeNamespaceProblem tries whether namespaces with TUN devices can be made here.
 *
 * @param {string} [instead] - what can be run
 * @returns {string | null} what is missing, how to get it, and what can be run instead; null: nothing
 */
export function describeNamespaceProblem(instead = ALTERNATIVES) {
  const lack = tryNamespaces()
  return lack === null ? null : `${lack}; ${instead}`
}

/**
 * describeRouterProblem tries whether the namespaces of containers can be joined through a router, by bringing a device into one of its own.
 *
 * @returns {string | null} what is missing, how to get it, and what can be run instead; null: nothing
 */
export const describeRouterProblem = rememberSuccess(() => {
  const problem = namespaceProblem(['unshare', '-n'], ['/proc/self/ns/net'])
  if (problem === null) return null
  const { wrong, cure } = problem
  const what = `has no router that could do it here${wrong}`
  if (wrong.startsWith(':')) return what
  const how = /not permitted/i.test(wrong) ? 'run it as root, for only root can' : cure
  return `${what}${how === undefined ? '' : `: ${how}`}; or use --linkLatency 0 without other link options, or --network namespaces, which has every impairment without root`
}, commandsPath)

/** readCongestionControls are those that a namespace may take. @returns {string[]} */
export function readCongestionControls() {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8').trim().split(/\s+/)
  } catch {
    return []
  }
}

/**
 * @typedef {object} ImpairmentMethod - of the ladder: something that could make the impairments
 * @property {'netem' | 'rules' | 'router'} step
 * @property {string | null} lacks - why it cannot be taken here; null: it could
 * @property {string | null} passedOver - why it is not taken where it could; null: it is
 */

/** What each step above the router takes, as commands that are tried where nobody is. @type {Readonly<Record<'netem' | 'rules', readonly string[]>>} */
const METHOD_COMMANDS = {
  netem: ['tc qdisc replace dev lo root netem delay 1ms loss 1%'],
  rules: [
    // TCP crosses devices in pieces of up to 64 kB, which a rule drops as one: they are to be cut first
    'ip link set lo gso_max_segs 1',
    'nft add table ip loadtest; add chain ip loadtest in { type filter hook input priority 0; }; add rule ip loadtest in numgen random mod 1000 < 10 drop',
    'tc qdisc replace dev lo root tbf rate 10mbit burst 3000 latency 50ms'
  ]
}

/** Reasons are in docs/links.md. */
const REASONS_NOT_TAKEN = {
  netem: 'partitions, per-link latencies and seeded losses need the router; netem would only add delay',
  rules: 'they have no latency'
}

/**
 * tryImpairmentMethods tries what could make the impairments here, from the top. The router is at its foot, and what is taken.
 *
 * @param {Pick<OpenNamespaces, 'pid' | 'descriptors' | 'ofOthers'>} namespaces - it is tried in a namespace of theirs that nobody uses
 * @param {(command: readonly string[]) => string | null} [attempt] - says what went wrong
 * @returns {ImpairmentMethod[]}
 */
export function tryImpairmentMethods(namespaces, attempt = tryCommand) {
  const enter = makeEnterCommand(namespaces)
  const above = /** @type {const} */ (['netem', 'rules']).map(step => {
    const failed = METHOD_COMMANDS[step].map(command => {
      const [name, ...words] = command.split(' ')
      // a rule of nft is one word
      return attempt([...enter, name, ...(name === 'nft' ? [words.join(' ')] : words)])
    })
    const lacks = failed.find(why => why !== null) ?? null
    return { step, lacks, passedOver: lacks === null ? REASONS_NOT_TAKEN[step] : null }
  })
  return [...above, { step: 'router', lacks: null, passedOver: null }]
}

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../libp2p/node-settings.js').LibrarySettings} NetworkSettings
 */

/**
 * What namespaces have other than the kernel's defaults, with the reason; for the result.
 *
 * @type {NetworkSettings}
 */
const NAMESPACE_SETTINGS = {
  'addresses.listen': {
    value: ['/ip4/10.x.y.z/tcp/4001'],
    why: 'each node has an address in a network namespace of its own'
  },
  'net.ipv4.tcp_no_metrics_save': {
    value: 1,
    why: 'a connection must not begin with what an earlier one learned; where /proc/sys can be written'
  },
  'tun0.mtu': { value: 1500, why: 'as on Ethernet: a packet is what the links lose and carry' },
  'tun0.txqueuelen': { value: 4000, why: 'a burst of a node must not be lost on its own device' }
}

/** @type {NetworkSettings} */
const CONTAINER_SETTINGS = {
  'addresses.listen': {
    value: ['/ip4/a.b.c.d/tcp/4001'],
    why: 'each container has an address in a network of the run, which leads nowhere else'
  },
  'container.rights': {
    value: 'no capabilities, no new privileges, a root that cannot be written',
    why: 'nothing of it is needed'
  }
}

/**
 * networkSettingsOf lists what surrounds the nodes of a plan other than by default, with the reason; for the result.
 *
 * @param {GossipPlan} plan
 * @returns {NetworkSettings}
 */
export function networkSettingsOf(plan) {
  if (plan.network === 'namespaces')
    return {
      ...NAMESPACE_SETTINGS,
      'process.priority': {
        value: `nice ${niceLevelOf(plan.workers)}`,
        why: 'of processes and their sessions: the router comes first, where it wants a core and nodes do too; all of these have the share of one process'
      }
    }
  if (plan.network !== 'docker') return {}
  return { ...CONTAINER_SETTINGS, ...(usesRouter(plan) && NAMESPACE_SETTINGS) }
}

/** Each step of nice takes a process a fifth of its share (sched(7)). */
const NICE_STEP = 1.25
const MAX_NICE = 19
/** Of those that are started together (MAX_CONCURRENT_STARTS of src/workers) one succeeds at a time, where no other run is in their way. */
const NICE_ATTEMPTS = 25

/** niceLevelOf gives what so many processes have together the share of one that is not nice with. @param {number} processes */
export const niceLevelOf = processes =>
  Math.min(MAX_NICE, Math.round(Math.log(processes) / Math.log(NICE_STEP)))

/**
 * lowPriorityCommand is a command that becomes another one, of which the router comes first where both want a core: a packet that waits for the router is
 * late, and a node is only slow. Linux shares cores among sessions before it looks into one, and a node has a session of its own: 95 of them
 * left the router a hundredth. So it is the session that is nice; a system without such groups takes what the process has. Without
 * rights ten sessions a second can be made nice (`proc_sched_autogroup_set_nice`), by all runs together, so it is tried for a while.
 *
 * @param {number} nodes - processes, on this machine
 * @returns {string[]}
 */
export function lowPriorityCommand(nodes) {
  const nice = niceLevelOf(nodes)
  const session = '/proc/self/autogroup'
  const lower = `for _ in $(seq ${NICE_ATTEMPTS}); do { echo ${nice} > ${session}; } 2> /dev/null && break; sleep 0.2; done`
  return ['sh', '-c', `[ ! -w ${session} ] || ${lower}; exec nice -n ${nice} "$@"`, 'sh']
}
