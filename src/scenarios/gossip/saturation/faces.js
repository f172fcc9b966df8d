import { grouped, MISSING, percent, significant, spell } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { ADDED_TO_DELIVERIES } from '../../../measure/doubt.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { MOST_P99_MS } from '../measure/not-carried.js'
import { DESCRIBED_MESSAGES } from './described.js'
import { LINES } from './gossip-point.js'

/**
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 *
 * @typedef {readonly [heading: string, cell: (point: GossipPoint) => string]} Column
 */

/** @param {number | null | undefined} part */
const percentOf = part => percent(part == null ? null : part * 100)

/** @param {GossipPoint['model']} model @returns {number | null} */
function mostUsed(model) {
  const shares = LINES.flatMap(line => model?.[line]?.average ?? [])
  return shares.length === 0 ? null : Math.max(...shares)
}

/** @type {readonly Column[]} */
const CARRIED = [
  ['Deliveries /s', ({ deliveries, durationMs }) => significant((deliveries * 1000) / durationMs)],
  ['Deliveries in time %', ({ deliveries, dueDeliveries }) => share(deliveries, dueDeliveries)],
  ['Dissemination avg ms', ({ rt }) => figure(rt.avg)],
  ['p50 ms', ({ rt }) => figure(rt.p50)],
  ['p99 ms', ({ rt }) => figure(rt.p99)],
  ['Max ms', ({ rt }) => figure(rt.max)]
]

/** @type {readonly Column[]} */
const REAL = [
  ...CARRIED,
  ['Busiest process %', ({ utilization }) => percentOf(utilization)],
  ['CPU of all %', ({ cpuPercent }) => percent(cpuPercent)]
]

/** @type {readonly Column[]} */
const SIMULATED = [
  ...CARRIED,
  ['Lines used %', ({ model }) => percentOf(mostUsed(model))],
  ['Processing %', ({ model }) => percentOf(model?.processing?.average)]
]

/**
 * gossipFigures are the columns of what a gossip network made of a load.
 *
 * @param {boolean} simulated
 * @returns {{ headings: readonly string[], cells: (point: GossipPoint | null) => string[] }}
 */
function gossipFigures(simulated) {
  const columns = simulated ? SIMULATED : REAL
  return {
    headings: columns.map(([heading]) => heading),
    cells: point => columns.map(([, cell]) => (point === null ? MISSING : cell(point)))
  }
}

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
  ...DESCRIBED_MESSAGES,
  who: 'The network',
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
  doubt: 'nodes waited for one another, or for their turn to publish',
  added: ADDED_TO_DELIVERIES
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
