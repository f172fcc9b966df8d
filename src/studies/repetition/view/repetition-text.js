import { asMarkdown } from '../../../kit/table.js'
import { figuresIn } from '../../../plan/metric-names.js'
import { baselineLines } from '../../../report/baseline-lines.js'
import { heldFlags, planCommandLine } from '../../../report/repeat.js'
import { spreadLegend, spreadsOf, spreadTable, spreadWarnings } from './spread-table.js'

/**
 * @typedef {import('../repetition-document.js').RepetitionDocument} RepetitionDocument
 * @typedef {import('../../comparison/comparison.js').Side} Side
 */

/**
 * repetitionSentence says how often a plan was run.
 *
 * @param {RepetitionDocument} document
 */
export function repetitionSentence({ runs }) {
  const complete = runs.filter(run => run !== null).length
  return `${complete === runs.length ? complete : `${complete} of ${runs.length}`} runs of one plan: medians over the runs, with the least and the greatest.`
}

/**
 * repetitionText is what a person reads of the runs of a plan.
 *
 * @param {RepetitionDocument} document
 * @param {Side} side
 * @returns {string} markdown
 */
export function repetitionText(document, side) {
  const spreads = spreadsOf(side, figuresIn(side.scenario.compared.figures, side.results[0].plan))
  const warnings = spreadWarnings(spreads).map(warning => `- ${warning}`)
  return [
    repetitionSentence(document),
    asMarkdown(spreadTable(spreads)),
    ...spreadLegend(spreads, side.scenario.compared),
    ...(warnings.length > 0 ? [warnings.join('\n')] : []),
    ...(document.held === null ? [] : [baselineLines(document.held).trimEnd()])
  ].join('\n\n')
}

/**
 * repetitionCommandLine runs a plan as often again.
 *
 * @param {RepetitionDocument} document
 * @param {import('../../../scenarios/scenario.js').Scenario} scenario
 */
export const repetitionCommandLine = ({ plan, runs, ...held }, scenario) =>
  [planCommandLine(plan, scenario), `--runs ${runs.length}`, ...heldFlags(held)].join(' ')
