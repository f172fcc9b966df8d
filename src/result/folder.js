import { mkdir, open, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {import('./types.js').Result} Result
 * @typedef {import('./types.js').Record_} Record_
 *
 * @typedef {object} RunFolder
 * @property {string} id - the run's id and the folder's name
 * @property {string} path
 */

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
 * makeRunFolder makes a folder of its own for a run. It never takes one that exists: a second run of the same minute
 * and seed gets `-2`, the next `-3`.
 *
 * @param {string} outputDir - made if it is missing
 * @param {string} id
 * @returns {Promise<RunFolder>}
 */
export async function makeRunFolder(outputDir, id) {
  await mkdir(outputDir, { recursive: true })
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

/**
 * resultText writes a result document for reading: indented, but a pair of numbers, as histograms have thousands of
 * them, stays on its line.
 *
 * @param {Result} result
 */
export function resultText(result) {
  const indented = JSON.stringify(result, null, 2)
  // a line break stands only between parts of the document, never inside its strings
  const pairs = indented.replace(/\[\n +(-?[\d.e+-]+),\n +(-?[\d.e+-]+)\n +\]/g, '[$1, $2]')
  return `${pairs}\n`
}

/**
 * writeWhole replaces a file. Readers see the text before or after, never half of it.
 *
 * @param {string} file
 * @param {string} text
 */
export async function writeWhole(file, text) {
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
}

/**
 * resultFolder keeps `result.json` up to date while a run goes on. Readers see the document before or after a change,
 * never half of it.
 *
 * @param {RunFolder} folder
 * @returns {{ add(record: Record_): Promise<void>, close(): Promise<void> }}
 */
export function resultFolder({ path }) {
  let written = false
  return {
    async add(record) {
      if (record.type !== 'partial' && record.type !== 'result') return
      await writeWhole(join(path, 'result.json'), resultText(record.result))
      written = true
    },
    async close() {
      if (!written) await rmdir(path).catch(() => {}) // left with something in it: somebody else's
    }
  }
}
