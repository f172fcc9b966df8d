import { html, phrase } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { MISSING } from '../../../kit/numbers.js'
import { figuresIn } from '../../../plan/metric-names.js'
import { change } from '../../../report/change.js'
import { written } from '../../../report/figure-cell.js'
import { listing, planSection } from '../../../report/page/about.js'
import { commandSection, environmentOf, section, studyFooter } from '../../../report/page/frame.js'
import { comparisonCommandLine } from '../../../report/repeat.js'
import { comparedFigures } from '../compared-figures.js'
import { COMPARISON_DOCUMENT, letterOf, wholePlaces } from '../comparison-document.js'
import { describeRuns } from './describe-runs.js'
import { descriptionPage } from './description.js'
import { inUnit } from './figure-table.js'
import { pairedRatios } from './plots/paired-ratios.js'
import { timeCurves } from './plots/time-curves.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../comparison-document.js').ComparisonDocument} ComparisonDocument
 */

/** What decides: its medians, or by how much it changed from the first side. @param {Comparison} comparison @returns {[string, string][]} */
const tilesOf = ({ against: [first], spreads }) =>
  first === undefined
    ? spreads[0].map(({ figure, spread: { median }, marks }) => [
        `Median of ${inUnit(figure)}`,
        written({ value: median, ...marks }, figure)
      ])
    : first.metrics.map(({ figure, ratio }) => [figure.title, ratio === null ? MISSING : change(ratio)])

/** @param {string | null | undefined} run - its folder, or its id @param {ReadonlyMap<string, string>} links */
function runCell(run, links) {
  if (run == null) return 'not complete'
  const name = run.slice(run.lastIndexOf('-') + 1)
  return links.has(run) ? html`<a href="${links.get(run)}">${name}</a>` : name
}

/**
 * Every run with the figures that decide, each with the way to its own page.
 *
 * @param {Comparison} comparison
 * @param {Pick<ComparisonDocument, 'sides'>} document
 * @param {ReadonlyMap<string, string>} links
 */
function runsTable({ sides }, document, links) {
  const whole = wholePlaces(document)
  const [{ scenario, results }] = sides
  const figures = figuresIn(scenario.compared.figures, results[0].plan)
  const letters = sides.map((_, place) => letterOf(place))
  const found = sides.map(side => side.results.map(result => comparedFigures(result, figures)))
  const rows = document.sides[0].runs.map((_, place) => [
    String(place + 1),
    ...document.sides.map(({ runs }) => runCell(runs[place], links)),
    ...figures.flatMap(figure =>
      found.map(values => {
        const value = values[whole.indexOf(place)]?.[figure.name] ?? null
        return value === null ? MISSING : written(value, figure)
      })
    )
  ])
  const headings = [
    'Run',
    ...letters,
    ...figures.flatMap(figure => letters.map(each => `${each} ${inUnit(figure)}`))
  ]
  const align = headings.map((_, i) => /** @type {'l' | 'r'} */ (i > 0 && i <= sides.length ? 'l' : 'r'))
  return html`<details><summary>Every run</summary>\n${tableOf({ headings, align, rows }, { label: 'Every run' })}</details>\n`
}

/** @param {Comparison} comparison */
const plans = ({ sides }) =>
  html`${sides.map(
    ({ label, results: [result], scenario }, place) =>
      html`<h3>${letterOf(place)}: ${phrase(label)}</h3>\n${planSection(result, { folder: undefined, view: { scenario } })}`
  )}`

/**
 * comparisonPage is the page of a comparison of runs.
 *
 * @param {Comparison} comparison
 * @param {{ document?: ComparisonDocument | null, links?: ReadonlyMap<string, string> }} [of] - `document`: of its study; `links`: to its
 *   runs, by their folders
 * @returns {Promise<string>}
 */
export async function comparisonPage(comparison, { document = null, links = new Map() } = {}) {
  const { sides, against } = comparison
  const [{ scenario, results }] = sides
  const [{ run }] = results
  const curves = timeCurves(sides)
  const metrics = against[0]?.metrics ?? []
  const drawn = metrics.find(({ verdict }) => verdict === 'different') ?? metrics[0]
  const { started } = await scenario.view()
  const kept = {
    sides: sides.map(side => ({
      ...side,
      plan: side.results[0].plan,
      runs: side.results.map(({ id }) => id)
    }))
  }
  return descriptionPage(
    await describeRuns(comparison, document),
    {
      answer: {
        figures: tilesOf(comparison).slice(0, 4),
        plots: drawn === undefined ? curves : pairedRatios([drawn], 'B')
      },
      plots: {
        times: curves,
        pairs: against.flatMap(({ metrics }, i) => pairedRatios(metrics, letterOf(i + 1)))
      },
      sections: [
        section('runs', 'Runs', runsTable(comparison, document ?? kept, links)),
        section('plans', 'Plans', plans(comparison)),
        document === null ? null : commandSection(comparisonCommandLine(document, scenario)),
        section(
          'about',
          'About these runs',
          listing('Environment', [started(results[0]), ...environmentOf(run, { withLoad: false })])
        )
      ],
      footer: studyFooter(document === null ? null : COMPARISON_DOCUMENT.file, 'docs/comparison.md')
    },
    {
      document: document ?? {
        id: sides.map(({ label }) => label).join(' · '),
        startedAt: run.startedAt,
        finishedAt: null
      },
      on: run,
      ...(document === null && { unended: 'made from what is kept' })
    }
  )
}
