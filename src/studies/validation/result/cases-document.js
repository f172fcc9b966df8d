import { studyFile } from '../../study-document.js'

/**
 * @typedef {object} CaseRecord - a case of a list, whose validation stands in a folder of its name
 * @property {string} name
 * @property {'pending' | 'complete' | 'failed'} status
 * @property {import('../../../result/types.js').Reason | null} reason - why it failed
 * @property {number} runs - of each side, that are complete
 * @property {number} seeds - runs of each side that there are to be
 * @property {number | null} tookMs - all its runs
 * @property {import('./validation-document.js').ValidationVerdict | null} verdict - null: too few runs are complete
 *
 * @typedef {import('../../study-document.js').Head & { list: string, cases: CaseRecord[] }} CasesDocument - `cases.json`; `list`: the file
 *   of the cases, as it was given
 */

/** CASES_DOCUMENT is the document of a list of validations. @type {import('../../study-document.js').StudyFile<CasesDocument>} */
export const CASES_DOCUMENT = studyFile({
  file: 'cases.json',
  holds: ({ cases }) => Array.isArray(cases)
})
