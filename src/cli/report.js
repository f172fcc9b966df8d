import { basename, join, relative } from 'node:path'
import { counted } from '../kit/numbers.js'
import { readCommandOptions } from '../plan/command-options.js'
import { OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { yesOrNo } from '../plan/values.js'
import { writeDescription } from '../report/terminal.js'
import { rebuild } from '../studies/rebuild.js'
import { EXIT } from './exit-codes.js'
import { folderArgument, refuse, unreadable } from './refuse.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 */

const { csv } = OUTPUT_OPTIONS
const COMMAND_OPTIONS = {
  csv,
  runs: {
    group: csv.group,
    default: true,
    ...yesOrNo(),
    describe:
      'of what holds several runs, the pages of all of them too; --no-runs: only its own, which then lead to what is there of each run'
  }
}

/** @type {CommandHelp} */
export const REPORT = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['of a run', 'report results/20261120-0712-rendezvous-7'],
    ['its figures as CSV', 'report results/20261120-0712-rendezvous-7 --csv'],
    ['of a matrix and all its rows', 'report results/20261120-0712-matrix-rendezvous'],
    ['of a comparison alone, without its runs', 'report results/20261120-0712-ab-7 --no-runs']
  ]),
  epilogue:
    'The folder is that of a run, of a matrix, of ab, saturate or qa, or a folder of runs. Results of older versions are read as well.'
}

/** More files are counted. */
const MAX_NAMED = 6

/** @param {readonly string[]} files */
const namesOf = files =>
  files.length <= MAX_NAMED
    ? files.join(' · ')
    : `${counted(files.length, 'file')}: ${[...new Set(files.map(file => basename(file)))].join(' · ')}`

/**
 * reportCommand makes the views of what a folder holds again.
 *
 * @param {Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function reportCommand({ options, words }, surroundings) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const { folder, problems: noFolder } = folderArgument(words, 'a folder of results')
  if (folder === undefined || problems.length > 0)
    return refuse('report', [...noFolder, ...problems], surroundings)
  try {
    const { description, files } = await rebuild(folder, {
      csv: own.csv,
      runs: own.runs,
      find: surroundings.findScenario
    })
    const { stdout } = surroundings
    const written = [`written: ${join(folder, '/')}   ${namesOf(files.map(file => relative(folder, file)))}`]
    if (description === null) stdout.write(`${written[0]}\n`)
    else writeDescription(description, surroundings, written)
    return EXIT.DONE
  } catch (error) {
    return refuse('report', [unreadable(error)], surroundings)
  }
}
