import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { grouped, significant } from '../../../../kit/numbers.js'
import { aboutSection, planSection } from '../../../../report/page/about.js'
import { notesList } from '../../../../report/page/frame.js'
import { bracketTable, latenessTable } from '../../../../report/page/lateness.js'
import { figureNotes, together, warningsList } from '../../../../report/page/section-parts.js'
import { thresholdsTable } from '../../../../report/page/thresholds.js'
import { share } from '../../../../report/share.js'
import { figure } from '../../../../report/table.js'
import { reasonsOf } from '../carried-words.js'
import { resourceCells, resourcesKnown } from '../node-resources.js'
import { arrivalCurves } from '../plots/arrival-curves.js'
import { disseminationHistogram } from '../plots/dissemination-histogram.js'
import { hopsPlot } from '../plots/hops.js'
import { interArrivalPlot } from '../plots/inter-arrival.js'
import { latencyMap } from '../plots/latency-map.js'
import { meshDegreePlot } from '../plots/mesh-degree.js'
import { MOST_NODES, topologyPlot } from '../plots/topology.js'
import { transmissionPlots } from '../plots/transmission.js'
import { workerPlots } from '../plots/worker-load.js'
import { gossipTables } from '../table.js'
import { missingTables } from './missing-table.js'
import { workerTable } from './worker-table.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../report/page/section.js').Section<import('../../gossip-types.js').GossipResult>} Section
 */

/** @param {GossipResult} result @param {{ view: import('../../../../report/view.js').View }} tools */
function figures(result, { view }) {
  const { deliveries, times } = gossipTables(result)
  if (deliveries.rows.length === 0) return null
  return together([
    tableOf(deliveries, { label: 'Deliveries' }),
    tableOf(times, { label: 'Times' }),
    figureNotes(result, view),
    trialTable(result),
    topicTable(result)
  ])
}

/** @param {GossipResult} result */
const tooLarge = ({ outcome: { topology } }) =>
  topology.nodes <= MOST_NODES || topology.edgeCount === 0
    ? null
    : html`<p class="quiet">A network of more than ${MOST_NODES} nodes is not drawn: this one has ${grouped(topology.nodes)}.</p>\n`

/** GOSSIP_SECTIONS are the parts of the page of a run of the gossip scenario. @type {readonly Section[]} */
export const GOSSIP_SECTIONS = [
  { id: 'figures', title: 'Figures', body: figures },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warningsList },
  {
    id: 'times',
    title: 'Dissemination and latency',
    body: (result, { draw }) =>
      draw([
        ...disseminationHistogram(result),
        ...arrivalCurves(result),
        ...latencyMap(result),
        ...hopsPlot(result)
      ])
  },
  {
    id: 'publications',
    title: 'Publications and deliveries',
    body: (result, { draw }) => draw([...transmissionPlots(result), ...interArrivalPlot(result)])
  },
  {
    id: 'missing',
    title: 'Missing deliveries',
    body: (result, { view }) => together([notesList(view.notes.failures(result)), missingTables(result)])
  },
  {
    id: 'topology',
    title: 'Network and mesh',
    body: async (result, { draw }) =>
      together([
        rendezvousTable(result),
        tooLarge(result),
        await draw([...topologyPlot(result), ...meshDegreePlot(result)])
      ])
  },
  {
    id: 'generator',
    title: 'Workers',
    body: async (result, { draw }) =>
      together([
        workerTable(result),
        resourceTable(result),
        brackets(result),
        latenessTable(result),
        await draw(workerPlots(result))
      ])
  },
  { id: 'plan', title: 'Repeat it', body: planSection },
  { id: 'about', title: 'About this run', body: aboutSection }
]

/** @typedef {import('../../../../result/types.js').Summary} Summary */

/** @param {string} name @param {Summary} summary */
const row = (name, { count, avg, p50, p90, p99, max }) => [
  name,
  grouped(count),
  ...[avg, p50, p90, p99, max].map(time => figure(time))
]

/** @param {import('../../gossip-types.js').GossipResult} result */
const brackets = ({ outcome: { latency, dissemination } }) =>
  bracketTable(
    [
      ['Latency', latency.all],
      ['Dissemination', dissemination.all]
    ],
    'Brackets in ms: without what messages waited on their way because nodes share processes and processes cores, and with it.',
    'Times'
  )

/**
 * rendezvousTable shows how long nodes took to find one another.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: they were told of one another
 */
function rendezvousTable({ outcome: { rendezvous } }) {
  if (rendezvous === null) return null
  return tableOf(
    {
      headings: ['Step over the rendezvous server', 'Count', 'Avg ms', 'p50', 'p90', 'p99', 'Max'],
      rows: [
        row('Connect to the server', rendezvous.connect),
        row('Register under the topic', rendezvous.register),
        row('Discover the others', rendezvous.discover),
        row('Dial what was found', rendezvous.dial)
      ]
    },
    { label: 'Rendezvous' }
  )
}

/** Topics that are shown; more are in the result. */
const SHOWN = 50

/**
 * topicTable shows what became of the messages of each topic.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: there is but one
 */
function topicTable({ plan, outcome: { topics } }) {
  if (plan.topics.length < 2) return null
  return tableOf(
    {
      headings: ['Topic', 'Messages', 'Deliveries expected', 'Delivered', 'MDR %'],
      rows: topics
        .slice(0, SHOWN)
        .map(({ topic, published, expected, delivered }) => [
          plan.topics[topic]?.name ?? String(topic),
          grouped(published),
          grouped(expected),
          grouped(delivered),
          share(delivered, expected)
        ])
    },
    { label: 'Topics' }
  )
}

/**
 * trialTable shows the rates that were tried by `--rate auto` of an earlier release.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: the rate was given
 */
function trialTable({ outcome: { carriedRate } }) {
  if (carriedRate == null || carriedRate.trials.length === 0) return null
  return tableOf(
    {
      headings: ['Messages/s', 'Repeats', 'Carried', 'Why not'],
      align: ['r', 'r', 'l', 'l'],
      rows: carriedRate.trials.map(({ perSecond, repeats, carried, reasons }) => [
        significant(perSecond),
        grouped(repeats),
        carried ? 'yes' : reasons.length === 0 ? 'not finished' : 'no',
        reasonsOf(reasons)
      ])
    },
    { label: 'Rates that were tried' }
  )
}

/** @param {import('../../gossip-types.js').GossipResult} result */
const resourceTable = result =>
  resourcesKnown(result) ? tableOf(resourceCells(result), { label: 'Resources by phase' }) : null
