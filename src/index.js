// The programming interface of this package: run plans and studies, make plans, read results, compare runs.
import './kit/runtime.js'
import { pushable } from 'it-pushable'
import { makePlan as makePlanOf } from './plan/plan.js'
import { ResultFileError, readResultFile as readResultOf } from './report/read-result.js'
import { makeRunId } from './report/result-folder.js'
import { loadViews } from './report/run-report.js'
import { formatForPipe } from './report/text.js'
import { runScenario } from './run/run.js'
import { loadScenario } from './scenarios/index.js'
import { comparePairs as compareRuns, IncomparableError } from './studies/compare/comparison.js'
import { planAb } from './studies/compare/plan.js'
import { ALL_STUDIES } from './studies/index.js'
import { planMatrix } from './studies/matrix/plan.js'
import { planQa } from './studies/qa/plan.js'
import { checkPlanOrStudy, checkSettings, findScenarioOrPreset } from './studies/run-input.js'
import { planSaturate } from './studies/saturate/plan.js'
import { makeStudyFolder } from './studies/study.js'
import { describeStudy, writeStudyViews } from './studies/study-views.js'

export { RendezvousError } from './client/errors.js'
export { createClientNode } from './client/node.js'
export { loadRegistrants } from './client/registrants.js'
export { rendezvousClient } from './client/rendezvous-client.js'
export { makeTopology, measureGraph as graphMeasures } from './network/topology.js'
export { parseTopologyFile } from './network/topology-file.js'
export { MessageType, nameStatus as statusName, PROTOCOL, Status } from './protocol/rendezvous.js'
export { loadScenario as findScenario, SCENARIOS } from './scenarios/index.js'
export { rendezvousServer } from './server/rendezvous-server.js'
export { SimulatedHost } from './simulator/simulated-host.js'
export { makeNetwork as makeSimulatedNetwork } from './simulator/simulated-network.js'
export { VirtualTime } from './simulator/virtual-time.js'
export { planAb } from './studies/compare/plan.js'
export { runComparison as runAb } from './studies/compare/study.js'
export { rebuild } from './studies/index.js'
export { planMatrix } from './studies/matrix/plan.js'
export { runMatrix } from './studies/matrix/study.js'
export { planQa } from './studies/qa/plan.js'
export { runQa } from './studies/qa/study.js'
export { PlanError } from './studies/run-input.js'
export { planSaturate } from './studies/saturate/plan.js'
export { runSaturate } from './studies/saturate/study.js'
export { runStudy } from './studies/study.js'

/**
 * @typedef {import('./scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('./scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./report/schema.js').RunRecord} RunRecord
 * @typedef {object} StudyRecord - the last one of a study
 * @property {'study'} type
 * @property {StudyEnd} study - what it came to
 *
 * @typedef {Partial<import('./scenarios/index.js').RunOptions>} RunSettings - a study takes `signal` and `cacheDir` alone; without an
 *   `id` a run is named by time, scenario and seed
 *
 * @typedef {object} Listening
 * @property {(record: RunRecord, place: Place) => void} [onRecord] - takes each record as it comes
 */

/** A run that is no part of a study. @type {Omit<Place, 'run'>} */
const ALONE = { index: 1, total: 1 }

/**
 * run runs a plan of any scenario, or a study, to its end. A failed run does not throw: `status` and `reason` of the result say what happened.
 *
 * @template W
 * @param {W} what - as makePlan or makeStudy gives it
 * @param {RunSettings & Listening} [settings]
 * @returns {Promise<'study' extends keyof Awaited<W> ? StudyEnd : 'planned' extends keyof Awaited<W> ? StudyEnd : AnyResult>}
 * @throws {PlanError} where there are problems instead of a plan
 * @throws {TypeError} where it is no plan, or a setting cannot be used
 */
export async function run(what, settings = {}) {
  checkSettings(settings)
  const { onRecord = () => {}, ...more } = settings
  const { plan, study } = await checkPlanOrStudy(what)
  const ended =
    study === undefined ? runToEnd(plan, more, onRecord) : conductStudy(study, { ...more, onRecord })
  return /** @type {any} */ (await ended)
}

/** @param {AnyPlan} plan @param {RunSettings} settings @param {(record: RunRecord, place: Place) => void} onRecord */
async function runToEnd(plan, settings, onRecord) {
  const { id = makeRunId(new Date(), plan) } = settings
  /** @type {AnyResult | undefined} */
  let result
  for await (const record of runScenario(loadScenario)(plan, { ...settings, id })) {
    onRecord(record, { run: id, ...ALONE })
    if (record.type === 'result') result = record.result
  }
  return result
}

/**
 * runPlan runs a plan of any scenario, or a study, and gives its records as they come. Of a run the last one is always the result, whose
 * `status` and `reason` tell; of a study it is what the study came to, after the records of its runs in turn. A run goes on while its
 * records are taken, a study whether they are or not; it ends when its reader leaves.
 *
 * @template W
 * @param {W} what - as makePlan or makeStudy gives it
 * @param {RunSettings} [settings]
 * @returns {AsyncGenerator<'study' extends keyof Awaited<W> ? RunRecord | StudyRecord : 'planned' extends keyof Awaited<W> ? RunRecord | StudyRecord : RunRecord>}
 * @throws {PlanError} where there are problems instead of a plan
 * @throws {TypeError} where it is no plan, or a setting cannot be used
 */
export async function* runPlan(what, settings = {}) {
  checkSettings(settings)
  const { plan, study } = await checkPlanOrStudy(what)
  const records =
    study === undefined
      ? runScenario(loadScenario)(plan, { ...settings, id: settings.id ?? makeRunId(new Date(), plan) })
      : studyRecords(study, settings)
  yield* /** @type {AsyncGenerator<any>} */ (records)
}

/** @param {Study} study @param {RunSettings} settings @returns {AsyncGenerator<RunRecord | StudyRecord>} */
async function* studyRecords(study, { signal, ...settings }) {
  /** @type {import('it-pushable').Pushable<RunRecord | StudyRecord>} */
  const records = pushable({ objectMode: true })
  const left = new AbortController()
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  const conducted = conductStudy(study, {
    ...{ ...settings, signal: either },
    onRecord: record => void records.push(record)
  }).then(
    end => void records.push({ type: 'study', study: end }).end(),
    error => void records.end(error)
  )
  try {
    yield* records
  } finally {
    left.abort(new Error('its records are not taken any more'))
    await conducted
  }
}

/**
 * @typedef {import('./plan/plan.js').Problem} Problem
 * @typedef {import('./studies/study-views.js').StudyArguments} StudyArguments
 * @typedef {import('./studies/study-views.js').PlannedStudy<any> & { loaded?: any, parallel?: number, own?: any }} Planned
 *
 * @typedef {keyof typeof PLANNERS} StudyName
 *
 * @typedef {object} Study - that can be run
 * @property {StudyName} kind
 * @property {Planned} planned
 *
 * @typedef {{ study: Study, problems?: undefined } | { problems: Problem[], study?: undefined }} StudyOrProblems - or all that is wrong
 *
 * @typedef {object} Place - of a run among those of a study
 * @property {string} run - its label
 * @property {number} index - from 1
 * @property {number} total - of them, as far as it is known
 *
 * @typedef {object} StudyEnd - what a study came to
 * @property {string} folder - that holds all of it
 * @property {import('./studies/study.js').StudyHead & Record<string, any>} document - its `status` and `reason` tell whether it is whole
 * @property {import('./studies/study-views.js').StudyVerdict} verdict
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

/** Components that only some studies take. @param {Study} study @returns {object} */
function componentsOf({ kind, planned: { loaded, parallel, own } }) {
  if (kind !== 'matrix') return {}
  const { keepGoing = false, compact = false } = own
  return { results: loaded, parallel, keepGoing, compact }
}

/**
 * makeStudy plans a study from the arguments of its command line, or finds all problems.
 *
 * @param {StudyName} kind
 * @param {Partial<StudyArguments>} [asked] - `options`: by flag name; `words`: that follow the command's name
 * @returns {Promise<StudyOrProblems>}
 * @throws {TypeError} where there is no such study
 */
export async function makeStudy(kind, { options = {}, words = [] } = {}) {
  if (!Object.hasOwn(PLANNERS, kind))
    throw new TypeError(`there is no study ${String(kind)}: there are ${Object.keys(PLANNERS).join(', ')}`)
  const made = await PLANNERS[kind]({ options, words }, { now: () => new Date(), findScenario: loadScenario })
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
 * Makes the remaining runs of a study, stores their results, and writes its pages.
 *
 * @param {Study} study
 * @param {object} settings
 * @param {AbortSignal} [settings.signal]
 * @param {string | null} [settings.cacheDir]
 * @param {(record: RunRecord, place: Place) => void} settings.onRecord
 * @returns {Promise<StudyEnd>}
 */
async function conductStudy(study, { signal = new AbortController().signal, cacheDir, onRecord }) {
  const conducted = { ...ALL_STUDIES, ab: ALL_STUDIES.comparison }[study.kind]
  const { planned } = study
  const { document, output } = planned
  const folder = await folderOf(planned)
  const viewOf = await loadViews(conducted.shown(document), loadScenario)
  /** @type {string[]} */
  const errors = []
  /** @type {import('./cli/progress.js').StudyProgress} */
  const progress = {
    ...{ begin() {}, end() {}, notice() {}, close() {} },
    add(record, place) {
      if (place !== undefined) onRecord(record, { run: place.row.id, index: place.index, total: place.total })
    }
  }
  await conducted.run(document, folder, {
    ...{
      runScenario: runScenario(loadScenario),
      findScenario: loadScenario,
      viewOf,
      signal,
      cacheDir,
      progress,
      output
    },
    ...{ now: () => new Date(), complain: (/** @type {string} */ text) => void errors.push(text.trim()) },
    tellError: (/** @type {unknown} */ error) => void errors.push(messageOf(error)),
    ...componentsOf(study)
  })
  const loaded = planned.loaded ?? (await orNone(conducted.load(folder, document, loadScenario), errors))
  const verdict = conducted.verdict(document, loaded)
  if (loaded === null) return { folder, document, verdict, text: '', files: [], errors }
  const description = await describeStudy(conducted, document, { loaded, find: loadScenario })
  const { csv } = output
  const files = await writeStudyViews(conducted, folder, document, { loaded, description, csv }).catch(
    error => {
      errors.push(messageOf(error))
      return []
    }
  )
  return { folder, document, verdict, text: formatForPipe(description).trim(), files, errors }
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

/**
 * makePlan validates the options of a scenario and makes the plan of a run from them, or names every problem at once.
 *
 * @param {string} name - of the scenario, one of `SCENARIOS`, or a preset: `perf`, `profile`
 * @param {Record<string, unknown>} [options] - by flag name, values as typed or as in YAML
 * @param {Parameters<typeof makePlanOf>[2]} [more]
 * @returns {Promise<ReturnType<typeof makePlanOf>>}
 * @throws {TypeError} where there is no such scenario
 */
export async function makePlan(name, options = {}, more) {
  return makePlanOf(await findScenarioOrPreset(name), options, more)
}

/**
 * readResult reads the result of a run of any scenario.
 *
 * @param {string} path - of its folder, or of the document itself
 * @throws {ResultFileError}
 */
export const readResult = path => readResultOf(path, loadScenario)

/**
 * compare compares the runs of a candidate with those of a base, in pairs.
 *
 * @typedef {import('./studies/compare/comparison.js').Side} Side
 *
 * @param {Omit<Side, 'scenario'>} base - at least one run
 * @param {Omit<Side, 'scenario'>} candidate - at least one run
 * @param {{ alternated?: boolean }} [how]
 * @returns {Promise<import('./studies/compare/comparison.js').SideComparison>}
 * @throws {IncomparableError} also when runs of the scenario cannot be compared
 */
export async function compare(base, candidate, how) {
  const { scenario: name } = base.results[0]
  const scenario = await loadScenario(name)
  if (!scenario?.compared) throw new IncomparableError(`runs of ${name} cannot be compared`)
  const comparable = /** @type {Side['scenario']} */ (scenario)
  return compareRuns({ ...base, scenario: comparable }, { ...candidate, scenario: comparable }, how)
}

/** Makes a function of release 0.1.0 that was removed: it throws an error that names the replacement. @param {string} name @param {string} where @returns {(...args: any[]) => never} */
const moved = (name, where) => () => {
  throw new Error(`${name} was removed: ${where}`)
}

const CAPACITY = 'it has moved to planSaturate, with peers among its options'
const CLUSTER = 'it has moved to planMatrix, of benchmarks/cluster.yaml'
const VALIDATION = 'the comparison with a real network has moved to bench/validation'

export const planCapacity = moved('planCapacity', CAPACITY)
export const runCapacity = moved('runCapacity', CAPACITY)
export const planCluster = moved('planCluster', CLUSTER)
export const runCluster = moved('runCluster', CLUSTER)
export const planValidation = moved('planValidation', VALIDATION)
export const runValidation = moved('runValidation', VALIDATION)

const COMPARISON = 'it has moved to STUDIES.comparison'

/** Studies of release 0.1.0 that were removed, with their replacements. */
const FORMER = {
  ab: COMPARISON,
  repetition: COMPARISON,
  capacity: CAPACITY,
  cluster: CLUSTER,
  validation: VALIDATION,
  cases: VALIDATION
}

/** STUDIES by the names of their folders. Reading a removed one throws an error that names the replacement. */
export const STUDIES = Object.defineProperties(
  { ...ALL_STUDIES },
  Object.fromEntries(
    Object.entries(FORMER).map(([name, where]) => [name, { get: moved(`STUDIES.${name}`, where) }])
  )
)
