import { grouped } from '../../kit/numbers.js'
import { runErrors } from '../run-errors.js'
import { LEAST_SECONDS } from '../saturation/plan/network-load.js'
import { trialsOfStudy } from '../saturation/trials-study.js'
import { REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { CLUSTER_DOCUMENT } from './result/cluster-document.js'
import { runCluster } from './run-cluster.js'
import { clusterCommandLine } from './view/cluster-command-line.js'
import { clusterAnswer } from './view/cluster-sentences.js'
import { clusterText } from './view/cluster-text.js'

/**
 * @typedef {import('./result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {ReadonlyMap<string, import('../../result/types.js').AnyResult>} Results
 */

/** @type {readonly import('../study-door.js').StudyView<ClusterDocument, Results>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, results, { links, viewOf }) {
      // with it comes what draws its plots
      const { clusterPage } = await import('./view/page/cluster-page.js')
      return clusterPage(document, { results, links, view: viewOf({ scenario: 'rendezvous' }) })
    }
  },
  {
    file: 'cluster.md',
    render: document =>
      markdownReport(document, clusterText(document), {
        docs: 'docs/capacity.md',
        command: clusterCommandLine(document)
      })
  }
]

const FILES = [...VIEWS.map(({ file }) => file), CLUSTER_DOCUMENT.file]

/** @param {ClusterDocument} document */
const isDoubtful = ({ registrations, network, seconds, stages, search }) =>
  registrations < network.peers ||
  (stages.length > 0 && seconds < LEAST_SECONDS) ||
  stages.some(({ point }) => point?.doubtful === true) ||
  search?.found?.generatorBound === true

/** CLUSTER_STUDY runs a network's load on servers that share a store. @type {import('../study-door.js').StudyDoor<ClusterDocument, Results>} */
export const CLUSTER_STUDY = {
  ...trialsOfStudy((/** @type {ClusterDocument} */ { stages, search }) => [
    ...stages,
    ...(search?.trials ?? [])
  ]),
  document: CLUSTER_DOCUMENT,
  run: runCluster,
  shown: () => [{ scenario: 'rendezvous' }],
  views: () => VIEWS,
  text: (document, _, folder) => readableText(clusterText(document), folder, FILES),
  verdict: (document, results) => ({
    ...runErrors(results ?? [], { trial: true }),
    doubtful: isDoubtful(document)
  }),
  inLine: document => [
    `capacity --run: ${document.preset}, ${grouped(document.network.peers)} peers`,
    clusterAnswer(document)
  ]
}
