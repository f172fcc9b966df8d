import { significant } from '../../kit/numbers.js'
import { isLost, StudyEndedError } from '../study.js'
import { centreOf, foundBy } from './result/found.js'
import { newTrial } from './result/trial.js'
import { blameless, trialTurn } from './run-trial.js'
import { runBlocks } from './search/blocks.js'
import { FACTORS } from './search/estimate.js'
import { findSustainable } from './search/sustainable-rate.js'

/**
 * @typedef {import('./result/trial.js').SearchState} SearchState
 * @typedef {import('./result/trial.js').SearchTrial} SearchTrial
 * @typedef {import('./search/sustainable-rate.js').Purpose} Purpose
 * @typedef {import('../../plan/plan.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 *
 * @typedef {{ run: import('../study.js').RunTurn, objective: import('./objective.js').Objective, inTimeMs?: number, seed?: number }} Trials - what
 *   they share; `inTimeMs`: within which a message of a gossip network is to reach everyone; `seed`: of the order of rates in blocks
 *
 * @typedef {object} SearchParts
 * @property {(perSecond: number, repeat: number) => Readonly<Plan | GossipPlan>} planAt - `repeat`: how often its rate is
 *   run again, from 1; 0: for the first time
 */

/** A search usually takes so many trials besides its repeats. */
const USUAL_TRIALS = 9

/** A trial that is not sustained at the lowest rate so far is repeated while its p50 falls by more than this share, */
const FALLS = 0.1
/** this often at most: the system was not warm. */
const MAX_REPEATS = 4

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
  const nextTrial = async (/** @type {number} */ perSecond, /** @type {Purpose} */ purpose) => {
    const trial =
      keptTrial(search, place, { perSecond, purpose }) ??
      (await tried(search, { perSecond, purpose }, parts, of))
    place++
    return trial
  }
  let lowest = Infinity
  /** @type {import('./search/sustainable-rate.js').Sustains} */
  const sustains = async (perSecond, purpose) => {
    let trial = await nextTrial(perSecond, purpose)
    if (perSecond < lowest && purpose === 'search') {
      lowest = perSecond
      for (let again = 0; again < MAX_REPEATS && !trial.sustained; again++) {
        const before = trial
        trial = await nextTrial(perSecond, 'warm-up')
        if (!isFaster(trial, before)) break
      }
    }
    return trial.sustained === true
  }
  const { fromPerSecond, leastPerSecond = 1, mostPerSecond: most, tolerance, repeats, blocks } = search
  const sustainable = await findSustainable(sustains, {
    from: fromPerSecond,
    least: Math.min(leastPerSecond, fromPerSecond),
    most,
    tolerance,
    repeats
  })
  const centre = centreOf(sustainable)
  if (centre !== null) await runBlocks(sustains, centre, { blocks, seed: of.seed ?? 0 })
  search.found = foundBy(sustainable, search.trials)
}

/** Whether times fell, as they do while a system becomes warm. @param {SearchTrial} trial @param {SearchTrial} before - at the same rate */
function isFaster({ point }, { point: earlier }) {
  const [ms, beforeMs] = [point, earlier].map(of => (of?.rt.p50 ?? of?.rt.avg)?.ms)
  return ms !== undefined && beforeMs !== undefined && ms < (1 - FALLS) * beforeMs
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
async function tried(search, { perSecond, purpose }, { planAt }, { run, objective, inTimeMs }) {
  const { trials, repeats, blocks } = search
  const number = trials.length + 1
  const name = `${String(number).padStart(2, '0')}-${purpose}-${perSecond}`
  const plan = planAt(perSecond, purpose === 'search' ? 0 : repeatsOf(trials, perSecond) + 1)
  /** @type {SearchTrial} */
  const trial = { ...newTrial({ name, plan }), purpose }
  trials.push(trial)
  const usual = USUAL_TRIALS + 2 * repeats + FACTORS.length * blocks
  await run({
    index: number,
    total: Math.max(usual, number),
    left: Array(Math.max(1, usual - number + 1)).fill(plan),
    ...trialTurn(trial, {
      label: `${significant(perSecond)}/s${purpose === 'search' ? '' : ' again'}`,
      objective,
      inTimeMs,
      judge: () => judge(trial, trials)
    })
  })
  if (trial.sustained === null) throw new StudyEndedError(blameless(trial, trial))
  return trial
}

/** @param {readonly SearchTrial[]} trials @param {number} rate */
const repeatsOf = (trials, rate) =>
  trials.filter(({ perSecond, purpose }) => purpose !== 'search' && perSecond === rate).length

/**
 * A run that ends early did not sustain its load, but where nothing was measured yet: then it is not the load that it failed at.
 *
 * @param {SearchTrial} trial
 * @param {readonly SearchTrial[]} trials
 */
function judge(trial, trials) {
  const { status, reason, point } = trial
  if (point !== null || status === 'interrupted' || isLost(reason)) return
  if (trials.every(other => other.point === null)) return
  trial.reasons = [{ code: 'ENDED', message: reason?.message ?? 'no result' }]
  trial.sustained = false
}
