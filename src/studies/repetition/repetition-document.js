import { current } from '../comparison/ab-folder.js'
import { studyFile } from '../study-document.js'

/**
 * @typedef {object} RepetitionParts
 * @property {Readonly<import('../../plan/plan.js').AnyPlan>} plan
 * @property {string[]} failOn - rules as they were given
 * @property {string | null} baseline - folder of earlier runs, as it was given
 * @property {import('../comparison/baseline.js').BaselineVerdict | null} held - how the runs stood against them; null: nothing was asked for,
 *   or nothing could be held
 * @property {(string | null)[]} runs - as many as were asked for: paths of their folders in this one; null: not complete
 *
 * @typedef {import('../study-document.js').Head & RepetitionParts} RepetitionDocument - `runs.json`
 */

/** RUNS_FOLDER of a repetition holds its runs. */
export const RUNS_FOLDER = 'runs'

/** REPETITION_DOCUMENT is the document of a plan that was run several times. @type {import('../study-document.js').StudyFile<RepetitionDocument>} */
export const REPETITION_DOCUMENT = studyFile({
  file: 'runs.json',
  holds: ({ runs, plan }) => Array.isArray(runs) && plan !== undefined,
  current: document => ({ ...document, held: current(document.held) })
})
