import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { visible } from '../kit/visible.js'
import { resultToKeep } from '../result/compact.js'
import { RESULT_FILE, writeWhole } from '../result/folder.js'
import { reportCommandLine } from './repeat.js'
import { runReport } from './run-report.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').ViewFile} ViewFile
 */

/**
 * The page draws its plots with a large library: it is loaded when the first page is made.
 *
 * @type {ViewFile['render']}
 */
const page = async (result, where) => (await import('./page/run-page.js')).reportPage(result, where)

/** The one to look at. */
const PAGE = 'report.html'

/** The views that every run has. @type {readonly ViewFile[]} */
const VIEWS = [
  { file: 'report.md', render: runReport },
  { file: PAGE, render: page }
]

/**
 * runFiles are what a user is told to look at in the folder of a run.
 *
 * @param {{ page: boolean }} which - `page`: it was drawn
 */
export const runFiles = ({ page }) => [...(page ? [PAGE] : []), RESULT_FILE]

/**
 * writeView writes a view in place of an earlier one.
 *
 * @param {string} file
 * @param {string} content
 */
export const writeView = (file, content) =>
  writeWhole(file, file.endsWith('.html') ? content : visible(content))

/**
 * writeViews writes the views of a result into the folder of its run, in place of earlier ones.
 *
 * @param {AnyResult} result
 * @param {string} folder
 * @param {{ csv: boolean, page?: boolean }} which
 * @param {View} view
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeViews(result, folder, { csv, page = true }, view) {
  const every = VIEWS.filter(({ file }) => page || file !== PAGE)
  const views = [...every, ...(csv ? view.csv : [])].filter(({ when }) => when?.(result) ?? true)
  const tables = views.map(({ file }) => file).filter(file => file.endsWith('.csv'))
  for (const { file, render } of views)
    await writeView(join(folder, file), await render(result, { folder, view, tables }))
  return views.map(({ file }) => join(folder, file))
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
 * notDrawn says that there was no time for a page, and how it is drawn later.
 *
 * @param {string} folder - whose page it is
 * @returns {string} a line
 */
export const notDrawn = folder =>
  `${PAGE} was not drawn, for who sends SIGTERM does not wait. To draw it: ${reportCommandLine(folder)}\n`

/** beingDrawn says what the program still does once a result is shown. @param {string} folder @returns {string} a line */
const beingDrawn = folder => `drawing ${join(folder, PAGE)}\n`

/**
 * viewsOfRun writes the views once a run has ended, whatever it came to. The result is kept already: a view that cannot be made
 * takes nothing from it, and can be made later.
 *
 * @param {string} folder
 * @param {{ csv: boolean, quiet?: boolean, hurried?: () => boolean }} which - `quiet`: nothing but what went wrong is said; `hurried`: at
 *   the end there is no time for the page
 * @param {(text: string) => void} say - takes a line
 * @param {View} view
 * @returns {{ add(record: Record_): void, close(): Promise<void> }}
 */
export function viewsOfRun(folder, { csv, quiet = true, hurried = () => false }, say, view) {
  /** @type {AnyResult | null} */
  let latest = null
  return {
    add(record) {
      if (record.type === 'partial' || record.type === 'result') latest = resultToKeep(record)
    },
    async close() {
      if (latest === null) return
      try {
        const page = !hurried()
        if (page && !quiet) say(beingDrawn(folder))
        await writeViews(latest, folder, { csv, page }, view)
        if (!page) say(notDrawn(folder))
      } catch (error) {
        say(notWritten(error, folder))
      }
    }
  }
}
