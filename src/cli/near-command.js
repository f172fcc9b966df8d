import { nearWord } from '../kit/problem-words.js'
import { PROGRAM } from '../kit/program.js'
import { onTerminal } from '../report/terminal-text.js'
import { COMMANDS } from './commands.js'
import { EXIT } from './exit-codes.js'
import { problemList } from './problem-list.js'

const NAMES = COMMANDS.map(({ name }) => name)

/**
 * refuseNearCommand says which command was meant by a first word that is none, if one is spelled like it.
 *
 * @param {string} word
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {number | null} exit code; null: it is like none
 */
export function refuseNearCommand(word, { stderr }) {
  const name = nearWord(word, NAMES, 1)
  if (name === null) return null
  const problem = { flag: word, value: '', allowed: `is no command; did you mean ${name}?` }
  stderr.write(onTerminal(problemList([problem], `${PROGRAM} --help`), stderr))
  return EXIT.USAGE
}
