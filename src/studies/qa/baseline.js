// The parts of a quality report held against those of an earlier one.
import { isDeepStrictEqual } from 'node:util'
import { sumOf } from '../../kit/collections.js'
import { machineDifferences, planDifferences } from '../compare/comparison.js'
import { isBarelyMissed } from '../saturate/objective.js'
import {
  cellName,
  isGenerators,
  limitAt,
  measuredCells,
  SATURATED,
  saturatedBy,
  termsOf
} from '../saturate/trials.js'
import { noWorse, scatterOf } from '../statistics.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {ReturnType<typeof measuredCells>[number]} Cell
 *
 * @typedef {'carried' | 'lost' | 'barely' | 'generators'} Outcome - of a cell that was carried then
 */

/** @param {Cell} cell */
const isForWantOfGenerator = ({ point }) => isGenerators(limitAt(point))

/** Of a gossip network on real TCP nodes and load generator are one. @param {QaDocument} document */
const isReal = ({ scenario, options }) => scenario === 'gossip' && options.network !== 'simulated'

/**
 * sameCell is a cell that was run to some end with the same plan.
 *
 * @param {readonly AnyTrial[]} cells
 * @param {Cell} old
 */
const sameCell = (cells, old) =>
  cells.find(
    trial =>
      (trial.point !== null || trial.status === 'failed') &&
      saturatedBy(trial.plan).rateOf(trial) === old.ratePerSecond &&
      saturatedBy(trial.plan).sizeOf(trial.plan) === old.size &&
      planDifferences(/** @type {any} */ (old.trial.plan), /** @type {any} */ (trial.plan)).length === 0
  )

/** @param {AnyTrial} trial - at a load that was carried then @param {QaDocument} now @returns {Outcome} */
function outcomeOf(trial, now) {
  const [cell] = measuredCells([trial])
  // a run that fails is no answer there
  if (cell === undefined) return 'lost'
  if (!cell.beyond) return 'carried'
  // runs at the edge fall to either side
  if (isBarelyMissed(trial.reasons)) return 'barely'
  return isForWantOfGenerator(cell) && !isReal(now) ? 'generators' : 'lost'
}

/**
 * heldSaturation says whether what was carried then is carried now. A cell that fails to be alone decides; what is open of one is open whatever
 * is open of others.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @returns {{ verdict: 'PASS' | 'FAIL' | 'UNDECIDED', why: string }}
 */
function heldSaturation(before, now) {
  if (!isDeepStrictEqual(before.objective, now.objective))
    return { verdict: 'UNDECIDED', why: 'they were judged by different objectives' }
  const carried = measuredCells(before.grid.cells).filter(({ beyond }) => !beyond)
  const pairs = carried.flatMap(old => {
    const trial = sameCell(now.grid.cells, old)
    return trial === undefined ? [] : [{ old, outcome: outcomeOf(trial, now) }]
  })
  const face = termsOf(now)
  const names = (/** @type {Outcome} */ outcome) =>
    pairs
      .filter(pair => pair.outcome === outcome)
      .map(({ old }) => `(${cellName(face, old)})`)
      .join(', ')
  const [lost, barely, generators] = [names('lost'), names('barely'), names('generators')]
  if (pairs.length === 0)
    return { verdict: 'UNDECIDED', why: 'no cell that was carried then was run with the same plan now' }
  if (lost !== '') return { verdict: 'FAIL', why: `${lost} was carried then, and is not now` }
  const open = [
    ...(barely === '' ? [] : [`${barely} barely misses the objective now, which one run can`]),
    ...(generators === '' ? [] : [`${generators} was not carried now, for want of the load generator`])
  ]
  return open.length > 0
    ? { verdict: 'UNDECIDED', why: open.join('; ') }
    : { verdict: 'PASS', why: `all ${pairs.length} cells that were carried then are carried now` }
}

/**
 * @typedef {object} Readings - of a figure, one of each run
 * @property {readonly number[]} values - none: not measured
 * @property {boolean} isBound - true ones may be larger
 *
 * @typedef {object} HeldFigure
 * @property {string} title
 * @property {number} before - mean over runs, of what is no share the geometric one
 * @property {number | null} now - null: not measured
 * @property {('before' | 'now')[]} [bounds] - which of them the true one may be above
 * @property {QaVerdict} verdict
 * @property {number | null} ratio
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio
 */

/** MAX_WORSE is the ratio up to which a figure is no worse than it was. */
export const MAX_WORSE = 1.1
/** SHARE_POINTS are the points by which a share may be worse: one of which less is better, and one of which more is. */
export const SHARE_POINTS = { lower: 5, higher: 1 }

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const typical = values => Math.exp(mean(values.map(Math.log)))

/** @param {readonly number[]} values @param {(values: readonly number[]) => number} of */
const ifAny = (values, of) => (values.length === 0 ? null : of(values))

/** What is a lower bound now may be worse; what was one then may have been. @param {QaVerdict} verdict @param {Readings} before @param {Readings} now */
const known = (verdict, before, now) =>
  (verdict === 'PASS' && now.isBound) || (verdict === 'FAIL' && before.isBound) ? 'UNDECIDED' : verdict

/**
 * heldFigure holds what is less the better against what it was. What is not measured any more is left open.
 *
 * @param {string} title
 * @param {Readings} before
 * @param {Readings} now
 * @param {Parameters<typeof noWorse>[2]['scatter']} [scatter] - of runs; default: of these
 * @returns {HeldFigure[]} none: it was not measured then
 */
function heldFigure(title, before, now, scatter) {
  if (before.values.length === 0) return []
  const held = noWorse(before.values, now.values, {
    most: MAX_WORSE,
    ...(scatter !== undefined && { scatter })
  })
  const bounds = [...(before.isBound ? ['before'] : []), ...(now.isBound ? ['now'] : [])]
  return [
    {
      title,
      ...{ before: typical(before.values), now: ifAny(now.values, typical) },
      ...(bounds.length > 0 && { bounds: /** @type {HeldFigure['bounds']} */ (bounds) }),
      ...held,
      verdict: known(held.verdict, before, now)
    }
  ]
}

/**
 * heldShare holds a share against what it was: it may be worse by so many points.
 *
 * @param {string} title
 * @param {Readings} before - in %
 * @param {Readings} now
 * @param {{ better: 'higher' | 'lower', points?: number }} how
 * @returns {HeldFigure[]} none: it was not measured then
 */
function heldShare(title, before, now, { better, points = SHARE_POINTS[better] }) {
  if (before.values.length === 0) return []
  const [old, value] = [mean(before.values), ifAny(now.values, mean)]
  const worse = value === null ? null : better === 'higher' ? old - value : value - old
  const verdict = worse === null ? 'UNDECIDED' : worse <= points ? 'PASS' : 'FAIL'
  return [{ title, before: old, now: value, verdict, ratio: null, interval: null }]
}

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('../../scenarios/saturation.js').QaFigure} QaFigure
 *
 * @typedef {'PASS' | 'FAIL' | 'UNDECIDED' | 'N/A'} QaVerdict
 *
 * @typedef {'saturation' | 'times' | 'resources' | 'steady' | 'rotation'} PartName
 *
 * @typedef {object} HeldPart
 * @property {PartName} part
 * @property {QaVerdict} verdict
 * @property {string | null} why - where figures do not say it
 * @property {HeldFigure[]} figures
 *
 * @typedef {object} QaHeld
 * @property {QaVerdict} verdict - of all parts: FAIL if one fails, else UNDECIDED if one is open, else PASS
 * @property {{ id: string, startedAt: string, version: string | null }} baseline
 * @property {HeldPart[]} parts
 */

/** @param {PartName} part @param {QaVerdict} verdict @param {string | null} why @param {HeldFigure[]} [figures] @returns {HeldPart} */
const made = (part, verdict, why, figures = []) => ({ part, verdict, why, figures })

/** @param {readonly { verdict: QaVerdict }[]} judged @returns {QaVerdict} */
function worst(judged) {
  const verdicts = new Set(judged.map(({ verdict }) => verdict))
  for (const verdict of /** @type {const} */ (['FAIL', 'UNDECIDED', 'PASS']))
    if (verdicts.has(verdict)) return verdict
  return 'N/A'
}

/**
 * judgeParts holds each part of a quality report against that of an earlier one.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @param {readonly Figure[]} rotating - that comparisons of runs go by in which some come and go
 * @returns {QaHeld}
 */
export function judgeParts(before, now, rotating) {
  const why = otherThing(before, now)
  const parts = [
    saturationPart(before, now, why),
    ...loadParts(before, now, why),
    steadyPart(before, now, why),
    rotationPart(before, now, rotating, why)
  ]
  const { id, startedAt, on } = before
  return {
    verdict: worst(parts),
    baseline: { id, startedAt, version: on?.versions['libp2p-loadtest'] ?? null },
    parts
  }
}

/** @param {QaDocument} before @param {QaDocument} now @returns {string | null} why nothing can be said */
function otherThing(before, now) {
  if (before.on === null || now.on === null) return 'one of them measured nothing'
  const machine = machineDifferences(/** @type {any} */ (before.on), /** @type {any} */ (now.on))
  return machine.length === 0 ? null : `the machines differ in ${machine.map(({ what }) => what).join(', ')}`
}

/** @param {any} before @param {any} now @returns {string | null} */
function otherPlan(before, now) {
  const differing = planDifferences(before, now).map(({ what }) => what)
  return differing.length === 0 ? null : `the plans differ in ${differing.join(', ')}`
}

/** @param {QaDocument} before @param {QaDocument} now @param {string | null} open @returns {HeldPart} */
function saturationPart(before, now, open) {
  if (open !== null) return made('saturation', 'UNDECIDED', open)
  const { verdict, why } = heldSaturation(before, now)
  return made('saturation', verdict, why)
}

/** @param {readonly AnyTrial[]} trials @param {QaFigure} figure @returns {Readings} */
function readingsOf(trials, { of, isBound }) {
  const points = trials.flatMap(({ point }) => (point === null ? [] : [point]))
  return {
    values: points.flatMap(point => of(point) ?? []),
    isBound: points.some(point => isBound?.(point) ?? false)
  }
}

/** Failures of a load that was carried are few: more of them count as a share of which more is better. @type {Parameters<typeof heldShare>[3]} */
const FAILURES = { better: 'lower', points: SHARE_POINTS.higher }

/**
 * @param {QaFigure} figure
 * @param {readonly AnyTrial[]} before
 * @param {readonly AnyTrial[]} now
 * @param {Parameters<typeof heldFigure>[3]} [scatter]
 */
const heldOver = (figure, before, now, scatter) =>
  figure.isShare
    ? heldShare(figure.title, readingsOf(before, figure), readingsOf(now, figure), FAILURES)
    : heldFigure(figure.title, readingsOf(before, figure), readingsOf(now, figure), scatter)

/** @param {QaDocument} before @param {QaDocument} now @param {string | null} why @returns {HeldPart[]} */
function loadParts(before, now, why) {
  const [then, trials] = [before.examined.trials, now.examined.trials]
  const open = why ?? cellDiffers(then, trials)
  return /** @type {const} */ (['times', 'resources']).map(part => {
    if (open !== null) return made(part, 'UNDECIDED', open)
    const figures = SATURATED[now.scenario].qa.figures
      .filter(figure => figure.part === part)
      .flatMap(figure => heldOver(figure, then, trials))
    return made(part, worst(figures), figures.length === 0 ? 'not measured' : null, figures)
  })
}

/** @param {readonly AnyTrial[]} then @param {readonly AnyTrial[]} trials @returns {string | null} */
function cellDiffers([then], [trial]) {
  if (then === undefined || trial === undefined) return 'no cell was examined in one of them'
  return otherPlan(then.plan, trial.plan)
}

/**
 * A single run says nothing of how far runs lie apart: those of the examined cell do.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @param {(figure: QaFigure) => boolean} which
 */
function runScatter(before, now, which) {
  const found = SATURATED[now.scenario].qa.figures.filter(which).flatMap(figure => {
    const groups = [before, now].map(({ examined }) =>
      readingsOf(examined.trials, figure).values.filter(value => value > 0)
    )
    return scatterOf(groups) ?? []
  })
  return found.sort((a, b) => b.deviation - a.deviation)[0] ?? null
}

/** @param {QaDocument} before @param {QaDocument} now @param {string | null} why @returns {HeldPart} */
function steadyPart(before, now, why) {
  const [then, trial] = [before.steady, now.steady]
  const open =
    why ??
    (then?.point == null || trial?.point == null
      ? 'one of them has no steady run'
      : otherPlan(then.plan, trial.plan))
  if (open !== null || then === null || trial === null) return made('steady', 'UNDECIDED', open)
  const figures = SATURATED[now.scenario].qa.figures.flatMap(figure =>
    heldOver(
      figure,
      [then],
      [trial],
      runScatter(before, now, ({ name }) => name === figure.name)
    )
  )
  return made('steady', worst(figures), figures.length === 0 ? 'not measured' : null, figures)
}

/** @param {QaDocument} before @param {QaDocument} now @param {readonly Figure[]} rotating @param {string | null} why @returns {HeldPart} */
function rotationPart(before, now, rotating, why) {
  const [then, rotation] = [before.rotation, now.rotation]
  if (rotation.why !== null) return made('rotation', 'N/A', rotation.why)
  const open =
    why ??
    (then.status !== 'complete' || rotation.status !== 'complete'
      ? 'one of them has no complete run'
      : otherPlan(then.plan, rotation.plan))
  if (open !== null) return made('rotation', 'UNDECIDED', open)
  const scatter = runScatter(before, now, ({ part, isShare = false }) => part === 'times' && !isShare)
  const figures = rotating.flatMap(figure => {
    const [old, value] = [rotated(then, figure), rotated(rotation, figure)]
    if (figure.better === null) return []
    return figure.quantity === 'share'
      ? heldShare(`${figure.title}, %`, old, value, { better: figure.better })
      : heldFigure(figure.title, old, value, scatter)
  })
  return made('rotation', worst(figures), figures.length === 0 ? 'not measured' : null, figures)
}

/** @param {QaDocument['rotation']} rotation @param {Figure} figure @returns {Readings} */
function rotated({ figures, atLeast = [] }, { name }) {
  const value = figures[name]
  return { values: value === undefined ? [] : [value], isBound: atLeast.includes(name) }
}
