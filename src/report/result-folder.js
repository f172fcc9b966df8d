// Writes result.json into the folder of a run while it runs, and passes the run's records to all outputs.
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../kit/files.js'
import { isCensored } from '../load/registrations.js'
import { decodeHistogram } from '../measure/distribution.js'
import { mergeHistograms } from '../measure/histogram.js'

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./schema.js').RunRecord} RunRecord
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
 * makeRunId names a run by its local time, to the minute, its scenario and its seed.
 *
 * @param {Date} time
 * @param {{ scenario: string, seed: number }} plan
 * @returns {string} for example `20261120-0712-rendezvous-7`
 */
export const makeRunId = (time, { scenario, seed }) => `${formatMinute(time)}-${scenario}-${seed}`

/**
 * formatMinute writes a local time so that names that begin with it sort by it.
 *
 * @param {Date} time
 * @returns {string} for example `20261120-0712`
 */
export function formatMinute(time) {
  const day = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`
  return `${day}-${two(time.getHours())}${two(time.getMinutes())}`
}

/**
 * parseMinute reads the local time that a name begins with. Of the hour that the end of summer time repeats, it is the first.
 *
 * @param {string} name
 * @returns {number} ms since 1970; NaN: it begins with none
 */
export function parseMinute(name) {
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

/** Values that are to stay on one line are first written as a string with this prefix, which no text in a result has. */
const ONE_LINE = '\0'

/** @param {unknown} value */
const isPair = value => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)

/**
 * formatResult writes a result document for reading: indented, but pairs of numbers, as histograms have thousands of
 * them, stay on one line.
 *
 * @param {AnyResult} result
 */
export function formatResult(result) {
  const isShort = (/** @type {unknown} */ value) =>
    isPair(value) || (Array.isArray(value) && value.length > 0 && value.every(isPair))
  const shorten = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    isShort(value) ? `${ONE_LINE}${JSON.stringify(value)}` : value
  const text = JSON.stringify(result, shorten, 2)
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
 * replaceFile replaces a file. Readers see the text before or after, never half of it, and a write that fails takes nothing
 * from what was there. A folder that was removed meanwhile is made again: what was measured is worth more.
 *
 * @param {string} file
 * @param {string} text
 */
export async function replaceFile(file, text) {
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
 * makeResultWriter keeps `result.json` up to date while a run goes on. Readers see the document before or after a change,
 * never half of it. A disk that is full for a while does not cost the result: only what cannot be written at the
 * close is an error. Of a run that ends with nothing worth keeping, nothing is left.
 *
 * @param {RunFolder} folder
 * @param {{ worthKeeping?: (result: AnyResult) => boolean }} [which]
 * @returns {{ add(record: RunRecord): Promise<void>, close(): Promise<void> }}
 */
export function makeResultWriter({ path }, { worthKeeping = () => true } = {}) {
  let written = false
  let dropped = false
  /** @type {AnyResult | null} */
  let unwritten = null

  /** @param {AnyResult} result */
  async function write(result) {
    unwritten = result
    await replaceFile(join(path, RESULT_FILE), formatResult(result))
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

/** Parts of an outcome with an entry for each second: the largest. */
const SECONDS = ['perSecond']

/** Parts of an outcome that only plots over time need. */
const OVER_TIME = [...SECONDS, 'timeline', 'series']

/** @param {unknown} value @param {readonly string[]} keys @returns {unknown} */
function without(value, keys) {
  if (value === null || typeof value !== 'object') return value
  // rows of numbers hold nothing by name
  if (Array.isArray(value)) return Array.isArray(value[0]) ? value : value.map(item => without(item, keys))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      keys.includes(key) && Array.isArray(part) ? [] : without(part, keys)
    ])
  )
}

/**
 * @template {AnyResult} R
 * @param {R} result
 * @param {readonly string[]} keys
 * @returns {R}
 */
const outcomeWithout = (result, keys) => ({
  ...result,
  outcome: /** @type {R['outcome']} */ (without(result.outcome, keys))
})

/**
 * removePerSecond leaves out of a result what there is of every second: the page of a matrix does not need it.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export const removePerSecond = result => outcomeWithout(result, SECONDS)

/**
 * removeTimeSeries leaves out of a result what only plots over time need: in every outcome it is called perSecond, timeline or series, and who could
 * be late while it was measured is told by second, too.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export function removeTimeSeries(result) {
  const { lateness } = result.run
  const run = lateness === undefined ? result.run : { ...result.run, lateness: { ...lateness, series: [] } }
  return { ...outcomeWithout(result, OVER_TIME), run }
}

/**
 * removeRecordTimeSeries does the same with a record that carries a result.
 *
 * @param {RunRecord} record
 * @returns {RunRecord}
 */
export const removeRecordTimeSeries = record =>
  'result' in record ? { ...record, result: removeTimeSeries(record.result) } : record

/**
 * selectResultToKeep is what stays in memory of a record that carries a result while its run goes on: of a partial one, which `result.json` holds
 * whole, only what tables need. The next one may take long to come.
 *
 * @param {Extract<RunRecord, { type: 'partial' | 'result' }>} record
 * @returns {AnyResult}
 */
export const selectResultToKeep = ({ type, result }) =>
  type === 'partial' ? removeTimeSeries(result) : result

/**
 * @typedef {object} Consumer
 * @property {(record: RunRecord) => void | Promise<void>} add
 * @property {() => void | Promise<void>} close
 *
 * @typedef {object} DeliveredRecords
 * @property {AnyResult | null} result - the last one known, maybe partial and then without what only plots need
 * @property {boolean} finished - the last record was a result
 * @property {unknown[]} errors - of the run and of consumers
 */

/**
 * deliverRecords hands the records of a run to its consumers, in order. A consumer that fails gets no more records and takes
 * nothing from the others; all are closed whatever happens.
 *
 * @param {AsyncIterable<RunRecord>} records
 * @param {Consumer[]} consumers
 * @returns {Promise<DeliveredRecords>}
 */
export async function deliverRecords(records, consumers) {
  /** @type {DeliveredRecords} */
  const delivered = { result: null, finished: false, errors: [] }
  const failed = new Set()

  /** @param {Consumer} consumer @param {() => void | Promise<void>} act */
  async function attempt(consumer, act) {
    try {
      await act()
    } catch (error) {
      failed.add(consumer)
      delivered.errors.push(error)
    }
  }

  try {
    for await (const record of records) {
      if (record.type === 'partial' || record.type === 'result') delivered.result = selectResultToKeep(record)
      delivered.finished = record.type === 'result'
      for (const consumer of consumers) {
        if (!failed.has(consumer)) await attempt(consumer, () => consumer.add(record))
      }
    }
  } catch (error) {
    delivered.errors.push(error)
  }
  for (const consumer of consumers) await attempt(consumer, () => consumer.close())
  return delivered
}

/**
 * poolTimes reads stored histograms: all operations, and those with a reply.
 *
 * @param {readonly Readonly<Record<string, string>>[]} parts - histograms by outcome
 */
export function poolTimes(parts) {
  const decoded = parts
    .flatMap(byOutcome => Object.entries(byOutcome))
    .map(([outcome, text]) => ({ outcome, histogram: decodeHistogram(text) }))
  /** @param {(outcome: string) => boolean} chosen */
  const pooled = chosen =>
    mergeHistograms(decoded.filter(({ outcome }) => chosen(outcome)).map(({ histogram }) => histogram))
  return { all: pooled(() => true), answered: pooled(outcome => !isCensored(outcome)) }
}
