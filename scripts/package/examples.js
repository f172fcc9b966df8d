/** Blocks of a document, in turn: what begins one else looks like what ends one. */
const BLOCKS = /^```(\w*)\n(.*?)^```$/gms

/** @param {string} markdown @param {string} language - empty: none is named */
const blocksIn = (markdown, language) =>
  [...markdown.matchAll(BLOCKS)].flatMap(([, named, text]) => (named === language ? [text] : []))

/**
 * programsIn gives the programs of a document, as they are written.
 *
 * @param {string} markdown
 */
export const programsIn = markdown => blocksIn(markdown, 'js')

/**
 * commandLinesIn gives the command lines of a document that begin with the program's name, without comments behind them.
 *
 * @param {string} markdown
 */
export const commandLinesIn = markdown =>
  blocksIn(markdown, '').flatMap(block =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map(line => line.replace(/\s+#\s.*$/, '').trim())
      .filter(line => line.startsWith('node index.js'))
  )

/**
 * scenarioIn gives the example scenario of a document.
 *
 * @param {string} markdown
 */
export const scenarioIn = markdown => blocksIn(markdown, 'javascript')[0] ?? ''

/**
 * wordsOf splits a command line as a shell does: words apart, quotes taken off.
 *
 * @param {string} line
 */
export const wordsOf = line =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')
  )

/** What a program imports, but for Node's own and files. */
const PACKAGES = /from '((?:@[\w-]+\/)?[\w-]+)[^']*'/g

/**
 * packagesOf names what programs import.
 *
 * @param {readonly string[]} programs
 */
export const packagesOf = programs => [
  ...new Set(programs.flatMap(program => [...program.matchAll(PACKAGES)].map(([, name]) => name)))
]
