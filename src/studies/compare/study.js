// Runs of a comparison: plans run in turn.

import { counted } from '../../kit/numbers.js'
import { thresholdChecks } from '../../report/checks.js'
import { comparisonCommandLine } from '../../report/run-report.js'
import { failsStrict } from '../../report/warnings.js'
import { documentText, inTurn, runStudy } from '../study.js'
import { aboutRuns, runErrors } from '../study-views.js'
import { failRulesOf, judgeAgainst } from './baseline.js'
import {
  baselineLine,
  compareSides,
  comparisonDocument,
  comparisonVerdict,
  ruleChecks
} from './comparison.js'
import { COMPARISON_DOCUMENT, letterOf, wholePlaces } from './comparison-document.js'
import { describeComparison, runsToDescribe } from './describe.js'
import { readSide, sidesOf } from './sides.js'

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {{ pair: number, arm: string }} ArmTurn - `pair`: from 0
 */

/**
 * turns is the order of the runs: ABBA and again ABBA, so that a steady drift of the machine affects all plans alike.
 *
 * @template {string} A
 * @param {number} pairs
 * @param {readonly A[]} arms
 * @returns {{ pair: number, arm: A }[]}
 */
export const turns = (pairs, arms) =>
  Array.from({ length: pairs }, (_, pair) => {
    const order = pair % 2 === 0 ? arms : arms.toReversed()
    return order.map(arm => ({ pair, arm }))
  }).flat()

/** @param {ComparisonDocument} document @returns {import('../study.js').TurnOf[]} */
function turnsOf({ id, sides }) {
  const arms = sides.map((_, place) => letterOf(place).toLowerCase())
  return turns(sides[0].runs.length, arms).map(({ pair, arm }) => {
    const { label, plan, runs } = sides[arms.indexOf(arm)]
    return {
      label: sides.length === 1 ? `run ${pair + 1}` : `pair ${pair + 1}  ${arm.toUpperCase()} ${label}`,
      plan,
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
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario }} components
 */
export async function runComparison(document, folder, { findScenario, ...components }) {
  const { sides, baseline } = document
  const whole = wholePlaces(document)
  for (const side of sides) side.runs = side.runs.map((run, place) => (whole.includes(place) ? run : null))
  const before = baseline === null ? null : await readSide(baseline, findScenario)
  await runStudy(
    {
      document,
      file: COMPARISON_DOCUMENT,
      folder,
      conduct: inTurn(turnsOf(document)),
      async conclude() {
        if (before === null || wholePlaces(document).length === 0) return
        const now = (await sidesOf(document, folder, findScenario))[sides.length - 1]
        document.held = judgeAgainst(before, now, failRulesOf(document, now.scenario.compared))
      }
    },
    components
  )
}

/**
 * @typedef {import('./comparison.js').Comparison} Comparison
 *
 * @typedef {object} Loaded - what a comparison is described from
 * @property {ComparisonDocument} document
 * @property {Comparison} comparison
 */

/**
 * comparisonChecks are the checks of a comparison: rules, baseline, thresholds of runs.
 *
 * @param {Comparison} comparison
 * @returns {import('../../report/checks.js').Check[]}
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
 * Compares the complete runs of a folder by its rules.
 *
 * @param {string} folder
 * @param {ComparisonDocument} document
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<Loaded>}
 * @throws {import('../../report/read-result.js').ResultFileError}
 */
async function loadComparison(folder, document, find) {
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
 * @param {import('../../report/run-report.js').ViewOf} viewOf
 */
export const describeLoaded = (comparison, document, viewOf) =>
  describeComparison(comparison, {
    document,
    runs: runsToDescribe(comparison).map(({ label, result }) => ({
      label,
      description: viewOf(result).describeResult(result)
    }))
  })

/** COMPARISON_STUDY runs plans in turn, or one several times, and says what differs. @type {import('../study-views.js').StudyDoor<ComparisonDocument, Loaded>} */
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
      // a run that a threshold ended did as its plan demands
      brokenOff: reason?.code === 'THRESHOLD_FAILED',
      ...runErrors(results.map(result => [result.id, result])),
      ...(loaded !== null && comparisonVerdict(loaded.comparison)),
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
