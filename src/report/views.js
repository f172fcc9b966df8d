import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { visible } from '../kit/visible.js'
import { resultToKeep } from '../result/compact.js'
import { RESULT_FILE, writeWhole } from '../result/folder.js'
import { csvFiles } from './description/csv.js'
import { aboutRun, describeRun, tookLine } from './description/describe-run.js'
import { markdownReport } from './description/markdown.js'
import { headLines } from './progress-words.js'
import { planCommandLine, repeatCommandLine, reportCommandLine } from './repeat.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./description/description.js').Description} Description
 * @typedef {import('./view.js').View} View
 */

const MARKDOWN = 'report.md'
/** The one to look at. */
const PAGE = 'report.html'

/** RUN_FILES are what a user is told to look at in the folder of a run. */
export const RUN_FILES = [PAGE, RESULT_FILE]

/**
 * writeView writes a view in place of an earlier one.
 *
 * @param {string} file
 * @param {string} content
 */
export const writeView = (file, content) =>
  writeWhole(file, file.endsWith('.html') ? content : visible(content))

/**
 * writeReport writes a description into a folder, in place of earlier ones: report.md, report.html, CSV files.
 *
 * @param {string} folder
 * @param {Description} description
 * @param {object} about
 * @param {string} about.id - of the run or study
 * @param {string} about.version - of this program
 * @param {readonly string[]} about.lines - under the title
 * @param {string} about.command - that repeats it
 * @param {readonly import('./description/description.js').DescribedTable[]} [about.tables] - at the end
 * @param {ReadonlyMap<string, string>} [about.links] - where cells of tables lead, by their texts
 * @param {readonly string[]} about.files - beside it
 * @param {{ csv?: boolean, page?: boolean }} which
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeReport(folder, description, about, { csv = false, page = true }) {
  const { lines, command, version, tables = [], links } = about
  const csvs = csv ? csvFiles(description) : []
  /** @type {[string, string][]} */
  const files = [[MARKDOWN, markdownReport(description, { lines, command, about: tables })], ...csvs]
  if (page) {
    // its script is read from files: only where a page is made
    const { descriptionPage } = await import('./page/description-page.js')
    const whole = { ...description, tables: [...description.tables, ...tables] }
    const beside = [...about.files, ...csvs.map(([file]) => file)]
    files.push([
      PAGE,
      descriptionPage(whole, {
        head: { id: about.id, when: lines.join(' · '), command, links, files: beside, version }
      })
    ])
  }
  for (const [file, content] of files) await writeView(join(folder, file), content)
  return files.map(([file]) => join(folder, file))
}

/**
 * writeViews writes the views of a result into the folder of its run, in place of earlier ones.
 *
 * @param {AnyResult} result
 * @param {string} folder
 * @param {{ csv: boolean, page?: boolean }} which
 * @param {View} view
 * @returns {Promise<string[]>} paths of the files
 */
export function writeViews(result, folder, which, view) {
  const { plan, run } = result
  const version = run.versions['libp2p-loadtest'] ?? ''
  const [head, what] = headLines({ plan, run }, version, view)
  const lines = [head, what, tookLine(run, run)]
  const command = `${repeatCommandLine(folder, plan, view.scenario)}\n${planCommandLine(plan, view.scenario)}`
  const about = { id: result.id, version, lines, command, tables: aboutRun(result), files: [RESULT_FILE] }
  return writeReport(folder, describeRun(result, view), about, which)
}

/**
 * notWritten says that a view could not be written, and how it is made later, where there is anything to make it from.
 *
 * @param {unknown} error
 * @param {string} folder - whose views they are
 * @returns {string} a line
 */
export function notWritten(error, folder) {
  const again = existsSync(folder) ? `. Once more: ${reportCommandLine(folder)}` : ''
  return `⚠ Not every report was written: ${error instanceof Error ? error.message : String(error)}${again}\n`
}

/**
 * viewsOfRun writes the views once a run has ended, whatever its outcome. The result is kept already: a view that cannot be made
 * takes nothing from it, and can be made later.
 *
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @param {(text: string) => void} say - takes a line
 * @param {View} view
 * @returns {{ add(record: Record_): void, close(): Promise<void> }}
 */
export function viewsOfRun(folder, { csv }, say, view) {
  /** @type {AnyResult | null} */
  let latest = null
  return {
    add(record) {
      if (record.type === 'partial' || record.type === 'result') latest = resultToKeep(record)
    },
    async close() {
      if (latest === null) return
      try {
        await writeViews(latest, folder, { csv }, view)
      } catch (error) {
        say(notWritten(error, folder))
      }
    }
  }
}
