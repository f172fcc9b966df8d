import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/** Of a file, as it is and decompressed. What is below it fits a string and the memory of a small machine. */
const MAX_BYTES = 256e6

const GZIP = [0x1f, 0x8b]

/** What files begin with that are no text. @type {readonly (readonly [name: string, bytes: readonly number[]])[]} */
const SIGNATURES = [
  ['gzip', GZIP],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
  ['ZIP', [0x50, 0x4b, 0x03, 0x04]]
]
const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff]
]

/** TextFileError says why the bytes of a file are no text; its message follows the name of the file. */
export class TextFileError extends Error {
  name = 'TextFileError'
}

/** @param {Uint8Array} bytes @param {readonly number[]} first */
const beginsWith = (bytes, first) => first.every((byte, at) => bytes[at] === byte)

/** @param {Uint8Array} bytes @returns {number} of the first line that is not UTF-8, from 1 */
function badLine(bytes) {
  let begin = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, begin)
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(begin, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    begin = end + 1
  }
}

const TOO_LARGE = `has more than ${MAX_BYTES / 1e6} MB`

/** @param {Uint8Array} bytes - of gzip */
function decompressed(bytes) {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
    const why =
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `${TOO_LARGE} when it is decompressed`
        : `is damaged gzip (${message})`
    throw new TextFileError(why, { cause })
  }
}

/**
 * decodeText reads bytes as UTF-8, without a byte order mark; gzip is decompressed.
 *
 * @param {Uint8Array} read
 * @returns {string}
 * @throws {TextFileError} when they are compressed otherwise, too many, or not UTF-8
 */
export function decodeText(read) {
  const bytes = beginsWith(read, GZIP) ? decompressed(read) : read
  const [packed] = SIGNATURES.find(([, first]) => beginsWith(bytes, first)) ?? []
  if (packed !== undefined) throw new TextFileError(`is ${packed}: decompress it first`)
  if (UTF_16.some(mark => beginsWith(bytes, mark))) throw new TextFileError('is UTF-16: must be UTF-8')
  const zero = bytes.indexOf(0)
  if (zero >= 0)
    throw new TextFileError(
      `is no text: line ${bytes.subarray(0, zero).filter(byte => byte === 0x0a).length + 1} has a zero byte`
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TextFileError(`is not UTF-8: line ${badLine(bytes)} has other bytes`, { cause })
  }
}

/** @param {import('node:fs').Stats} stats */
function bounded({ size }) {
  if (size > MAX_BYTES) throw new TextFileError(TOO_LARGE)
}

/**
 * readTextSync reads a text file at once, one in gzip too.
 *
 * @param {string} path
 * @throws {TextFileError} and what Node throws when there is no such file
 */
export function readTextSync(path) {
  bounded(statSync(path))
  return decodeText(readFileSync(path))
}

/**
 * readText reads a text file, one in gzip too.
 *
 * @param {string} path
 * @throws {TextFileError} and what Node throws when there is no such file
 */
export async function readText(path) {
  bounded(await stat(path))
  return decodeText(await readFile(path))
}

/**
 * unreadable says why a file that an option names cannot be read.
 *
 * @param {unknown} error - of reading it
 * @returns {string} follows the option and its value
 */
export const unreadable = error =>
  error instanceof TextFileError
    ? `names a file that ${error.message}`
    : `names a file that cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`
