// Reads text, gzip and YAML files, writes files line by line, makes folders, and finds installed npm packages.
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

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
 * describeReadError says why a file that an option names cannot be read.
 *
 * @param {unknown} error - of reading it
 * @returns {string} follows the option and its value
 */
export const describeReadError = error =>
  error instanceof TextFileError
    ? `names a file that ${error.message}`
    : `names a file that cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`

const require = createRequire(import.meta.url)

/** STANDARD_INPUT is the path of what is written to this process. */
export const STANDARD_INPUT = '-'

/** YamlError says in a line why a text is no YAML that can be read. */
export class YamlError extends Error {
  name = 'YamlError'
}

/** @param {unknown} value @param {Set<unknown>} [above] @throws {YamlError} when an alias in it stands for what it is part of */
function refuseEndless(value, above = new Set()) {
  if (value === null || typeof value !== 'object') return
  if (above.has(value)) throw new YamlError('an alias refers to a value that contains it')
  above.add(value)
  for (const each of Object.values(value)) refuseEndless(each, above)
  above.delete(value)
}

/**
 * parseYaml reads a YAML document.
 *
 * @param {string} text
 * @returns {unknown} null: it is empty
 * @throws {YamlError}
 */
export function parseYaml(text) {
  // loaded for those who have a file, not at each start of the program
  const { parse } = /** @type {typeof import('yaml')} */ (require('yaml'))
  try {
    const value = parse(text)
    refuseEndless(value)
    return value
  } catch (cause) {
    const { name, message } = /** @type {Error} */ (cause)
    const what = name === 'ReferenceError' && message.startsWith('Excessive') ? 'too many aliases' : message
    throw new YamlError(`is not valid YAML or JSON: ${what.split('\n')[0]}`, { cause })
  }
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function load(path) {
  const text = path === STANDARD_INPUT ? decodeText(await buffer(process.stdin)) : await readText(path)
  if (text.trim() === '') throw new YamlError('is empty')
  return path.endsWith('.json') ? JSON.parse(text) : parseYaml(text)
}

/** @param {unknown} error */
function whyUnreadable(error) {
  if (error instanceof YamlError || error instanceof TextFileError) return error.message
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'ENOENT') return 'does not exist'
  return error instanceof SyntaxError
    ? `is not valid YAML or JSON: ${message.split('\n')[0]}`
    : `cannot be read (${code})`
}

/**
 * readYamlFile reads a YAML file, or a JSON file if it is named so; `-` is standard input.
 *
 * @param {string} path
 * @returns {Promise<{ content: unknown, problem?: undefined } | { problem: string }>} `problem`: why it cannot be read
 */
export const readYamlFile = path =>
  load(path).then(
    content => ({ content }),
    error => ({ problem: whyUnreadable(error) })
  )

/**
 * isMapping tells values by name from everything else that YAML can hold.
 *
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isMapping = value => value !== null && typeof value === 'object' && !Array.isArray(value)

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
    if (this.#isGzip && this.#written === 0) this.#writeBytes(descriptor, gzipSync(''))
    this.#try(() => closeSync(descriptor))
  }

  /** @param {number} descriptor */
  #write(descriptor) {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#characters = 0
    if (this.error !== null || bytes.length === 0) return
    // a file of gzip is a series of members (RFC 1952): each piece is whole, whatever happens to the next
    this.#writeBytes(descriptor, this.#isGzip ? gzipSync(bytes) : bytes)
  }

  /** A disk that fills up takes a part, which is taken off again. @param {number} descriptor @param {Uint8Array} bytes */
  #writeBytes(descriptor, bytes) {
    try {
      for (let writtenBytes = 0; writtenBytes < bytes.length; ) {
        // what was taken off leaves the place where the file is written at behind its end
        const at = this.error === null ? null : this.#written + writtenBytes
        writtenBytes += writeSync(descriptor, bytes, writtenBytes, undefined, at)
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

/**
 * makeFolder makes a folder and those around it, where they are missing. Node's own recursive mkdir never ends where a file system has no
 * room for folders (/proc/x; Node 20).
 *
 * @param {string} path
 */
export async function makeFolder(path) {
  const error = await mkdir(path).catch(error => error)
  if (error === undefined || (error.code === 'EEXIST' && (await stat(path)).isDirectory())) return
  const parent = dirname(path)
  if (error.code !== 'ENOENT' || parent === path) throw error
  await makeFolder(parent)
  // another run may have been faster
  await mkdir(path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}

/**
 * makeTemporaryFolder makes a folder of its own where this system keeps what is not to last.
 *
 * @param {string} name - it begins with
 * @param {string} [where]
 * @returns {Promise<string>} its path
 */
export async function makeTemporaryFolder(name, where = tmpdir()) {
  try {
    return await mkdtemp(join(where, name))
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Error(`no folder can be made in ${where}, which TMPDIR may change (${code})`)
  }
}

const HERE = dirname(fileURLToPath(import.meta.url))

/**
 * findPackageFolder finds an installed package as Node would; packages do not have to export their package.json.
 *
 * @param {string} name
 * @param {string} from - folder of the file that imports it
 * @returns {string | null}
 */
export function findPackageFolder(name, from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(from)
  return parent === from ? null : findPackageFolder(name, parent)
}

/**
 * readManifest reads the package.json in a folder.
 *
 * @param {string} folder
 * @returns {{ name: string, version: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }}
 */
export const readManifest = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * findPackagesWithDependencies gives the folders of packages and of all they need.
 *
 * @param {Iterable<string>} folders
 * @returns {Set<string>}
 */
export function findPackagesWithDependencies(folders) {
  const collected = new Set(folders)
  // a Set is walked to what is added meanwhile
  for (const folder of collected) {
    const { dependencies, optionalDependencies } = readManifest(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const needed = findPackageFolder(name, folder)
      if (needed !== null) collected.add(needed)
      else if (!optionalDependencies?.[name])
        throw new Error(`${name}, which ${folder} needs, is not installed`)
    }
  }
  return collected
}

/** @param {readonly string[]} chain @returns {string | null} folder of the last package, found from the one before */
const folderOf = chain =>
  chain.reduce(
    (/** @type {string | null} */ from, name) => (from === null ? null : findPackageFolder(name, from)),
    HERE
  )

/** @param {string} range - `>=22.19.0` @param {string} version */
function lacks(range, version) {
  const minimum = /^>=\s*(\d+)\.?(\d*)/.exec(range)
  if (minimum === null) return false
  const [major, minor] = version.split('.').map(Number)
  return major < Number(minimum[1]) || (major === Number(minimum[1]) && minor < Number(minimum[2] || 0))
}

/**
 * findPackageProblems says why a package cannot be used here.
 *
 * @param {readonly string[]} chain - the package, or one that leads to another, which it is about
 * @param {{ node: string, wants?: string, install?: string }} here - version of Node, the one without which npm leaves the package out,
 *   and what installs it; default: it comes with the optional ones
 * @returns {string[]} empty: it can
 */
export function findPackageProblems(chain, { node, wants = '', install = 'npm install --include=optional' }) {
  const name = String(chain.at(-1))
  const folder = folderOf(chain)
  if (folder === null) {
    if (chain.length > 1) return []
    const why = lacks(wants, node)
      ? `which npm leaves out unless Node is ${wants}; this is ${node}`
      : `which is not installed: run ${install}`
    return [`it needs ${name}, ${why}`]
  }
  const { version, engines } = /** @type {{ version: string, engines?: { node?: string } }} */ (
    readManifest(folder)
  )
  return lacks(engines?.node ?? '', node)
    ? [`it needs ${name} ${version}, which wants Node ${engines?.node}; this is ${node}`]
    : []
}
