import yargs from 'yargs'
import { INSTALLED } from '../kit/program.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/** @type {import('./arguments.js').CommandHelp} */
export const COMPLETION = {
  options: {},
  examples: /** @type {[string, string][]} */ ([['for each shell from now on', 'completion >> ~/.bashrc']]),
  epilogue: `Bash and zsh complete what is typed behind ${INSTALLED}, commands, options and the values of those that have a few, as npm install --global installs it.`
}

/**
 * completionCommand prints a script that completes commands, options and values.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function completionCommand({ options, words }, surroundings) {
  const strays = [...words, ...Object.keys(options).map(name => `--${name}`)]
  const problems = strays.map(flag => ({ flag, value: '', allowed: 'has no use here' }))
  if (problems.length > 0) return refuse('completion', problems, surroundings)
  yargs().scriptName(INSTALLED).showCompletionScript()
  return EXIT.DONE
}
