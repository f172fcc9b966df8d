import { sparkline } from '../kit/fitted.js'
import { grouping, present, sumOf } from '../kit/lists.js'
import { counted, grouped, MISSING, megabytes, percent, significant } from '../kit/numbers.js'
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

/** @param {string} what @param {string} average @param {string} most @param {string} unit */
function withMost(what, average, most, unit) {
  const known = present([
    average !== MISSING && `${average} ${unit}`,
    most !== MISSING && `at most ${most} ${unit}`
  ])
  return known.length > 0 && `${what} ${known.join(', ')}`
}

/** What is not known is left out. @param {Result['outcome']['server']} server */
function serverParts(server) {
  if (server === null) return []
  const { cpu, memory } = server
  return present([
    withMost('server CPU', percent(cpu.averagePercent), percent(cpu.maxPercent), '%'),
    withMost('memory', megabytes(memory.averageBytes), megabytes(memory.maxBytes), 'MB')
  ])
}

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
      name: `${operationName(type)}${type === 'REGISTER' ? ` (${result.plan.registerMode})` : ''} of ${counted(sendersOf(result.plan, type).clients, 'client')}, ${counted(result.plan.initialRegistrations, 'registration')}`,
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
