import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readResult } from '../result/read-result.js'
import { readAb } from './comparison/ab-folder.js'
import { folderKind } from './folder-kind.js'
import { readMatrixDocument } from './matrix/matrix-folder.js'
import { readCapacity, readSaturation } from './saturation/result/saturation-document.js'
import { readValidation } from './validation/result/validation-document.js'

/**
 * @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('./matrix/matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./comparison/ab-folder.js').AbDocument} AbDocument
 * @typedef {import('./saturation/result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./saturation/result/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('./validation/result/validation-document.js').ValidationDocument} ValidationDocument
 *
 * @typedef {{ name: string } & (
 *   { kind: 'run', result: AnyResult } | { kind: 'matrix', document: MatrixDocument } | { kind: 'ab', document: AbDocument } |
 *   { kind: 'saturate', document: SaturationDocument } | { kind: 'capacity', document: CapacityDocument } |
 *   { kind: 'validation', document: ValidationDocument } |
 *   { kind: 'unreadable', why: string })} Entry - a folder of results
 */

/** What is read of folders that hold several runs. */
const READ = Object.freeze({
  matrix: readMatrixDocument,
  ab: readAb,
  saturate: readSaturation,
  capacity: readCapacity,
  validation: readValidation
})

/** @param {string} folder @param {string} name @param {FindScenario} find @returns {Promise<Entry | null>} null: it holds nothing to list */
async function entryOf(folder, name, find) {
  const path = join(folder, name)
  const kind = await folderKind(path)
  if (kind === null || kind === 'runs') return null
  if (kind === 'run') return { name, kind, result: await readResult(path, find) }
  const document = await READ[kind](path)
  if (document === null) return { name, kind: 'unreadable', why: `its ${kind}.json cannot be read` }
  return /** @type {Entry} */ ({ name, kind, document })
}

/**
 * listFolder lists what a folder of results holds, in the order of names, which is that of time.
 *
 * @param {string} folder
 * @param {FindScenario} find
 * @returns {Promise<Entry[]>}
 */
export async function listFolder(folder, find) {
  const names = (await readdir(folder)).sort()
  const entries = await Promise.all(
    names.map(name =>
      entryOf(folder, name, find).catch(
        error => /** @type {Entry} */ ({ name, kind: 'unreadable', why: error.why ?? error.message })
      )
    )
  )
  return entries.filter(entry => entry !== null)
}
