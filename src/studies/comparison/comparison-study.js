import { baselineLine } from '../../report/baseline-lines.js'
import { ruleChecks } from '../../report/ci/rule-checks.js'
import { thresholdChecks } from '../../report/ci/threshold-checks.js'
import { comparisonCommandLine } from '../../report/repeat.js'
import { isDoubtful } from '../../result/doubtful.js'
import { runErrors } from '../run-errors.js'
import { documentText, REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { failRulesOf } from './baseline.js'
import { compareSides, comparisonDocument, verdictOf } from './comparison.js'
import { COMPARISON_DOCUMENT, letterOf, wholePlaces } from './comparison-document.js'
import { runComparison } from './run-comparison.js'
import { sidesOf } from './sides.js'
import { repetitionSentence } from './view/comparison-sentences.js'
import { describeRuns } from './view/describe-runs.js'
import { descriptionText } from './view/description.js'

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('./comparison.js').Comparison} Comparison
 *
 * @typedef {object} Loaded - what the views of a comparison are made from
 * @property {ComparisonDocument} document
 * @property {Comparison} comparison
 * @property {import('./view/description.js').Description} description
 */

/** @type {readonly import('../study-door.js').StudyView<ComparisonDocument, Loaded>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, { comparison }, { links }) {
      // with it comes what draws its plots
      const { comparisonPage } = await import('./view/comparison-page.js')
      return comparisonPage(comparison, { document, links })
    }
  },
  {
    file: 'comparison.md',
    render: (document, { comparison, description }) =>
      markdownReport(document, descriptionText(description), {
        docs: 'docs/comparison.md',
        command: comparisonCommandLine(document, comparison.sides[0].scenario)
      })
  },
  {
    file: COMPARISON_DOCUMENT.file,
    render: (document, { comparison }) => documentText(comparisonDocument(comparison, document))
  }
]

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
  return { document, comparison, description: await describeRuns(comparison, document) }
}

/** COMPARISON_STUDY runs plans in turn, or one several times, and says what differs. @type {import('../study-door.js').StudyDoor<ComparisonDocument, Loaded>} */
export const COMPARISON_STUDY = {
  document: COMPARISON_DOCUMENT,
  run: runComparison,
  shown: ({ sides: [{ plan }] }) => [plan],
  plans: document =>
    document.sides.flatMap(({ plan, runs }) => Array(runs.length - wholePlaces(document).length).fill(plan)),
  runs: ({ sides }) => sides[0].runs.flatMap((_, place) => sides.flatMap(({ runs }) => runs[place] ?? [])),
  load: loadComparison,
  views: () => VIEWS,
  text: (_, { description }, folder) =>
    readableText(
      descriptionText(description, { whole: false }),
      folder,
      VIEWS.map(({ file }) => file)
    ),
  json: ({ document, comparison }) => comparisonDocument(comparison, document),
  verdict({ reason }, loaded) {
    const results = (loaded?.comparison.sides ?? []).flatMap(side => side.results)
    return {
      // a run that a threshold broke off did what was asked for
      brokenOff: reason?.code === 'THRESHOLD_FAILED',
      ...runErrors(results.map(result => [result.id, result])),
      ...(loaded !== null && verdictOf(loaded.comparison)),
      doubtful: results.some(isDoubtful)
    }
  },
  checks: (_, loaded) => (loaded === null ? [] : comparisonChecks(loaded.comparison)),
  inLine(document) {
    const { sides, held } = document
    const [{ plan, runs }] = sides
    const came =
      sides.length === 1
        ? repetitionSentence(runs)
        : `${wholePlaces(document).length} of ${runs.length} pairs`
    return [
      sides.length === 1
        ? `runs of ${plan.scenario}`
        : `ab: ${sides.map(({ label }) => label).join(' against ')}`,
      held === null ? came : baselineLine(held)
    ]
  }
}
