import { isDeepStrictEqual } from 'node:util'
import { counted, grouped, significant, spell } from '../../../kit/numbers.js'
import { waitingGrows } from '../../../measure/waiting.js'
import { doubtMark, figure as timeText } from '../../../report/table.js'
import { changeWords } from '../../comparison/view/change-words.js'
import { measuredCells } from '../../saturation/result/measured-cells.js'
import { SATURATED } from '../../saturation/saturated.js'
import { saturationDiagonal } from '../../saturation/search/saturation-grid.js'
import { cellName, faceOf, trialName } from '../../saturation/view/faces.js'
import { kneeSentences } from '../../saturation/view/knees.js'
import { gridSentences } from '../../saturation/view/saturation-sentences.js'

/**
 * @typedef {import('../result/qa-document.js').QaDocument} QaDocument
 * @typedef {import('../result/qa-document.js').AnyTrial} AnyTrial
 * @typedef {import('../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../../scenarios/saturation.js').QaFigure} QaFigure
 */

/**
 * qaSentences say what a quality report came to.
 *
 * @param {QaDocument} document
 * @returns {string[]} the first is the answer of the grid
 */
export function qaSentences(document) {
  const face = faceOf(document)
  const { grid } = document
  return [
    ...gridSentences(grid, face, ''),
    ...failedSentences(document, face),
    ...beyondSentences(document, face),
    ...kneeSentences(
      measuredCells(grid.cells).map(({ size, load, point }) => ({
        size,
        load,
        ms: point.rt.p50?.ms ?? null
      })),
      face
    ),
    ...examinedSentences(document, face),
    ...machineSentences(document),
    ...steadySentences(document, face),
    ...rotationSentences(document)
  ]
}

/** @param {readonly (number | null | undefined)[]} values @param {string} unit - as it stands behind a figure */
function between(values, unit) {
  const known = values.filter(value => value != null)
  if (known.length === 0) return null
  const [least, most] = [Math.min(...known), Math.max(...known)].map(value => significant(value))
  return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`
}

/** @param {QaDocument} document @param {Face} face @returns {string[]} */
const failedSentences = ({ grid }, face) =>
  grid.cells
    .filter(({ status }) => status === 'failed')
    .map(
      cell => `(${trialName(face, cell)}) did not come to its end: ${cell.reason?.message ?? 'no result'}.`
    )

/** What became of times beyond the diagonal. @param {QaDocument} document @param {Face} face @returns {string[]} */
function beyondSentences({ grid }, face) {
  const cells = measuredCells(grid.cells)
  const { below, beyond } = saturationDiagonal(cells)
  const [least, most] = [below[0], beyond[0]]
  if (least === undefined || most === undefined) return []
  const [then, now] = [least, most].map(({ point }) => point.rt.p50)
  if (then == null || now == null) return []
  const share = significant((100 * most.achieved) / Math.max(1, most.expected))
  return [
    `At (${cellName(face, most)}) ${share} % of what was due was achieved, with a p50 of ${timeText(now)} ms: ${riseWords(then, now)} that of (${cellName(face, least)}), ${timeText(then)} ms.`
  ]
}

/** @typedef {NonNullable<Parameters<typeof timeText>[0]>} Time */

/** What failed reaches into a bound: it tells of no most. @param {Time} then @param {Time} now */
function riseWords(then, now) {
  const times = `${significant(now.ms / then.ms)} times`
  if (now.censored) return `at least ${times}`
  return now.ms > 2 * then.ms ? times : 'no more than twice'
}

/** Spread of a figure over runs in words. @param {readonly AnyTrial[]} trials @param {QaFigure} figure */
function figureWords(trials, { title, of, isBound, markedAs }) {
  const [name, unit = ''] = title.split(', ')
  const points = trials.flatMap(({ point }) => (point === null ? [] : [point]))
  const marked = points.map(point => markedAs?.(point)).find(time => time?.doubtful)
  const mark = marked == null ? '' : doubtMark(marked)
  const words = between(points.map(of), `${mark} ${unit}`)
  const least = points.some(point => isBound?.(point)) ? 'at least ' : ''
  return words === null ? [] : [`${name} ${least}${words}`]
}

/** @param {QaDocument} document @param {Face} face @returns {string[]} */
function examinedSentences({ scenario, examined }, face) {
  const trials = examined.trials.filter(({ point }) => point !== null)
  if (examined.cell === null || trials.length === 0) return []
  const figures = SATURATED[scenario].qa.figures.flatMap(figure => figureWords(trials, figure))
  const why = !isDeepStrictEqual(examined.wanted, examined.cell)
    ? ''
    : ', the one that the baseline examined,'
  return [
    `(${cellName(face, examined.cell)})${why} was run ${counted(trials.length, 'time')}: ${figures.join('; ')}.`,
    ...backlogSentences(trials, face)
  ]
}

/** A backlog over fewer seconds tells of nothing. */
const LEAST_SECONDS = 3

/** @param {readonly AnyTrial[]} trials @param {Face} face @returns {string[]} */
function backlogSentences(trials, { what }) {
  const waiting = trials.flatMap(({ point }) => (point !== null && 'waiting' in point ? [point.waiting] : []))
  if (waiting.length === 0) {
    const missing = trials.flatMap(({ point }) =>
      point !== null && 'missing' in point ? [point.missing] : []
    )
    const most = Math.max(0, ...missing)
    return [
      most === 0 ? 'No delivery was missing.' : `Up to ${grouped(most)} deliveries were missing in a run.`
    ]
  }
  const most = Math.max(0, ...waiting.flat())
  const grows = trials.filter(
    ({ point, perSecond }) =>
      point !== null && 'waiting' in point && waitingGrows(point.waiting, perSecond) !== null
  ).length
  const long = waiting.some(({ length }) => length >= LEAST_SECONDS)
  const grew =
    grows > 0 ? `; the backlog grew in ${counted(grows, 'run')}` : long ? '; the backlog did not grow' : ''
  return [
    most === 0
      ? `No ${what} that were due waited at the end of a second.`
      : `At most ${grouped(most)} ${what} that were due had not ended at the end of a second${grew}.`
  ]
}

/** @param {QaDocument} document @returns {string[]} */
function machineSentences({ examined, on }) {
  const readings = Object.values(examined.machine).flat()
  const cores = on?.machine.cores ?? null
  const load = between(
    readings.map(({ load1 }) => load1),
    ' meanwhile'
  )
  if (load === null) return []
  const above = cores !== null && Math.max(...readings.map(({ load1 }) => load1)) > cores
  const sockets = between(
    readings.map(({ sockets }) => sockets),
    ' TCP sockets were in use'
  )
  return [
    `load1 of the machine was ${load}${cores === null ? '' : above ? `, above its ${grouped(cores)} cores` : `, within its ${grouped(cores)} cores`}${sockets === null ? '' : `; ${sockets}`}.`
  ]
}

/** @param {QaDocument} document @param {Face} face @returns {string[]} */
function steadySentences({ scenario, steady, steadySeconds, examined }, face) {
  const point = steady?.point ?? null
  if (steady === null || point === null) return []
  const figures = SATURATED[scenario].qa.figures
    // what failed is counted below
    .filter(({ isShare = false }) => !isShare)
    .flatMap(figure => figureWords([steady], figure))
  const notIn = 'failed' in point ? [point.failed, 'failed'] : [point.missing, 'missing']
  const [first] = examined.trials.flatMap(({ point }) => point?.rt.p50?.ms ?? [])
  const p50 = point.rt.p50?.ms
  const against =
    first === undefined || p50 === undefined
      ? ''
      : ` p50 is ${significant(p50 / first)} × that of the first run at the whole load.`
  return [
    `Half of it, ${face.rateWords(steady.perSecond)}, held for ${spell(steadySeconds * 1000)}: ${figures.join('; ')}; ${notIn[0] === 0 ? `none ${notIn[1]}` : `${grouped(Number(notIn[0]))} ${notIn[1]}`}.${against}`
  ]
}

/** @param {QaDocument} document @returns {string[]} */
function rotationSentences({ rotation }) {
  if (rotation.why !== null) return [`Nothing came and went: ${rotation.why}.`]
  if (rotation.came === null) return []
  const { stable, ephemeral, rotateEveryMs } = rotation.plan
  return [
    `With ${grouped(stable)} that stay and ${grouped(ephemeral)} of which one is replaced every ${spell(rotateEveryMs)}: ${rotation.came}.`,
    `Meanwhile ${changeWords(rotation.slope, rotation.plan.durationMs / 1000)}.`
  ]
}
