import { megabytes, percent } from '../kit/numbers.js'
import { figure } from './table.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../studies/matrix/plan/matrix-file.js').Figures} Figures
 *
 * @typedef {object} SourceFigure - a column of figures in the tables of the program this one follows
 * @property {string} heading
 * @property {(row: { result: Result, operation: OperationResult }, whole?: (n: number) => string) => string} measured -
 *   `whole`: how whole numbers are written
 * @property {(reference: Figures) => number | undefined} published
 */

/** What they are of, in the order in which others published them: heading, key of a server's figures, key of times. */
const OF = /** @type {const} */ ([
  ['Avg', 'average', 'avg'],
  ['Median', 'median', 'p50'],
  ['Max', 'max', 'max']
])

/** SOURCE_FIGURES are in the order of its tables. @type {readonly SourceFigure[]} */
export const SOURCE_FIGURES = [
  ...OF.map(
    ([heading, , key], place) =>
      /** @type {SourceFigure} */ ({
        heading: `${heading} RT`,
        measured: ({ operation }, whole) => figure(operation.rt.all[key], whole),
        published: ({ rtMs }) => rtMs?.[place]
      })
  ),
  ...OF.map(
    ([heading, key], place) =>
      /** @type {SourceFigure} */ ({
        heading: `${heading} CPU`,
        measured: ({ result }) => percent(result.outcome.server?.cpu[`${key}Percent`]),
        published: ({ cpuPercent }) => cpuPercent?.[place]
      })
  ),
  ...OF.map(
    ([heading, key], place) =>
      /** @type {SourceFigure} */ ({
        heading: `${heading} Mem`,
        measured: ({ result }, whole) => megabytes(result.outcome.server?.memory[`${key}Bytes`], whole),
        published: ({ memoryMb }) => memoryMb?.[place]
      })
  )
]
