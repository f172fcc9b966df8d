import { deliveriesCsv, missingCsv, nodesCsv, timelineCsv, topicsCsv } from './view/csv.js'
import { figuresInLine, settingInLine } from './view/in-line.js'
import { GOSSIP_MATRIX } from './view/matrix.js'
import { GOSSIP_METRICS } from './view/metrics.js'
import { NETWORK_AGAINST } from './view/network-against.js'
import { NODE_SETTINGS } from './view/node-settings.js'
import { GOSSIP_NOTES } from './view/notes.js'
import { GOSSIP_WORDS } from './view/progress-words.js'
import { gossipCells } from './view/table.js'

/** VIEW shows a network that carries messages. @type {import('../../report/view.js').ScenarioView} */
export const VIEW = Object.freeze({
  words: GOSSIP_WORDS,
  cells: gossipCells,
  fileRows: gossipCells,
  notes: GOSSIP_NOTES,
  parts: () => [],
  inLine: { what: settingInLine, came: figuresInLine },
  settings: NODE_SETTINGS,
  against: NETWORK_AGAINST,
  csv: [
    { file: 'deliveries.csv', render: deliveriesCsv },
    { file: 'nodes.csv', render: nodesCsv },
    { file: 'timeline.csv', render: timelineCsv },
    { file: 'topics.csv', render: topicsCsv },
    { file: 'missing.csv', render: missingCsv }
  ],
  metrics: GOSSIP_METRICS,
  matrix: GOSSIP_MATRIX,
  page: async () => (await import('./page.js')).PAGE
})
