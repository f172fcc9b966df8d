// Registry of all studies: matrix, comparison, saturate, qa. Also rebuilds the reports of a result folder, of a study or
// a single run.

import { join } from 'node:path'
import { describeRun } from '../report/describe-run.js'
import { ResultFileError, readResultFile } from '../report/read-result.js'
import { loadViews, writeViews } from '../report/run-report.js'
import { COMPARISON_STUDY } from './compare/study.js'
import { MATRIX_STUDY } from './matrix/study.js'
import { QA_STUDY } from './qa/study.js'
import { SATURATE_STUDY } from './saturate/study.js'
import { listRunFolders, readFolderKind } from './study-folders.js'
import { describeStudy, readStudy, writeStudyViews } from './study-views.js'

/** ALL_STUDIES by the names of their folders. @type {Readonly<Record<import('./study-folders.js').StudyKind, import('./study-views.js').StudyInterface>>} */
export const ALL_STUDIES = {
  matrix: MATRIX_STUDY,
  comparison: COMPARISON_STUDY,
  saturate: SATURATE_STUDY,
  qa: QA_STUDY
}

/**
 * @typedef {object} RebuildOptions - what is made again
 * @property {boolean} csv - the figures as CSV too
 * @property {boolean} runs - of what holds several runs, the views of all of them too
 * @property {import('../scenarios/index.js').LoadScenario} find
 *
 * @typedef {{ description: import('../report/schema.js').Description | null, files: string[] }} Rebuilt - `description`: null:
 *   of several runs; `files`: paths
 */

/** @param {string} folder - of a run @param {RebuildOptions} which @returns {Promise<Rebuilt>} */
async function rebuildRun(folder, which) {
  const result = await readResultFile(folder, which.find)
  const view = (await loadViews([result], which.find))(result)
  const files = await writeViews(result, folder, which, view)
  return { description: describeRun(result, view), files }
}

/** @param {import('./study-views.js').StudyInterface} study @param {string} folder @param {RebuildOptions} which @returns {Promise<Rebuilt>} */
async function rebuildStudy(study, folder, which) {
  const document = await readStudy(study.document, folder)
  if (which.runs) for (const run of study.runs(document)) await rebuildRun(join(folder, run), which)
  const loaded = await study.load(folder, document, which.find)
  const description = await describeStudy(study, document, { loaded, find: which.find })
  const files = await writeStudyViews(study, folder, document, { loaded, description, csv: which.csv })
  return { description, files }
}

/**
 * rebuild makes the views of a folder of results again and replaces the old ones.
 *
 * @param {string} folder - of a run, of a study, or of runs
 * @param {RebuildOptions} which
 * @returns {Promise<Rebuilt>}
 * @throws {ResultFileError}
 */
export async function rebuild(folder, which) {
  const kind = await readFolderKind(folder)
  if (kind === null) throw new ResultFileError(folder, 'contains no result')
  if (kind !== 'run' && kind !== 'runs') return rebuildStudy(ALL_STUDIES[kind], folder, which)
  if (!which.runs) throw new ResultFileError(folder, 'contains only runs: leave out --no-runs')
  if (kind === 'run') return rebuildRun(folder, which)
  const files = []
  for (const path of await listRunFolders(folder)) files.push(...(await rebuildRun(path, which)).files)
  return { description: null, files }
}
