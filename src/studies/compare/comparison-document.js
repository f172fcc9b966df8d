// Format of comparison.json: plans, runs, rules and the baseline verdict. Reading ignores stored figures, which other
// modules compute again from the runs, and converts earlier formats.
import { makeStudyFile, makeStudyHead } from '../study.js'

/**
 * @typedef {import('../study.js').StudyHead} StudyHead
 * @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict
 *
 * @typedef {object} PlannedSide - a plan that is run several times
 * @property {string} label - as it was given
 * @property {Readonly<import('../../scenarios/index.js').AnyPlan>} plan
 * @property {(string | null)[]} runs - as many as were asked for, in order: paths of their folders in that of the comparison; null: not run,
 *   or not complete. Those of several sides at one place are a pair
 *
 * @typedef {object} ComparisonParts
 * @property {PlannedSide[]} sides - one whose runs are repeated, or several that take turns; the first is the base
 * @property {string[]} failOn - rules as they were given
 * @property {string | null} baseline - folder of earlier runs, as it was given
 * @property {BaselineVerdict | null} held - how the last side stood against them; null: it was not asked for, or nothing could be held.
 *   The folder of the baseline is not needed to say it again
 *
 * @typedef {StudyHead & ComparisonParts} ComparisonDocument - `comparison.json`, where figures and verdicts are written beside it
 */

/** COMPARISON_VERSION of the schema of comparisons. */
export const COMPARISON_VERSION = 2

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** sideLetter is the letter of a side in tables. @param {number} place - from 0 */
export const sideLetter = place => LETTERS[place % LETTERS.length]

/**
 * findCompletePairs are the places at which every side has a complete run.
 *
 * @param {Pick<ComparisonDocument, 'sides'>} document
 * @returns {number[]} from 0
 */
export const findCompletePairs = ({ sides }) =>
  sides[0].runs.flatMap((_, place) => (sides.every(({ runs }) => runs[place] !== null) ? [place] : []))

/** @param {string} verdict */
const named = verdict => /** @type {BaselineVerdict['verdict']} */ (verdict === 'N/A' ? 'UNDECIDED' : verdict)

/**
 * JSON knows no infinite numbers: an interval that nothing bounds ends in null there. Earlier documents call what is open N/A, and do
 * not say what could have been seen.
 *
 * @param {BaselineVerdict | null} verdict - as it was read
 * @returns {BaselineVerdict | null}
 */
const currentVerdict = verdict =>
  verdict && {
    ...verdict,
    verdict: named(verdict.verdict),
    rules: verdict.rules.map(rule => ({
      ...rule,
      verdict: named(rule.verdict),
      seen: rule.seen ?? null,
      interval: rule.interval && { low: rule.interval.low, high: rule.interval.high ?? Infinity }
    }))
  }

/** Version 0.1.0 kept two plans in ab.json, and one that was repeated in runs.json. */
const FORMER = {
  'ab.json': (/** @type {any} */ { arms, pairs, ...document }) => ({
    ...document,
    schemaVersion: document.schemaVersion + 1,
    sides: ['a', 'b'].map(arm => ({
      ...arms[arm],
      runs: pairs.map((/** @type {Record<string, string | null>} */ pair) => pair[arm])
    }))
  }),
  'runs.json': (/** @type {any} */ { plan, runs, ...document }) => ({
    ...document,
    schemaVersion: document.schemaVersion + 1,
    sides: [{ label: DEFAULT_LABEL, plan, runs }]
  })
}

/** DEFAULT_LABEL is the label of a plan without changed options. */
export const DEFAULT_LABEL = 'as it is'

/**
 * makeComparison begins a comparison.
 *
 * @param {readonly Omit<PlannedSide, 'runs'>[]} sides
 * @param {{ now: Date, runs: number, failOn: readonly { text: string }[] | null | undefined, baseline: string | null }} asked - `runs`: of each side
 * @returns {ComparisonDocument}
 */
export const makeComparison = (sides, { now, runs, failOn, baseline }) => ({
  ...{ ...makeStudyHead('', now), schemaVersion: COMPARISON_VERSION },
  sides: sides.map(({ label, plan }) => ({ label, plan, runs: Array(runs).fill(null) })),
  failOn: (failOn ?? []).map(({ text }) => text),
  ...{ baseline, held: null }
})

/** COMPARISON_DOCUMENT is the document of a comparison. @type {import('../study.js').StudyFile<ComparisonDocument>} */
export const COMPARISON_DOCUMENT = makeStudyFile({
  file: 'comparison.json',
  version: COMPARISON_VERSION,
  holds: ({ sides }) =>
    sides?.length > 0 && sides.every((/** @type {any} */ side) => Array.isArray(side.runs)),
  // figures and verdicts are computed from the runs again
  current: ({ schemaVersion, id, status, reason, startedAt, finishedAt, sides, failOn, ...rest }) => ({
    ...{ schemaVersion, id, status, reason, startedAt, finishedAt },
    sides: sides.map((/** @type {PlannedSide} */ { label, plan, runs }) => ({ label, plan, runs })),
    ...{ failOn, baseline: rest.baseline ?? null, held: currentVerdict(rest.held ?? null) },
    ...(rest.server !== undefined && { server: rest.server })
  }),
  former: FORMER
})
