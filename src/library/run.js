import { pushable } from 'it-pushable'
import { runId } from '../result/folder.js'
import { findScenario } from '../scenarios/index.js'
import { runScenario } from '../scenarios/run-scenario.js'
import { checkSettings, givenPlan } from './given.js'
import { conductStudy } from './studies.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./studies.js').Place} Place
 * @typedef {import('./studies.js').Study} Study
 * @typedef {import('./studies.js').StudyEnd} StudyEnd
 *
 * @typedef {object} StudyRecord - the last one of a study
 * @property {'study'} type
 * @property {StudyEnd} study - what it came to
 *
 * @typedef {Partial<import('../scenarios/scenario.js').RunOptions>} RunSettings - a study takes `signal` and `cacheDir` alone; without an
 *   `id` a run is named by time, scenario and seed
 *
 * @typedef {object} Listening
 * @property {(record: Record_, place: Place) => void} [onRecord] - is told of each as it comes
 */

/** A run that is no part of a study. @type {Omit<Place, 'run'>} */
const ALONE = { index: 1, total: 1 }

/**
 * run runs a plan of any scenario, or a study, to its end. It never throws for what goes wrong with a run: `status` and `reason` of what
 * it gives tell.
 *
 * @template W
 * @param {W} what - as makePlan or makeStudy gives it
 * @param {RunSettings & Listening} [settings]
 * @returns {Promise<'study' extends keyof Awaited<W> ? StudyEnd : 'planned' extends keyof Awaited<W> ? StudyEnd : AnyResult>}
 * @throws {import('./given.js').PlanError} where there are problems instead of a plan
 * @throws {TypeError} where it is no plan, or a setting cannot be used
 */
export async function run(what, settings = {}) {
  checkSettings(settings)
  const { onRecord = () => {}, ...more } = settings
  const { plan, study } = await givenPlan(what)
  const ended =
    study === undefined ? runToEnd(plan, more, onRecord) : conductStudy(study, { ...more, onRecord })
  return /** @type {any} */ (await ended)
}

/** @param {AnyPlan} plan @param {RunSettings} settings @param {(record: Record_, place: Place) => void} onRecord */
async function runToEnd(plan, settings, onRecord) {
  const { id = runId(new Date(), plan) } = settings
  /** @type {AnyResult | undefined} */
  let result
  for await (const record of runScenario(findScenario)(plan, { ...settings, id })) {
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
 * @returns {AsyncGenerator<'study' extends keyof Awaited<W> ? Record_ | StudyRecord : 'planned' extends keyof Awaited<W> ? Record_ | StudyRecord : Record_>}
 * @throws {import('./given.js').PlanError} where there are problems instead of a plan
 * @throws {TypeError} where it is no plan, or a setting cannot be used
 */
export async function* runPlan(what, settings = {}) {
  checkSettings(settings)
  const { plan, study } = await givenPlan(what)
  const records =
    study === undefined
      ? runScenario(findScenario)(plan, { ...settings, id: settings.id ?? runId(new Date(), plan) })
      : studyRecords(study, settings)
  yield* /** @type {AsyncGenerator<any>} */ (records)
}

/** @param {Study} study @param {RunSettings} settings @returns {AsyncGenerator<Record_ | StudyRecord>} */
async function* studyRecords(study, { signal, ...settings }) {
  /** @type {import('it-pushable').Pushable<Record_ | StudyRecord>} */
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
