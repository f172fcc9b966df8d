// Runs the plans of a comparison alternately on fresh servers, so that drift of the machine affects all alike, then
// judges the result.

import { formatCount } from '../../kit/numbers.js'
import { makeThresholdChecks } from '../../report/checks.js'
import { makeComparisonCommandLine } from '../../report/run-report.js'
import { failsStrict } from '../../report/warnings.js'
import { isSimulated } from '../../scenarios/network-options.js'
import { formatDocument, makeSequence, runStudy } from '../study.js'
import { collectRunErrors, makeStudyRunTables } from '../study-views.js'
import { judgeByBaseline, readFailRules } from './baseline.js'
import {
  compareAllSides,
  describeBaselineVerdict,
  judgeComparison,
  makeComparisonDocument,
  makeRuleChecks
} from './comparison.js'
import { COMPARISON_DOCUMENT, findCompletePairs, sideLetter } from './comparison-document.js'
import { chooseRunsToDescribe, describeComparison } from './describe.js'
import { readSide, readSides } from './sides.js'

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {{ pair: number, arm: string }} ArmTurn - `pair`: from 0
 */

/**
 * orderRuns is the order of the runs: ABBA and again ABBA, so that a steady drift of the machine affects all plans alike.
 *
 * @template {string} A
 * @param {number} pairs
 * @param {readonly A[]} arms
 * @returns {{ pair: number, arm: A }[]}
 */
export const orderRuns = (pairs, arms) =>
  Array.from({ length: pairs }, (_, pair) => {
    const order = pair % 2 === 0 ? arms : arms.toReversed()
    return order.map(arm => ({ pair, arm }))
  }).flat()

/**
 * planOfPair is the plan of a run of a pair. Simulated, a seed gives the same result each time: pairs would not be independent. So each has a
 * seed of its own, which both of its runs share.
 *
 * @template {import('../../scenarios/index.js').AnyPlan} P
 * @param {P} plan
 * @param {number} pair - from 0
 * @returns {P}
 */
export const planOfPair = (plan, pair) => (isSimulated(plan) ? { ...plan, seed: plan.seed + pair } : plan)

/** @param {ComparisonDocument} document @returns {import('../study.js').StudyTurn[]} */
function turnsOf({ id, sides }) {
  const arms = sides.map((_, place) => sideLetter(place).toLowerCase())
  return orderRuns(sides[0].runs.length, arms).map(({ pair, arm }) => {
    const { label, plan, runs } = sides[arms.indexOf(arm)]
    return {
      label: sides.length === 1 ? `run ${pair + 1}` : `pair ${pair + 1}  ${arm.toUpperCase()} ${label}`,
      plan: planOfPair(plan, pair),
      part: arm,
      // names sort in the order of the runs, and no two runs of all times have the same
      name: `${id}-${arm}${String(pair + 1).padStart(2, '0')}`,
      isDone: () => runs[pair] !== null,
      keep({ status }, inside) {
        if (status === 'complete') runs[pair] = inside
      }
    }
  })
}

/**
 * runComparison runs plans in turn, a fresh server each time, and holds the last one against a baseline. A run that does not come to its
 * end ends it. Of a pair that was broken off before all runs are made again: they are to be neighbours in time.
 *
 * @param {ComparisonDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').LoadScenario }} components
 */
export async function runComparison(document, folder, { findScenario, ...components }) {
  const { sides, baseline } = document
  const whole = findCompletePairs(document)
  for (const side of sides) side.runs = side.runs.map((run, place) => (whole.includes(place) ? run : null))
  const before = baseline === null ? null : await readSide(baseline, findScenario)
  await runStudy(
    {
      document,
      file: COMPARISON_DOCUMENT,
      folder,
      conduct: makeSequence(turnsOf(document)),
      async conclude() {
        if (before === null || findCompletePairs(document).length === 0) return
        const now = (await readSides(document, folder, findScenario))[sides.length - 1]
        document.held = judgeByBaseline(before, now, readFailRules(document, now.scenario.compared))
      }
    },
    components
  )
}

/**
 * @typedef {import('./comparison.js').Comparison} Comparison
 *
 * @typedef {object} LoadedComparison - what a comparison is described from
 * @property {ComparisonDocument} document
 * @property {Comparison} comparison
 */

/**
 * makeComparisonChecks are the checks of a comparison: rules, baseline, thresholds of runs.
 *
 * @param {Comparison} comparison
 * @returns {import('../../report/checks.js').ReportCheck[]}
 */
export const makeComparisonChecks = ({ sides, against, baseline }) => [
  ...against.flatMap(({ rules }, i) =>
    makeRuleChecks(against.length === 1 ? 'rules' : `rules of ${sideLetter(i + 1)}`, rules)
  ),
  ...(baseline === null
    ? []
    : makeRuleChecks('baseline', baseline.rules).map(check => ({
        ...check,
        because: describeBaselineVerdict(baseline)
      }))),
  ...sides.flatMap(({ results }, place) =>
    results.flatMap((result, run) =>
      makeThresholdChecks(`${sides.length === 1 ? '' : `${sideLetter(place)} `}run ${run + 1}`, result)
    )
  )
]

/**
 * Compares the complete runs of a folder by its rules.
 *
 * @param {string} folder
 * @param {ComparisonDocument} document
 * @param {import('../../scenarios/index.js').LoadScenario} find
 * @returns {Promise<LoadedComparison>}
 * @throws {import('../../report/read-result.js').ResultFileError}
 */
async function loadComparison(folder, document, find) {
  const sides = await readSides(document, folder, find)
  const rules = readFailRules(document, sides[0].scenario.compared)
  const comparison = compareAllSides(sides, { rules, held: document.held })
  return { document, comparison }
}

/**
 * describeSides describes a comparison with the plots of its runs.
 *
 * @param {Comparison} comparison
 * @param {ComparisonDocument | null} document - of its study; null: of several
 * @param {import('../../report/run-report.js').ViewOf} viewOf
 */
export const describeSides = (comparison, document, viewOf) =>
  describeComparison(comparison, {
    document,
    runs: chooseRunsToDescribe(comparison).map(({ label, result }) => ({
      label,
      description: viewOf(result).describeResult(result)
    }))
  })

/** COMPARISON_STUDY runs plans in turn, or one several times, and says what differs. @type {import('../study-views.js').StudyInterface<ComparisonDocument, LoadedComparison>} */
export const COMPARISON_STUDY = {
  document: COMPARISON_DOCUMENT,
  run: runComparison,
  shown: ({ sides: [{ plan }] }) => [plan],
  plans: document =>
    document.sides.flatMap(({ plan, runs }) =>
      Array(runs.length - findCompletePairs(document).length).fill(plan)
    ),
  runs: ({ sides }) => sides[0].runs.flatMap((_, place) => sides.flatMap(({ runs }) => runs[place] ?? [])),
  load: loadComparison,
  describe: (document, { comparison }, viewOf) => describeSides(comparison, document, viewOf),
  about: (_, { comparison }) => makeStudyRunTables(comparison.sides[0].results[0]),
  command: (document, { comparison }) => makeComparisonCommandLine(document, comparison.sides[0].scenario),
  files: (document, { comparison }) => [
    [COMPARISON_DOCUMENT.file, formatDocument(makeComparisonDocument(comparison, document))]
  ],
  json: ({ document, comparison }) => makeComparisonDocument(comparison, document),
  verdict({ reason }, loaded) {
    const results = (loaded?.comparison.sides ?? []).flatMap(side => side.results)
    return {
      // a run that a threshold ended did as its plan demands
      brokenOff: reason?.code === 'THRESHOLD_FAILED',
      ...collectRunErrors(results.map(result => [result.id, result])),
      ...(loaded !== null && judgeComparison(loaded.comparison)),
      generatorLimited: results.some(failsStrict)
    }
  },
  checks: (_, loaded) => (loaded === null ? [] : makeComparisonChecks(loaded.comparison)),
  inLine(document) {
    const { sides, held } = document
    const [{ plan, runs }] = sides
    const progressText =
      sides.length === 1
        ? formatCount(runs.length, 'run')
        : `${findCompletePairs(document).length} of ${runs.length} pairs`
    return [
      sides.length === 1
        ? `runs of ${plan.scenario}`
        : `ab: ${sides.map(({ label }) => label).join(' against ')}`,
      held === null ? progressText : describeBaselineVerdict(held)
    ]
  }
}
