import { figuresSideBySide } from '../../report/figures-side-by-side.js'
import { GOSSIP_FIGURES } from './figures.js'
import { processesOf } from './plan/processes-of.js'
import { deliveriesCsv, missingCsv, nodesCsv, timelineCsv, topicsCsv } from './view/csv.js'
import { NETWORK_GAUGES } from './view/gauges.js'
import { GOSSIP_NOTES } from './view/gossip-notes.js'
import { figuresInLine, settingInLine } from './view/in-line.js'
import { GOSSIP_MATRIX } from './view/matrix.js'
import { NETWORK_AGAINST } from './view/network-against.js'
import { resourceParts, resourcesCsv, resourcesKnown } from './view/node-resources.js'
import { NODE_SETTINGS } from './view/node-settings.js'
import { GOSSIP_WORDS } from './view/progress-words.js'
import { gossipCells, gossipHeadings } from './view/table.js'

const BESIDE = GOSSIP_FIGURES.filter(({ beside }) => beside !== undefined)

/** VIEW shows a network that carries messages. @type {import('../../report/view.js').ScenarioView<import('./gossip-types.js').GossipResult>} */
export const VIEW = {
  words: GOSSIP_WORDS,
  cells: gossipCells,
  fileRows: gossipCells,
  fileHeadings: gossipHeadings,
  notes: GOSSIP_NOTES,
  parts: resourceParts,
  inLine: { what: settingInLine, came: figuresInLine },
  settings: NODE_SETTINGS,
  against: NETWORK_AGAINST,
  beside: sides => ({ tables: [figuresSideBySide('Gossip', BESIDE, sides)], notes: [] }),
  started: ({ plan }) => [
    'Nodes',
    `${plan.nodes} in ${processesOf(plan)} ${plan.network === 'docker' ? 'containers' : 'worker processes'}, started anew for every run`
  ],
  csv: [
    { file: 'deliveries.csv', render: deliveriesCsv },
    { file: 'nodes.csv', render: nodesCsv },
    { file: 'timeline.csv', render: timelineCsv },
    { file: 'topics.csv', render: topicsCsv },
    { file: 'missing.csv', render: missingCsv },
    { file: 'resources.csv', render: resourcesCsv, when: resourcesKnown }
  ],
  gauges: NETWORK_GAUGES,
  matrix: GOSSIP_MATRIX,
  page: async () => (await import('./page.js')).PAGE
}
