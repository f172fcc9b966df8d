import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** What files begin with that are no text. @type {readonly (readonly [name: string, bytes: readonly number[]])[]} */
const SIGNATURES = [
  ['gzip', [0x1f, 0x8b]],
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

/**
 * decodeText reads bytes as UTF-8, without a byte order mark.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {TextFileError} when they are compressed, or not UTF-8
 */
export function decodeText(bytes) {
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

/**
 * readTextSync reads a text file at once.
 *
 * @param {string} path
 * @throws {TextFileError} and what Node throws when there is no such file
 */
export const readTextSync = path => decodeText(readFileSync(path))

/**
 * readText reads a text file.
 *
 * @param {string} path
 * @throws {TextFileError} and what Node throws when there is no such file
 */
export const readText = async path => decodeText(await readFile(path))

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
