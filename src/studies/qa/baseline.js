// Compares each part of a quality report (`qa`) with an earlier report: is anything worse?
import { isDeepStrictEqual } from 'node:util'
import { omitMissing } from '../../kit/collections.js'
import { findMachineDifferences, findPlanDifferences } from '../compare/comparison.js'
import { isBarelyMissed } from '../saturate/objective.js'
import {
  findSaturation,
  findTerms,
  formatCellName,
  isGeneratorLimit,
  listMeasuredCells,
  readLimit,
  SATURATION_SCENARIOS
} from '../saturate/trials.js'
import { mean, measureScatter, testNonInferiority } from '../statistics.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('../saturate/trials.js').MeasuredLoad} Cell
 *
 * @typedef {'carried' | 'lost' | 'barely' | 'generators'} Outcome - of a load that the earlier report sustained
 */

/**
 * Finds the cell that was run, completely or not, with the plan of an earlier cell.
 *
 * @param {readonly AnyTrial[]} cells
 * @param {Cell} old
 */
const sameCell = (cells, old) =>
  cells.find(
    trial =>
      (trial.point !== null || trial.status === 'failed') &&
      findSaturation(trial.plan).rateOf(trial) === old.ratePerSecond &&
      findSaturation(trial.plan).sizeOf(trial.plan) === old.size &&
      findPlanDifferences(/** @type {any} */ (old.trial.plan), /** @type {any} */ (trial.plan)).length === 0
  )

/** @param {AnyTrial} trial - at a load that the earlier report sustained @param {QaDocument} now @returns {Outcome} */
function outcomeOf(trial, { scenario, options }) {
  const [cell] = listMeasuredCells([trial])
  if (cell === undefined) return 'lost'
  if (!cell.beyond) return 'carried'
  // at the limit a single run may miss the objective by chance
  if (isBarelyMissed(trial.reasons)) return 'barely'
  // in a gossip network on real TCP the nodes are the load generator
  const isReal = scenario === 'gossip' && options.network !== 'simulated'
  return isGeneratorLimit(readLimit(cell.point)) && !isReal ? 'generators' : 'lost'
}

/**
 * Says whether the loads that the earlier report sustained are sustained now. One lost load is a failure; without a lost load, one open
 * question leaves the verdict open.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @returns {{ verdict: 'PASS' | 'FAIL' | 'UNDECIDED', why: string }}
 */
function judgeSaturation(before, now) {
  if (!isDeepStrictEqual(before.objective, now.objective))
    return { verdict: 'UNDECIDED', why: 'they were judged by different objectives' }
  const carried = listMeasuredCells(before.grid.cells).filter(({ beyond }) => !beyond)
  const pairs = carried.flatMap(old => {
    const trial = sameCell(now.grid.cells, old)
    return trial === undefined ? [] : [{ old, outcome: outcomeOf(trial, now) }]
  })
  const view = findTerms(now)
  const names = (/** @type {Outcome} */ outcome) =>
    pairs
      .filter(pair => pair.outcome === outcome)
      .map(({ old }) => `(${formatCellName(view, old)})`)
      .join(', ')
  const [lost, barely, generators] = [names('lost'), names('barely'), names('generators')]
  if (pairs.length === 0)
    return { verdict: 'UNDECIDED', why: 'no cell that was carried then was run with the same plan now' }
  if (lost !== '') return { verdict: 'FAIL', why: `${lost} was carried then, and is not now` }
  const open = omitMissing([
    barely !== '' && `${barely} barely misses the objective now, which one run can`,
    generators !== '' && `${generators} was not carried now, because of the load generator`
  ])
  if (open.length > 0) return { verdict: 'UNDECIDED', why: open.join('; ') }
  return { verdict: 'PASS', why: `all ${pairs.length} cells that were carried then are carried now` }
}

/**
 * @typedef {object} Readings - the values of a figure in several runs
 * @property {readonly number[]} values - empty: not measured
 * @property {boolean} isBound - true values may be larger
 *
 * @typedef {object} FigureComparison - a figure compared with that of the baseline
 * @property {string} title
 * @property {number} before - mean over the runs: arithmetic for shares, geometric for other figures
 * @property {number | null} now - null: not measured
 * @property {('before' | 'now')[]} [bounds] - which of the two are lower bounds
 * @property {QaVerdict} verdict
 * @property {number | null} ratio
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio
 */

/** MAX_RATIO is the largest ratio, now ÷ before, of a figure that passes. */
export const MAX_RATIO = 1.1
/** SHARE_POINTS are the percentage points by which a share may become worse: `lower` where less is better, `higher` where more is better. */
export const SHARE_POINTS = { lower: 5, higher: 1 }

/** @param {readonly number[]} values */
const geometricMean = values => Math.exp(mean(values.map(Math.log)))

/** @param {readonly number[]} values @param {(values: readonly number[]) => number} of */
const ifAny = (values, of) => (values.length === 0 ? null : of(values))

/**
 * Compares a figure of which less is better. A figure that is no longer measured is undecided.
 *
 * @param {string} title
 * @param {Readings} before
 * @param {Readings} now
 * @param {Parameters<typeof testNonInferiority>[2]['scatter']} [scatter] - of runs; default: that of these readings
 * @returns {FigureComparison[]} empty: the earlier report did not measure it
 */
function compareFigure(title, before, now, scatter) {
  if (before.values.length === 0) return []
  const compared = testNonInferiority(before.values, now.values, {
    maxRatio: MAX_RATIO,
    ...(scatter !== undefined && { scatter })
  })
  // a lower bound decides nothing in the direction in which the true value may lie
  const isOpen =
    (compared.verdict === 'PASS' && now.isBound) || (compared.verdict === 'FAIL' && before.isBound)
  /** @type {NonNullable<FigureComparison['bounds']>} */
  const bounds = omitMissing([before.isBound && 'before', now.isBound && 'now'])
  return [
    {
      title,
      ...{ before: geometricMean(before.values), now: ifAny(now.values, geometricMean) },
      ...(bounds.length > 0 && { bounds }),
      ...compared,
      verdict: isOpen ? 'UNDECIDED' : compared.verdict
    }
  ]
}

/**
 * Compares a share, which may become worse by some percentage points.
 *
 * @param {string} title
 * @param {Readings} before - in %
 * @param {Readings} now
 * @param {{ better: 'higher' | 'lower', points?: number }} how
 * @returns {FigureComparison[]} empty: the earlier report did not measure it
 */
function compareShare(title, before, now, { better, points = SHARE_POINTS[better] }) {
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
 * @typedef {object} PartComparison
 * @property {PartName} part
 * @property {QaVerdict} verdict
 * @property {string | null} why - the reason, if the figures do not show it
 * @property {FigureComparison[]} figures
 *
 * @typedef {object} BaselineComparison
 * @property {QaVerdict} verdict - of all parts: FAIL if one fails, else UNDECIDED if one is undecided, else PASS
 * @property {{ id: string, startedAt: string, version: string | null }} baseline
 * @property {PartComparison[]} parts
 */

/** @param {PartName} part @param {QaVerdict} verdict @param {string | null} why @returns {PartComparison} */
const partWithoutFigures = (part, verdict, why) => ({ part, verdict, why, figures: [] })

/** @param {PartName} part @param {FigureComparison[]} figures @returns {PartComparison} */
const partOf = (part, figures) => ({
  part,
  verdict: worstVerdict(figures),
  why: figures.length === 0 ? 'not measured' : null,
  figures
})

/** @param {readonly { verdict: QaVerdict }[]} judged @returns {QaVerdict} */
function worstVerdict(judged) {
  const verdicts = new Set(judged.map(({ verdict }) => verdict))
  for (const verdict of /** @type {const} */ (['FAIL', 'UNDECIDED', 'PASS']))
    if (verdicts.has(verdict)) return verdict
  return 'N/A'
}

/**
 * judgeParts compares each part of a quality report with that of an earlier report.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @param {readonly Figure[]} rotating - the figures by which runs with churn are compared
 * @returns {BaselineComparison}
 */
export function judgeParts(before, now, rotating) {
  const why = environmentDifference(before, now)
  const saturation =
    why === null ? judgeSaturation(before, now) : { verdict: /** @type {const} */ ('UNDECIDED'), why }
  const parts = [
    partWithoutFigures('saturation', saturation.verdict, saturation.why),
    ...examinedParts(before, now, why),
    steadyPart(before, now, why),
    churnPart(before, now, rotating, why)
  ]
  const { id, startedAt, on } = before
  return {
    verdict: worstVerdict(parts),
    baseline: { id, startedAt, version: on?.versions['libp2p-loadtest'] ?? null },
    parts
  }
}

/** @param {QaDocument} before @param {QaDocument} now @returns {string | null} why the reports cannot be compared; null: they can */
function environmentDifference(before, now) {
  if (before.on === null || now.on === null) return 'one of them measured nothing'
  const machine = findMachineDifferences(/** @type {any} */ (before.on), /** @type {any} */ (now.on))
  return machine.length === 0 ? null : `the machines differ in ${machine.map(({ what }) => what).join(', ')}`
}

/** @param {any} before @param {any} now @returns {string | null} */
function planDifference(before, now) {
  const differing = findPlanDifferences(before, now).map(({ what }) => what)
  return differing.length === 0 ? null : `the plans differ in ${differing.join(', ')}`
}

/** @param {readonly AnyTrial[]} trials @param {QaFigure} figure @returns {Readings} */
function readingsOf(trials, { of, isBound }) {
  const points = trials.flatMap(({ point }) => (point === null ? [] : [point]))
  return {
    values: points.flatMap(point => of(point) ?? []),
    isBound: points.some(point => isBound?.(point) ?? false)
  }
}

/**
 * @param {QaFigure} figure
 * @param {readonly AnyTrial[]} before
 * @param {readonly AnyTrial[]} now
 * @param {Parameters<typeof compareFigure>[3]} [scatter]
 */
function compareTrials(figure, before, now, scatter) {
  const [old, current] = [readingsOf(before, figure), readingsOf(now, figure)]
  // a sustained load has few failures: as few more are tolerated as of a share of which more is better
  return figure.isShare
    ? compareShare(figure.title, old, current, { better: 'lower', points: SHARE_POINTS.higher })
    : compareFigure(figure.title, old, current, scatter)
}

/** @param {QaDocument} before @param {QaDocument} now @param {string | null} why - they cannot be compared @returns {PartComparison[]} */
function examinedParts({ examined: { trials: before } }, { scenario, examined: { trials: now } }, why) {
  const open =
    why ??
    (before.length === 0 || now.length === 0
      ? 'no cell was examined in one of them'
      : planDifference(before[0].plan, now[0].plan))
  return /** @type {const} */ (['times', 'resources']).map(part => {
    if (open !== null) return partWithoutFigures(part, 'UNDECIDED', open)
    const figures = SATURATION_SCENARIOS[scenario].qa.figures.filter(figure => figure.part === part)
    return partOf(
      part,
      figures.flatMap(figure => compareTrials(figure, before, now))
    )
  })
}

/**
 * The scatter of runs, for parts of a single run: that of the runs of the examined cell.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @param {(figure: QaFigure) => boolean} which - figures; the largest scatter of these is used
 */
function runScatter(before, now, which) {
  const scatters = SATURATION_SCENARIOS[now.scenario].qa.figures.filter(which).flatMap(figure => {
    const groups = [before, now].map(({ examined }) =>
      readingsOf(examined.trials, figure).values.filter(value => value > 0)
    )
    return measureScatter(groups) ?? []
  })
  return scatters.sort((a, b) => b.deviation - a.deviation)[0] ?? null
}

/** @param {QaDocument} before @param {QaDocument} now @param {string | null} why @returns {PartComparison} */
function steadyPart(before, now, why) {
  const [then, trial] = [before.steady, now.steady]
  const open =
    why ??
    (then?.point == null || trial?.point == null
      ? 'one of them has no steady run'
      : planDifference(then.plan, trial.plan))
  if (open !== null || then === null || trial === null) return partWithoutFigures('steady', 'UNDECIDED', open)
  const figures = SATURATION_SCENARIOS[now.scenario].qa.figures.flatMap(figure => {
    const scatter = runScatter(before, now, ({ name }) => name === figure.name)
    return compareTrials(figure, [then], [trial], scatter)
  })
  return partOf('steady', figures)
}

/** @param {QaDocument} before @param {QaDocument} now @param {readonly Figure[]} rotating @param {string | null} why @returns {PartComparison} */
function churnPart(before, now, rotating, why) {
  const [then, rotation] = [before.rotation, now.rotation]
  if (rotation.why !== null) return partWithoutFigures('rotation', 'N/A', rotation.why)
  const open =
    why ??
    (then.status !== 'complete' || rotation.status !== 'complete'
      ? 'one of them has no complete run'
      : planDifference(then.plan, rotation.plan))
  if (open !== null) return partWithoutFigures('rotation', 'UNDECIDED', open)
  const scatter = runScatter(before, now, ({ part, isShare = false }) => part === 'times' && !isShare)
  const figures = rotating.flatMap(figure => {
    const [old, value] = [churnReadings(then, figure), churnReadings(rotation, figure)]
    if (figure.better === null) return []
    return figure.quantity === 'share'
      ? compareShare(`${figure.title}, %`, old, value, { better: figure.better })
      : compareFigure(figure.title, old, value, scatter)
  })
  return partOf('rotation', figures)
}

/** @param {QaDocument['rotation']} rotation @param {Figure} figure @returns {Readings} */
function churnReadings({ figures, atLeast = [] }, { name }) {
  const value = figures[name]
  return { values: value === undefined ? [] : [value], isBound: atLeast.includes(name) }
}
