import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../kit/folders.js'

/**
 * @typedef {import('./registrant-records.js').RecordSource} RecordSource
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 *
 * @typedef {object} Header - the first bytes of a file, as JSON padded with spaces
 * @property {string} magic
 * @property {number} version
 * @property {number} seed
 * @property {string} domain
 * @property {number} count - records that follow
 * @property {number} recordBytes - bytes of each
 * @property {string} sha256 - of all records, hex
 */

const MAGIC = 'libp2p-loadtest registrants'
// to be raised when the records of a registrant change
const VERSION = 1
const HEADER_BYTES = 512
const FILES_KEPT = 8

/** @param {RecordSource} source */
const fileName = ({ seed, domain }) => `registrants-${seed}-${domain}.bin`

/**
 * readRegistrantCache reads the records kept for a seed and domain.
 *
 * @param {string} folder
 * @param {RecordSource} source
 * @param {{ recordBytes: number, count: number }} wanted - `count` records, or as many as there are
 * @returns {Promise<Buffer | null>} null when nothing is kept, or the file is damaged, cut short, or something else
 * @throws what the file system says, except that the file is missing
 */
export async function readRegistrantCache(folder, source, { recordBytes, count }) {
  const path = join(folder, fileName(source))
  const file = await openIfThere(path)
  if (file == null) return null
  try {
    const header = await readHeader(file)
    if (header == null || !isFor(header, source, recordBytes)) return null
    if ((await file.stat()).size !== HEADER_BYTES + header.count * recordBytes) return null
    const { bytes, sha256 } = await readRecords(file, Math.min(count, header.count) * recordBytes)
    if (sha256 !== header.sha256) return null
    // the files used last are kept
    await file.utimes(new Date(), new Date()).catch(() => {})
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * writeRegistrantCache replaces what is kept for a seed and domain. Readers see the old file or the new one, never a
 * part. Of the files in the folder only the ones used last are kept.
 *
 * @param {string} folder - made when it is missing
 * @param {RecordSource} source
 * @param {{ records: Buffer, count: number }} content
 */
export async function writeRegistrantCache(folder, source, { records, count }) {
  await makeFolder(folder)
  const path = join(folder, fileName(source))
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeParts(temporary, [headerOf(source, records, count), records])
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await removeOldest(folder)
}

/** @param {string} path @returns {Promise<FileHandle | null>} */
async function openIfThere(path) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}

/** @param {FileHandle} file @returns {Promise<Header | null>} */
async function readHeader(file) {
  const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  try {
    return JSON.parse(buffer.toString())
  } catch {
    return null
  }
}

/** @param {Header} header @param {RecordSource} source @param {number} recordBytes */
const isFor = (header, { seed, domain }, recordBytes) =>
  header.magic === MAGIC &&
  header.version === VERSION &&
  header.seed === seed &&
  header.domain === domain &&
  header.recordBytes === recordBytes

/**
 * Reads all records for the checksum, and keeps the first of them.
 *
 * @param {FileHandle} file
 * @param {number} keptBytes
 */
async function readRecords(file, keptBytes) {
  const bytes = Buffer.alloc(keptBytes)
  const hash = createHash('sha256')
  let at = 0
  for await (const chunk of file.createReadStream({ start: HEADER_BYTES, autoClose: false })) {
    hash.update(chunk)
    if (at < keptBytes) chunk.copy(bytes, at)
    at += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** @param {RecordSource} source @param {Buffer} records @param {number} count */
function headerOf({ seed, domain }, records, count) {
  const sha256 = createHash('sha256').update(records).digest('hex')
  /** @type {Header} */
  const header = {
    magic: MAGIC,
    version: VERSION,
    seed,
    domain,
    count,
    recordBytes: records.length / count,
    sha256
  }
  return Buffer.from(`${JSON.stringify(header).padEnd(HEADER_BYTES - 1)}\n`)
}

/** @param {string} path @param {Buffer[]} parts */
async function writeParts(path, parts) {
  const file = await open(path, 'wx')
  try {
    await file.writev(parts)
  } finally {
    await file.close()
  }
}

/** @param {string} folder */
async function removeOldest(folder) {
  const names = (await readdir(folder)).filter(name => /^registrants-.*\.bin$/.test(name))
  const files = await Promise.all(
    names.map(async name => ({ name, usedMs: (await stat(join(folder, name))).mtimeMs }))
  )
  files.sort((a, b) => b.usedMs - a.usedMs)
  await Promise.all(files.slice(FILES_KEPT).map(({ name }) => rm(join(folder, name), { force: true })))
}
