import { minimatch } from 'minimatch'
import { judgeRule, makeBaselineRules } from '../src/plan/fail-rules.js'
import { listPlanFigures } from '../src/plan/threshold.js'
import { compareMetrics } from '../src/studies/compare/comparison.js'
import { scenarioNamed } from '../test/scenarios.js'
import { REPEATS } from './parts/ab-runs.js'
import { keepValues, kept, keptValues } from './parts/kept.js'
import { ratioOf, shownChanged } from './parts/ratio-rows.js'
import { SAME_PLANS, samePlan, sameRun, UNIT_MS } from './parts/same-runs.js'
import { judgeMeasures } from './validation/measures.js'

/** @typedef {import('./parts/same-runs.js').SameRun} SameRun @typedef {import('../src/measure/figure.js').Comparable & { plan?: any }} Comparable */

/** Of 20. */
const MOST = 3
/** Runs of each side: as many as figures of a network need to be decided. */
const PAIRS = 10

/** Sides take turns, as in ab: A B B A. @param {readonly SameRun[]} runs */
const inTurns = runs =>
  Array.from({ length: PAIRS }, (_, pair) => {
    const [first, second] = runs.slice(2 * pair, 2 * pair + 2)
    return pair % 2 === 0 ? { base: first, candidate: second } : { base: second, candidate: first }
  })

/** One side after the other, as runs and a baseline are. @param {readonly SameRun[]} runs */
const inBlocks = runs => runs.slice(0, PAIRS).map((base, place) => ({ base, candidate: runs[PAIRS + place] }))

/** @param {ReturnType<typeof inTurns>} pairs @param {Comparable} compared */
const metricsOf = (pairs, { figures }) =>
  compareMetrics(
    pairs.map(({ base, candidate }) => ({ base: base.figures, candidate: candidate.figures })),
    figures
  )

/** @param {readonly SameRun[]} runs @param {Comparable} compared */
function changedByRatio(runs, { figures }) {
  const ratios = figures.flatMap(({ name }) => {
    const pairs = inTurns(runs).map(({ base, candidate }) =>
      [base, candidate].map(side => side.figures[name]?.value ?? 0)
    )
    return pairs.every(([one, other]) => one > 0 && other > 0)
      ? [ratioOf(/** @type {[number, number][]} */ (pairs))]
      : []
  })
  return shownChanged(ratios).some(Boolean)
}

/** @param {readonly SameRun[]} runs */
function differs(runs) {
  const sides = /** @type {const} */ (['base', 'candidate']).map(side =>
    inTurns(runs).flatMap(pair => pair[side].observation ?? [])
  )
  return judgeMeasures(sides[0], sides[1], UNIT_MS).some(({ verdict }) => verdict === 'differs')
}

/** What says that something changed. @type {Record<string, (runs: readonly SameRun[], compared: Comparable) => boolean>} */
const GATES = {
  ab: (runs, compared) => metricsOf(inTurns(runs), compared).some(({ verdict }) => verdict === 'different'),
  '--baseline': (runs, compared) => {
    const metrics = metricsOf(inBlocks(runs), compared)
    return makeBaselineRules(compared, compared.plan).some(
      rule => judgeRule(rule, metrics).verdict === 'FAIL'
    )
  },
  'bench against': changedByRatio,
  'bench validation': differs
}

/** @param {string} name @param {readonly SameRun[]} runs - of one comparison after the other @returns {string[][]} */
function rowsOf(name, runs) {
  const all = /** @type {Comparable} */ (scenarioNamed(name).compared)
  const plan = samePlan(name)
  const compared = { ...all, plan, figures: listPlanFigures(all.figures, plan) }
  const whole = Math.floor(runs.length / (2 * PAIRS))
  const comparisons = Array.from({ length: whole }, (_, i) => runs.slice(2 * PAIRS * i, 2 * PAIRS * (i + 1)))
  return Object.entries(GATES)
    .filter(([gate]) => name === 'gossip' || gate !== 'bench validation')
    .map(([gate, alarm]) => [
      `${gate}, runs of ${name}`,
      String(whole),
      String(comparisons.filter(each => alarm(each, compared)).length),
      `≤ ${MOST} of 20`
    ])
}

const TABLE = {
  title: `Real runs of 5 s of one plan, ${PAIRS} held against ${PAIRS}: comparisons in which a gate finds a difference`,
  head: ['Gate', 'Comparisons', 'False alarms', 'Target']
}

/**
 * falseAlarms counts the comparisons of real runs of one plan with each other that find a difference.
 *
 * @param {{ only: string, keep: boolean, piece: number }} options - `only`: of the scenarios; `piece`: with keep, seconds after which no run
 *   is begun any more; 0: all are run
 */
export async function falseAlarms({ only, keep, piece }) {
  const before = keep ? await keptValues('false-alarms-runs') : {}
  const began = performance.now()
  const hasTime = () => piece === 0 || performance.now() - began < 1000 * piece
  /** @type {Record<string, SameRun[]>} */
  const all = {}
  for (const name of Object.keys(SAME_PLANS)) {
    const runs = [...(before[name] ?? [])]
    const wanted = minimatch(name, only) ? REPEATS * 2 * PAIRS : 0
    while (runs.length < wanted && hasTime()) runs.push(await sameRun(name))
    if (wanted > 0) process.stderr.write(`  ${name}: ${runs.length} of ${wanted} runs\n`)
    all[name] = runs
  }
  const rows = Object.entries(all).flatMap(([name, runs]) => rowsOf(name, runs))
  if (!keep) return { ...TABLE, rows }
  await keepValues('false-alarms-runs', all)
  return kept('false-alarms', { ...TABLE, rows }, Object.fromEntries(rows.map(row => [row[0], row])))
}
