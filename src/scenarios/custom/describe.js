// The description of results of a user's own scenario.
import { present, sumOf } from '../../kit/collections.js'
import { counted, significant, spell } from '../../kit/numbers.js'
import { limitedByText } from '../../measure/limited-by.js'
import { generatorTables, generatorTimes, overheadTimes } from '../../report/describe-run.js'
import { table, timeCell, timesTable } from '../../report/description.js'
import { operationPlots, outcomeTable, throughputOf, timesText } from '../rendezvous/operation-description.js'
import { customPlan } from './module.js'

/**
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').OperationResult} Operation
 * @typedef {import('./module.js').CustomOutcome} CustomOutcome
 * @typedef {[name: string, operation: Operation]} Row
 *
 * @typedef {import('../../report/schema.js').Result & { outcome: CustomOutcome }} CustomResult
 */

/**
 * describePlan describes a plan, and the phases that all such scenarios have.
 *
 * @param {unknown} plan
 * @returns {import('../../report/schema.js').PlanDescription}
 */
export const describePlan = plan => ({
  what: `${work(plan)} · ${counted(customPlan(plan).inFlight, 'operation')} in flight`,
  phases: {
    warmup: ['warming up', 'warm-up'],
    measure: ['measuring', 'measured'],
    teardown: ['cleaning up', 'cleaned up'],
    describe: ['describing the result', 'result described']
  },
  // the scenario's own description may begin with any table
  columns: null,
  rateUnit: 'op/s',
  measured: ''
})

/** @param {unknown} plan */
function work(plan) {
  const { scenario, durationMs } = customPlan(plan)
  return `${spell(durationMs)} of ${scenario}`
}

/**
 * describeResult describes the measured operations. The description that the scenario itself made comes first, and replaces tables or plots
 * with the same id.
 *
 * @param {unknown} document
 * @returns {Description}
 */
export function describeResult(document) {
  const result = /** @type {CustomResult} */ (document)
  const operations = operationsDescription(result)
  const { description } = result.outcome
  if (description === undefined) return operations
  const ids = new Set([...description.tables, ...description.plots].map(({ id }) => id))
  const others = operations.plots.filter(({ id }) => !ids.has(id))
  const hasMain = description.plots.some(({ main }) => main)
  return {
    ...description,
    tables: [...description.tables, ...operations.tables.filter(({ id }) => !ids.has(id))],
    plots: [...description.plots, ...(hasMain ? others.map(({ main, ...plot }) => plot) : others)]
  }
}

/** @param {CustomResult} result @returns {Description} */
function operationsDescription(result) {
  const rows = /** @type {Row[]} */ (Object.entries(result.outcome.operations))
  const described = { title: result.id, headline: headline(result, rows), tiles: tiles(rows), warnings: [] }
  if (rows.length === 0) return { ...described, tables: [], plots: [] }
  return {
    ...described,
    tables: [
      operationsTable(rows, result),
      timesTable([...rows.flatMap(timesOf), ...generatorTimes(result.run)]),
      {
        ...outcomeTable(
          rows.map(([type, operation]) => ({ type, operation })),
          outcome => MEANINGS[outcome]
        ),
        note: 'Operations that were not done count at the time they waited, as lower bounds.'
      },
      ...generatorTables(result.run)
    ].filter(({ rows }) => rows.length > 0),
    plots: operationPlots(withoutServer(result), type => idOf(type, rows))
  }
}

/** @param {CustomResult} result @param {Row[]} rows */
function headline({ plan }, rows) {
  if (rows.length === 0) return 'No operation was measured.'
  const figures = rows.map(([name, operation]) => {
    const times = timesText(operation.rt.all)
    const rate = throughputOf(operation)
    return [
      name,
      rate === null ? counted(operation.count, 'operation') : `${significant(rate)}/s`,
      ...(times === '' ? [] : [`(${times})`])
    ].join(' ')
  })
  return `${work(plan)}: ${figures.join('; ')}.`
}

/** Figures of the most frequent operation. @param {Row[]} rows @returns {Description['tiles']} */
function tiles(rows) {
  const [most] = rows.toSorted(([, a], [, b]) => b.count - a.count)
  if (most === undefined) return []
  const [name, operation] = most
  return [
    [name, throughputOf(operation), 'perSecond'],
    [`${name}, p50`, timeCell(operation.rt.all.p50), 'ms'],
    [`${name}, p99`, timeCell(operation.rt.all.p99), 'ms'],
    ['Errors', sumOf(rows, ([, { errors }]) => errors), 'count']
  ]
}

/** @param {Row[]} rows @param {CustomResult} result */
const operationsTable = (rows, { outcome: { limitedBy } }) => ({
  ...table('operations', 'Operations', rows, [
    ['Operation', ([name]) => name, 'text'],
    ['Ops', ([, { count }]) => count, 'count'],
    ['Errors', ([, { errors }]) => errors, 'count'],
    ['Op/s', ([, operation]) => throughputOf(operation), 'perSecond'],
    ['p50 ms', ([, { rt }]) => timeCell(rt.all.p50), 'ms'],
    ['p95 ms', ([, { rt }]) => timeCell(rt.all.p95), 'ms'],
    ['p99 ms', ([, { rt }]) => timeCell(rt.all.p99), 'ms'],
    ['Max ms', ([, { rt }]) => timeCell(rt.all.max), 'ms'],
    ['Avg ms', ([, { rt }]) => timeCell(rt.all.avg), 'ms', 'wide'],
    ['p90 ms', ([, { rt }]) => timeCell(rt.all.p90), 'ms', 'wide'],
    ['p99.9 ms', ([, { rt }]) => timeCell(rt.all.p999), 'ms', 'wide'],
    ['Limited by', () => limitedByText(limitedBy), 'text', 'wide']
  ]),
  note: present([
    limitedBy !== undefined && `Limited by ${limitedByText(limitedBy)}.`,
    'Closed model: each operation is followed by the next, so that times depend on throughput.'
  ]).join(' ')
})

/** @param {Row} row @returns {Parameters<typeof timesTable>[0]} */
const timesOf = ([name, { rt, errors }]) => [
  [name, rt.all],
  [`${name}, successes`, errors > 0 ? rt.ok : null],
  [`${name}, client overhead`, overheadTimes(rt.all)]
]

/** Meanings of the outcomes of operations. @type {Readonly<Record<string, string>>} */
const MEANINGS = {
  OK: 'did not throw',
  TIMEOUT: 'not done within --timeout',
  FAILED: 'threw an error',
  INTERRUPTED: 'in flight when the run was interrupted'
}

/** @param {string} name */
const slug = name => name.toLowerCase().replace(/_+/g, '-').replace(/-$/, '')

/** The name as part of an id. Names that differ only in capitals or underscores are numbered. @param {string} name @param {Row[]} rows */
function idOf(name, rows) {
  const names = rows.map(([each]) => each)
  const alike = names.filter(each => slug(each) === slug(name))
  return alike.length === 1 ? slug(name) : `${slug(name)}-${names.indexOf(name) + 1}`
}

/** Converts a result to one of rendezvous without measurements of the server. @param {CustomResult} result @returns {import('../../report/schema.js').Result} */
const withoutServer = ({ plan, outcome, ...result }) => ({
  ...result,
  plan: { ...plan, ratePerSecond: null },
  outcome: { ...outcome, faults: [], server: null }
})
