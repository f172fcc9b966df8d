import { closeSync, openSync, writeSync } from 'node:fs'

/** Lines are gathered up to this much before they are written. */
const BUFFER_CHARACTERS = 32_768

/**
 * TraceFile is a file that lines are added to. No more of them is in memory than one buffer, however fast they come: a full one is
 * written at once. What is written ends with a whole line, whatever happens to the process. After an error nothing more is taken.
 */
export class TraceFile {
  /** @type {string[]} */
  #lines = []
  #characters = 0
  /** @type {number | null} null: not opened, or closed */
  #descriptor = null
  /** error is why lines are missing; null: none are. @type {Error | null} */
  error = null

  /** @param {string} path - of a new file, in a folder that exists */
  constructor(path) {
    this.#try(() => {
      this.#descriptor = openSync(path, 'w')
    })
  }

  /** @param {string} line - with its end */
  add(line) {
    if (this.#descriptor === null) return
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#characters >= BUFFER_CHARACTERS) this.#write(this.#descriptor)
  }

  /** flush writes what there is. */
  flush() {
    if (this.#descriptor !== null) this.#write(this.#descriptor)
  }

  close() {
    if (this.#descriptor === null) return
    const descriptor = this.#descriptor
    this.#write(descriptor)
    this.#descriptor = null
    this.#try(() => closeSync(descriptor))
  }

  /** @param {number} descriptor */
  #write(descriptor) {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#characters = 0
    this.#try(() => {
      // a disk that fills up takes a part
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    })
  }

  /** @param {() => void} work */
  #try(work) {
    if (this.error !== null) return
    try {
      work()
    } catch (error) {
      this.error = /** @type {Error} */ (error)
    }
  }
}
