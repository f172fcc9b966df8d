import { significant } from '../../kit/numbers.js'
import { isLost, StudyEndedError } from '../study.js'
import { centreOf, foundBy } from './result/found.js'
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
 */

/** A search usually takes so many trials besides its repeats. */
const USUAL_TRIALS = 9

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
  const sustainable = await findSustainable(sustains, {
    from: fromPerSecond,
    least: Math.min(1, fromPerSecond),
    most,
    tolerance,
    repeats
  })
  const centre = centreOf(sustainable)
  for (let block = 0; centre !== null && block < search.blocks; block++)
    for (const rate of blockRates(centre, block, of.seed ?? 0)) await sustains(rate, 'block')
  search.found = foundBy(sustainable, search.trials)
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
async function tried(search, { perSecond, purpose }, { planAt }, { run, inTimeMs }) {
  const { trials, repeats, blocks } = search
  const number = trials.length + 1
  const name = `${String(number).padStart(2, '0')}-${purpose}-${perSecond}`
  const plan = planAt(perSecond, purpose === 'search' ? 0 : repeatsOf(trials, perSecond) + 1)
  /** @type {SearchTrial} */
  const trial = { ...newTrial({ name, plan }), ...unjudged(purpose) }
  trials.push(trial)
  const usual = USUAL_TRIALS + 2 * repeats + FACTORS.length * blocks
  await run({
    index: number,
    total: Math.max(usual, number),
    left: Array(Math.max(1, usual - number + 1)).fill(plan),
    ...trialTurn(trial, {
      label: `${significant(perSecond)}/s${purpose === 'search' ? '' : ' again'}`,
      inTimeMs,
      judge: () => judge(trial, trials)
    })
  })
  if (trial.sustained === null) throw new StudyEndedError(blameless(trial, trial))
  return trial.sustained
}

/** @param {readonly SearchTrial[]} trials @param {number} rate */
const repeatsOf = (trials, rate) =>
  trials.filter(({ perSecond, purpose }) => purpose !== 'search' && perSecond === rate).length

/** @param {Purpose} purpose @returns {Pick<SearchTrial, 'purpose' | 'sustained' | 'reasons'>} */
const unjudged = purpose => ({ purpose, sustained: null, reasons: [] })

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

/**
 * What response times are held against: the first trial at the lowest rate so far, but for those of blocks, whose rates may lie below it.
 *
 * @param {SearchTrial} trial
 * @param {readonly SearchTrial[]} trials
 */
function lowestOf(trial, trials) {
  const measured = trials.filter(
    ({ point, purpose, perSecond }) => point !== null && purpose !== 'block' && perSecond < trial.perSecond
  )
  const [lowest = null] = measured.sort((a, b) => a.perSecond - b.perSecond)
  return lowest?.point ?? null
}
