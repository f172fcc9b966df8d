import { z } from 'zod'

/**
 * What a result holds, as plain data: the only thing that terminal, markdown, CSV, page, dashboard, matrix and comparison show. A description
 * is JSON: it can be stored, checked, and leave the process of a custom scenario.
 *
 * A number stands in the unit that its heading or label names (`p50 ms`, `Memory MB`), so that every file holds the same number.
 *
 * @typedef {'text' | 'count' | 'number' | 'ms' | 's' | 'percent' | 'MB' | 'perSecond'} Kind - how a value is written, see kinds.js
 * @typedef {string | number | null} Scalar - null: not measured
 * @typedef {{ atLeast: number }} LowerBound - operations that were lost reach into it: terminal and page write `> 12`, files 12
 * @typedef {{ value: Scalar | LowerBound, kind: Kind }} OwnKind - a cell whose kind is not that of its column
 * @typedef {Scalar | LowerBound | OwnKind} Cell
 *
 * @typedef {[heading: string, kind: Kind, where?: 'wide']} Column - `wide`: not on a terminal
 *
 * @typedef {object} DescribedTable - the first table of a run is its row in a matrix, in a pipe and in --outputFile
 * @property {string} id - file name in CSV, anchor in the page; unique among tables and plots
 * @property {string} title
 * @property {Column[]} columns
 * @property {Cell[][]} rows - none: the table is left out
 * @property {string} [note] - how its figures are to be read
 * @property {boolean} [terminal] - a terminal shows it too; the first table is always shown
 * @property {readonly Cell[][]} [inFull] - all rows, where reports have the first ones: for its CSV file alone, and in no JSON, see inFull
 *
 * @typedef {object} Series
 * @property {string} label
 * @property {'line' | 'steps' | 'points' | 'dotted' | 'area'} [style] - default: line; dotted: published, planned or modelled
 * @property {(number | null)[][]} values - [x, y], or [x, y, low, high] of a band; ascending x; y null: a gap
 *
 * @typedef {object} Plot
 * @property {string} id
 * @property {string} title
 * @property {'lines' | 'bars' | 'heat' | 'grid' | 'graph' | 'flame'} kind
 * @property {string} [note]
 * @property {string} [x] - title of the axis, with its unit
 * @property {string} [y]
 * @property {boolean} [logX]
 * @property {boolean} [logY]
 * @property {boolean} [nines] - x is −log10 of the share that is left: 2 is p99
 * @property {boolean} [main] - the best of its kind: it stands in the first screen
 * @property {boolean} [compared] - matrix and comparison draw it of several results over each other
 * @property {Series[]} [series] - of lines and bars; of bars the values are [from, to, count]
 * @property {{ from: number, to: number, label: string }[]} [spans] - stretches of x that are shaded: faults, gaps, hostile peers
 * @property {{ x?: number, y?: number, label: string }[]} [marks] - lines at a value
 * @property {number[][]} [cells] - of heat: [x0, x1, y0, y1, count]
 * @property {number[][]} [dots] - of heat: [x, y, failed ? 1 : 0], what lies far out
 * @property {{ columns: string[], rows: string[], values: (number | string | null)[][] }} [grid] - of grid: a value for each row and column
 * @property {(number | null)[][]} [nodes] - of graph: [x, y, value, size], each 0 to 1 but the value
 * @property {number[][]} [edges] - of graph: pairs of nodes
 * @property {Frame} [root] - of flame
 *
 * @typedef {{ name: string, value: number, self?: number, category?: string, children?: Frame[] }} Frame
 *
 * @typedef {{ code: string, text: string }} DescribedWarning - ordered by harm; a terminal shows three
 *
 * @typedef {object} Description
 * @property {string} title
 * @property {string} headline - one sentence: what was done, what came out
 * @property {[label: string, value: Cell, kind: Kind][]} tiles - the four figures a person looks for first
 * @property {DescribedTable[]} tables
 * @property {Plot[]} plots
 * @property {DescribedWarning[]} warnings
 *
 * @typedef {object} PlanDescription - what is said while a run goes on
 * @property {string} what - what is sent, by whom, where to: parts joined by ` · `
 * @property {readonly string[]} [notes] - said below it, a line each
 * @property {Readonly<Record<string, readonly [running: string, done: string]>>} phases - by name
 * @property {string[] | null} columns - headings of the first table of its result, which do not depend on what was measured; null: only the
 *   result says which these are
 * @property {string} rateUnit - of what is sent
 * @property {string} measured - whose CPU and memory are watched
 *
 * @typedef {object} Describe - what `describe.js` of a scenario exports
 * @property {(plan: any) => PlanDescription} describePlan
 * @property {(result: any) => Description} describeResult - of a partial result too
 */

/** A custom scenario's description is bounded: so many tables and plots, so many bytes. */
export const MAX_TABLES = 50
export const MAX_PLOTS = 50
export const MAX_BYTES = 1_000_000

const KINDS = /** @type {const} */ (['text', 'count', 'number', 'ms', 's', 'percent', 'MB', 'perSecond'])

const kind = z.enum(KINDS)
const scalar = z.union([z.string(), z.number(), z.null()])
const bound = z.strictObject({ atLeast: z.number() })
const cell = z.union([scalar, bound, z.strictObject({ value: z.union([scalar, bound]), kind })], {
  error: 'must be a text, a number, null, { atLeast } or { value, kind }'
})
const column = z.union([z.tuple([z.string(), kind]), z.tuple([z.string(), kind, z.literal('wide')])], {
  error: `must be [heading, kind] or [heading, kind, 'wide'], with a kind of ${KINDS.join(', ')}`
})
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')

const table = z
  .strictObject({
    id,
    title: z.string(),
    columns: z.array(column).min(1),
    rows: z.array(z.array(cell)),
    note: z.string().optional(),
    terminal: z.boolean().optional()
  })
  .refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length), {
    message: 'every row needs a cell for each column',
    path: ['rows']
  })

const numbers = z.array(z.number())
const withGaps = z.array(z.union([z.number(), z.null()]))

/** @type {z.ZodType<Frame>} */
const frame = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    value: z.number(),
    self: z.number().optional(),
    category: z.string().optional(),
    children: z.array(frame).optional()
  })
)

const plot = z.strictObject({
  id,
  title: z.string(),
  kind: z.enum(['lines', 'bars', 'heat', 'grid', 'graph', 'flame']),
  note: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  logX: z.boolean().optional(),
  logY: z.boolean().optional(),
  nines: z.boolean().optional(),
  main: z.boolean().optional(),
  compared: z.boolean().optional(),
  series: z
    .array(
      z.strictObject({
        label: z.string(),
        style: z.enum(['line', 'steps', 'points', 'dotted', 'area']).optional(),
        values: z.array(withGaps)
      })
    )
    .optional(),
  spans: z.array(z.strictObject({ from: z.number(), to: z.number(), label: z.string() })).optional(),
  marks: z
    .array(z.strictObject({ x: z.number().optional(), y: z.number().optional(), label: z.string() }))
    .optional(),
  cells: z.array(numbers).optional(),
  dots: z.array(numbers).optional(),
  grid: z
    .strictObject({
      columns: z.array(z.string()),
      rows: z.array(z.string()),
      values: z.array(z.array(scalar))
    })
    .optional(),
  nodes: z.array(withGaps).optional(),
  edges: z.array(numbers).optional(),
  root: frame.optional()
})

/** descriptionSchema checks a description: of a custom scenario when it is made, of all others in tests. */
export const descriptionSchema = z
  .strictObject({
    title: z.string(),
    headline: z.string(),
    tiles: z.array(z.tuple([z.string(), cell, kind])),
    tables: z.array(table).max(MAX_TABLES),
    plots: z.array(plot).max(MAX_PLOTS),
    warnings: z.array(z.strictObject({ code: z.string(), text: z.string() }))
  })
  .refine(
    ({ tables, plots }) => {
      const ids = [...tables, ...plots].map(({ id }) => id)
      return new Set(ids).size === ids.length
    },
    { message: 'ids of tables and plots must differ from each other' }
  )
