import { readCommandOptions } from '../plan/command-options.js'
import { OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { loadViews } from '../report/load-views.js'
import { listFolder } from '../studies/list-folder.js'
import { runList } from '../studies/run-list.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 */

const { outputDir } = OUTPUT_OPTIONS
const COMMAND_OPTIONS = { outputDir: { ...outputDir, describe: 'folder of results' } }

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['what was run so far', 'list'],
    ['elsewhere', 'list my-results']
  ]),
  epilogue:
    'Runs, and matrices, ab, saturate, capacity and gossip --validate with what they came to, in the order they were made; a result that cannot be read says why.'
}

/**
 * run lists what a folder of results holds.
 *
 * @param {Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, surroundings) {
  const { findScenario } = surroundings
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const [folder = own.outputDir, ...more] = words
  const strays = more.map(word => ({ flag: word, value: '', allowed: 'is one folder too many' }))
  if (problems.length + strays.length > 0) return refuse('list', [...problems, ...strays], surroundings)
  // nothing was run yet where nothing was named
  const entries = await listFolder(folder, findScenario).catch(() => (words.length === 0 ? [] : null))
  if (entries === null)
    return refuse(
      'list',
      [{ flag: folder, value: '', allowed: 'is no folder that can be read' }],
      surroundings
    )
  const viewOf = await loadViews(
    entries.flatMap(entry => (entry.kind === 'run' ? [entry.result] : [])),
    findScenario
  )
  surroundings.stdout.write(
    entries.length === 0 ? `no results in ${folder}\n` : `${runList(entries, viewOf)}\n`
  )
  return EXIT.DONE
}
