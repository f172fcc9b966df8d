import { commandLinesIn } from '../package/examples.js'

/**
 * @typedef {object} ReferenceRow - a committed result
 * @property {string} name
 * @property {string[]} argv - of node, as the document has it
 */

/** Of a shell: words apart, quotes taken off. @param {string} line */
const wordsOf = line =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')
  )

/** What goes on where it was broken off. */
const STUDIES = new Set(['ab', 'capacity', 'matrix', 'qa', 'saturate'])

/**
 * referenceRows are the commands of a document that have a name behind them.
 *
 * @param {string} markdown
 * @returns {ReferenceRow[]}
 */
export function referenceRows(markdown) {
  const names = new Map(
    [...markdown.matchAll(/^(node index\.js.*?)\s+#\s+([\w-]+)$/gm)].map(([, line, name]) => [
      line.trim(),
      name
    ])
  )
  return commandLinesIn(markdown).flatMap(line => {
    const name = names.get(line)
    return name === undefined ? [] : [{ name, argv: wordsOf(line).slice(1) }]
  })
}

/**
 * argvOf is the command of a row in its folder.
 *
 * @param {ReferenceRow} row
 * @param {{ folder: string, begun: boolean }} state - `begun`: it was broken off before
 */
export const argvOf = ({ argv }, { folder, begun }) => [
  ...argv,
  '--outputDir',
  folder,
  ...(begun && (STUDIES.has(argv[1]) || argv.includes('--validate')) ? ['--resume'] : [])
]
