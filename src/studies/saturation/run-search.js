import { significant } from '../../kit/numbers.js'
import { isLost, StudyEndedError } from '../study.js'
import { centreOf, foundBy, middleOf, referencesOf } from './result/found.js'
import { newTrial } from './result/trial.js'
import { blameless, trialTurn } from './run-trial.js'
import { saturatedBy } from './saturated.js'
import { blockRates, FACTORS } from './search/estimate.js'
import { findSustainable } from './search/sustainable-rate.js'

/**
 * @typedef {import('./result/trial.js').SearchState} SearchState
 * @typedef {import('./result/trial.js').SearchTrial} SearchTrial
 * @typedef {import('./search/sustainable-rate.js').Purpose} Purpose
 * @typedef {import('../../plan/plan.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 *
 * @typedef {{ run: import('../study.js').RunTurn, inTimeMs?: number, seed?: number }} Trials - what they share; `inTimeMs`: within which a
 *   message of a gossip network is to reach everyone; `seed`: of the order of rates in blocks
 *
 * @typedef {object} SearchParts
 * @property {(perSecond: number, repeat: number) => Readonly<Plan | GossipPlan>} planAt - `repeat`: how often its rate is
 *   run again, from 1; 0: for the first time
 * @property {readonly SearchTrial[]} [before] - trials that were made before the search. What they sustained is not tried again, but
 *   for repeats
 */

/** A search usually takes so many trials besides its repeats. */
const USUAL_TRIALS = 9
/** REFERENCES before the first rate is tried: with it three, of which the one in the middle is what a bracket is judged by. */
const REFERENCES = 2

/**
 * runSearch searches for the highest sustainable rate. What was tried before, when a search is resumed, is not tried again: the search
 * asks for the same rates in the same order.
 *
 * @param {SearchState} search - grows
 * @param {SearchParts} parts
 * @param {Trials} of
 * @throws {import('../study.js').StudyEndedError} when the first trial does not come to its end
 * @throws the signal's reason
 */
export async function runSearch(search, parts, of) {
  let place = 0
  /** @type {import('./search/sustainable-rate.js').Sustains} */
  const sustains = async (perSecond, purpose) => {
    const trial = keptTrial(search, place, { perSecond, purpose })
    place++
    return trial?.sustained ?? tried(search, { perSecond, purpose }, parts, of)
  }
  const { fromPerSecond, mostPerSecond: most, tolerance, repeats } = search
  const { before = [] } = parts
  const isRelative = search.blocks > 0 && saturatedBy(parts.planAt(fromPerSecond, 0)).isRelative
  for (let i = 0; isRelative && before.length === 0 && i < REFERENCES; i++)
    await sustains(fromPerSecond, 'reference')
  const known = new Map(
    before.flatMap(({ perSecond, sustained }) => (sustained === null ? [] : [[perSecond, sustained]]))
  )
  const sustainable = await findSustainable(sustains, {
    from: Math.max(fromPerSecond, ...[...known].flatMap(([rate, sustained]) => (sustained ? [rate] : []))),
    least: Math.min(1, fromPerSecond),
    most,
    tolerance,
    repeats,
    known
  })
  const centre = centreOf(sustainable)
  for (let block = 0; centre !== null && block < search.blocks; block++) {
    // each block has one of its own, so that the interval, which counts blocks, holds what chance makes of them
    if (isRelative) await sustains(lowestRate(bracketing([...before, ...search.trials])), 'reference')
    for (const rate of blockRates(centre, block, of.seed ?? 0)) await sustains(rate, 'block')
  }
  const made = [...before, ...search.trials]
  for (const trial of search.trials) if (trial.purpose === 'block') judge(trial, made)
  search.found = foundBy(sustainable, made)
}

/**
 * @param {SearchState} search
 * @param {number} place
 * @param {{ perSecond: number, purpose: Purpose }} asked
 * @returns {SearchTrial | null}
 */
function keptTrial({ trials }, place, { perSecond, purpose }) {
  const trial = trials[place]
  if (trial?.perSecond === perSecond && trial.purpose === purpose && trial.sustained !== null) return trial
  trials.length = Math.min(place, trials.length)
  return null
}

/**
 * @param {SearchState} search
 * @param {{ perSecond: number, purpose: Purpose }} asked
 * @param {SearchParts} parts
 * @param {Trials} of
 */
async function tried(search, { perSecond, purpose }, { planAt, before = [] }, { run, inTimeMs }) {
  const { trials, repeats, blocks } = search
  const number = trials.length + 1
  const name = `${String(number).padStart(2, '0')}-${purpose}-${perSecond}`
  const plan = planAt(perSecond, purpose === 'search' ? 0 : repeatsOf(trials, perSecond) + 1)
  /** @type {SearchTrial} */
  const trial = { ...newTrial({ name, plan }), ...unjudged(purpose) }
  trials.push(trial)
  const { isRelative } = saturatedBy(plan)
  const inBlocks = (FACTORS.length + Number(isRelative)) * blocks
  const usual = USUAL_TRIALS + 2 * repeats + inBlocks + (isRelative && blocks > 0 ? REFERENCES : 0)
  await run({
    index: before.length + number,
    total: before.length + Math.max(usual, number),
    left: Array(Math.max(1, usual - number + 1)).fill(plan),
    ...trialTurn(trial, {
      label: `${significant(perSecond)}/s${AGAIN[purpose]}`,
      inTimeMs,
      judge: () => judge(trial, [...before, ...trials])
    })
  })
  if (trial.sustained === null) throw new StudyEndedError(blameless(trial, trial))
  return trial.sustained
}

/** @type {Record<Purpose, string>} */
const AGAIN = { search: '', repeat: ' again', block: ' again', reference: ', the reference' }

/** @param {readonly SearchTrial[]} trials @param {number} rate */
const repeatsOf = (trials, rate) =>
  trials.filter(({ perSecond, purpose }) => purpose !== 'search' && perSecond === rate).length

/** @param {Purpose} purpose @returns {Pick<SearchTrial, 'purpose' | 'sustained' | 'reasons'>} */
const unjudged = purpose => ({ purpose, sustained: null, reasons: [] })

/**
 * asEvidence judges trials that were made before a search, so that it need not try them again.
 *
 * @param {readonly import('./result/trial.js').AnyTrial[]} trials
 * @returns {SearchTrial[]} those that were measured
 */
export function asEvidence(trials) {
  const measured = trials
    .filter(({ point }) => point !== null)
    .map(trial => ({ ...trial, ...unjudged('search') }))
  for (const trial of measured) judge(trial, measured)
  return measured
}

/** @param {SearchTrial} trial @param {readonly SearchTrial[]} trials */
function judge(trial, trials) {
  if (trial.status === 'interrupted' || isLost(trial.reason)) return
  if (trial.point !== null)
    trial.reasons = saturatedBy(trial.plan).notSustained(trial.point, lowestOf(trial, trials))
  // where nothing was measured yet, it is not the load that a run fails at
  else if (trials.some(({ point }) => point !== null))
    trial.reasons = [{ code: 'ENDED', message: trial.reason?.message ?? 'no result' }]
  else return
  trial.sustained = trial.reasons.length === 0
}

/** Rates of blocks may lie below the lowest that others are held against. @param {readonly SearchTrial[]} trials */
const bracketing = trials => trials.filter(({ point, purpose }) => point !== null && purpose !== 'block')

/** @param {readonly SearchTrial[]} trials */
const lowestRate = trials => Math.min(...trials.map(({ perSecond }) => perSecond))

/**
 * What response times are held against: the trial at the lowest rate. Of several the one in the middle, since a p99 of one trial may be many
 * times that of the next; in blocks, of theirs.
 *
 * @param {SearchTrial} trial
 * @param {readonly SearchTrial[]} trials
 */
function lowestOf(trial, trials) {
  const own = trial.purpose === 'block' ? referencesOf(trials) : []
  const others = own.length > 0 ? own : bracketing(trials)
  const lower = others.filter(({ perSecond }) => perSecond < trial.perSecond)
  return middleOf(lower.filter(({ perSecond }) => perSecond === lowestRate(lower)))?.point ?? null
}
