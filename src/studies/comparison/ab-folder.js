import { studyFile } from '../study-document.js'

/**
 * @typedef {import('../study-document.js').Head} Head
 * @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict
 *
 * @typedef {'a' | 'b'} Arm - the first plan, the base, and the second, the candidate
 *
 * @typedef {object} AbPair - of runs, one of each plan; null: not run, or not complete
 * @property {string | null} a - path of the run's folder in the ab folder
 * @property {string | null} b
 *
 * @typedef {object} AbParts
 * @property {Record<Arm, { label: string, plan: import('./plan-differences.js').Plan }>} arms - `label`: as it was given
 * @property {string[]} failOn - rules as they were given
 * @property {string | null} baseline - folder of earlier runs, as it was given
 * @property {BaselineVerdict | null} held - how the second plan stood against them; null: it was not asked for, or nothing could
 *   be held. The folder of the baseline is not needed to say it again
 * @property {AbPair[]} pairs - as many as were asked for
 *
 * @typedef {Head & AbParts} AbDocument - `ab.json`
 */

/** @param {string} verdict */
const named = verdict => /** @type {BaselineVerdict['verdict']} */ (verdict === 'N/A' ? 'UNDECIDED' : verdict)

/**
 * current fills what a verdict that was kept earlier lacks. JSON knows no infinite numbers: an interval that nothing bounds ends in null there. Earlier documents call what is open N/A, and do
 * not say what could have been seen.
 *
 * @param {BaselineVerdict | null} held - as it was read
 * @returns {BaselineVerdict | null}
 */
export const current = held =>
  held && {
    ...held,
    verdict: named(held.verdict),
    rules: held.rules.map(rule => ({
      ...rule,
      verdict: named(rule.verdict),
      seen: rule.seen ?? null,
      interval: rule.interval && {
        low: rule.interval.low,
        high: rule.interval.high ?? Infinity
      }
    }))
  }

/** AB_DOCUMENT is the document of an ab folder. @type {import('../study-document.js').StudyFile<AbDocument>} */
export const AB_DOCUMENT = studyFile({
  file: 'ab.json',
  holds: ({ pairs }) => Array.isArray(pairs),
  // earlier ones say nothing of a baseline
  current: document => ({
    ...document,
    baseline: document.baseline ?? null,
    held: current(document.held ?? null)
  })
})
