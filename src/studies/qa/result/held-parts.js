import { machineDifferences, planDifferences } from '../../comparison/differences.js'
import { SATURATED } from '../../saturation/saturated.js'
import { scatterOf } from '../../statistics/no-worse.js'
import { heldFigure, heldShare, SHARE_POINTS } from './held-figure.js'
import { heldSaturation } from './held-saturation.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('./qa-document.js').AnyTrial} AnyTrial
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 * @typedef {import('../../../scenarios/saturation.js').QaFigure} QaFigure
 * @typedef {import('./held-figure.js').HeldFigure} HeldFigure
 * @typedef {import('./held-figure.js').Readings} Readings
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
 * heldParts holds each part of a quality report against that of an earlier one.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @param {readonly Figure[]} rotating - that comparisons of runs go by in which some come and go
 * @returns {QaHeld}
 */
export function heldParts(before, now, rotating) {
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
