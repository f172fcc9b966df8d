/**
 * @typedef {Record<string, any>} Row
 *
 * @typedef {(statement: { name?: string, text: string }, values?: readonly unknown[]) => Promise<Row[]>} Query - one with a name is
 *   prepared once
 *
 * @typedef {object} Database - what a store needs of a database that speaks PostgreSQL's SQL
 * @property {Query} query
 * @property {<T>(work: (query: Query) => Promise<T>) => Promise<T>} transaction - on one connection; what throws is rolled back
 * @property {() => Promise<string>} durability - what is still there after which crash, in words
 * @property {() => number} waiting - statements that wait for a connection
 * @property {() => import('./postgres.js').PoolFigures} [pool] - what its pool of connections has done so far
 * @property {number} maxUnderWay - statements that may be under way or wait
 * @property {() => Promise<void>} close
 */

export {}
