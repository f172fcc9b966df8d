/**
 * @typedef {import('./examine.js').Outcome} Outcome
 *
 * @typedef {object} Document - an examination, for views
 * @property {string} address - of the target
 * @property {string} version - of this tool
 * @property {string} startedAt - ISO 8601
 * @property {Outcome[]} outcomes
 * @property {number | null} left - registrations that stay behind; null: not known
 */

/** tableOfGroup is a table of checks, as markdown and page have it. @param {readonly Outcome[]} outcomes @returns {import('../kit/table.js').Table} */
export const tableOfGroup = outcomes => ({
  headings: ['Verdict', 'Check', 'Found', 'Specification', 'Id'],
  align: ['l', 'l', 'l', 'l', 'l'],
  rows: outcomes.map(({ id, title, sentence, verdict, found }) => [
    verdict,
    title,
    found,
    sentence ?? 'beyond',
    id
  ])
})
