import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../kit/folders.js'

/**
 * @typedef {import('./types.js').AnyResult} AnyResult
 * @typedef {import('./types.js').Record_} Record_
 *
 * @typedef {object} RunFolder
 * @property {string} id - the run's id and the folder's name
 * @property {string} path
 */

/** RESULT_FILE is what the result document is called in the folder of a run. */
export const RESULT_FILE = 'result.json'

/** @param {number} n */
const two = n => String(n).padStart(2, '0')

/**
 * runId names a run by its local time, to the minute, its scenario and its seed.
 *
 * @param {Date} time
 * @param {{ scenario: string, seed: number }} plan
 * @returns {string} for example `20261120-0712-rendezvous-7`
 */
export const runId = (time, { scenario, seed }) => `${minute(time)}-${scenario}-${seed}`

/**
 * minute writes a local time so that names that begin with it sort by it.
 *
 * @param {Date} time
 * @returns {string} for example `20261120-0712`
 */
export function minute(time) {
  const day = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`
  return `${day}-${two(time.getHours())}${two(time.getMinutes())}`
}

/**
 * timeIn reads the local time that a name begins with. Of the hour that the end of summer time repeats, it is the first.
 *
 * @param {string} name
 * @returns {number} ms since 1970; NaN: it begins with none
 */
export function timeIn(name) {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/.exec(name) ?? []
  const [year, month, ...rest] = parts.map(Number)
  return new Date(year, month - 1, ...rest).getTime()
}

/**
 * makeRunFolder makes a folder of its own for a run. It never takes one that exists: a second run of the same minute
 * and seed gets `-2`, the next `-3`.
 *
 * @param {string} outputDir - made if it is missing
 * @param {string} id
 * @returns {Promise<RunFolder>}
 */
export async function makeRunFolder(outputDir, id) {
  await makeFolder(outputDir)
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? id : `${id}-${copy}`
    try {
      await mkdir(join(outputDir, name))
      return { id: name, path: join(outputDir, name) }
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
  }
}

/** What is to stay on one line goes through the writer as a string that begins with this; no text in a result does. */
const ONE_LINE = '\0'

/** @param {unknown} value */
const isPair = value => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)

/** @param {unknown} value */
const isPairs = value => Array.isArray(value) && value.length > 0 && value.every(isPair)

/**
 * resultText writes a result document for reading: indented, but pairs of numbers, as histograms have thousands of
 * them, stay on one line.
 *
 * @param {AnyResult} result
 */
export function resultText(result) {
  const text = JSON.stringify(
    result,
    (_, value) => (isPair(value) || isPairs(value) ? `${ONE_LINE}${JSON.stringify(value)}` : value),
    2
  )
  return `${text.replace(/"\\u0000([^"]+)"/g, '$1')}\n`
}

/** @param {string} file @param {string} text */
async function writeSynced(file, text) {
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * writeWhole replaces a file. Readers see the text before or after, never half of it, and a write that fails takes nothing
 * from what was there. A folder that was removed meanwhile is made again: what was measured is worth more.
 *
 * @param {string} file
 * @param {string} text
 */
export async function writeWhole(file, text) {
  const temporary = `${file}.tmp`
  try {
    await writeSynced(temporary, text).catch(async error => {
      if (error.code !== 'ENOENT') throw error
      await makeFolder(dirname(file))
      await writeSynced(temporary, text)
    })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}) // what is half written must not fill a disk that is full
    throw error
  }
}

/**
 * resultFolder keeps `result.json` up to date while a run goes on. Readers see the document before or after a change,
 * never half of it. A disk that is full for a while does not cost the result: only what cannot be written at the
 * close is an error. Of a run that ends with nothing worth keeping, nothing is left.
 *
 * @param {RunFolder} folder
 * @param {{ worthKeeping?: (result: AnyResult) => boolean }} [which]
 * @returns {{ add(record: Record_): Promise<void>, close(): Promise<void> }}
 */
export function resultFolder({ path }, { worthKeeping = () => true } = {}) {
  let written = false
  let dropped = false
  /** @type {AnyResult | null} */
  let unwritten = null

  /** @param {AnyResult} result */
  async function write(result) {
    unwritten = result
    await writeWhole(join(path, RESULT_FILE), resultText(result))
    unwritten = null
    written = true
  }

  return {
    async add(record) {
      if (record.type === 'result' && !worthKeeping(record.result)) dropped = true
      else if (record.type === 'partial' || record.type === 'result')
        await write(record.result).catch(() => {})
    },
    async close() {
      // the folder was made for this run: all that is in it is of it
      if (dropped) return rm(path, { recursive: true, force: true })
      try {
        if (unwritten !== null) await write(unwritten)
      } finally {
        if (!written) await rmdir(path).catch(() => {}) // left with something in it: somebody else's
      }
    }
  }
}
