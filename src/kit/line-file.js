import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** Lines are gathered up to this much before they are written; */
const BUFFER_CHARACTERS = 32_768
/** and compressed ones up to this: more gains little. */
const GZIP_CHARACTERS = 262_144

/**
 * LineFile is a file that lines are added to. No more of them is in memory than one buffer, however fast they come: a full one is
 * written at once. What is written ends with a whole line, whatever happens to the process or the disk. After an error nothing more is taken.
 */
export class LineFile {
  /** @type {string[]} */
  #lines = []
  #characters = 0
  /** @type {number | null} null: not opened, or closed */
  #descriptor = null
  #isGzip
  #written = 0
  /** error is why lines are missing; null: none are. @type {Error | null} */
  error = null

  /** @param {string} path - of a file that is written anew, in a folder that exists; compressed where it ends in `.gz` */
  constructor(path) {
    this.#isGzip = path.endsWith('.gz')
    this.#try(() => {
      this.#descriptor = openSync(path, 'w')
    })
  }

  /** @param {string} line - with its end */
  add(line) {
    if (this.#descriptor === null) return
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#characters >= (this.#isGzip ? GZIP_CHARACTERS : BUFFER_CHARACTERS))
      this.#write(this.#descriptor)
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
    // nothing is no gzip
    if (this.#isGzip && this.#written === 0) this.#put(descriptor, gzipSync(''))
    this.#try(() => closeSync(descriptor))
  }

  /** @param {number} descriptor */
  #write(descriptor) {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#characters = 0
    if (this.error !== null || bytes.length === 0) return
    // a file of gzip is a series of members (RFC 1952): each piece is whole, whatever happens to the next
    this.#put(descriptor, this.#isGzip ? gzipSync(bytes) : bytes)
  }

  /** A disk that fills up takes a part, which is taken off again. @param {number} descriptor @param {Uint8Array} bytes */
  #put(descriptor, bytes) {
    try {
      for (let put = 0; put < bytes.length; ) {
        // what was taken off leaves the place where the file is written at behind its end
        const at = this.error === null ? null : this.#written + put
        put += writeSync(descriptor, bytes, put, undefined, at)
      }
      this.#written += bytes.length
    } catch (error) {
      this.error ??= /** @type {Error} */ (error)
      this.#try(() => ftruncateSync(descriptor, this.#written))
    }
  }

  /** @param {() => void} work */
  #try(work) {
    try {
      work()
    } catch (error) {
      this.error ??= /** @type {Error} */ (error)
    }
  }
}
