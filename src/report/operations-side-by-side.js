import { median } from '../result/statistics/median.js'
import { grouped, MISSING, megabytes, percent, significant } from './numbers.js'
import { asMarkdown, FIGURES, operationName, operationsOf } from './table.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationType} OperationType
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../result/comparison/comparison.js').Side} Side
 * @typedef {import('./table.js').Table} Table
 *
 * @typedef {object} Mark
 * @property {boolean} [atLeast]
 * @property {boolean} [doubtful]
 *
 * @typedef {{ value: number | null } & Mark} Value
 * @typedef {[string, (from: { result: Result, operation: OperationResult }) => Value, (value: number) => string]} Row
 */

const MEMORY = 'Server memory median, MB'

/** COUNTED_DIFFERENTLY says why memory of two sides has no ratio. */
export const COUNTED_DIFFERENTLY =
  'Server memory of a process (resident set) and of a container (usage without page cache) count differently and have no ratio.'

/** @type {readonly Row[]} */
const ROWS = Object.freeze([
  ['Ops', ({ operation }) => ({ value: operation.count }), grouped],
  ['Errors', ({ operation }) => ({ value: operation.errors }), grouped],
  [
    'Op/s',
    ({ operation }) => ({
      value: operation.throughputPerSecond,
      doubtful: operation.throughputIsLowerBound
    }),
    significant
  ],
  ...FIGURES.map(
    ([key, heading]) =>
      /** @type {Row} */ ([
        `${heading}, ms`,
        ({ operation }) => {
          const percentile = operation.rt.all[key]
          return {
            value: percentile?.ms ?? null,
            atLeast: percentile?.censored,
            doubtful: percentile?.doubtful
          }
        },
        significant
      ])
  ),
  [
    'Server CPU per operation, µs',
    ({ operation }) => ({ value: operation.serverCpuMicrosPerOperation }),
    significant
  ],
  [
    'Server CPU avg, %',
    ({ result }) => ({ value: result.outcome.server?.cpu.averagePercent ?? null }),
    percent
  ],
  [MEMORY, ({ result }) => ({ value: result.outcome.server?.memory.medianBytes ?? null }), megabytes]
])

/** A process and a container count memory differently: their figures have no ratio. @param {readonly Side[]} sides */
const countedAlike = sides =>
  new Set(sides.flatMap(({ results }) => results.map(({ outcome }) => outcome.server?.memoryCountedAs)))
    .size <= 1

/** @param {Side} side @param {OperationType} type @param {Row[1]} read @returns {Value} */
function ofSide({ results }, type, read) {
  const values = results.flatMap(result => {
    const operation = result.outcome.operations[type]
    return operation === undefined ? [] : [read({ result, operation })]
  })
  const whole = values.length > 0 && values.every(({ value }) => value !== null)
  return {
    value: whole ? median(values.map(({ value }) => Number(value))) : null,
    atLeast: values.some(({ atLeast }) => atLeast),
    doubtful: values.some(({ doubtful }) => doubtful)
  }
}

/** @param {Value} value @param {Row[2]} write */
const cell = ({ value, atLeast, doubtful }, write) =>
  value === null ? MISSING : `${atLeast ? '> ' : ''}${write(value)}${doubtful ? '*' : ''}`

/** @param {Value} base @param {Value} candidate */
const ratio = (base, candidate) =>
  base.value === null || candidate.value === null || base.value === 0
    ? MISSING
    : (candidate.value / base.value).toFixed(3)

/**
 * operationTable are the cells of one type of operation: its figures on every side, and their ratios to those of the first.
 * Of several runs, a figure is the median.
 *
 * @param {OperationType} type
 * @param {readonly Side[]} sides
 * @returns {Table}
 */
export function operationTable(type, sides) {
  const [, ...others] = sides
  const titles =
    others.length === 1 ? ['Candidate', 'Ratio'] : others.flatMap((_, i) => [`Candidate ${i + 1}`, 'Ratio'])
  const headings = [operationName(type), 'Base', ...titles]
  const rows = ROWS.flatMap(([name, read, write]) => {
    const [base, ...values] = sides.map(side => ofSide(side, type, read))
    if ([base, ...values].every(({ value }) => value === null)) return []
    const ratioTo = name === MEMORY && !countedAlike(sides) ? () => MISSING : ratio
    return [[name, cell(base, write), ...values.flatMap(value => [cell(value, write), ratioTo(base, value)])]]
  })
  return { headings, align: headings.map((_, column) => (column === 0 ? 'l' : 'r')), rows }
}

/**
 * operationTables are the cells of all figures of several sides, a table for each type of operation.
 *
 * @param {readonly Side[]} sides - the first is the base
 * @returns {{ tables: Table[], countedAlike: boolean }} `countedAlike`: memory means the same on all sides
 */
export function operationTables(sides) {
  const types = new Set(sides.flatMap(({ results }) => results.flatMap(operationsOf)).map(([type]) => type))
  return { tables: [...types].map(type => operationTable(type, sides)), countedAlike: countedAlike(sides) }
}

/**
 * sideBySide are the markdown tables of all figures of several sides, one for each type of operation.
 *
 * @param {readonly Side[]} sides - the first is the base
 * @returns {string}
 */
export function sideBySide(sides) {
  const { tables, countedAlike } = operationTables(sides)
  return [...tables.map(asMarkdown), ...(countedAlike ? [] : [COUNTED_DIFFERENTLY])].join('\n\n')
}
