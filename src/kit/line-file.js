import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Lines are gathered up to this much before they are written; */
const BUFFER_CHARACTERS = 32_768
/** and compressed ones up to this: more gains little. */
const GZIP_CHARACTERS = 262_144

/** What a file of gzip begins with (RFC 1952): deflate, without name and time, of an unknown system. */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
/** The last block of deflate, empty. */
const LAST_BLOCK = Uint8Array.of(3, 0)

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
  /** What is compressed: its checksum, and its length. */
  #plain = { sum: 0, length: 0 }
  #written = 0
  /** error is why lines are missing; null: none are. @type {Error | null} */
  error = null

  /** @param {string} path - of a file that is written anew, in a folder that exists; compressed where it ends in `.gz` */
  constructor(path) {
    this.#isGzip = path.endsWith('.gz')
    this.#try(() => {
      this.#descriptor = openSync(path, 'w')
      if (this.#isGzip) this.#put(this.#descriptor, GZIP_HEAD)
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
    // also behind what there is of a file that lacks lines
    if (this.#isGzip) this.#put(descriptor, this.#gzipEnd())
    this.#try(() => closeSync(descriptor))
  }

  /** @param {number} descriptor */
  #write(descriptor) {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#characters = 0
    if (this.error !== null || bytes.length === 0) return
    // a piece of one stream: it ends at a whole byte, and none of its blocks is the last
    const piece = this.#isGzip ? deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes
    if (!this.#put(descriptor, piece) || !this.#isGzip) return
    const { sum, length } = this.#plain
    this.#plain = { sum: crc32(bytes, sum), length: length + bytes.length }
  }

  #gzipEnd() {
    const sums = Buffer.alloc(8)
    sums.writeUInt32LE(this.#plain.sum, 0)
    sums.writeUInt32LE(this.#plain.length % 2 ** 32, 4)
    return Buffer.concat([LAST_BLOCK, sums])
  }

  /** A disk that fills up takes a part, which is taken off again. @param {number} descriptor @param {Uint8Array} bytes @returns {boolean} whether all of it was written */
  #put(descriptor, bytes) {
    try {
      for (let put = 0; put < bytes.length; ) {
        // what was taken off leaves the place where the file is written at behind its end
        const at = this.error === null ? null : this.#written + put
        put += writeSync(descriptor, bytes, put, undefined, at)
      }
      this.#written += bytes.length
      return true
    } catch (error) {
      this.error ??= /** @type {Error} */ (error)
      this.#try(() => ftruncateSync(descriptor, this.#written))
      return false
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
