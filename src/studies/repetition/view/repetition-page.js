import { html } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { figuresIn } from '../../../plan/metric-names.js'
import { baselineLine } from '../../../report/baseline-lines.js'
import { written } from '../../../report/figure-cell.js'
import { aboutRuns } from '../../../report/page/about.js'
import { answerFigures } from '../../../report/page/answer.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../report/page/frame.js'
import { bad, good, mind, statement } from '../../../report/page/verdict.js'
import { ruleLine } from '../../../report/rule-line.js'
import { inUnit } from '../../comparison/view/comparison-page.js'
import { RULE_TONES } from '../../comparison/view/page/ab-verdict.js'
import { repetitionCommandLine, repetitionSentence } from './repetition-text.js'
import { spreadLegend, spreadsOf, spreadTable, spreadWarnings } from './spread-table.js'

/**
 * @typedef {import('../repetition-document.js').RepetitionDocument} RepetitionDocument
 * @typedef {import('../../comparison/comparison.js').Side} Side
 * @typedef {import('../../../report/page/verdict.js').Statement} Statement
 */

/** @param {RepetitionDocument} document @param {readonly string[]} warnings @returns {Statement[]} */
const statements = ({ status, reason, held }, warnings) => [
  status === 'complete'
    ? good('Complete: every run came to its end.')
    : bad(`Partial: ${reason?.message ?? 'it was ended from outside'}.`),
  ...(held === null ? [] : [statement(RULE_TONES[held.verdict])(`${baselineLine(held)}.`, 'baseline')]),
  ...warnings.map(text => mind(`${text}.`, 'figures'))
]

/** @param {RepetitionDocument} document @param {ReadonlyMap<string, string>} links */
const runList = ({ runs }, links) =>
  html`<ul class="notes">\n${runs.map((run, place) => {
    const href = run === null ? undefined : links.get(run)
    const name = `run ${place + 1}`
    return html`<li>${href === undefined ? name : html`<a href="${href}">${name}</a>`}${run === null ? ': not complete' : ''}</li>\n`
  })}</ul>\n`

/**
 * repetitionPage is the page of a plan that was run several times: one HTML file that needs no network, and no script to be read.
 *
 * @param {RepetitionDocument} document
 * @param {Side} side
 * @param {{ links: ReadonlyMap<string, string>, view: import('../../../report/view.js').View }} shown
 * @returns {string}
 */
export function repetitionPage(document, side, { links, view }) {
  const { scenario, results } = side
  const decided = spreadsOf(side, figuresIn(scenario.compared.figures, side.results[0].plan))
  const warnings = spreadWarnings(decided)
  const { held } = document
  const figures = (/** @type {typeof decided} */ spreads, /** @type {string} */ label) =>
    html`${tableOf(spreadTable(spreads), { label })}${notesList(spreadLegend(spreads, scenario.compared))}`
  return framedPage(
    { what: 'runs', document, on: results[0].run },
    {
      figures: answerFigures(
        decided
          .slice(0, 4)
          .map(({ figure, spread: { median }, marks }) => [
            `Median of ${inUnit(figure)}`,
            written({ value: median, ...marks }, figure)
          ])
      ),
      sentences: [repetitionSentence(document)],
      statements: statements(document, warnings),
      sections: [
        section('figures', 'Figures', figures(decided, 'Figures')),
        section(
          'baseline',
          'Against the baseline',
          notesList((held?.rules ?? []).map(rule => ruleLine(rule).slice(2)))
        ),
        section('all-figures', 'All figures', figures(spreadsOf(side, scenario.figures), 'All figures')),
        section('runs', 'Runs', runList(document, links)),
        commandSection(repetitionCommandLine(document, scenario)),
        aboutRuns(results[0], 'run', view)
      ],
      footer: studyFooter('runs.json', 'docs/comparison.md')
    }
  )
}
