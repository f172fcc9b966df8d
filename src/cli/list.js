import { columnsOf } from '../kit/fitted.js'
import { readCommandOptions } from '../plan/command-options.js'
import { GROUP, OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { wholeNumber } from '../plan/values.js'
import { loadViews } from '../report/load-views.js'
import { listFolder } from '../studies/list-folder.js'
import { listed, runList } from '../studies/run-list.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 */

const { outputDir, json } = OUTPUT_OPTIONS
const COMMAND_OPTIONS = {
  limit: { group: GROUP.OUTPUT, ...wholeNumber(1, 1e6), default: 20, describe: 'so many, the newest' },
  outputDir: { ...outputDir, describe: 'folder of results' },
  json: { ...json, describe: 'print what there is as JSON, uncut' }
}

/** Where it is no terminal that is written to. */
const COLUMNS = 100

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['what was run so far', 'list'],
    ['elsewhere', 'list my-results'],
    ['for a program', 'list --limit 1000 --json']
  ]),
  epilogue:
    'Runs, and matrices, ab, saturate, capacity and gossip --validate with what they came to, newest first; a result that cannot be read says why.'
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
  const newest = entries.reverse().slice(0, Number(own.limit))
  const viewOf = await loadViews(
    newest.flatMap(entry => (entry.kind === 'run' ? [entry.result] : [])),
    findScenario
  )
  const rows = newest.map(entry => listed(entry, viewOf))
  surroundings.stdout.write(
    own.json
      ? `${JSON.stringify(rows, null, 2)}\n`
      : listText(rows, { count: entries.length, folder, stdout: surroundings.stdout })
  )
  return EXIT.DONE
}

/**
 * @param {import('../studies/run-list.js').Listed[]} rows
 * @param {{ count: number, folder: string, stdout: import('./surroundings.js').Surroundings['stdout'] }} of - `count`: there are
 */
function listText(rows, { count, folder, stdout }) {
  if (count === 0) return `no results in ${folder}\n`
  const left = count - rows.length
  const more = left === 0 ? '' : `${left} older: --limit ${count}\n`
  return `${runList(rows, stdout.isTTY ? columnsOf(stdout) : COLUMNS)}\n${more}`
}
