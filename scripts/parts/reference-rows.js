import { wordsOf } from '../package/examples.js'

/**
 * @typedef {object} ReferenceRow - a committed result
 * @property {string} name
 * @property {string[]} argv - of node
 */

/** Studies that go on where they were broken off, and take no option again: their folders have what was asked for. */
const FIXED = new Set(['ab', 'qa', 'saturate'])

/**
 * referenceRows are the entries of a table whose first columns are a name and a command.
 *
 * @param {string} markdown
 * @returns {ReferenceRow[]}
 */
export const referenceRows = markdown =>
  [...markdown.matchAll(/^\| ([\w-]+) +\| `(node [^`]+)` /gm)].map(([, name, line]) => ({
    name,
    argv: wordsOf(line).slice(1)
  }))

/** @param {string} word - of a command line, or the plan of a side of `ab` */
const isOption = word => word === '' || word.startsWith('--')

/** The command and the scenario alone. @param {string[]} argv */
const withoutOptions = argv => argv.slice(0, argv.concat('').findIndex(isOption))

/** isBench says whether a row runs a bench, which writes its table in place and resumes from it. @param {ReferenceRow} row */
export const isBench = ({ argv }) => argv[0] === 'bench/index.js'

/**
 * argvOf is the command of a row in its folder: a study that was broken off goes on.
 *
 * @param {ReferenceRow} row
 * @param {{ folder: string, begun: boolean }} state - `begun`: it was broken off before
 */
export function argvOf(row, { folder, begun }) {
  const { argv } = row
  if (isBench(row)) return argv
  const into = ['--outputDir', folder]
  if (!begun) return [...argv, ...into]
  if (FIXED.has(argv[1])) return [...withoutOptions(argv), ...into, '--resume']
  return [...argv, ...into, ...(argv[1] === 'matrix' ? ['--resume'] : [])]
}

/**
 * chosenRows are those that are asked for, in the order of their list: `gossip` is the row of that name, `saturate`, which is none, all those
 * that have it in theirs.
 *
 * @param {readonly ReferenceRow[]} rows
 * @param {string} only - names or parts of names, commas between; empty: all rows
 * @returns {ReferenceRow[]}
 */
export function chosenRows(rows, only) {
  const isOne = (/** @type {string} */ wanted) => rows.some(({ name }) => name === wanted)
  const isMeant = (/** @type {string} */ wanted, /** @type {string} */ name) =>
    isOne(wanted) ? name === wanted : name.includes(wanted)
  return rows.filter(({ name }) => only.split(',').some(wanted => isMeant(wanted, name)))
}
