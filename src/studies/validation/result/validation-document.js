import { mkdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { makeRunFolder, minute, writeWhole } from '../../../result/folder.js'

/**
 * @typedef {import('../../../result/types.js').Reason} Reason
 * @typedef {import('../../../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./judge-measures.js').MeasureVerdict} MeasureVerdict
 * @typedef {import('./conditions.js').Condition} Condition
 *
 * @typedef {'real' | 'simulated'} SideName
 *
 * @typedef {object} ValidationRun
 * @property {Readonly<GossipPlan>} plan
 * @property {'pending' | 'complete' | 'failed'} status
 * @property {string | null} run - folder of the run, in that of the validation; null: there is none
 * @property {number | null} tookMs
 *
 * @typedef {object} ValidationVerdict
 * @property {boolean | null} passed - null: not all runs are complete
 * @property {Condition[]} conditions
 * @property {MeasureVerdict[]} measures
 *
 * @typedef {object} ValidationDocument - `validation.json`
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {string | null} simulatedWith - what the simulated plans have other than the real ones, as it was given; null: nothing
 * @property {Record<SideName, ValidationRun[]>} runs - as many of each, in the order of their seeds
 * @property {ValidationVerdict | null} verdict - null: too few runs are complete
 */

/** VALIDATION_FILE is the document of a folder of `gossip --validate`. */
export const VALIDATION_FILE = 'validation.json'

/** SIDES of a validation, in the order of all views. @type {readonly SideName[]} */
export const SIDES = Object.freeze(['real', 'simulated'])

/**
 * makeValidationFolder makes a folder of its own for the runs of a validation, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {{ seed: number }} plan - the first
 * @returns {Promise<RunFolder>}
 */
export const makeValidationFolder = (outputDir, time, { seed }) =>
  makeRunFolder(outputDir, `${minute(time)}-validate-gossip-${seed}`)

/**
 * makeSideFolder makes the folder of a run within that of its validation.
 *
 * @param {RunFolder} validation
 * @param {SideName} side
 * @param {number} seed
 * @returns {Promise<RunFolder & { inside: string }>} `inside`: its path in that folder
 */
export async function makeSideFolder(validation, side, seed) {
  const id = `${validation.id}-${side}-${seed}`
  const inside = posix.join(side, id)
  await mkdir(join(validation.path, inside), { recursive: true })
  return { id, path: join(validation.path, inside), inside }
}

/**
 * writeValidation replaces the document of a validation.
 *
 * @param {string} folder
 * @param {ValidationDocument} document
 */
export const writeValidation = (folder, document) =>
  writeWhole(join(folder, VALIDATION_FILE), `${JSON.stringify(document, null, 2)}\n`)

/**
 * readValidation reads the document of a validation.
 *
 * @param {string} folder
 * @returns {Promise<ValidationDocument | null>} null: the folder holds none that can be read
 */
export async function readValidation(folder) {
  try {
    const document = JSON.parse(await readFile(join(folder, VALIDATION_FILE), 'utf8'))
    return document.schemaVersion === 1 && Array.isArray(document.runs?.real) ? document : null
  } catch {
    return null
  }
}
