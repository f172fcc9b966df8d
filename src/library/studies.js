import { pipeText } from '../report/description/terminal.js'
import { loadViews } from '../report/load-views.js'
import { ResultFileError } from '../result/read-result.js'
import { findScenario } from '../scenarios/index.js'
import { runScenario } from '../scenarios/run-scenario.js'
import { planAb } from '../studies/comparison/plan/plan-ab.js'
import { STUDIES } from '../studies/index.js'
import { planMatrix } from '../studies/matrix/plan/plan-matrix.js'
import { planQa } from '../studies/qa/plan/plan-qa.js'
import { planSaturate } from '../studies/saturation/plan/plan-saturate.js'
import { makeStudyFolder } from '../studies/study-document.js'
import { describeStudy, writeStudyViews } from '../studies/study-door.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../studies/study-door.js').Asked} Asked
 * @typedef {import('../studies/study-door.js').PlannedStudy<any> & { loaded?: any, parallel?: number, own?: any }} Planned
 *
 * @typedef {keyof typeof PLANNERS} StudyName
 *
 * @typedef {object} Study - that can be run
 * @property {StudyName} kind
 * @property {Planned} planned
 *
 * @typedef {{ study: Study, problems?: undefined } | { problems: Problem[], study?: undefined }} MadeStudy - or all that is wrong
 *
 * @typedef {object} Place - of a run among those of a study
 * @property {string} run - its label
 * @property {number} index - from 1
 * @property {number} total - of them, as far as it is known
 *
 * @typedef {object} StudyEnd - what a study came to
 * @property {string} folder - that holds all of it
 * @property {import('../studies/study-document.js').Head & Record<string, any>} document - its `status` and `reason` tell whether it is whole
 * @property {import('../studies/study-door.js').Verdict} verdict
 * @property {string} text - what a person reads of it; empty where there is nothing to show
 * @property {string[]} files - pages and tables
 * @property {string[]} errors - of runs, and of pages that could not be written
 */

const PLANNERS = Object.freeze({
  matrix: planMatrix,
  ab: planAb,
  saturate: planSaturate,
  qa: planQa
})

/** What each study is run with beside what all are. @param {Study} study @returns {object} */
function componentsOf({ kind, planned: { loaded, parallel, own } }) {
  if (kind !== 'matrix') return {}
  const { keepGoing = false, compact = false } = own
  return { results: loaded, parallel, keepGoing, compact }
}

/**
 * makeStudy plans many runs from what the command line of the study would say, or names every problem at once.
 *
 * @param {StudyName} kind
 * @param {Partial<Asked>} [asked] - `options`: by flag name; `words`: that follow the command's name
 * @returns {Promise<MadeStudy>}
 * @throws {TypeError} where there is no such study
 */
export async function makeStudy(kind, { options = {}, words = [] } = {}) {
  if (!Object.hasOwn(PLANNERS, kind))
    throw new TypeError(`there is no study ${String(kind)}: there are ${Object.keys(PLANNERS).join(', ')}`)
  const made = await PLANNERS[kind]({ options, words }, { now: () => new Date(), findScenario })
  if (made.problems !== undefined) return { problems: made.problems }
  return { study: { kind, planned: made.planned } }
}

/** @param {Planned} planned @returns {Promise<string>} */
async function folderOf({ folder, document, name, output: { outputDir } }) {
  if (folder !== null) return folder
  const made = await makeStudyFolder(outputDir, new Date(), name)
  document.id = made.id
  return made.path
}

/** @param {unknown} error */
const messageOf = error => (error instanceof Error ? error.message : String(error))

/**
 * conductStudy runs what is left of a study, keeps its runs, and writes its pages.
 *
 * @param {Study} study
 * @param {object} settings
 * @param {AbortSignal} [settings.signal]
 * @param {string | null} [settings.cacheDir]
 * @param {(record: Record_, place: Place) => void} settings.onRecord
 * @returns {Promise<StudyEnd>}
 */
export async function conductStudy(study, { signal = new AbortController().signal, cacheDir, onRecord }) {
  const door = { ...STUDIES, ab: STUDIES.comparison }[study.kind]
  const { planned } = study
  const { document, output } = planned
  const folder = await folderOf(planned)
  const viewOf = await loadViews(door.shown(document), findScenario)
  /** @type {string[]} */
  const errors = []
  /** @type {import('../studies/study-progress.js').StudyProgress} */
  const progress = {
    ...{ begin() {}, end() {}, notice() {}, close() {} },
    add(record, place) {
      if (place !== undefined) onRecord(record, { run: place.row.id, index: place.index, total: place.total })
    }
  }
  await door.run(document, folder, {
    ...{ runScenario: runScenario(findScenario), findScenario, viewOf, signal, cacheDir, progress, output },
    ...{ now: () => new Date(), complain: (/** @type {string} */ text) => void errors.push(text.trim()) },
    tellError: (/** @type {unknown} */ error) => void errors.push(messageOf(error)),
    ...componentsOf(study)
  })
  const loaded = planned.loaded ?? (await orNone(door.load(folder, document, findScenario), errors))
  const verdict = door.verdict(document, loaded)
  if (loaded === null) return { folder, document, verdict, text: '', files: [], errors }
  const description = await describeStudy(door, document, { loaded, find: findScenario })
  const { csv } = output
  const files = await writeStudyViews(door, folder, document, { loaded, description, csv }).catch(error => {
    errors.push(messageOf(error))
    return []
  })
  return { folder, document, verdict, text: pipeText(description).trim(), files, errors }
}

/** @template T @param {Promise<T>} loading @param {string[]} errors @returns {Promise<T | null>} null: there is nothing that can be read */
async function orNone(loading, errors) {
  try {
    return await loading
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    errors.push(error.message)
    return null
  }
}
