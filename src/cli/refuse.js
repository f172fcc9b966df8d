import { PROGRAM } from '../kit/program.js'
import { onTerminal } from '../report/terminal-text.js'
import { EXIT } from './exit-codes.js'
import { problemList } from './problem-list.js'

/**
 * refuse says what keeps a command from starting.
 *
 * @param {string} command
 * @param {import('../plan/read-options.js').Problem[]} problems
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {number} exit code
 */
export function refuse(command, problems, { stderr }) {
  stderr.write(onTerminal(problemList(problems, `${PROGRAM} ${command} --help`), stderr))
  return EXIT.USAGE
}

/**
 * folderArgument takes the one folder that a command is given, or says what is wrong.
 *
 * @param {string[]} words
 * @param {string} what - the folder holds
 * @returns {{ folder: string, problems: never[] } | { folder: undefined, problems: import('../plan/read-options.js').Problem[] }}
 */
export function folderArgument([folder, ...more], what) {
  if (folder !== undefined && more.length === 0) return { folder, problems: [] }
  const value = more.join(' ')
  const allowed = folder === undefined ? `must name ${what}` : 'must name one folder only'
  return { folder: undefined, problems: [{ flag: 'folder', value, allowed }] }
}

/**
 * unreadable turns an error of a file that was named into a problem with it.
 *
 * @param {unknown} error
 * @returns {import('../plan/read-options.js').Problem}
 * @throws what is no such error
 */
export function unreadable(error) {
  const { code, file, why } = /** @type {import('../result/read-result.js').ResultFileError} */ (error)
  // by its code: what reads results is loaded only where some are read
  if (code !== 'BAD_RESULT') throw error
  return { flag: file, value: '', allowed: why }
}
