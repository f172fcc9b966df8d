/**
 * What a scenario adds to the views of matrices. Only types live here.
 *
 * @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 *
 * @typedef {object} Line - of the table of a matrix
 * @property {RowRecord} row
 * @property {any} [result] - undefined: nothing was measured in this line
 * @property {any} [operation] - where a row has a line for each type of operation
 * @property {string} [type] - of operation
 *
 * @typedef {{ heading: string, align?: 'l', cell: (line: Line) => string }} Column
 *
 * @typedef {object} ScenarioMatrix - what a scenario adds to the views of a matrix
 * @property {(rows: RowRecord[]) => Column[]} columns - of its table, without those that all tables have
 * @property {boolean} [namesFirst] - the names of rows, which plots refer to, stand before the other columns
 * @property {(row: RowRecord, result: any) => Line[]} lines - of its table
 * @property {import('./view.js').ScenarioNotes['signs']} signs - in its table
 * @property {(results: any[]) => string[]} setting - how the rows were measured, in lines of markdown
 * @property {{ work: string, members: string }} words - what is scaled, and what is not
 * @property {(results: any[]) => string} lead - what was measured, in a sentence
 * @property {(table: TableRecord, results: ReadonlyMap<string, any>) => string[]} [remarks] - on what its rows say together, in markdown
 * @property {string} withoutPlots - why there are none
 * @property {(result: any) => string} inLine - the figures of a row
 */
export {}
