import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRunFolder, minute, writeWhole } from '../../result/folder.js'

/**
 * @typedef {import('../../result/types.js').Reason} Reason
 * @typedef {import('../../result/folder.js').RunFolder} RunFolder
 * @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict
 *
 * @typedef {'a' | 'b'} Arm - the first plan, the base, and the second, the candidate
 *
 * @typedef {object} AbPair - of runs, one of each plan; null: not run, or not complete
 * @property {string | null} a - path of the run's folder in the ab folder
 * @property {string | null} b
 *
 * @typedef {object} AbDocument - `ab.json`
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {Record<Arm, { label: string, plan: import('./plan-differences.js').Plan }>} arms - `label`: as it was given
 * @property {string[]} failOn - rules as they were given
 * @property {string | null} baseline - folder of earlier runs, as it was given
 * @property {BaselineVerdict | null} held - how the second plan stood against them; null: it was not asked for, or nothing could
 *   be held. The folder of the baseline is not needed to say it again
 * @property {AbPair[]} pairs - as many as were asked for
 */

/** AB_FILE is the document of an ab folder. */
export const AB_FILE = 'ab.json'

/**
 * makeAbFolder makes a folder of its own for runs of two plans, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {{ seed: number }} plan
 * @returns {Promise<RunFolder>}
 */
export const makeAbFolder = (outputDir, time, { seed }) =>
  makeRunFolder(outputDir, `${minute(time)}-ab-${seed}`)

/**
 * makeArmFolder makes the folder of a run within an ab folder.
 *
 * @param {RunFolder} ab
 * @param {Arm} arm
 * @param {number} pair - from 0
 * @returns {Promise<RunFolder & { inside: string }>} `inside`: its path in the ab folder
 */
export async function makeArmFolder(ab, arm, pair) {
  // names sort in the order of the runs, and no two runs of all times have the same
  const id = `${ab.id}-${arm}${String(pair + 1).padStart(2, '0')}`
  const inside = `${arm}/${id}`
  await mkdir(join(ab.path, inside), { recursive: true })
  return { id, path: join(ab.path, inside), inside }
}

/**
 * writeAb replaces the document of an ab folder.
 *
 * @param {string} folder
 * @param {AbDocument} document
 */
export const writeAb = (folder, document) =>
  writeWhole(join(folder, AB_FILE), `${JSON.stringify(document, null, 2)}\n`)

/**
 * JSON knows no infinite numbers: an interval that nothing bounds ends in null there.
 *
 * @param {BaselineVerdict | null} held - as it was read
 * @returns {BaselineVerdict | null}
 */
const unbounded = held =>
  held && {
    ...held,
    rules: held.rules.map(rule => ({
      ...rule,
      interval: rule.interval && {
        low: rule.interval.low,
        high: rule.interval.high ?? Number.POSITIVE_INFINITY
      }
    }))
  }

/**
 * readAb reads the document of an ab folder.
 *
 * @param {string} folder
 * @returns {Promise<AbDocument | null>} null: the folder holds none that can be read
 */
export async function readAb(folder) {
  try {
    const document = JSON.parse(await readFile(join(folder, AB_FILE), 'utf8'))
    if (document.schemaVersion !== 1 || !Array.isArray(document.pairs)) return null
    // earlier ones say nothing of a baseline
    return { ...document, baseline: document.baseline ?? null, held: unbounded(document.held ?? null) }
  } catch {
    return null
  }
}
