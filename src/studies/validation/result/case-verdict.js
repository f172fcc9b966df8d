/**
 * @typedef {import('../../statistics/equivalence.js').Equivalence} Equivalence
 * @typedef {import('./validation-document.js').ValidationVerdict} ValidationVerdict
 */

/**
 * caseVerdict says whether the networks of a case agree: one measure that differs is enough that they do not, and all must agree.
 *
 * @param {Pick<ValidationVerdict, 'measures'>} verdict
 * @returns {Equivalence}
 */
export function caseVerdict({ measures }) {
  if (measures.some(({ verdict }) => verdict === 'differs')) return 'differs'
  return measures.every(({ verdict }) => verdict === 'agrees') ? 'agrees' : 'undecided'
}

/**
 * decided are the verdicts of the cases that have one.
 *
 * @param {readonly import('./cases-document.js').CaseRecord[]} cases
 */
export const decided = cases =>
  cases.flatMap(({ verdict }) => (verdict === null ? [] : [caseVerdict(verdict)]))
