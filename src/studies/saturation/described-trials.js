import { capital, counted } from '../../kit/numbers.js'
import { limitedByText } from '../../measure/limited-by.js'
import { table } from '../../report/description/tables.js'
import { four } from '../../report/description/values.js'
import { kneesOf } from './knees.js'
import { measuredCells } from './result/measured-cells.js'
import { limitAt, limitOf } from './search/limits.js'

/**
 * @typedef {import('./result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').DescribedWarning} DescribedWarning
 * @typedef {import('../../report/description/description.js').Plot} Plot
 *
 * @typedef {ReturnType<typeof measuredCells<AnyTrial>>[number]} Measured - a load that was measured
 *
 * @typedef {object} Parts - of a description
 * @property {Description['tiles']} tiles
 * @property {DescribedTable[]} tables - the first is the answer
 * @property {Plot[]} plots
 * @property {DescribedWarning[]} warnings
 */

/** @template Row @typedef {import('../../report/description/tables.js').ColumnOf<Row>} ColumnOf */

/** What was used up. @param {readonly Measured[]} loads */
export const limitedLoads = loads =>
  limitedByText(limitOf(loads.map(({ point }) => limitAt(point))) ?? undefined)

const ended = (/** @type {string | undefined} */ message) => `run failed: ${message ?? 'no result'}`

/** @param {import('./result/trial.js').Reason} why */
function reasonWords(why) {
  if (why.code === 'ENDED') return ended(why.message)
  if (why.code === 'FORMER') return why.text
  const { text, actual, unit, reason } = why
  if (actual === null) return `${text}: ${reason ?? 'not measured'}`
  return `${text}: ${four(actual)}${unit === '' ? '' : ` ${unit}`}${reason === undefined ? '' : `, ${reason}`}`
}

/** Why a trial was not sustained. @param {AnyTrial} trial */
export const whyNot = ({ status, reason, reasons }) =>
  reasons.map(reasonWords).join('; ') || (status === 'failed' ? ended(reason?.message) : null)

/** Of a study of a version without one; else the headline has it. @param {readonly string[] | null} objective */
export const formerNote = objective =>
  objective === null ? ['Sustained: by the rules of the version that ran this.'] : []

/** Figures of a point, as its scenario names them. @param {Face} face @returns {ColumnOf<{ trial: AnyTrial }>[]} */
export const pointColumns = ({ columns }) =>
  columns.map(([heading, of, ...how]) => [
    heading,
    ({ trial: { point } }) => (point === null ? null : of(point)),
    ...how
  ])

/** @param {Face} face */
export const ratesHeading = ({ what }) => `Offered, ${what}/s`

/** @param {Face} face @param {number} size */
export const sizeWords = ({ one, many }, size) => counted(size, one, many)

/** Where times rise more steeply over the rate offered. @param {readonly Measured[]} loads */
export const kneesOver = loads =>
  kneesOf(
    loads.map(({ size, trial, point }) => ({ size, load: trial.perSecond, ms: point.rt.p50?.ms ?? null }))
  )

/** @param {Face} face @param {readonly Measured[]} loads @returns {DescribedTable} */
export const kneesTable = (face, loads) => ({
  ...table('knees', 'Knees of p50', kneesOver(loads), [
    [capital(face.many), ({ size }) => size, 'count'],
    [ratesHeading(face), ({ at }) => at, 'number'],
    ['Before, ms per 1,000/s', ({ before }) => 1000 * before, 'number'],
    ['From then on', ({ after }) => 1000 * after, 'number']
  ]),
  note: 'The offered load from which p50 rises more steeply.'
})

/** @param {Face} face @param {AnyTrial['point'] | undefined} point @returns {Description['tiles']} */
export const timesAt = (face, point) =>
  point == null
    ? []
    : [
        ['p50 there', point.rt.p50?.ms ?? null, 'ms'],
        ['p99 there', face.tailOf(point), 'ms']
      ]

/** @param {readonly string[]} notes @returns {{ note?: string }} */
export const noteOf = notes => (notes.length === 0 ? {} : { note: notes.join(' ') })
