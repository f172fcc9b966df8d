import { grouped, MISSING, megabytes, percent, significant } from '../kit/numbers.js'
import { dueRate, sendersOf } from '../load/roles.js'
import { CAUSES } from '../measure/doubt.js'
import { isSure } from '../measure/summary.js'

/**
 * @typedef {import('../kit/table.js').Table} Table
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationType} OperationType
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../result/types.js').Percentile} Percentile
 * @typedef {import('../result/types.js').ServerResult} ServerResult
 */

/** FIGURES are the columns of a distribution: key in a Summary and heading. */
export const FIGURES = /** @type {const} */ ([
  ['avg', 'Avg'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'Max']
])

/** Where operations are due at a rate, it stands before what was reached. @param {Result['plan']} plan @param {string} cell */
const due = ({ ratePerSecond }, cell) => (ratePerSecond === null ? [] : [cell])

/**
 * Whether a REGISTER adds a registration, or refreshes what there is, where there are any: results are of two kinds by that.
 *
 * @param {Result} result
 * @param {string} cell
 */
const mode = ({ plan, outcome: { operations } }, cell) =>
  operations.REGISTER === undefined || plan.registerMode === undefined ? [] : [cell]

/** @param {Result} result */
const headings = result => [
  ...[
    'Operation',
    ...mode(result, 'Mode'),
    'Clients',
    'Registrations',
    'Ops',
    'Errors',
    ...due(result.plan, 'Due/s'),
    'Op/s'
  ],
  ...FIGURES.map(([, heading]) => heading),
  ...['CPU avg/med/max %', 'Mem avg/med/max MB']
]

/** @type {readonly OperationType[]} */
const ORDER = ['CONNECT', 'REGISTER', 'DISCOVER', 'UNREGISTER']

/**
 * operationsOf lists the operations of a result in the order of all views.
 *
 * @param {Result} result
 * @returns {[OperationType, OperationResult][]}
 */
export function operationsOf({ outcome: { operations } }) {
  const types = new Set([...ORDER, .../** @type {OperationType[]} */ (Object.keys(operations))])
  return [...types].flatMap(type => {
    const operation = operations[type]
    return operation === undefined
      ? []
      : [/** @type {[OperationType, OperationResult]} */ ([type, operation])]
  })
}

/**
 * figure writes one time in ms: `> 10,000` where operations without a reply reach into it, `12.3*` or `12.3*m` where it is
 * doubtful, `–` where there are too few samples.
 *
 * @param {Percentile | null | undefined} percentile
 * @param {(whole: number) => string} [whole] - how whole numbers are written
 */
export function figure(percentile, whole = grouped) {
  if (percentile == null) return MISSING
  return `${percentile.censored ? '> ' : ''}${significant(percentile.ms, whole)}${doubtMark(percentile)}`
}

/**
 * doubtSigns are those marks, and what they stand for.
 *
 * @param {Readonly<Record<import('../measure/doubt.js').Cause, string>>} added - what each cause did
 * @returns {(readonly [RegExp, string])[]}
 */
export const doubtSigns = added =>
  CAUSES.map(cause => {
    const mark = doubtMark({ doubtful: true, cause })
    return [
      new RegExp(`\\d${mark.replace(/[*?]/g, '\\$&')}(?![m?])`),
      `${mark} doubtful: ${added[cause]} more than a tenth of this time.`
    ]
  })

/**
 * doubtLegend says what the marks of doubtful times mean, each only where it stands.
 *
 * @param {string} text - with the times
 * @param {Parameters<typeof doubtSigns>[0]} added
 * @returns {string[]}
 */
export const doubtLegend = (text, added) =>
  doubtSigns(added).flatMap(([sign, meaning]) => (sign.test(text) ? [meaning] : []))

/**
 * doubtMark is what a doubtful time is marked with: `*` where the load generator is the cause, `*m` where the machine is, `*?` where nobody
 * knows.
 *
 * @param {Pick<Percentile, 'doubtful' | 'cause'>} percentile
 */
export const doubtMark = ({ doubtful, cause = 'generator' }) => (doubtful ? MARKS[cause] : '')

const MARKS = { generator: '*', machine: '*m', unknown: '*?' }

/**
 * hasThroughput says whether there are enough operations for a rate, as many as for their median. The time of fewer is that of their
 * replies, for the measurement ends with the last one.
 *
 * @param {Pick<OperationResult, 'count'>} operation
 */
export const hasThroughput = ({ count }) => isSure(0.5, count)

/**
 * throughput writes operations per second, `≥ 1,240` where the load generator could not send more, `–` where there are too few operations.
 *
 * @param {OperationResult} operation
 * @param {(whole: number) => string} [whole] - how whole numbers are written
 */
export function throughput(operation, whole = grouped) {
  if (!hasThroughput(operation)) return MISSING
  const { throughputPerSecond, throughputIsLowerBound } = operation
  return `${throughputIsLowerBound ? '≥ ' : ''}${significant(throughputPerSecond, whole)}`
}

/** @param {ServerResult | null} server */
function serverCells(server) {
  if (server === null) return [MISSING, MISSING]
  const { cpu, memory } = server
  return [
    [cpu.averagePercent, cpu.medianPercent, cpu.maxPercent].map(percent).join(' / '),
    [memory.averageBytes, memory.medianBytes, memory.maxBytes].map(bytes => megabytes(bytes)).join(' / ')
  ]
}

/**
 * operationName is what a type of operation is called in tables.
 *
 * @param {string} type
 */
export const operationName = type => (type === 'UNREGISTER' ? 'UNREGISTER (confirmed)' : type)

/**
 * operationCells are the cells of the table of one result, a row per type of operation.
 *
 * @param {Result} result
 * @returns {Table}
 */
export function operationCells(result) {
  const { plan, outcome } = result
  const rows = operationsOf(result).map(([type, operation]) => {
    const dueAt = dueRate(plan, type)
    return [
      operationName(type),
      ...mode(result, type === 'REGISTER' ? plan.registerMode : MISSING),
      grouped(sendersOf(plan, type).clients),
      grouped(plan.initialRegistrations),
      grouped(operation.count),
      grouped(operation.errors),
      ...due(plan, dueAt === null ? MISSING : significant(dueAt)),
      throughput(operation),
      ...FIGURES.map(([key]) => figure(operation.rt.all[key])),
      ...serverCells(outcome.server)
    ]
  })
  return { headings: headings(result), rows }
}
