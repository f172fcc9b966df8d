import { present } from '../../../kit/lists.js'
import { baselineProblem } from '../../baseline-problem.js'
import { findResumed } from '../../resumed.js'
import { AS_IT_IS, COMPARISON_DOCUMENT, newComparison } from '../comparison-document.js'
import { planDifferences } from '../differences.js'

/**
 * @typedef {import('../comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('../../../plan/plan.js').Problem} Problem
 * @typedef {import('../../../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {object} Asked
 * @property {Readonly<import('../../../plan/plan.js').AnyPlan>} plan
 * @property {Readonly<import('../../../plan/plan.js').Output>} output
 * @property {import('../../../scenarios/scenario.js').Scenario} scenario - of the plan
 */

/** @param {string} flag @param {unknown} value @param {string} allowed @returns {Problem} */
const problem = (flag, value, allowed) => ({ flag, value: String(value), allowed })

/** @param {Asked} asked */
const unfit = ({ plan, scenario, output: { runs, prometheusPort, ...output } }) =>
  present([
    scenario.compared === null &&
      problem('--runs', runs, `must be 1: runs of ${plan.scenario} cannot be compared`),
    scenario.endless?.(plan) &&
      problem('--runs', runs, 'must be 1 of a plan that goes on until its user ends it: give --duration'),
    prometheusPort !== null &&
      problem('--prometheus', prometheusPort, 'needs a single run: runs follow one another'),
    output.hdrFile != null && problem('--hdr', output.hdrFile, 'needs a single run: a log holds one'),
    output.deliveriesFile != null &&
      problem('--deliveries', output.deliveriesFile, 'needs a single run: a file holds one')
  ])

/**
 * planRepetition makes the document of a plan that is run several times, or finds the one that is gone on with, or names all that is
 * wrong.
 *
 * @param {Asked} asked
 * @param {object} around
 * @param {Date} around.now
 * @param {FindScenario} around.findScenario
 * @returns {Promise<import('../../study-door.js').MadeStudy<ComparisonDocument>>}
 */
export async function planRepetition(asked, { now, findScenario }) {
  const problems = unfit(asked)
  if (problems.length > 0) return { problems }
  const { plan, output } = asked
  const { runs, failOn, baseline } = output
  const name = `runs-${plan.scenario}-${plan.seed}`
  if (output.resume !== null) return resumed(asked, { resume: output.resume, name }, findScenario)
  const document = newComparison([{ label: AS_IT_IS, plan }], { now, runs, failOn, baseline })
  return { planned: { document, folder: null, name, output } }
}

/**
 * More runs than were asked for before can be added, and what they are held against can be said now.
 *
 * @param {Asked} asked
 * @param {{ resume: string | true, name: string }} which - `name`: of its folder
 * @param {FindScenario} findScenario
 * @returns {ReturnType<typeof planRepetition>}
 */
async function resumed({ plan, scenario, output }, { resume, name }, findScenario) {
  const { outputDir, runs, failOn, baseline } = output
  const found = await findResumed(resume, {
    ...{ outputDir, name, file: COMPARISON_DOCUMENT },
    fits: ({ sides }) => sides.length === 1
  })
  if (!('document' in found)) return found
  const { document, folder } = found
  const [side] = document.sides
  const differing = planDifferences(side.plan, /** @type {any} */ (plan)).map(({ what }) => what)
  if (differing.length > 0)
    return refusal(
      problem('--resume', folder, `holds runs of another plan: they differ in ${differing.join(', ')}`)
    )
  if (runs < side.runs.length)
    return refusal(problem('--runs', runs, `must be at least ${side.runs.length}, as in ${folder}`))
  side.runs.push(...Array(runs - side.runs.length).fill(null))
  document.baseline = baseline ?? document.baseline
  if (failOn !== null) document.failOn = failOn.map(({ text }) => text)
  // one that is named now was looked at with the other options
  const gone =
    baseline === null && document.baseline !== null
      ? await baselineProblem(document.baseline, findScenario, { plan, scenario, runs })
      : null
  if (gone !== null) return refusal(gone)
  return { planned: { document, folder, name, output } }
}

/** @param {Problem} found @returns {{ problems: Problem[] }} */
const refusal = found => ({ problems: [found] })
