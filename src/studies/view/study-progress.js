import { endLine, etaWords, title } from './turn-words.js'

/**
 * @typedef {import('../../result/types.js').Record_} Record_
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../report/view.js').ViewOf} ViewOf
 *
 * @typedef {object} Place - of a row among those that are run
 * @property {Pick<RowRecord, 'id' | 'plan' | 'status' | 'reason' | 'tookMs'>} row - or whatever else is run one after the other
 * @property {number} index - from 1
 * @property {number} total
 * @property {number} etaMs - of the whole study
 * @property {boolean} paceKnown - a run has shown how long runs take
 *
 * @typedef {object} StudyProgress
 * @property {(place: Place) => void} begin
 * @property {(record: Record_, place?: Place) => void} add - a record of a row that goes on; `place`: which one, where several do
 * @property {(place: Place, result: AnyResult | null) => void} end
 * @property {(text: string) => void} notice
 * @property {() => void} close
 */

/** @type {StudyProgress} */
const NOTHING = { begin() {}, add() {}, end() {}, notice() {}, close() {} }

/** @param {(line: string) => void} write @param {ViewOf} viewOf @returns {StudyProgress} */
const plain = (write, viewOf) => ({
  ...NOTHING,
  begin: place => write(`  ${title(place)}   ${etaWords(place)}`),
  end: (place, result) =>
    write(`${place.row.status === 'complete' ? '✔' : '✖'} ${endLine(place, result, viewOf)}`),
  notice: write
})

/**
 * studyProgress shows how a study goes on: a line for each run that has ended, and on a terminal a moving one for the run
 * that goes on.
 *
 * @param {object} components
 * @param {import('../../report/terminal.js').Stream} components.stream
 * @param {boolean} components.quiet
 * @param {ViewOf} components.viewOf
 * @returns {Promise<StudyProgress>}
 */
export async function studyProgress({ stream, quiet, viewOf }) {
  if (quiet) return NOTHING
  if (!stream.isTTY) return plain(line => void stream.write(`${line}\n`), viewOf)
  const { liveStudyProgress } = await import('./live-study-progress.js')
  return liveStudyProgress(stream, viewOf)
}
