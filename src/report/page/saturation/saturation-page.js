import { isBeyond } from '../../../load/saturation-grid.js'
import { measuredCells } from '../../../result/saturation/measured-cells.js'
import { loadRenderer } from '../../plots/render.js'
import { latencyMultiples, MULTIPLES_LEGEND } from '../../plots/saturation/latency-over-time.js'
import { latencyThroughputPlot } from '../../plots/saturation/latency-throughput.js'
import { searchPlots } from '../../plots/saturation/search-plots.js'
import { cellName, cellTable, GRID_SIGNS, gridTable, rateWords } from '../../saturation/grid-tables.js'
import { SATURATION_RULES, searchRules } from '../../saturation/rules.js'
import { saturationCommandLine } from '../../saturation/saturation-command-line.js'
import { saturationSentences } from '../../saturation/saturation-sentences.js'
import { trialTable } from '../../saturation/trial-table.js'
import { pageDocument } from '../document.js'
import { html } from '../html.js'
import { drawer } from '../plot.js'
import { smallMultiples } from '../small-multiples.js'
import { tableOf } from '../table.js'
import { statementList } from '../verdict.js'
import { aboutRuns, commandSection, footer, heading, lead, noteList, section } from './frame.js'
import { completeness, doubts, searchStatements } from './saturation-verdict.js'
import { trialRows } from './trial-rows.js'

/**
 * @typedef {import('../../../result/saturation/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../../../result/saturation/saturation-document.js').GridState} GridState
 * @typedef {import('../../../result/saturation/trial.js').SearchState} SearchState
 * @typedef {import('../../saturation/saturation-views.js').Runs} Runs
 * @typedef {import('../html.js').Html} Html
 */

/** @param {GridState} grid @param {Runs} runs */
async function gridSections(grid, { results, links }) {
  const { trials, ...table } = cellTable(grid)
  const cells = measuredCells(grid.cells)
  const multiples = latencyMultiples(
    cells.flatMap(({ trial, ...cell }) => {
      const result = trial.run === null ? undefined : results.get(trial.run)
      if (result === undefined) return []
      const note = isBeyond(cell) ? 'beyond the diagonal' : ''
      return [{ id: `latency-${trial.name.replace(/[^\w-]/g, '_')}`, title: cellName(cell), note, result }]
    })
  )
  return [
    section(
      'grid',
      'Operations achieved',
      html`${tableOf(gridTable(grid), { label: 'Operations achieved' })}${noteList([GRID_SIGNS, ...SATURATION_RULES])}`
    ),
    section('cells', 'Every cell', trialRows({ ...table, trials }, links, 'Every cell')),
    section(
      'latency-throughput-section',
      'Latency against throughput',
      await drawer(loadRenderer)(latencyThroughputPlot(grid))
    ),
    section('latency', 'Latency over time', await smallMultiples(loadRenderer, multiples, MULTIPLES_LEGEND))
  ]
}

/**
 * searchSections show the trials of a search.
 *
 * @param {SearchState} search
 * @param {Runs} runs
 * @returns {Promise<(Html | null)[]>}
 */
export async function searchSections(search, { results, links }) {
  const multiples = latencyMultiples(
    search.trials.flatMap(({ run, perSecond, sustained, name }, place) => {
      const result = run === null ? undefined : results.get(run)
      if (result === undefined) return []
      const title = `Trial ${place + 1}: ${rateWords(perSecond)}/s`
      return [
        {
          id: `latency-${name.replace(/[^\w-]/g, '_')}`,
          title,
          note: sustained === false ? 'not sustained' : '',
          result
        }
      ]
    })
  )
  return [
    section('search-plots', 'The search', await drawer(loadRenderer)(searchPlots(search.trials))),
    section(
      'trials',
      'Every trial',
      html`${trialRows(trialTable(search), links, 'Every trial')}${noteList(searchRules(search.tolerance))}`
    ),
    section('latency', 'Latency over time', await smallMultiples(loadRenderer, multiples, MULTIPLES_LEGEND))
  ]
}

/**
 * saturationPage is the page of a saturation: one HTML file that needs neither script nor network.
 *
 * @param {SaturationDocument} document
 * @param {Runs} runs
 * @returns {Promise<string>}
 */
export async function saturationPage(document, runs) {
  const { grid, search } = document
  const trials = grid?.cells ?? search?.trials ?? []
  const sentences = saturationSentences(document)
  const [first] = runs.results.values()
  const body = [
    heading(document, 'saturate', first),
    lead(sentences),
    statementList([
      ...completeness(document, trials),
      ...(search === null ? [] : searchStatements(search.found)),
      ...doubts(trials)
    ]),
    ...(grid === null ? [] : await gridSections(grid, runs)),
    ...(search === null ? [] : await searchSections(search, runs)),
    commandSection(saturationCommandLine(document)),
    aboutRuns(first),
    footer('saturate.json', 'docs/saturation.md')
  ]
  return pageDocument({
    title: `${document.id} · libp2p-loadtest`,
    description: sentences.join(' '),
    body
  })
}
