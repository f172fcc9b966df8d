import { resolve } from 'node:path'
import { columnsOf } from '../kit/terminal-width.js'
import { readCommandOptions } from '../plan/command-options.js'
import { camelCase } from '../plan/option-text.js'
import { GROUP, OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { wholeNumber } from '../plan/values.js'
import { loadViews } from '../report/load-views.js'
import { writeTable } from '../report/terminal.js'
import { STUDIES } from '../studies/index.js'
import { listFolder } from '../studies/list-folder.js'
import { listedOf, listTable } from '../studies/listing.js'
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

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['what was run so far', 'list'],
    ['elsewhere', 'list my-results'],
    ['for a program', 'list --limit 1000 --json']
  ]),
  epilogue:
    'Runs, and matrices, ab and saturate with what they came to, newest first; a result that cannot be read says why.'
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
  const isAsked = isGiven('outputDir', options)
  const strays = more.map(word => ({ flag: word, value: '', allowed: 'is one folder too many' }))
  const others = isAsked ? otherFolder(folder, own.outputDir) : []
  const all = [...problems, ...strays, ...others]
  if (all.length > 0) return refuse('list', all, surroundings)
  const isNamed = words.length > 0 || isAsked
  const entries = await listFolder(folder, findScenario).catch(() => (isNamed ? null : notYet()))
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
  const rows = await Promise.all(newest.map(entry => listedOf(entry, async of => describedIn(of, viewOf))))
  if (own.json) surroundings.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else writeList(rows, { count: entries.length, folder, surroundings })
  return EXIT.DONE
}

/** Nothing was run yet. @returns {import('../studies/list-folder.js').Entry[]} */
const notYet = () => []

/** @param {string} key @param {Record<string, unknown>} options - as typed */
const isGiven = (key, options) => Object.keys(options).some(name => camelCase(name) === key)

/** @param {string} folder - that is listed @param {string} outputDir @returns {import('../plan/plan.js').Problem[]} */
const otherFolder = (folder, outputDir) =>
  resolve(folder) === resolve(outputDir)
    ? []
    : [
        {
          flag: '--outputDir',
          value: outputDir,
          allowed: `is another folder than ${folder}: name one of them only`
        }
      ]

/**
 * What a folder holds, in few words: of a study without its runs, which are not read.
 *
 * @param {Exclude<import('../studies/list-folder.js').Entry, { kind: 'unreadable' }>} entry
 * @param {import('../report/view.js').ViewOf} viewOf
 * @returns {import('../report/description/description.js').Description}
 */
function describedIn(entry, viewOf) {
  if (entry.kind === 'run') {
    const { describePlan, describeResult } = viewOf(entry.result)
    return { ...describeResult(entry.result), title: describePlan(entry.result.plan).what }
  }
  const [title, figures] = STUDIES[entry.kind].inLine(entry.document)
  return { title, headline: '', tiles: [['', figures, 'text']], tables: [], plots: [], warnings: [] }
}

/** A terminal's table is indented. */
const INDENT = 2

/**
 * @param {import('../studies/listing.js').Listed[]} rows
 * @param {{ count: number, folder: string, surroundings: import('./surroundings.js').Surroundings }} of - `count`: there are
 */
function writeList(rows, { count, folder, surroundings }) {
  const { stdout } = surroundings
  if (count === 0) return void stdout.write(`no results in ${folder}\n`)
  writeTable(listTable(rows, stdout.isTTY ? columnsOf(stdout) - INDENT : undefined), surroundings)
  const left = count - rows.length
  if (left > 0) stdout.write(`${left} older: --limit ${count}\n`)
}
