import { counted } from '../../kit/numbers.js'
import { baselineLine } from '../../report/baseline-lines.js'
import { ruleChecks } from '../../report/ci/rule-checks.js'
import { thresholdChecks } from '../../report/ci/threshold-checks.js'
import { comparisonCommandLine } from '../../report/repeat.js'
import { failsStrict } from '../../result/strict.js'
import { runErrors } from '../run-errors.js'
import { documentText } from '../study-document.js'
import { aboutRuns } from '../study-door.js'
import { failRulesOf } from './baseline.js'
import { compareSides, comparisonDocument, verdictOf } from './comparison.js'
import { COMPARISON_DOCUMENT, letterOf, wholePlaces } from './comparison-document.js'
import { describeComparison, runsToDescribe } from './describe.js'
import { runComparison } from './run-comparison.js'
import { sidesOf } from './sides.js'

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('./comparison.js').Comparison} Comparison
 *
 * @typedef {object} Loaded - what a comparison is described from
 * @property {ComparisonDocument} document
 * @property {Comparison} comparison
 */

/**
 * comparisonChecks are what a comparison was held to.
 *
 * @param {Comparison} comparison
 * @returns {import('../../report/ci/checks.js').Check[]}
 */
export const comparisonChecks = ({ sides, against, baseline }) => [
  ...against.flatMap(({ rules }, i) =>
    ruleChecks(against.length === 1 ? 'rules' : `rules of ${letterOf(i + 1)}`, rules)
  ),
  ...(baseline === null
    ? []
    : ruleChecks('baseline', baseline.rules).map(check => ({ ...check, because: baselineLine(baseline) }))),
  ...sides.flatMap(({ results }, place) =>
    results.flatMap((result, run) =>
      thresholdChecks(`${sides.length === 1 ? '' : `${letterOf(place)} `}run ${run + 1}`, result)
    )
  )
]

/**
 * loadComparison compares the sides of a folder, as far as their runs are complete, by what it was held to.
 *
 * @param {string} folder
 * @param {ComparisonDocument} document
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<Loaded>}
 * @throws {import('../../result/read-result.js').ResultFileError}
 */
export async function loadComparison(folder, document, find) {
  const sides = await sidesOf(document, folder, find)
  const rules = failRulesOf(document, sides[0].scenario.compared)
  const comparison = compareSides(sides, { rules, held: document.held })
  return { document, comparison }
}

/**
 * describeLoaded describes a comparison with the plots of its runs.
 *
 * @param {Comparison} comparison
 * @param {ComparisonDocument | null} document - of its study; null: of several
 * @param {import('../../report/view.js').ViewOf} viewOf
 */
export const describeLoaded = (comparison, document, viewOf) =>
  describeComparison(comparison, {
    document,
    runs: runsToDescribe(comparison).map(({ label, result }) => ({
      label,
      description: viewOf(result).describeResult(result)
    }))
  })

/** COMPARISON_STUDY runs plans in turn, or one several times, and says what differs. @type {import('../study-door.js').StudyDoor<ComparisonDocument, Loaded>} */
export const COMPARISON_STUDY = {
  document: COMPARISON_DOCUMENT,
  run: runComparison,
  shown: ({ sides: [{ plan }] }) => [plan],
  plans: document =>
    document.sides.flatMap(({ plan, runs }) => Array(runs.length - wholePlaces(document).length).fill(plan)),
  runs: ({ sides }) => sides[0].runs.flatMap((_, place) => sides.flatMap(({ runs }) => runs[place] ?? [])),
  load: loadComparison,
  describe: (document, { comparison }, viewOf) => describeLoaded(comparison, document, viewOf),
  about: (_, { comparison }) => aboutRuns(comparison.sides[0].results[0]),
  command: (document, { comparison }) => comparisonCommandLine(document, comparison.sides[0].scenario),
  files: (document, { comparison }) => [
    [COMPARISON_DOCUMENT.file, documentText(comparisonDocument(comparison, document))]
  ],
  json: ({ document, comparison }) => comparisonDocument(comparison, document),
  verdict({ reason }, loaded) {
    const results = (loaded?.comparison.sides ?? []).flatMap(side => side.results)
    return {
      // a run that a threshold broke off did what was asked for
      brokenOff: reason?.code === 'THRESHOLD_FAILED',
      ...runErrors(results.map(result => [result.id, result])),
      ...(loaded !== null && verdictOf(loaded.comparison)),
      generatorLimited: results.some(failsStrict)
    }
  },
  checks: (_, loaded) => (loaded === null ? [] : comparisonChecks(loaded.comparison)),
  inLine(document) {
    const { sides, held } = document
    const [{ plan, runs }] = sides
    const came =
      sides.length === 1
        ? counted(runs.length, 'run')
        : `${wholePlaces(document).length} of ${runs.length} pairs`
    return [
      sides.length === 1
        ? `runs of ${plan.scenario}`
        : `ab: ${sides.map(({ label }) => label).join(' against ')}`,
      held === null ? came : baselineLine(held)
    ]
  }
}
