import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { figure } from '../../../report/table.js'
import { FIGURE_HEADINGS, pointFigures } from '../../../scenarios/rendezvous/saturation/operation-figures.js'
import { loadNames } from './load-names.js'

/**
 * @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('../result/trial.js').Trial} Trial
 */

/**
 * loadTable has a row for each rate of the network.
 *
 * @param {Pick<CapacityDocument, 'loads'>} document
 * @returns {import('../../../kit/table.js').Table & { trials: Trial[] }} `trials`: of the rows
 */
export const loadTable = ({ loads }) => ({
  trials: loads,
  headings: ['Load', 'Rate /s', 'Due', 'Achieved', '%', 'Failed', 'p90 ms', 'p95 ms', ...FIGURE_HEADINGS],
  rows: loads.map(({ name, perSecond, point, status }) => [
    status === 'complete' ? loadNames[name] : `${loadNames[name]}: ${status}`,
    rateWords(perSecond),
    ...(point === null
      ? new Array(6).fill(MISSING)
      : [
          grouped(point.due),
          grouped(point.achieved),
          significant((100 * point.achieved) / Math.max(1, point.due)),
          grouped(point.failed),
          figure(point.rt.p90),
          figure(point.rt.p95)
        ]),
    ...pointFigures(point)
  ])
})
