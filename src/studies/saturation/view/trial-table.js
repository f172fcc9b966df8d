import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { reasonWords } from './reason-words.js'

/**
 * @typedef {import('../result/trial.js').SearchState} SearchState
 * @typedef {import('../result/trial.js').SearchTrial} SearchTrial
 */

/** @param {SearchTrial} trial */
const verdict = ({ sustained, status }) =>
  sustained === null ? (status === 'complete' ? MISSING : status) : sustained ? 'yes' : 'no'

/**
 * trialTable has a row for every trial of a search, in the order they were made.
 *
 * @param {SearchState} search
 * @param {import('../../../scenarios/saturation.js').Face} face
 * @returns {import('../../../kit/table.js').Table & { trials: SearchTrial[] }} `trials`: of the rows
 */
export const trialTable = ({ trials }, { figures }) => ({
  trials,
  headings: ['Trial', 'Rate /s', 'Sustained', 'Due', 'Achieved', '%', ...figures.headings, 'Why not'],
  align: ['r', 'r', 'l', ...new Array(3 + figures.headings.length).fill('r'), 'l'],
  rows: trials.map((trial, place) => [
    `${place + 1}${trial.purpose === 'repeat' ? ' again' : ''}`,
    rateWords(trial.perSecond),
    verdict(trial),
    ...(trial.point === null
      ? [MISSING, MISSING, MISSING]
      : [
          grouped(trial.point.due),
          grouped(trial.point.achieved),
          significant((100 * trial.point.achieved) / Math.max(1, trial.point.due))
        ]),
    ...figures.cells(trial.point),
    reasonWords(trial)
  ])
})
