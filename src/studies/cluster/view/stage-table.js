import { grouped, MISSING, percent, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { FIGURE_HEADINGS, pointFigures } from '../../../scenarios/rendezvous/saturation/operation-figures.js'
import { reasonWords } from '../../saturation/view/reason-words.js'
import { stageNames } from './stage-names.js'

/**
 * @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('../result/stage.js').Stage} Stage
 */

/** @param {Stage} stage */
const verdict = ({ carried, status }) => (carried === null ? status : carried ? 'yes' : 'no')

/**
 * stageTable has a row for each rate that was held.
 *
 * @param {Pick<ClusterDocument, 'stages' | 'servers'>} document
 * @returns {import('../../../kit/table.js').Table & { trials: Stage[] }} `trials`: of the rows
 */
export const stageTable = ({ stages, servers }) => ({
  trials: stages,
  headings: [
    ...['Load', 'Rate /s', 'A server /s', 'Carried', 'Due', 'Achieved', 'Failed', ...FIGURE_HEADINGS],
    ...['Busiest server %', 'Database %', 'Why not']
  ],
  align: ['l', 'r', 'r', 'l', ...new Array(3 + FIGURE_HEADINGS.length + 2).fill('r'), 'l'],
  rows: stages.map(stage => {
    const { name, perSecond, point } = stage
    return [
      stageNames[name],
      rateWords(perSecond),
      significant(perSecond / servers),
      verdict(stage),
      ...(point === null
        ? [MISSING, MISSING, MISSING]
        : [grouped(point.due), grouped(point.achieved), grouped(point.failed)]),
      ...pointFigures(point),
      percent(point?.members?.busiestCpuPercent),
      percent(point?.members?.databaseCpuPercent),
      reasonWords(stage)
    ]
  })
})
