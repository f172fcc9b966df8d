import { readResult } from '../result/read-result.js'
import { hotSpotDifferences } from '../scenarios/profile/measure/hot-spot-differences.js'
import { profileDifferences } from '../scenarios/profile/view/differences.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('../scenarios/profile/profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * twoProfiles reads the results of two runs of the profile scenario.
 *
 * @param {string[]} words - paths
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<[ProfileResult, ProfileResult] | null>} null: they are something else
 */
export async function twoProfiles(words, find) {
  if (words.length !== 2) return null
  const results = await Promise.all(words.map(word => readResult(word, find).catch(() => null)))
  const profiles = results.flatMap(result => (result?.scenario === 'profile' ? [result] : []))
  return profiles.length === 2 ? [profiles[0], profiles[1]] : null
}

/**
 * compareProfiles shows by category what two profiles differ in.
 *
 * @param {[base: ProfileResult, candidate: ProfileResult]} profiles
 * @param {{ json: boolean, failOn?: unknown }} own - options of the command
 * @param {Surroundings} surroundings
 * @returns {number} exit code
 */
export function compareProfiles([base, candidate], { json, failOn }, surroundings) {
  const unsampled = [base, candidate].find(({ outcome }) => outcome.profile === null)
  if (unsampled !== undefined) {
    const allowed = 'holds no profile: the run ended before anything was sampled'
    return refuse('compare', [{ flag: unsampled.id, value: '', allowed }], surroundings)
  }
  if (failOn !== undefined) {
    const allowed = 'is about figures that decide, and profiles have none: leave it out to compare them'
    return refuse('compare', [{ flag: '--failOn', value: '', allowed }], surroundings)
  }
  const [before, after] = [base, candidate].map(
    ({ outcome }) => outcome.profile?.hotSpots ?? { categories: [] }
  )
  surroundings.stdout.write(
    json
      ? `${JSON.stringify(hotSpotDifferences(before, after), null, 2)}\n`
      : profileDifferences(base, candidate)
  )
  return EXIT.DONE
}
