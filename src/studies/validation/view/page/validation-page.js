import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { MISSING } from '../../../../kit/numbers.js'
import { drawer } from '../../../../kit/plots/drawer.js'
import { loadRenderer } from '../../../../kit/plots/render.js'
import { aboutRuns, planListing } from '../../../../report/page/about.js'
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
async function plots(results) {
  if (results.real.length === 0) return null
  const observations = observationsOf(results)
  return drawer(loadRenderer)([...latencyCurves(observations), ...countPlots(observations)])
}

/**
 * validationPage is the page of a validation: one HTML file that needs no network, and no script to be read.
 *
 * @param {ValidationDocument} document
 * @param {ValidationRuns} runs
 * @returns {Promise<string>}
 */
export async function validationPage(document, runs) {
  return framedPage(
    { what: 'gossip --validate', document, on: runs.results.real[0]?.run },
    {
      sentences: validationSentences(document),
      statements: statements(document),
      sections: [
        ...verdictSections(document),
        section('plots', 'Real and simulated', await plots(runs.results)),
        section('runs', 'Every run', runsTable(document, runs)),
        commandSection(validationCommandLine(document)),
        about(runs.results)
      ],
      footer: studyFooter('validation.json', 'docs/simulation.md')
    }
  )
}
