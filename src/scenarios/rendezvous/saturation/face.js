import { grouped } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { ADDED } from '../../../measure/doubt.js'
import { DESCRIBED_OPERATIONS } from './described.js'
import { DIAGONAL_SHARE } from './diagonal.js'
import { ACHIEVED_SHARE, LEAST_SLOW_MS, SLOWER_FACTOR } from './not-sustained.js'
import { FIGURE_HEADINGS, pointFigures } from './operation-figures.js'

/** What the grid shows, and how its cell is chosen. */
const GRID_RULES = [
  `Expected are r × c × duration operations; achieved are those that succeeded within the duration. A cell lies beyond the saturation diagonal when less than ${DIAGONAL_SHARE * 100} % of the expected ones were achieved.`,
  'The chosen cell has the largest c·r below the diagonal; of several the one with the lowest average response time.'
]

/** How a search decides. */
const SEARCH_RULES = [
  `A rate is not sustained when fewer than ${ACHIEVED_SHARE * 100} % of the operations due succeeded within the time (those under way in the end, up to a tenth, are not held against it), when p50 was above ${LEAST_SLOW_MS} ms and ${SLOWER_FACTOR} times that of the lowest rate, or when more and more operations waited.`
]

/**
 * tailFigure is p99, or of too few operations the highest percentile there is.
 *
 * @param {import('./load-point.js').LoadPoint} point
 */
export const tailFigure = ({ rt }) => rt.p99 ?? rt.p95 ?? rt.p90

/** RENDEZVOUS_FACE is how trials of operations are called and shown. @type {import('../../saturation.js').Face} */
export const RENDEZVOUS_FACE = {
  ...DESCRIBED_OPERATIONS,
  who: 'The server',
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
  tailOf: point => tailFigure(point)?.ms ?? null,
  tailWords: 'where it had too few operations for p99, its highest percentile',
  latencyTitle: 'Latency over time',
  figures: { headings: FIGURE_HEADINGS, cells: pointFigures },
  outcome: { headings: ['Failed'], cells: point => [grouped(point.failed)] },
  saysWhy: false,
  gridRules: () => GRID_RULES,
  searchRules: () => SEARCH_RULES,
  notes: generatorBound =>
    generatorBound
      ? ['This is no figure of the server: with a load generator on a machine of its own it may carry more.']
      : [],
  notIts: 'not the server: ',
  boundStatement: 'Generator-bound: the figure is a lower bound, and none of the server.',
  doubt: 'the load generator had a part in those that are marked *',
  added: ADDED
}
