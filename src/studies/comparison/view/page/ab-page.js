import { html, phrase } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { MISSING } from '../../../../kit/numbers.js'
import { change } from '../../../../report/change.js'
import { listing, planListing } from '../../../../report/page/about.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import {
  commandSection,
  environmentOf,
  fileLink,
  framedPage,
  notesList,
  section
} from '../../../../report/page/frame.js'
import { abCommandLine, planCommandLine } from '../../../../report/repeat.js'
import { allFigures } from '../all-figures.js'
import { caveats, metricsTable } from '../comparison-page.js'
import { comparisonSentences } from '../comparison-sentences.js'
import { pairedRatios } from '../plots/paired-ratios.js'
import { differencesTable, rulesTable, runsTable } from './ab-tables.js'
import { abVerdict } from './ab-verdict.js'

/**
 * @typedef {import('../../ab-comparison.js').AbRead} AbRead
 * @typedef {import('../../ab-folder.js').AbDocument} AbDocument
 * @typedef {import('../../comparison.js').Result} Result
 * @typedef {import('../../../../scenarios/scenario.js').Scenario} Scenario
 */

/** @param {AbRead} ab */
async function figureTables({ sides }) {
  const { tables, notes: said } = await allFigures(sides)
  return html`<p class="quiet">Medians over the runs of each side. These take no part in the verdict.</p>
${tables.map(table => tableOf(table, { label: table.headings[0] }))}${notesList(said)}`
}

/** @param {AbRead} ab @param {Scenario} scenario */
function plans({ document: { arms }, comparison: { differences } }, scenario) {
  const differing =
    differences.plan.length === 0
      ? html`<p>Both plans are the same: what differs is by chance, or by what changed on the machine.</p>\n`
      : differencesTable(differences.plan, 'Plans differ in')
  return html`${differing}${Object.entries(arms).map(
    ([arm, { label, plan }]) => html`<p>One run of ${arm.toUpperCase()}, ${phrase(label)}:</p>
<pre><code>${planCommandLine(plan, scenario)}</code></pre>
<details><summary>Every parameter of ${arm.toUpperCase()}</summary>
${planListing(plan)}</details>
`
  )}`
}

/** @param {AbRead} ab */
async function about({ comparison: { differences }, sides }) {
  const [first] = sides[0].results
  const { started } = await sides[0].scenario.view()
  const others = [...differences.machine, ...differences.versions]
  return html`${listing('Environment', [
    started(first),
    ...environmentOf(first.run, { withLoad: false })
  ])}${others.length === 0 ? null : differencesTable(others, 'Machines and versions differ in')}`
}

/** What decides, and by how much it changed from A to B; drawn is what differs. @param {AbRead['comparison']} comparison @returns {import('../../../../report/page/answer.js').Answer} */
function answerOf({ metrics }) {
  const drawn = metrics.find(({ verdict }) => verdict === 'different') ?? metrics[0]
  return {
    figures: metrics
      .slice(0, 4)
      .map(({ figure, ratio }) => [figure.title, ratio === null ? MISSING : change(ratio)]),
    plots: drawn === undefined ? [] : pairedRatios([drawn])
  }
}

/**
 * abPage is the page of a comparison of two plans: one HTML file that needs no network, and no script to be read.
 *
 * @param {AbRead} ab
 * @param {object} shown
 * @param {Scenario} shown.scenario - of its plans
 * @param {ReadonlyMap<string, string>} [shown.links] - to its runs, by their folders
 * @returns {Promise<string>}
 */
export async function abPage(ab, { scenario, links = new Map() }) {
  const { document, comparison, sides } = ab
  const { shown, draw } = await firstScreen(answerOf(comparison))
  const plots = await draw(pairedRatios(comparison.metrics))
  return framedPage(
    { what: 'ab', document, on: sides[0].results[0].run },
    {
      ...shown,
      sentences: comparisonSentences(comparison),
      statements: abVerdict(ab),
      sections: [
        section(
          'figures',
          'What differs',
          html`${tableOf(metricsTable(comparison), { label: 'Primary metrics' })}${notesList(caveats(comparison))}`
        ),
        section('rules', 'Rules', rulesTable(ab)),
        section(
          'pairs',
          'Pairs of runs',
          html`${plots}<details><summary>Every run</summary>\n${runsTable(ab, links)}</details>\n`
        ),
        section('all-figures', 'All figures', await figureTables(ab)),
        section('plans', 'The two plans', plans(ab, scenario)),
        commandSection(abCommandLine(document, scenario)),
        section('about', 'About these runs', await about(ab))
      ],
      footer: html`<footer class="quiet">Everything here is made from ${fileLink('ab.json')} beside this page and the results of the runs. How it is decided, and how it
can mislead: docs/comparison.md of ${['libp2p-loadtest', comparison.base.version].filter(Boolean).join(' ')}.</footer>\n`
    }
  )
}
