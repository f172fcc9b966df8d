import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { loadRenderer } from '../../../../kit/plots/render.js'
import { smallMultiples } from '../../../../kit/plots/small-multiples.js'
import { aboutRuns } from '../../../../report/page/about.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../../report/page/frame.js'
import { assumptions, capacitySentences, capacityServers, estimateTable } from '../capacity-sentences.js'
import { CAPACITY_FACE } from '../faces.js'
import { loadNames } from '../load-names.js'
import { loadTable } from '../load-table.js'
import { latencyMultiples, MULTIPLES_LEGEND } from '../plots/latency-over-time.js'
import { searchAnswer } from '../saturation-answer.js'
import { capacityCommandLine } from '../saturation-command-line.js'
import { differIn, legendOf, searchSections } from './saturation-page.js'
import { completeness, doubts, searchStatements } from './saturation-verdict.js'
import { trialRows } from './trial-rows.js'

/**
 * @typedef {import('../../result/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('../../trials-study.js').Runs} Runs
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** @param {CapacityDocument} document @returns {Statement[]} */
const scaled = ({ scale }) =>
  scale === 1
    ? []
    : [
        {
          tone: 'bad',
          text: 'The server held fewer registrations than the network: these are not its figures.'
        }
      ]

/** @param {CapacityDocument} document @param {Runs} runs */
async function overTime({ loads }, { results }) {
  const plots = latencyMultiples(
    loads.flatMap(({ run, name, perSecond }) => {
      const result = run === null ? undefined : results.get(run)
      return result === undefined
        ? []
        : [{ id: `latency-${name}`, title: loadNames[name], note: `${perSecond}/s`, result }]
    })
  )
  return smallMultiples(loadRenderer, plots, MULTIPLES_LEGEND)
}

/**
 * capacityPage is the page of a capacity: one HTML file that needs no network, and no script to be read.
 *
 * @param {CapacityDocument} document
 * @param {Runs} runs
 * @returns {Promise<string>}
 */
export async function capacityPage(document, runs) {
  const { loads, search } = document
  const sentences = capacitySentences(document)
  const rates = loadTable(document)
  const trials = [...loads, ...search.trials]
  const [first] = runs.results.values()
  const { figures, plots } = searchAnswer(search, CAPACITY_FACE)
  const { shown, draw } = await firstScreen({
    figures: [['Servers', capacityServers(document)], ...figures.slice(0, 3)],
    plots
  })
  return framedPage(
    { what: 'capacity', document, on: first?.run },
    {
      ...shown,
      sentences,
      description: sentences[0],
      statements: [
        ...completeness(document, trials),
        ...scaled(document),
        ...searchStatements(search.found, CAPACITY_FACE),
        ...doubts(trials, CAPACITY_FACE)
      ],
      sections: [
        section(
          'loads',
          'The rates of the network, each at its real speed',
          html`${trialRows(rates, runs.links, 'Rates')}${notesList(legendOf(rates, CAPACITY_FACE))}${await overTime(document, runs)}`
        ),
        section(
          'estimate',
          'Servers',
          html`${tableOf(estimateTable(document), { label: 'Servers' })}${notesList(assumptions(document))}`
        ),
        ...(await searchSections(search, runs, { face: CAPACITY_FACE, draw })),
        commandSection(capacityCommandLine(document)),
        aboutRuns(first, differIn(CAPACITY_FACE), runs.view)
      ],
      footer: studyFooter('capacity.json', 'docs/capacity.md')
    }
  )
}
