import { join } from 'node:path'
import { OPTIONS } from '../plan/options.js'
import { writeAbViews } from '../report/ab-views.js'
import { writeMatrixViews } from '../report/matrix-views.js'
import { resultView } from '../report/result-view.js'
import { writeViews } from '../report/views.js'
import { compareAb } from '../result/ab-comparison.js'
import { readAb } from '../result/ab-folder.js'
import { folderKind, runFolders } from '../result/folder-kind.js'
import { readMatrixDocument } from '../result/matrix-folder.js'
import { ResultFileError, readResult } from '../result/read-result.js'
import { readCommandOptions } from './command-options.js'
import { EXIT } from './exit-codes.js'
import { folderArgument, refuse, unreadable } from './refuse.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/folder-kind.js').FolderKind} FolderKind
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').Command} Command
 *
 * @typedef {{ text: string, files: string[] }} Rebuilt
 */

const { csv } = OPTIONS
const OWN = Object.freeze({ csv })

/** @type {Command} */
export const REPORT = Object.freeze({
  name: 'report',
  describe: 'Make the pages and tables of a result again, without running anything',
  options: OWN,
  examples: /** @type {[string, string][]} */ ([
    ['of a run', 'report results/20261120-0712-rendezvous-7'],
    ['its figures as CSV', 'report results/20261120-0712-rendezvous-7 --csv'],
    ['of a matrix and all its rows', 'report results/20261120-0712-matrix-rendezvous']
  ]),
  epilogue:
    'The folder is that of a run, of a matrix, of ab, or a folder of runs. Results of older versions are read as well.'
})

/**
 * reportCommand makes the views of what a folder holds again.
 *
 * @param {Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function reportCommand({ options, words }, surroundings) {
  const { own, problems } = readCommandOptions(OWN, options)
  const { folder, problems: noFolder } = folderArgument(words, 'a folder of results')
  if (folder === undefined || problems.length > 0)
    return refuse('report', [...noFolder, ...problems], surroundings)
  try {
    const { text, files } = await rebuilt(folder, { csv: own.csv })
    surroundings.stdout.write(text)
    surroundings.stdout.write(`written: ${files.join(' · ')}\n`)
    return EXIT.DONE
  } catch (error) {
    return refuse('report', [unreadable(error)], surroundings)
  }
}

/** @param {string} folder @param {{ csv: boolean }} which @returns {Promise<Rebuilt>} */
async function rebuilt(folder, which) {
  const kind = await folderKind(folder)
  if (kind === null) throw new ResultFileError(folder, 'holds no result')
  return REBUILD[kind](folder, which)
}

/** @type {Readonly<Record<FolderKind, (folder: string, which: { csv: boolean }) => Promise<Rebuilt>>>} */
const REBUILD = Object.freeze({ run: rebuildRun, runs: rebuildRuns, matrix: rebuildMatrix, ab: rebuildAb })

/** @param {string} folder @param {{ csv: boolean }} which @returns {Promise<Rebuilt>} */
async function rebuildRun(folder, which) {
  const result = await readResult(folder)
  return { text: `${resultView(result, folder)}\n`, files: await writeViews(result, folder, which) }
}

/** @param {string} folder @param {{ csv: boolean }} which @returns {Promise<Rebuilt>} */
async function rebuildRuns(folder, which) {
  const files = []
  for (const path of await runFolders(folder))
    files.push(...(await writeViews(await readResult(path), path, which)))
  return { text: '', files }
}

/** @param {string} folder @param {{ csv: boolean }} which @returns {Promise<Rebuilt>} */
async function rebuildMatrix(folder, which) {
  const document = await readMatrixDocument(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no matrix.json that can be read')
  /** @type {Map<string, Result>} */
  const results = new Map()
  for (const { id, result } of document.tables.flatMap(({ rows }) => rows))
    if (result !== null) results.set(id, await readResult(join(folder, result)))
  return { text: '', files: await writeMatrixViews(folder, document, results, which) }
}

/** @param {string} folder @param {{ csv: boolean }} which @returns {Promise<Rebuilt>} */
async function rebuildAb(folder, which) {
  const { comparison, sides } = await compareAb(folder)
  const document = await readAb(folder)
  for (const path of document?.pairs.flatMap(({ a, b }) => [a, b]) ?? [])
    if (path !== null) await writeViews(await readResult(join(folder, path)), join(folder, path), which)
  return { text: '', files: await writeAbViews(folder, comparison, sides) }
}
