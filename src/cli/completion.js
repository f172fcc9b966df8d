import yargs from 'yargs'
import { INSTALLED } from '../kit/program.js'
import { EXIT } from './exit-codes.js'

/** @type {import('./arguments.js').CommandHelp} */
export const help = {
  options: {},
  examples: /** @type {[string, string][]} */ ([['for each shell from now on', 'completion >> ~/.bashrc']]),
  epilogue: `Bash and zsh complete what is typed behind ${INSTALLED}, as npm install --global installs it.`
}

/**
 * run prints a script that completes commands and options.
 *
 * @returns {Promise<number>} exit code
 */
export async function run() {
  yargs().scriptName(INSTALLED).showCompletionScript()
  return EXIT.DONE
}
