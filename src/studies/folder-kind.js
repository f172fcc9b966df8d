import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RESULT_FILE } from '../result/folder.js'
import { ResultFileError } from '../result/read-result.js'
import { COMPARISON_DOCUMENT } from './comparison/comparison-document.js'
import { MATRIX_DOCUMENT } from './matrix/matrix-folder.js'
import { QA_DOCUMENT } from './qa/result/qa-document.js'
import { SATURATION_DOCUMENT } from './saturation/result/saturation-document.js'

/** DOCUMENTS are those of the studies, by what their folders are called. */
export const DOCUMENTS = {
  matrix: MATRIX_DOCUMENT,
  comparison: COMPARISON_DOCUMENT,
  saturate: SATURATION_DOCUMENT,
  qa: QA_DOCUMENT
}

/** @typedef {keyof typeof DOCUMENTS} StudyKind */
/** @typedef {StudyKind | 'run' | 'runs'} FolderKind - `runs`: a folder of folders of runs */

/** Which file makes a folder what it is. @type {readonly [string, FolderKind][]} */
const SIGNS = [
  [RESULT_FILE, 'run'],
  .../** @type {StudyKind[]} */ (Object.keys(DOCUMENTS)).flatMap(kind =>
    [DOCUMENTS[kind].file, ...DOCUMENTS[kind].former].map(
      file => /** @type {[string, FolderKind]} */ ([file, kind])
    )
  )
]

/** Documents of studies that earlier releases had. Nothing reads them any more; the pages beside them stay. */
const FORMER_FILES = ['validation.json', 'cases.json', 'capacity.json', 'cluster.json']

/** @param {string} path */
const exists = path =>
  stat(path).then(
    () => true,
    () => false
  )

/**
 * runFolders lists the folders of runs directly in a folder, in the order of their names.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} paths
 */
export async function runFolders(folder) {
  const names = await readdir(folder).catch(() => /** @type {string[]} */ ([]))
  const paths = names.sort().map(name => join(folder, name))
  const runs = await Promise.all(paths.map(path => exists(join(path, RESULT_FILE))))
  return paths.filter((_, place) => runs[place])
}

/**
 * folderKind says what a folder holds.
 *
 * @param {string} folder
 * @returns {Promise<FolderKind | null>} null: nothing of ours
 * @throws {ResultFileError} it is of a study that there is no more
 */
export async function folderKind(folder) {
  for (const [file, kind] of SIGNS) if (await exists(join(folder, file))) return kind
  for (const file of FORMER_FILES)
    if (await exists(join(folder, file)))
      throw new ResultFileError(
        folder,
        `holds a study of an earlier release (${file}), which is not read any more: its pages stay as they are`
      )
  return (await runFolders(folder)).length > 0 ? 'runs' : null
}
