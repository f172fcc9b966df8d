import { grouped, significant } from '../../../kit/numbers.js'
import { judgeOf } from '../result/judges.js'
import { gossipFigures } from './gossip-figures.js'
import { FIGURE_HEADINGS, pointFigures } from './operation-figures.js'
import { rateWords } from './rate-words.js'
import { gossipRules, gossipSearchRules, SATURATION_RULES, searchRules } from './rules.js'

/**
 * @typedef {import('../result/saturation-document.js').SaturationDocument} SaturationDocument
 *
 * @typedef {object} Columns
 * @property {readonly string[]} headings
 * @property {(point: any) => string[]} cells - under them; null: nothing was measured
 *
 * @typedef {object} Face - how trials of a scenario are called and shown
 * @property {string} what - is due: operations, messages
 * @property {string} sizeSign - as in r=200, c=4
 * @property {string} one - of what the size counts
 * @property {string} many
 * @property {string} ratesFlag
 * @property {(load: number) => string} loadWords - of a cell
 * @property {(perSecond: number) => string} rateWords - of a trial
 * @property {string} loadHeading
 * @property {string} loadName - what the chosen cell has the most of
 * @property {string} beyondWords - what cells beyond the diagonal have in common
 * @property {string} timeName - of what is drawn against throughput
 * @property {string} throughputName
 * @property {(point: any) => number} throughputOf - per second
 * @property {(point: any) => number | null} tailOf - its p99 in ms, or what stands for it
 * @property {string} tailWords - what that is where there is no p99
 * @property {string} latencyTitle - over what is drawn by time
 * @property {Columns} figures - of a trial
 * @property {Columns} outcome - of a cell, before them
 * @property {boolean} saysWhy - cells beyond the diagonal have reasons
 * @property {string} legend - under the grid
 * @property {(inTimeMs?: number) => readonly string[]} gridRules
 * @property {(tolerance: number, inTimeMs?: number) => readonly string[]} searchRules
 * @property {(generatorBound: boolean) => string[]} notes - what the figures are of
 * @property {string} unsteady - what repeats that contradict the search again and again show
 * @property {string} boundStatement - what a lower bound is not
 * @property {string} doubt - why figures of a run are doubtful
 */

/** Signs of the grid, which stand under it. @param {string} what */
const signs = what => `✗ beyond the saturation diagonal, with the ${what} expected. ◆ the chosen cell.`

const UNSTEADY_MACHINE = 'this machine does not answer the same from trial to trial'

/** @type {Face} */
export const RENDEZVOUS_FACE = Object.freeze({
  what: 'operations',
  sizeSign: 'c',
  one: 'connection',
  many: 'connections',
  ratesFlag: '--rates',
  loadWords: load => `${rateWords(load)}/s`,
  rateWords: perSecond => `${rateWords(perSecond)}/s`,
  loadHeading: 'Load /s',
  loadName: 'c·r',
  beyondWords: 'with less than 95 % of the expected operations achieved',
  timeName: 'response time',
  throughputName: 'operations per second',
  throughputOf: ({ achieved, durationMs }) => (achieved * 1000) / durationMs,
  tailOf: ({ rt }) => (rt.p99 ?? rt.p95 ?? rt.p90)?.ms ?? null,
  tailWords: 'where it had too few operations for p99, its highest percentile',
  latencyTitle: 'Latency over time',
  figures: { headings: FIGURE_HEADINGS, cells: pointFigures },
  outcome: { headings: ['Failed'], cells: point => [grouped(point.failed)] },
  saysWhy: false,
  legend: signs('operations'),
  gridRules: () => SATURATION_RULES,
  searchRules,
  notes: generatorBound =>
    generatorBound
      ? ['This is no figure of the server: with a load generator on a machine of its own it may carry more.']
      : [],
  unsteady: UNSTEADY_MACHINE,
  boundStatement: 'Generator-bound: the figure is a lower bound, and none of the server.',
  doubt: 'the load generator had a part in those that are marked *'
})

/** @type {Face} */
const GOSSIP_FACE = Object.freeze({
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
  legend: signs('messages'),
  gridRules: gossipRules,
  searchRules: gossipSearchRules,
  notes: () => [
    'Generator and nodes share the processes: this is what this machine carries, not what the network would.'
  ],
  unsteady: UNSTEADY_MACHINE,
  boundStatement: 'Generator-bound: the figure is a lower bound, of this machine and not of the network.',
  doubt: 'nodes waited for one another, or for their turn to publish'
})

/** @type {Face} */
const SIMULATED_FACE = Object.freeze({
  ...GOSSIP_FACE,
  figures: gossipFigures(true),
  notes: () => [
    "Simulated: nodes were joined by no real network. What is used up here is the model's, lines and processing: a figure of the network as modelled, in which no machine's speed has a part."
  ],
  unsteady: 'this network does not answer the same from seed to seed. Try a longer --duration',
  boundStatement: 'The figure is a lower bound.'
})

/**
 * cellName is what a cell is called in texts.
 *
 * @param {Face} face
 * @param {{ ratePerSecond: number, size: number }} cell
 */
export const cellName = ({ sizeSign }, { ratePerSecond, size }) =>
  `r=${rateWords(ratePerSecond)}, ${sizeSign}=${size}`

/**
 * trialName is what a cell is called before it was measured.
 *
 * @param {Face} face
 * @param {import('../result/trial.js').AnyTrial} trial
 */
export function trialName(face, trial) {
  const { sizeOf, rateOf } = judgeOf(trial.plan)
  return cellName(face, { ratePerSecond: rateOf(trial), size: sizeOf(trial.plan) })
}

/**
 * faceOf is how the trials of a document are called and shown.
 *
 * @param {Pick<SaturationDocument, 'scenario'> & { options?: Record<string, unknown> }} document
 */
export function faceOf({ scenario, options = {} }) {
  if (scenario !== 'gossip') return RENDEZVOUS_FACE
  return options.network === 'simulated' ? SIMULATED_FACE : GOSSIP_FACE
}
