import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endAll, goneWithin, MARK, send } from './processes.js'

/** ROOT is the project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Whatever takes longer than this hangs, on a busy machine too. */
const HANGS_AFTER_MS = 800_000

/**
 * @typedef {object} Ended
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal - that ended it
 * @property {string} stdout
 * @property {string} stderr
 *
 * @typedef {object} ProgramOptions
 * @property {string} [cwd]
 * @property {readonly string[]} [through] - a command that becomes the program
 * @property {Record<string, string>} [env] - beside that of this process
 * @property {number} [hangsAfterMs] - more than a run takes: it is ended then
 * @property {boolean} [wholeFile] - true: it ends with the file of the test that has started it, not with the test or hook
 * @property {boolean} [ownGroup] - true: it gets a process group of its own, as a shell gives to what is run in a terminal
 */

/** Program is a script of ours that runs with Node in a process of its own. */
export class Program {
  /** mark finds everything that was started by it, see processes.js */
  mark = randomUUID()
  #child
  #output = { stdout: '', stderr: '' }
  /** @type {Set<() => void>} */
  #onLine = new Set()
  /** @type {string[]} */
  #lines = []
  #over = false
  /** ended tells how it ended. @type {Promise<Ended>} */
  ended

  /**
   * @param {string} script
   * @param {string[]} args
   * @param {ProgramOptions} [options]
   */
  constructor(script, args, options = {}) {
    const { cwd = ROOT, env = {}, ownGroup = false, hangsAfterMs = HANGS_AFTER_MS } = options
    const [command, ...first] = [...(options.through ?? []), process.execPath]
    this.#child = spawn(command, [...first, script, ...args], {
      cwd,
      env: { ...process.env, ...env, [MARK]: this.mark },
      detached: ownGroup,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.#collect('stdout', this.#child.stdout)
    this.#collect('stderr', this.#child.stderr)
    this.ended = this.#end(hangsAfterMs)
    this.ended.catch(() => {})
  }

  get pid() {
    return /** @type {number} */ (this.#child.pid)
  }

  /** @param {'stdout' | 'stderr'} name @param {import('node:stream').Readable} stream */
  #collect(name, stream) {
    stream.setEncoding('utf8').on('data', text => {
      this.#output[name] += text
    })
    createInterface({ input: stream }).on('line', line => {
      this.#lines.push(line)
      this.#tell()
    })
  }

  /** @param {number} hangsAfterMs */
  async #end(hangsAfterMs) {
    const late = setTimeout(() => this.endNow(), hangsAfterMs)
    const [code, signal] = await once(this.#child, 'close')
    clearTimeout(late)
    this.#over = true
    this.#tell()
    return { code, signal, ...this.#output }
  }

  #tell() {
    for (const look of this.#onLine) look()
  }

  /**
   * line waits for a line of output that fits.
   *
   * @param {RegExp} pattern
   * @returns {Promise<RegExpExecArray>}
   * @throws when the program ends without one
   */
  line(pattern) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = this.#lines.map(line => pattern.exec(line)).find(found => found !== null)
        if (match == null && !this.#over) return
        this.#onLine.delete(look)
        if (match != null) resolve(match)
        else reject(new Error(`ended without a line like ${pattern}:\n${this.#lines.join('\n')}`))
      }
      this.#onLine.add(look)
      look()
    })
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child.kill(signal)
  }

  /** signalGroup does what Ctrl-C in a terminal does. @param {NodeJS.Signals} signal */
  signalGroup(signal) {
    send(-this.pid, signal)
  }

  /** leftAfter gives what it started and is still there after some time. @param {number} [ms] */
  leftAfter(ms) {
    return goneWithin(this.mark, ms)
  }

  /** endNow ends it and everything it started. */
  async endNow() {
    this.#child.kill('SIGKILL')
    endAll(this.mark)
  }
}
