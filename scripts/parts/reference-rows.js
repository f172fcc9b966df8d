/**
 * @typedef {object} ReferenceRow - a committed result
 * @property {string} name
 * @property {string[]} argv - of node
 * @property {string} [part] - of what the command makes: all that is committed
 */

/** Of a shell: words apart, quotes taken off. @param {string} line */
const wordsOf = line =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')
  )

/** Studies that go on where they were broken off, and take no option again: their folders have what was asked for. */
const FIXED = new Set(['ab', 'capacity', 'qa', 'saturate'])

/**
 * Each case of a list is a row of its own, for together they take longer than anyone watches.
 *
 * @param {ReferenceRow} row
 * @param {(list: string) => string[]} casesOf
 * @returns {ReferenceRow[]}
 */
function perCase(row, casesOf) {
  const at = row.argv.indexOf('--cases')
  if (at < 0) return [row]
  return casesOf(row.argv[at + 1]).map(part => ({
    name: `${row.name}/${part}`,
    argv: [...row.argv, '--only', part],
    part
  }))
}

/**
 * referenceRows are the commands of a document that have a name behind them; what is to be seen several times has several.
 *
 * @param {string} markdown
 * @param {(list: string) => string[]} casesOf - names of the cases of a list
 * @returns {ReferenceRow[]}
 */
export function referenceRows(markdown, casesOf) {
  return [...markdown.matchAll(/^(node index\.js.*?)\s+#\s+([\w-]+)$/gm)].flatMap(([, line, name]) =>
    perCase({ name, argv: wordsOf(line).slice(1) }, casesOf)
  )
}

/** @param {string} word - of a command line, or the plan of a side of `ab` */
const isOption = word => word === '' || word.startsWith('--')

/** The command and the scenario alone. @param {string[]} argv */
const withoutOptions = argv => argv.slice(0, argv.concat('').findIndex(isOption))

/**
 * argvOf is the command of a row in its folder: a study that was broken off goes on.
 *
 * @param {ReferenceRow} row
 * @param {{ folder: string, begun: boolean }} state - `begun`: it was broken off before
 */
export function argvOf({ argv, part }, { folder, begun }) {
  const into = ['--outputDir', folder]
  if (!begun) return [...argv, ...into]
  if (FIXED.has(argv[1])) return [...withoutOptions(argv), ...into, '--resume']
  if (argv.includes('--validate')) {
    const asked = ['--validate', ...(part === undefined ? [] : ['--only', part])]
    return [...withoutOptions(argv), ...asked, ...into, '--resume']
  }
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
