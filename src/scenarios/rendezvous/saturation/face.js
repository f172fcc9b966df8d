import { rateWords } from '../../../kit/rate-words.js'
import { DESCRIBED_OPERATIONS } from './described.js'

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
  rateName: 'Sustainable rate',
  sizeSign: 'c',
  one: 'connection',
  many: 'connections',
  ratesFlag: '--rates',
  loadWords: load => `${rateWords(load)}/s`,
  rateWords: perSecond => `${rateWords(perSecond)}/s`,
  loadHeading: 'Load /s',
  timeName: 'response time',
  throughputName: 'operations per second',
  throughputOf: ({ achieved, durationMs }) => (achieved * 1000) / durationMs,
  tailOf: point => tailFigure(point)?.ms ?? null,
  tailWords: 'where it had too few operations for p99, its highest percentile',
  notes: generatorBound =>
    generatorBound
      ? ['This is no figure of the server: with a load generator on a machine of its own it may carry more.']
      : [],
  boundStatement: 'Generator-bound: the figure is a lower bound, and none of the server.'
}
