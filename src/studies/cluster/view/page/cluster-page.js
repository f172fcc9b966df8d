import { html } from '../../../../kit/html.js'
import { loadRenderer } from '../../../../kit/plots/render.js'
import { smallMultiples } from '../../../../kit/plots/small-multiples.js'
import { aboutRuns } from '../../../../report/page/about.js'
import { NO_ANSWER } from '../../../../report/page/answer.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../../report/page/frame.js'
import { CAPACITY_FACE } from '../../../saturation/view/faces.js'
import { differIn, searchSections } from '../../../saturation/view/page/saturation-page.js'
import { completeness, doubts, searchStatements } from '../../../saturation/view/page/saturation-verdict.js'
import { trialRows } from '../../../saturation/view/page/trial-rows.js'
import { latencyMultiples, MULTIPLES_LEGEND } from '../../../saturation/view/plots/latency-over-time.js'
import { searchAnswer } from '../../../saturation/view/saturation-answer.js'
import { clusterCommandLine } from '../cluster-command-line.js'
import { clusterAnswer, clusterSentences } from '../cluster-sentences.js'
import { presetInWords } from '../cluster-text.js'
import { stageNames } from '../stage-names.js'
import { stageTable } from '../stage-table.js'

/**
 * @typedef {import('../../result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('../../../saturation/trials-study.js').Runs} Runs
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** @param {ClusterDocument} document @returns {Statement[]} */
const held = ({ registrations, network }) =>
  registrations >= network.peers
    ? []
    : [
        {
          tone: 'mind',
          text: 'Fewer registrations were held than the network has: the rest is extrapolated.'
        }
      ]

/** @param {ClusterDocument} document @returns {Statement[]} */
function carried({ stages }) {
  const failed = stages.filter(({ carried }) => carried === false)
  if (failed.length > 0)
    return [{ tone: 'bad', text: `Not carried: ${failed.map(({ name }) => stageNames[name]).join(', ')}.` }]
  const all = stages.length > 0 && stages.every(({ carried }) => carried)
  return all ? [{ tone: 'good', text: 'Every rate was carried.' }] : []
}

/** @param {ClusterDocument} document @param {Runs} runs */
async function overTime({ stages }, { results }) {
  const plots = latencyMultiples(
    stages.flatMap(({ run, name, perSecond }) => {
      const result = run === null ? undefined : results.get(run)
      return result === undefined
        ? []
        : [
            {
              id: `latency-${name}`,
              title: stageNames[name],
              note: `${perSecond}/s`,
              result: /** @type {any} */ (result)
            }
          ]
    })
  )
  return smallMultiples(loadRenderer, plots, MULTIPLES_LEGEND)
}

/** @param {ClusterDocument} document @param {Runs} runs */
async function stageSections(document, runs) {
  if (document.stages.length === 0) return []
  const rows = trialRows(stageTable(document), runs.links, 'Rates')
  return [section('stages', 'The rates of the network, held', html`${rows}${await overTime(document, runs)}`)]
}

/**
 * clusterPage is the page of a run of the servers: one HTML file that needs no network, and no script to be read.
 *
 * @param {ClusterDocument} document
 * @param {Runs} runs
 * @returns {Promise<string>}
 */
export async function clusterPage(document, runs) {
  const { stages, search } = document
  const trials = [...stages, ...(search?.trials ?? [])]
  const [first] = runs.results.values()
  const { shown, draw } = await firstScreen(search === null ? NO_ANSWER : searchAnswer(search, CAPACITY_FACE))
  return framedPage(
    { what: 'capacity --run', document, on: first?.run },
    {
      ...shown,
      sentences: clusterSentences(document),
      description: clusterAnswer(document),
      statements: [
        ...completeness(document, trials),
        ...held(document),
        ...carried(document),
        ...(search === null ? [] : searchStatements(search.found, CAPACITY_FACE)),
        ...doubts(trials, CAPACITY_FACE)
      ],
      sections: [
        ...(await stageSections(document, runs)),
        ...(search === null ? [] : await searchSections(search, runs, { face: CAPACITY_FACE, draw })),
        section('preset', 'Whose rate it is', notesList([presetInWords(document)])),
        commandSection(clusterCommandLine(document)),
        aboutRuns(first, differIn(CAPACITY_FACE), runs.view)
      ],
      footer: studyFooter('cluster.json', 'docs/capacity.md')
    }
  )
}
