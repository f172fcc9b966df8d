import { grouped, significant, spell } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { MOST_P99_MS } from '../measure/not-carried.js'
import { gossipFigures } from './gossip-figures.js'

/** @param {number} inTimeMs */
const carried = inTimeMs =>
  `A load is carried when all messages were published and reached every subscriber, p99 of dissemination (of fewer than 100 messages the slowest) was below ${spell(inTimeMs)}, the backlog did not grow all the while, and no process was more than 90 % busy. Of a simulated network deliveries under way stand for the backlog, and how busy the process was says nothing.`

const gossipRules = (inTimeMs = MOST_P99_MS) => [
  `Expected are r × duration messages; achieved are those that reached every subscriber within ${spell(inTimeMs)}. Load is the deliveries due per second: r × (n − 1), where all nodes subscribe. A cell lies beyond the saturation diagonal when its load was not carried.`,
  carried(inTimeMs),
  'The chosen cell has the largest load below the diagonal; of several the one with the lowest average dissemination time.'
]

/** GOSSIP_FACE is how trials of messages are called and shown. @type {import('../../saturation.js').Face} */
export const GOSSIP_FACE = {
  what: 'messages',
  sizeSign: 'n',
  one: 'node',
  many: 'nodes',
  ratesFlag: '--rate',
  loadWords: load => `${significant(load)} deliveries/s`,
  rateWords: perSecond => `${rateWords(perSecond)} messages/s`,
  loadHeading: 'Deliveries due /s',
  loadName: 'load',
  beyondWords: 'not carried',
  timeName: 'dissemination time',
  throughputName: 'deliveries per second',
  throughputOf: ({ deliveries, durationMs }) => (deliveries * 1000) / durationMs,
  tailOf: ({ tailMs }) => tailMs,
  tailWords: 'of fewer than 100 messages the slowest',
  latencyTitle: 'Latency of deliveries over time, by when messages were published',
  figures: gossipFigures(false),
  outcome: { headings: ['Deliveries missing'], cells: point => [grouped(point.missing)] },
  saysWhy: true,
  gridRules: gossipRules,
  searchRules: (inTimeMs = MOST_P99_MS) => [carried(inTimeMs)],
  notes: () => [
    'Generator and nodes share the processes: this is what this machine carries, not what the network would.'
  ],
  notIts: '',
  boundStatement: 'Generator-bound: the figure is a lower bound, of this machine and not of the network.',
  doubt: 'nodes waited for one another, or for their turn to publish'
}

/** SIMULATED_FACE is how those in a simulated network are. @type {import('../../saturation.js').Face} */
export const SIMULATED_FACE = {
  ...GOSSIP_FACE,
  figures: gossipFigures(true),
  notes: () => [
    "Simulated: nodes were joined by no real network. What is used up here is the model's, lines and processing: a figure of the network as modelled, in which no machine's speed has a part."
  ],
  unsteady: 'this network does not answer the same from seed to seed. Try a longer --duration',
  boundStatement: 'The figure is a lower bound.'
}
