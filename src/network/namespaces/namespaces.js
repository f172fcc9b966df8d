import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Frames, framed, QUESTION } from './frames.js'

const MUX = fileURLToPath(new URL('./mux.pl', import.meta.url))

/** Numbers of the system calls unshare, clock_gettime and setns, see syscalls(2). @type {Readonly<Record<string, readonly number[]>>} */
const SYSTEM_CALLS = { x64: [272, 228, 308], arm64: [97, 113, 268] }

/** What becomes a command that the kernel ends with its parent, even while it is stopped and could not see that end. */
const WITH_PARENT = Object.freeze(['setpriv', '--pdeathsig', 'KILL'])

/**
 * muxCommand is what makes namespaces, without the rights of root: in a user namespace. Each command becomes the next one, so that the
 * process started is the one that holds the namespaces. Into those of others, such as containers, only root can bring a device.
 *
 * @param {number} namespaces
 * @param {string} congestion - what TCP is to go by, or `host`
 * @param {readonly string[]} [given] - paths of namespaces that are there already; default: new ones are made
 * @returns {string[]}
 * @throws where the system calls of this machine are not known
 */
export function muxCommand(namespaces, congestion, given = []) {
  const calls = SYSTEM_CALLS[process.arch]
  if (calls === undefined)
    throw new Error(
      `namespaces are made on ${Object.keys(SYSTEM_CALLS).join(' and ')}, not on ${process.arch}`
    )
  const numbers = [...calls, namespaces].map(String)
  const unprivileged = given.length === 0 ? ['unshare', '-rn'] : []
  const perl = ['perl', MUX, ...numbers, congestion, ...given]
  return [...WITH_PARENT, ...unprivileged, ...perl]
}

/**
 * @typedef {object} Held - the namespaces, for whoever wants to enter them
 * @property {number} pid - of what holds them
 * @property {readonly number[]} descriptors - by namespace
 * @property {string} congestion - what TCP goes by there
 * @property {boolean} [ofOthers] - they are not in a user namespace of ours
 */

/**
 * enterCommand becomes another command inside a namespace, in the same pid.
 *
 * @param {Pick<Held, 'pid' | 'descriptors' | 'ofOthers'>} held
 * @param {number} [namespace] - default: one without any device but `lo`
 * @returns {string[]}
 */
export const enterCommand = ({ pid, descriptors, ofOthers }, namespace) => [
  ...WITH_PARENT,
  ...['nsenter', '-t', String(pid), ...(ofOthers ? [] : ['-U', '--preserve-credentials'])],
  namespace === undefined ? '-n' : `--net=/proc/${pid}/fd/${descriptors[namespace]}`
]

/** Namespaces are what holds the namespaces, and brings the packets out of them and into them. */
export class Namespaces {
  #mux
  #ended
  #frames = new Frames()
  #closed = false
  #ofOthers
  #parts

  /**
   * @param {{ namespaces: number, congestion: string, given?: readonly string[] }} asked - `given`: see muxCommand
   * @param {object} parts
   * @param {(stampNs: number, packet: Buffer) => void} parts.onPacket - that left its node
   * @param {() => void} parts.onChunk - after all that came at once
   * @param {(toldNs: number, latenessMicros: number[]) => void} parts.onAnswer - to `ask`
   * @param {(error: Error) => void} parts.onDied
   */
  constructor({ namespaces, congestion, given = [] }, parts) {
    const [command, ...args] = muxCommand(namespaces, congestion, given)
    this.#ofOthers = given.length > 0
    this.#parts = parts
    this.#mux = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    // it may have ended, or never begun, before anybody opens it
    this.#ended = this.#end()
    this.#ended.catch(() => {})
    // it ends while something is handed over; where no descriptors are left there is no stdin
    this.#mux.stdin?.on('error', () => {})
  }

  /** open resolves when the namespaces are there. @returns {Promise<Held>} */
  async open() {
    const mux = this.#mux
    const [descriptors, congestion] = await Promise.race([this.#ended, this.#firstLine()])
    mux.stdout.on('data', chunk => this.#take(chunk))
    return {
      ...{ pid: Number(mux.pid), descriptors: descriptors.split(',').map(Number), congestion },
      ofOthers: this.#ofOthers
    }
  }

  /** deliver hands over packets with when they are due. @param {readonly { atNs: number, packet: Buffer }[]} packets */
  deliver(packets) {
    if (packets.length > 0) this.#mux.stdin.write(framed(packets))
  }

  /** ask asks how late packets were since last asked. */
  ask() {
    this.#mux.stdin.write(QUESTION)
  }

  /** close ends them, with all that is under way. */
  close() {
    this.#closed = true
    this.#mux.kill('SIGKILL')
  }

  /** @returns {Promise<never>} */
  async #end() {
    const mux = this.#mux
    let said = ''
    mux.stderr?.on('data', text => {
      said += text
    })
    const [code, signal] = await once(mux, 'close')
    const how = signal ?? `exit code ${code}`
    const why = said === '' ? '' : `: ${said.trim()}`
    const error = new Error(`what holds the namespaces (pid ${mux.pid}) ended with ${how}${why}`)
    if (!this.#closed) this.#parts.onDied(error)
    throw error
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    const { onPacket, onChunk, onAnswer } = this.#parts
    this.#frames.take(chunk, onPacket, onAnswer)
    onChunk()
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
