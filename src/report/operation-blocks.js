import { sparkline } from '../kit/fitted.js'
import { grouping, present, sumOf } from '../kit/lists.js'
import { counted, grouped, megabytes, percent, significant } from '../kit/numbers.js'
import { dueRate, sendersOf } from '../load/roles.js'
import { pooledTimes } from '../result/pooled-times.js'
import { binned } from './plots/bins.js'
import { figure, operationName, operationsOf, throughput } from './table.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 */

const BARS = 30

const SHOWN = /** @type {const} */ (['p50', 'p90', 'p95', 'p99', 'max'])

/** How many took how long: bars from the least to three times p90. @param {OperationResult} operation @returns {string[]} */
function shapeOf({ histograms }) {
  const { bins, beyond } = binned(pooledTimes([histograms]).all)
  if (bins.length === 0) return []
  const bars = sparkline(grouping(bins, BARS).map(group => sumOf(group, ({ count }) => count)))
  const [from, to] = [bins[0].from, bins[bins.length - 1].to].map(ms => significant(ms))
  return [`${from} ms ${bars} ${to} ms${beyond === 0 ? '' : `, ${grouped(beyond)} beyond`}`]
}

/** @param {Result['outcome']['server']} server */
const serverParts = server =>
  server === null
    ? []
    : [
        `server CPU ${percent(server.cpu.averagePercent)} %, at most ${percent(server.cpu.maxPercent)} %`,
        `memory ${megabytes(server.memory.averageBytes)} MB, at most ${megabytes(server.memory.maxBytes)} MB`
      ]

/**
 * operationBlocks are the operations of a result for a terminal that is too narrow for their table.
 *
 * @param {Result} result
 * @returns {import('./terminal-blocks.js').Block[]}
 */
export const operationBlocks = result =>
  operationsOf(result).map(([type, operation]) => {
    const dueAt = dueRate(result.plan, type)
    return {
      name: `${operationName(type)} of ${counted(sendersOf(result.plan, type).clients, 'client')}, ${grouped(result.plan.initialRegistrations)} registrations`,
      parts: [
        present([
          `${throughput(operation)} op/s`,
          dueAt !== null && `due ${significant(dueAt)}/s`,
          counted(operation.count, 'operation'),
          counted(operation.errors, 'error')
        ]),
        SHOWN.map(key => `${key} ${figure(operation.rt.all[key])}`).concat('ms'),
        serverParts(result.outcome.server),
        shapeOf(operation)
      ]
    }
  })
