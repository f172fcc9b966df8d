import { UNITS } from '../kit/units.js'
import { figuresIn } from '../plan/metric-names.js'
import { warningText } from './description/describe-run.js'
import { phaseWords } from './progress-words.js'

/**
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../measure/figure.js').Outcome} Outcome
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 *
 * @typedef {object} LineOf - a run whose records are written
 * @property {import('./view.js').View} view - of its scenario
 * @property {string} folder - path of the run's folder
 * @property {string} [label] - which run of a study
 * @property {{ index: number, total: number }} [place] - of it among those that are made, from 1
 */

/**
 * What is known of figures.
 *
 * @param {readonly Figure[]} figures
 * @param {Outcome} outcome
 * @param {Partial<AnyResult['run']>} [run]
 */
function read(figures, outcome, run) {
  const known = figures.flatMap(({ name, read }) => {
    const reading = read(outcome, run)
    return reading.value === null || !Number.isFinite(reading.value)
      ? []
      : [{ name, value: reading.value, atLeast: reading.atLeast !== undefined }]
  })
  return {
    figures: Object.fromEntries(known.map(({ name, value }) => [name, value])),
    atLeast: known.flatMap(({ name, atLeast }) => (atLeast ? name : []))
  }
}

/** @param {readonly Figure[]} figures */
const unitsOf = figures =>
  Object.fromEntries(figures.map(({ name, quantity, unit }) => [name, unit ?? UNITS[quantity].own]))

/** Those that can be told while a run goes on. @param {readonly Figure[]} figures */
const told = figures => figures.filter(({ live, told }) => live !== undefined || told !== undefined)

/**
 * lineOf is a record as a line has it. Some records are for other readers: histograms of each second, and results that are not whole yet.
 *
 * @param {Record_} record
 * @param {Omit<LineOf, 'label'> & { figures: readonly Figure[], plan: AnyResult['plan'] | undefined }} of - `figures`: that the plan can have
 * @returns {Record<string, unknown> | null}
 */
function lineOf(record, { figures, folder, view, plan, place }) {
  switch (record.type) {
    case 'start':
      return {
        type: 'start',
        schemaVersion: 2,
        ...place,
        scenario: record.plan.scenario,
        says: view.describePlan(record.plan).what,
        plan: record.plan,
        units: unitsOf(figures)
      }
    case 'phase': {
      const { name: phase, state, atMs, detail } = record
      const title = plan === undefined ? undefined : phaseWords(phase, plan, view).running
      return { type: 'phase', phase, title, state, atMs, detail }
    }
    case 'progress':
      return { ...record }
    case 'interval': {
      const { utilizations, thresholds } = record
      return { type: 'sample', ...read(told(figures), record.figures), utilizations, thresholds }
    }
    case 'warning':
      return { type: 'warning', code: record.warning.code, message: warningText(record.warning) }
    case 'result': {
      const { status, reason, outcome, run } = record.result
      return {
        type: 'end',
        status,
        reason,
        // what is partial may lack what others are read from
        ...read(status === 'complete' ? figures : told(figures), outcome, run),
        ...('limitedBy' in outcome && { limitedBy: outcome.limitedBy }),
        thresholds: outcome.thresholds ?? [],
        warnings: run.warnings.map(({ code }) => code),
        folder
      }
    }
    default:
      return null
  }
}

/**
 * jsonLines hands the records of a run on as documents of a line each, see line-schema.js.
 *
 * @param {LineOf} of
 * @param {(line: object) => Promise<void>} write
 * @param {() => Date} now
 * @returns {(record: Record_) => Promise<void>}
 */
export function jsonLines({ view, folder, label, place }, write, now) {
  let run = ''
  /** @type {AnyResult['plan'] | undefined} */
  let plan
  /** @type {readonly Figure[]} */
  let figures = []
  return async record => {
    if (record.type === 'start' || record.type === 'result') {
      const of = record.type === 'start' ? record : record.result
      run = of.id
      plan = of.plan
      figures = figuresIn(view.scenario.figures, plan)
    }
    const line = lineOf(record, { figures, folder, view, plan, place })
    if (line === null) return
    const { type, ...content } = line
    await write({ type, at: now().toISOString(), run, ...(label !== undefined && { label }), ...content })
  }
}
