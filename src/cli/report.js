import { join } from 'node:path'
import { yesOrNo } from '../plan/values.js'
import { loadViews } from '../report/load-views.js'
import { resultView } from '../report/result-view.js'
import { writeViews } from '../report/views.js'
import { ResultFileError, readResult } from '../result/read-result.js'
import { OPTIONS } from '../scenarios/rendezvous/plan/options.js'
import { compareAb } from '../studies/comparison/ab-comparison.js'
import { writeAbViews } from '../studies/comparison/view/ab-views.js'
import { folderKind, runFolders } from '../studies/folder-kind.js'
import { readMatrixDocument } from '../studies/matrix/matrix-folder.js'
import { writeMatrixViews } from '../studies/matrix/view/matrix-views.js'
import { readCapacity, readSaturation } from '../studies/saturation/result/saturation-document.js'
import { writeCapacityViews } from '../studies/saturation/view/capacity-views.js'
import { writeSaturationViews } from '../studies/saturation/view/saturation-views.js'
import { readValidation, SIDES } from '../studies/validation/result/validation-document.js'
import { writeValidationViews } from '../studies/validation/view/validation-views.js'
import { readCommandOptions } from './command-options.js'
import { EXIT } from './exit-codes.js'
import { folderArgument, refuse, unreadable } from './refuse.js'

/**
 * @typedef {import('../studies/folder-kind.js').FolderKind} FolderKind
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 *
 * @typedef {{ csv: boolean, runs: boolean, find: import('../scenarios/index.js').FindScenario }} Which - `runs`: of what holds runs,
 *   their views too
 * @typedef {{ text: string, files: string[] }} Rebuilt
 */

const { csv } = OPTIONS
const OWN = Object.freeze({
  csv,
  runs: {
    group: csv.group,
    default: true,
    ...yesOrNo(),
    describe:
      'of what holds several runs, the pages of all of them too; --no-runs: only its own, which then lead to what is there of each run'
  }
})

/** @type {CommandHelp} */
export const REPORT = Object.freeze({
  options: OWN,
  examples: /** @type {[string, string][]} */ ([
    ['of a run', 'report results/20261120-0712-rendezvous-7'],
    ['its figures as CSV', 'report results/20261120-0712-rendezvous-7 --csv'],
    ['of a matrix and all its rows', 'report results/20261120-0712-matrix-rendezvous'],
    ['of a comparison alone, without its runs', 'report results/20261120-0712-ab-7 --no-runs']
  ]),
  epilogue:
    'The folder is that of a run, of a matrix, of ab, saturate, capacity or gossip --validate, or a folder of runs. Results of older versions are read as well.'
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
    const { text, files } = await rebuilt(folder, {
      csv: own.csv,
      runs: own.runs,
      find: surroundings.findScenario
    })
    surroundings.stdout.write(text)
    surroundings.stdout.write(`written: ${files.join(' · ')}\n`)
    return EXIT.DONE
  } catch (error) {
    return refuse('report', [unreadable(error)], surroundings)
  }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuilt(folder, which) {
  const kind = await folderKind(folder)
  if (kind === null) throw new ResultFileError(folder, 'holds no result')
  if (!which.runs && ['run', 'runs'].includes(kind))
    throw new ResultFileError(folder, 'holds runs alone: leave --no-runs out')
  return REBUILD[kind](folder, which)
}

/** @type {Readonly<Record<FolderKind, (folder: string, which: Which) => Promise<Rebuilt>>>} */
const REBUILD = Object.freeze({
  run: rebuildRun,
  runs: rebuildRuns,
  matrix: rebuildMatrix,
  ab: rebuildAb,
  saturate: rebuildSaturation,
  capacity: rebuildCapacity,
  validation: rebuildValidation
})

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildRun(folder, which) {
  const result = await readResult(folder, which.find)
  const view = await viewOfRun(result, which)
  return {
    text: `${resultView(result, folder, view)}\n`,
    files: await writeViews(result, folder, which, view)
  }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildRuns(folder, which) {
  const files = []
  for (const path of await runFolders(folder)) files.push(...(await rebuildViews(path, which)))
  return { text: '', files }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildMatrix(folder, which) {
  const document = await readMatrixDocument(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no matrix.json that can be read')
  /** @type {Map<string, import('../scenarios/gossip/gossip-types.js').AnyResult>} */
  const results = new Map()
  for (const { id, result } of document.tables.flatMap(({ rows }) => rows))
    if (result !== null) results.set(id, await readResult(join(folder, result), which.find))
  const viewOf = await loadViews(document.tables, which.find)
  return { text: '', files: await writeMatrixViews(folder, document, results, which, viewOf) }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildAb(folder, which) {
  const ab = await compareAb(folder, which.find)
  const runs = which.runs ? ab.document.pairs.flatMap(({ a, b }) => [a, b]) : []
  for (const path of runs) if (path !== null) await rebuildViews(join(folder, path), which)
  const { scenario } = await viewOfRun(ab.document.arms.a.plan, which)
  return { text: '', files: await writeAbViews(folder, ab, scenario) }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildSaturation(folder, which) {
  const document = await readSaturation(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no saturate.json that can be read')
  if (which.runs) await rebuildTrials(folder, document.grid?.cells ?? document.search?.trials ?? [], which)
  return { text: '', files: await writeSaturationViews(folder, document, which.find) }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildCapacity(folder, which) {
  const document = await readCapacity(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no capacity.json that can be read')
  if (which.runs) await rebuildTrials(folder, [...document.loads, ...document.search.trials], which)
  return { text: '', files: await writeCapacityViews(folder, document, which.find) }
}

/** @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildValidation(folder, which) {
  const document = await readValidation(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no validation.json that can be read')
  if (which.runs)
    await rebuildTrials(
      folder,
      SIDES.flatMap(side => document.runs[side]),
      which
    )
  return { text: '', files: await writeValidationViews(folder, document, which.find) }
}

/** @param {string} folder @param {readonly { run: string | null }[]} trials @param {Which} which */
async function rebuildTrials(folder, trials, which) {
  for (const { run } of trials) if (run !== null) await rebuildViews(join(folder, run), which)
}

/** @param {{ scenario: string }} of @param {Which} which */
const viewOfRun = async (of, { find }) => (await loadViews([of], find))(of)

/** @param {string} folder - of a run @param {Which} which */
async function rebuildViews(folder, which) {
  const result = await readResult(folder, which.find)
  return writeViews(result, folder, which, await viewOfRun(result, which))
}
