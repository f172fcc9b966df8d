import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { MISSING } from '../../../../kit/numbers.js'
import { aboutRuns, planListing } from '../../../../report/page/about.js'
import { timeFigure } from '../../../../report/page/answer.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../../report/page/frame.js'
import { bad, good } from '../../../../report/page/verdict.js'
import { figuresInLine } from '../../../../scenarios/gossip/view/in-line.js'
import { observationsOf } from '../../result/judge-validation.js'
import { SIDES } from '../../result/validation-document.js'
import { countPlots } from '../plots/count-bars.js'
import { latencyCurves } from '../plots/latency-curves.js'
import { validationCommandLine } from '../validation-command-line.js'
import { validationSentences } from '../validation-sentences.js'
import { conditionTable, MEASURE_NOTES, measureTable } from '../validation-tables.js'

/**
 * @typedef {import('../../result/judge-validation.js').SideResults} SideResults
 * @typedef {import('../../result/validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 *
 * @typedef {object} ValidationRuns - what is kept of the runs of a validation
 * @property {SideResults} results
 * @property {ReadonlyMap<string, string>} links - by folder
 */

/** @param {ValidationDocument} document @returns {Statement[]} */
function statements({ status, reason, verdict }) {
  const whole =
    status === 'complete'
      ? good('Complete: every run came to its end.')
      : bad(`Not all runs are complete: ${reason?.message ?? 'the validation did not end'}.`)
  if (verdict === null) return [whole]
  const { measures, conditions } = verdict
  const agree = measures.filter(({ verdict }) => verdict === 'agrees').length
  const unmet = conditions.filter(({ met }) => !met).length
  return [
    whole,
    (agree === measures.length ? good : bad)(`${agree} of ${measures.length} measures agree.`, 'measures'),
    (unmet === 0 ? good : bad)(
      `${conditions.length - unmet} of ${conditions.length} conditions of a comparison are met.`,
      'conditions'
    )
  ]
}

/** @param {ValidationDocument} document @param {ValidationRuns} runs */
function runsTable({ runs }, { results, links }) {
  const rows = SIDES.flatMap(side => {
    const complete = results[side].values()
    return runs[side].map(({ plan, run, status }) => {
      const link = run === null ? undefined : links.get(run)
      const name = `${side}, seed ${plan.seed}`
      const result = status === 'complete' ? complete.next().value : undefined
      return [
        link === undefined ? name : html`<a href="${link}">${name}</a>`,
        status,
        result === undefined ? MISSING : figuresInLine(result)
      ]
    })
  })
  return tableOf(
    { headings: ['Run', 'Status', 'Figures'], align: ['l', 'l', 'l'], rows },
    { label: 'Every run' }
  )
}

/** @param {SideResults} results */
const about = ({ real: [first], simulated: [simulated] }) =>
  aboutRuns(first, 'real run; others differ in the seed', {
    more:
      simulated === undefined
        ? null
        : html`<details><summary>Every parameter of the first simulated run</summary>\n${planListing(simulated.plan)}</details>\n`
  })

/** @param {ValidationDocument} document */
function verdictSections({ verdict }) {
  if (verdict === null) return []
  return [
    section(
      'measures',
      'What is compared',
      html`${tableOf(measureTable(verdict.measures), { label: 'Measures' })}${notesList(MEASURE_NOTES)}`
    ),
    section(
      'conditions',
      'Can it be compared?',
      tableOf(conditionTable(verdict.conditions), { label: 'Conditions' })
    )
  ]
}

/** @param {SideResults} results */
function plots(results) {
  if (results.real.length === 0) return []
  const observations = observationsOf(results)
  return [...latencyCurves(observations), ...countPlots(observations)]
}

/** Times of the first runs of both sides, and whether they agree. @param {ValidationDocument} document @param {SideResults} results @returns {[string, string][]} */
function figures({ verdict }, results) {
  const times = SIDES.flatMap(side => {
    const [first] = results[side]
    if (first === undefined) return []
    const { p50, p99 } = first.outcome.latency.all
    return /** @type {[string, string][]} */ ([
      [`p50, ${side}`, timeFigure(p50)],
      [`p99, ${side}`, timeFigure(p99)]
    ])
  })
  if (times.length > 0 || verdict === null) return times
  return [
    [
      'Measures that agree',
      `${verdict.measures.filter(({ verdict }) => verdict === 'agrees').length} of ${verdict.measures.length}`
    ]
  ]
}

/**
 * validationPage is the page of a validation: one HTML file that needs no network, and no script to be read.
 *
 * @param {ValidationDocument} document
 * @param {ValidationRuns} runs
 * @returns {Promise<string>}
 */
export async function validationPage(document, runs) {
  const all = plots(runs.results)
  const { shown, draw } = await firstScreen({
    figures: figures(document, runs.results),
    plots: all.slice(0, 1)
  })
  return framedPage(
    { what: 'gossip --validate', document, on: runs.results.real[0]?.run },
    {
      ...shown,
      sentences: validationSentences(document),
      statements: statements(document),
      sections: [
        ...verdictSections(document),
        section('plots', 'Real and simulated', await draw(all)),
        section('runs', 'Every run', runsTable(document, runs)),
        commandSection(validationCommandLine(document)),
        about(runs.results)
      ],
      footer: studyFooter('validation.json', 'docs/simulation.md')
    }
  )
}
