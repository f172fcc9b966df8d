import { megabytes, percent } from '../kit/numbers.js'
import { figure } from './table.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../studies/matrix/plan/matrix-references.js').Figures} Figures
 *
 * @typedef {object} SourceFigure - a column of figures in the tables of the program this one follows
 * @property {string} heading
 * @property {(row: { result: Result, operation: OperationResult }, whole?: (n: number) => string) => string} measured -
 *   `whole`: how whole numbers are written
 * @property {(reference: Figures) => number | undefined} published
 */

/** @type {readonly SourceFigure[]} */
export const SOURCE_FIGURES = Object.freeze([
  {
    heading: 'Avg RT',
    measured: ({ operation }, whole) => figure(operation.rt.all.avg, whole),
    published: ({ rtMs }) => rtMs?.[0]
  },
  {
    heading: 'Median RT',
    measured: ({ operation }, whole) => figure(operation.rt.all.p50, whole),
    published: ({ rtMs }) => rtMs?.[1]
  },
  {
    heading: 'Max RT',
    measured: ({ operation }, whole) => figure(operation.rt.all.max, whole),
    published: ({ rtMs }) => rtMs?.[2]
  },
  {
    heading: 'Avg CPU',
    measured: ({ result }) => percent(result.outcome.server?.cpu.averagePercent),
    published: ({ cpuPercent }) => cpuPercent?.[0]
  },
  {
    heading: 'Median CPU',
    measured: ({ result }) => percent(result.outcome.server?.cpu.medianPercent),
    published: ({ cpuPercent }) => cpuPercent?.[1]
  },
  {
    heading: 'Max CPU',
    measured: ({ result }) => percent(result.outcome.server?.cpu.maxPercent),
    published: ({ cpuPercent }) => cpuPercent?.[2]
  },
  {
    heading: 'Avg Mem',
    measured: ({ result }, whole) => megabytes(result.outcome.server?.memory.averageBytes, whole),
    published: ({ memoryMb }) => memoryMb?.[0]
  },
  {
    heading: 'Median Mem',
    measured: ({ result }, whole) => megabytes(result.outcome.server?.memory.medianBytes, whole),
    published: ({ memoryMb }) => memoryMb?.[1]
  },
  {
    heading: 'Max Mem',
    measured: ({ result }, whole) => megabytes(result.outcome.server?.memory.maxBytes, whole),
    published: ({ memoryMb }) => memoryMb?.[2]
  }
])
