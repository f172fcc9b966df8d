// The description (tables, plots and warnings made from a result) of a scenario that the user wrote.
import { computeSum, omitMissing } from '../../kit/collections.js'
import { formatCount, formatDuration, formatSignificant } from '../../kit/numbers.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import { listGeneratorTimes, listOverheadTimes, makeGeneratorTables } from '../../report/describe-run.js'
import { makeTable, makeTimeCell, makeTimesTable } from '../../report/description.js'
import {
  describeTimes,
  makeOperationPlots,
  makeOutcomeTable,
  readThroughput
} from '../rendezvous/operation-description.js'
import { asCustomPlan } from './module.js'

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
  what: `${describeWork(plan)} · ${formatCount(asCustomPlan(plan).inFlight, 'operation')} in flight`,
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
function describeWork(plan) {
  const { scenario, durationMs } = asCustomPlan(plan)
  return `${formatDuration(durationMs)} of ${scenario}`
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
  const operations = describeOperations(result)
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
function describeOperations(result) {
  const rows = /** @type {Row[]} */ (Object.entries(result.outcome.operations))
  const described = {
    title: result.id,
    headline: writeHeadline(result, rows),
    tiles: makeTiles(rows),
    warnings: []
  }
  if (rows.length === 0) return { ...described, tables: [], plots: [] }
  return {
    ...described,
    tables: [
      makeOperationsTable(rows, result),
      makeTimesTable([...rows.flatMap(makeTimesRows), ...listGeneratorTimes(result.run)]),
      {
        ...makeOutcomeTable(
          rows.map(([type, operation]) => ({ type, operation })),
          outcome => OUTCOME_MEANINGS[outcome]
        ),
        note: 'Operations that were not done count at the time they waited, as lower bounds.'
      },
      ...makeGeneratorTables(result.run)
    ].filter(({ rows }) => rows.length > 0),
    plots: makeOperationPlots(removeServer(result), type => makeOperationId(type, rows))
  }
}

/** @param {CustomResult} result @param {Row[]} rows */
function writeHeadline({ plan }, rows) {
  if (rows.length === 0) return 'No operation was measured.'
  const figures = rows.map(([name, operation]) => {
    const times = describeTimes(operation.rt.all)
    const rate = readThroughput(operation)
    return [
      name,
      rate === null ? formatCount(operation.count, 'operation') : `${formatSignificant(rate)}/s`,
      ...(times === '' ? [] : [`(${times})`])
    ].join(' ')
  })
  return `${describeWork(plan)}: ${figures.join('; ')}.`
}

/** Figures of the most frequent operation. @param {Row[]} rows @returns {Description['tiles']} */
function makeTiles(rows) {
  const [largest] = rows.toSorted(([, a], [, b]) => b.count - a.count)
  if (largest === undefined) return []
  const [name, operation] = largest
  return [
    [name, readThroughput(operation), 'perSecond'],
    [`${name}, p50`, makeTimeCell(operation.rt.all.p50), 'ms'],
    [`${name}, p99`, makeTimeCell(operation.rt.all.p99), 'ms'],
    ['Errors', computeSum(rows, ([, { errors }]) => errors), 'count']
  ]
}

/** @param {Row[]} rows @param {CustomResult} result */
const makeOperationsTable = (rows, { outcome: { limitedBy } }) => ({
  ...makeTable('operations', 'Operations', rows, [
    ['Operation', ([name]) => name, 'text'],
    ['Ops', ([, { count }]) => count, 'count'],
    ['Errors', ([, { errors }]) => errors, 'count'],
    ['Op/s', ([, operation]) => readThroughput(operation), 'perSecond'],
    ['p50 ms', ([, { rt }]) => makeTimeCell(rt.all.p50), 'ms'],
    ['p95 ms', ([, { rt }]) => makeTimeCell(rt.all.p95), 'ms'],
    ['p99 ms', ([, { rt }]) => makeTimeCell(rt.all.p99), 'ms'],
    ['Max ms', ([, { rt }]) => makeTimeCell(rt.all.max), 'ms'],
    ['Avg ms', ([, { rt }]) => makeTimeCell(rt.all.avg), 'ms', 'wide'],
    ['p90 ms', ([, { rt }]) => makeTimeCell(rt.all.p90), 'ms', 'wide'],
    ['p99.9 ms', ([, { rt }]) => makeTimeCell(rt.all.p999), 'ms', 'wide'],
    ['Limited by', () => formatLimitedBy(limitedBy), 'text', 'wide']
  ]),
  note: omitMissing([
    limitedBy !== undefined && `Limited by ${formatLimitedBy(limitedBy)}.`,
    'Closed model: each operation is followed by the next, so that times depend on throughput.'
  ]).join(' ')
})

/** @param {Row} row @returns {Parameters<typeof makeTimesTable>[0]} */
const makeTimesRows = ([name, { rt, errors }]) => [
  [name, rt.all],
  [`${name}, successes`, errors > 0 ? rt.ok : null],
  [`${name}, client overhead`, listOverheadTimes(rt.all)]
]

/** Meanings of the outcomes of operations. @type {Readonly<Record<string, string>>} */
const OUTCOME_MEANINGS = {
  OK: 'did not throw',
  TIMEOUT: 'not done within --timeout',
  FAILED: 'threw an error',
  INTERRUPTED: 'in flight when the run was interrupted'
}

/** @param {string} name */
const makeSlug = name => name.toLowerCase().replace(/_+/g, '-').replace(/-$/, '')

/** The name as part of an id. Names that differ only in capitals or underscores are numbered. @param {string} name @param {Row[]} rows */
function makeOperationId(name, rows) {
  const names = rows.map(([each]) => each)
  const alike = names.filter(each => makeSlug(each) === makeSlug(name))
  return alike.length === 1 ? makeSlug(name) : `${makeSlug(name)}-${names.indexOf(name) + 1}`
}

/** Converts a result to one of rendezvous without measurements of the server. @param {CustomResult} result @returns {import('../../report/schema.js').Result} */
const removeServer = ({ plan, outcome, ...result }) => ({
  ...result,
  plan: { ...plan, ratePerSecond: null },
  outcome: { ...outcome, faults: [], server: null }
})
