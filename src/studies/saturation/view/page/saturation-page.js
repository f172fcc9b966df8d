import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { capital } from '../../../../kit/numbers.js'
import { loadRenderer } from '../../../../kit/plots/render.js'
import { smallMultiples } from '../../../../kit/plots/small-multiples.js'
import { rateWords } from '../../../../kit/rate-words.js'
import { aboutRuns } from '../../../../report/page/about.js'
import { NO_ANSWER } from '../../../../report/page/answer.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../../report/page/frame.js'
import { doubtLegend } from '../../../../report/table.js'
import { measuredCells } from '../../result/measured-cells.js'
import { cellName, faceOf, gridLegend } from '../faces.js'
import { cellTable, gridTable } from '../grid-tables.js'
import { gridPlots } from '../plots/grid-plots.js'
import { latencyMultiples, MULTIPLES_LEGEND } from '../plots/latency-over-time.js'
import { searchPlots } from '../plots/search-plots.js'
import { gridAnswer, searchAnswer } from '../saturation-answer.js'
import { saturationCommandLine } from '../saturation-command-line.js'
import { saturationSentences } from '../saturation-sentences.js'
import { trialTable } from '../trial-table.js'
import { completeness, doubts, searchStatements } from './saturation-verdict.js'
import { trialRows } from './trial-rows.js'

/**
 * @typedef {import('../../result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../../result/saturation-document.js').GridState} GridState
 * @typedef {import('../../result/trial.js').SearchState} SearchState
 * @typedef {import('../../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../trials-study.js').Runs} Runs
 * @typedef {import('../../../../kit/html.js').Html} Html
 *
 * @typedef {object} Shown - how trials are
 * @property {Face} face
 * @property {import('../../../../kit/plots/drawer.js').Draw} draw
 * @property {number} [inTimeMs] - within which a message is to reach everyone
 */

/**
 * gridSections show the cells of a grid.
 *
 * @param {GridState} grid
 * @param {Runs} runs
 * @param {Shown} shown
 */
export async function gridSections(grid, { results, links }, { face, draw, inTimeMs }) {
  const { trials, ...table } = cellTable(grid, face)
  const cells = measuredCells(grid.cells)
  const multiples = latencyMultiples(
    cells.flatMap(({ trial, ...cell }) => {
      const result = trial.run === null ? undefined : results.get(trial.run)
      if (result === undefined) return []
      const note = cell.beyond ? 'not kept up with' : ''
      const id = `latency-${trial.name.replace(/[^\w-]/g, '_')}`
      return [{ id, title: cellName(face, cell), note, result }]
    })
  )
  return [
    section(
      'grid',
      `${capital(face.what)} achieved`,
      html`${tableOf(gridTable(grid, face), { label: 'What was achieved' })}${notesList([gridLegend(face), ...face.gridRules(inTimeMs)])}`
    ),
    section(
      'cells',
      'Every cell',
      html`${trialRows({ ...table, trials }, links, 'Every cell')}${notesList(legendOf(table, face))}`
    ),
    section(
      'latency-throughput-section',
      `${capital(face.timeName)} against throughput`,
      await draw(gridPlots(grid, face))
    ),
    section('latency', face.latencyTitle, await smallMultiples(loadRenderer, multiples, MULTIPLES_LEGEND))
  ]
}

/**
 * legendOf says what the marks of doubtful times in a table mean.
 *
 * @param {Pick<import('../../../../kit/table.js').Table, 'rows'>} table
 * @param {Pick<import('../../../../scenarios/saturation.js').Face, 'added'>} face
 */
export const legendOf = ({ rows }, { added }) => doubtLegend(rows.flat().join('\n'), added)

/**
 * searchSections show the trials of a search.
 *
 * @param {SearchState} search
 * @param {Runs} runs
 * @param {Shown} shown
 * @returns {Promise<(Html | null)[]>}
 */
async function searchSections(search, { results, links }, { face, draw, inTimeMs }) {
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
  const tried = trialTable(search, face)
  return [
    section('search-plots', 'The search', await draw(searchPlots(search, face))),
    section(
      'trials',
      'Every trial',
      html`${trialRows(tried, links, 'Every trial')}${notesList([...legendOf(tried, face), ...face.searchRules(inTimeMs), searching(search)])}`
    ),
    section('latency', face.latencyTitle, await smallMultiples(loadRenderer, multiples, MULTIPLES_LEGEND))
  ]
}

/**
 * saturationPage is the page of a saturation: one HTML file that needs no network, and no script to be read.
 *
 * @param {SaturationDocument} document
 * @param {Runs} runs
 * @returns {Promise<string>}
 */
export async function saturationPage(document, runs) {
  const { grid, search, inTimeMs } = document
  const face = faceOf(document)
  const answer =
    grid !== null ? gridAnswer(grid, face) : search !== null ? searchAnswer(search, face) : NO_ANSWER
  const first = await firstScreen(answer)
  const how = { face, draw: first.draw, inTimeMs }
  const trials = grid?.cells ?? search?.trials ?? []
  const [run] = runs.results.values()
  return framedPage(
    { what: 'saturate', document, on: run?.run },
    {
      ...first.shown,
      sentences: saturationSentences(document),
      statements: [
        ...completeness(document, trials),
        ...(search === null ? [] : searchStatements(search.found, face)),
        ...doubts(trials, face)
      ],
      sections: [
        ...(grid === null ? [] : await gridSections(grid, runs, how)),
        ...(search === null ? [] : await searchSections(search, runs, how)),
        commandSection(saturationCommandLine(document)),
        aboutRuns(run, differIn(face), runs.view)
      ],
      footer: studyFooter('saturate.json', 'docs/saturation.md')
    }
  )
}

/** differIn says what the runs of trials differ in. @param {import('../../../../scenarios/saturation.js').Face} face */
export const differIn = ({ many }) => `run; others differ in rate and ${many}`

/** @param {SearchState} search */
const searching = ({ tolerance, blocks }) =>
  `The rate is doubled until one is not sustained, then the space between the two is halved until they are within ${tolerance * 100} % of one another. ${
    blocks === 0
      ? 'Both are repeated; where most repeats contradict the search, it goes on from there.'
      : "Then five rates, 0.8 to 1.2 × what lies between, are tried in shuffled blocks; a logistic curve through them (Firth's penalty) gives the rate that is sustained in 9 of 10 trials, with an interval that counts blocks."
  }`
