/**
 * @template {unknown[]} Given
 * @template Made
 * @typedef {import('../scenarios/scenario.js').Handed<Given, Made>} Handed
 */

/**
 * What a scenario adds to the views of matrices. Only types live here.
 *
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} Line - of the table of a matrix
 * @property {RowRecord} row
 * @property {R} [result] - undefined: nothing was measured in this line
 * @property {import('../result/types.js').OperationResult} [operation] - where a row has a line for each type of operation
 * @property {string} [type] - of operation
 */

/** @template {AnyResult} [R=AnyResult] @typedef {{ heading: string, align?: 'l', cell: Handed<[line: Line<R>], string> }} Column */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} ScenarioMatrix - what a scenario adds to the views of a matrix
 * @property {(rows: RowRecord[]) => Column<R>[]} columns - of its table, without those that all tables have
 * @property {boolean} [namesFirst] - the names of rows, which plots refer to, stand before the other columns
 * @property {Handed<[row: RowRecord, result: R | undefined], Line<R>[]>} lines - of its table
 * @property {import('./view.js').ScenarioNotes['signs']} signs - in its table
 * @property {Handed<[results: R[]], string[]>} setting - how the rows were measured, in lines of markdown
 * @property {{ work: string, members: string }} words - what is scaled, and what is not
 * @property {Handed<[results: R[]], string>} lead - what was measured, in a sentence
 * @property {Handed<[table: TableRecord, results: ReadonlyMap<string, R>], string[]>} [remarks] - on what its rows say together, in markdown
 * @property {Handed<[tables: readonly TableRecord[], results: ReadonlyMap<string, R>], { title: string, note: string, table: import('../kit/table.js').Table }>} [series] -
 *   a table over several of its tables
 * @property {Handed<[tables: readonly TableRecord[], results: ReadonlyMap<string, R>], string>} [sheet] - CSV of all rows of its tables
 * @property {string} withoutPlots - why there are none
 * @property {Handed<[result: R], string>} inLine - the figures of a row
 */
export {}
