import { join } from 'node:path'
import { describeRun } from '../report/description/describe-run.js'
import { loadViews } from '../report/load-views.js'
import { writeViews } from '../report/views.js'
import { ResultFileError, readResult } from '../result/read-result.js'
import { folderKind, runFolders } from './folder-kind.js'
import { STUDIES } from './index.js'
import { describeStudy, readStudy, writeStudyViews } from './study-door.js'

/**
 * @typedef {object} Which - what is made again
 * @property {boolean} csv - the figures as CSV too
 * @property {boolean} runs - of what holds several runs, the views of all of them too
 * @property {import('../scenarios/index.js').FindScenario} find
 *
 * @typedef {{ description: import('../report/description/description.js').Description | null, files: string[] }} Rebuilt - `description`: null:
 *   of several runs; `files`: paths
 */

/** @param {string} folder - of a run @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildRun(folder, which) {
  const result = await readResult(folder, which.find)
  const view = (await loadViews([result], which.find))(result)
  const files = await writeViews(result, folder, which, view)
  return { description: describeRun(result, view), files }
}

/** @param {import('./study-door.js').StudyDoor} study @param {string} folder @param {Which} which @returns {Promise<Rebuilt>} */
async function rebuildStudy(study, folder, which) {
  const document = await readStudy(study.document, folder)
  if (which.runs) for (const run of study.runs(document)) await rebuildRun(join(folder, run), which)
  const loaded = await study.load(folder, document, which.find)
  const description = await describeStudy(study, document, { loaded, find: which.find })
  const files = await writeStudyViews(study, folder, document, { loaded, description, csv: which.csv })
  return { description, files }
}

/**
 * rebuild makes the views of a folder of results again, in place of those that are there.
 *
 * @param {string} folder - of a run, of a study, or of runs
 * @param {Which} which
 * @returns {Promise<Rebuilt>}
 * @throws {ResultFileError}
 */
export async function rebuild(folder, which) {
  const kind = await folderKind(folder)
  if (kind === null) throw new ResultFileError(folder, 'holds no result')
  if (kind !== 'run' && kind !== 'runs') return rebuildStudy(STUDIES[kind], folder, which)
  if (!which.runs) throw new ResultFileError(folder, 'holds runs alone: leave --no-runs out')
  if (kind === 'run') return rebuildRun(folder, which)
  const files = []
  for (const path of await runFolders(folder)) files.push(...(await rebuildRun(path, which)).files)
  return { description: null, files }
}
