import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { timeIn } from '../result/folder.js'
import { readResult } from '../result/read-result.js'
import { DOCUMENTS, folderKind } from './folder-kind.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {{ name: string } & (
 *   { kind: 'run', result: AnyResult } | { kind: import('./folder-kind.js').StudyKind, document: any } |
 *   { kind: 'unreadable', why: string })} Entry - a folder of results
 */

/** @param {string} folder @param {string} name @param {FindScenario} find @returns {Promise<Entry | null>} null: it holds nothing to list */
async function entryOf(folder, name, find) {
  const path = join(folder, name)
  const kind = await folderKind(path)
  if (kind === null || kind === 'runs') return null
  if (kind === 'run') return { name, kind, result: await readResult(path, find) }
  const { file, read } = DOCUMENTS[kind]
  const document = await read(path)
  return document === null
    ? { name, kind: 'unreadable', why: `its ${file} cannot be read` }
    : { name, kind, document }
}

/**
 * When it began: as it says itself, else as its name does. What neither says is the newest, to be seen.
 *
 * @param {Entry} entry
 * @returns {number} ms since 1970
 */
function began(entry) {
  if (entry.kind === 'unreadable') return finite(timeIn(entry.name), Number.MAX_VALUE)
  return finite(Date.parse(entry.kind === 'run' ? entry.result.run.startedAt : entry.document.startedAt), 0)
}

/** @param {number} ms @param {number} otherwise */
const finite = (ms, otherwise) => (Number.isFinite(ms) ? ms : otherwise)

/** @param {Entry} one @param {Entry} other */
const byTime = (one, other) => began(one) - began(other)

/**
 * listFolder lists what a folder of results holds, in the order of time.
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
  return entries.filter(entry => entry !== null).sort(byTime)
}
