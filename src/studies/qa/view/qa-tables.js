import { MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { hostLines } from '../../../report/host-lines.js'
import { environmentOf } from '../../../report/page/frame.js'
import { faceOf } from '../../saturation/view/faces.js'

/**
 * @typedef {import('../result/qa-document.js').QaDocument} QaDocument
 * @typedef {import('../result/qa-document.js').AnyTrial} AnyTrial
 * @typedef {import('../result/held-parts.js').HeldPart} HeldPart
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** PART_WORDS are what the parts are called. @type {Readonly<Record<HeldPart['part'], string>>} */
export const PART_WORDS = {
  saturation: 'Saturation',
  times: 'Times of the examined cell',
  resources: 'Resources of the examined cell',
  steady: 'The steady run',
  rotation: 'Some come and go'
}

const NO_BASELINE = 'nothing to hold it against: this is a baseline'

/**
 * partTable has a row for each part, with what became of it.
 *
 * @param {QaDocument} document
 * @returns {Table}
 */
export function partTable({ held }) {
  const parts = held?.parts ?? []
  const names = /** @type {HeldPart['part'][]} */ (Object.keys(PART_WORDS))
  return {
    headings: ['Part', 'Verdict', 'Why'],
    align: ['l', 'l', 'l'],
    rows: names.map(name => {
      const part = parts.find(({ part }) => part === name)
      if (part === undefined) return [PART_WORDS[name], 'N/A', NO_BASELINE]
      return [PART_WORDS[name], part.verdict, part.why ?? figuresInWords(part)]
    })
  }
}

/** @param {HeldPart} part */
const figuresInWords = ({ figures }) =>
  figures
    .map(
      ({ title, verdict, ...figure }) =>
        `${title}: ${changeWords(figure)}${verdict === 'PASS' ? '' : ` ${verdict}`}`
    )
    .join('; ')

/** @param {Pick<HeldPart['figures'][number], 'before' | 'now' | 'bounds' | 'ratio' | 'interval'>} figure */
function changeWords({ before, now, bounds = [], ratio, interval }) {
  const span = interval === null ? '' : ` [${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]`
  const [old, value] = [bounded(before, bounds.includes('before')), bounded(now, bounds.includes('now'))]
  return `${old} → ${value}${ratio === null ? '' : `, × ${ratio.toFixed(2)}${span}`}`
}

/** @param {number | null} value @param {boolean} isBound */
const bounded = (value, isBound) =>
  value === null ? 'not measured' : `${isBound ? '> ' : ''}${significant(value)}`

/**
 * runTable has a row for each run of the examined cell, and for the steady one.
 *
 * @param {QaDocument} document
 * @returns {Table & { trials: AnyTrial[] }}
 */
export function runTable({ examined, steady, ...document }) {
  const { figures, outcome, loadHeading } = faceOf(document)
  const trials = [...examined.trials, ...(steady === null ? [] : [steady])]
  const headings = [...outcome.headings, ...figures.headings]
  return {
    trials,
    headings: ['Run', loadHeading.includes('/s') ? 'Rate /s' : loadHeading, ...headings],
    rows: trials.map(trial => [
      trial.name,
      rateWords(trial.perSecond),
      ...(trial.point === null
        ? headings.map(() => MISSING)
        : [...outcome.cells(trial.point), ...figures.cells(trial.point)])
    ])
  }
}

/**
 * machineTable says on what it was made.
 *
 * @param {Pick<QaDocument, 'watched' | 'on'>} document
 * @returns {Table}
 */
export const machineTable = ({ watched, on }) => ({
  headings: ['Machine and versions', 'Value'],
  align: ['l', 'l'],
  rows: [
    ...(watched === null ? [] : hostLines(watched.host, watched.hiccups)),
    ...(on === null ? [] : environmentOf(/** @type {any} */ (on)))
  ]
})
