import { engineOf } from '../../network/simulated/engine.js'
import { FROM_THE_PLAN } from '../../scenarios/gossip/figures.js'
import { versionDifferences } from './differences.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 *
 * @typedef {object} SameAgain - whether a run came to the same as the one it repeats
 * @property {boolean | null} same - null: that cannot be said
 * @property {string} line
 */

const MOST_NAMED = 5

/** @param {AnyResult} result @returns {string | null} of all deliveries; null: a real run, which is never the same twice */
const digestOf = ({ outcome }) => /** @type {{ digest?: string }} */ (outcome).digest ?? null

/**
 * Numbers that two parts of an outcome do not have alike.
 *
 * @param {unknown} one
 * @param {unknown} other
 * @param {string} path
 * @returns {string[]}
 */
function differing(one, other, path) {
  if (Object.is(one, other)) return []
  const deep = [one, other].every(part => typeof part === 'object' && part !== null)
  if (!deep) return typeof one === 'number' || typeof other === 'number' ? [`${path} ${one} → ${other}`] : []
  const [ours, theirs] = [one, other].map(part => /** @type {Record<string, unknown>} */ (part))
  return Object.keys({ ...ours, ...theirs }).flatMap(key =>
    differing(ours[key], theirs[key], `${path}.${key}`)
  )
}

/** @param {AnyResult} before @param {AnyResult} again */
function whatDiffers(before, again) {
  const [one, other] = [before, again].map(({ outcome }) => /** @type {Record<string, unknown>} */ (outcome))
  const all = FROM_THE_PLAN.flatMap(part => differing(one[part], other[part], part))
  if (all.length === 0) return 'the times of single deliveries'
  const more = all.length - MOST_NAMED
  return `${all.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; ${more} more` : ''}`
}

/**
 * sameAgain says whether a run in virtual time came to the same as the one it repeats: by the digest of all their deliveries, where code and
 * engine are the same.
 *
 * @param {AnyResult} before
 * @param {AnyResult} again
 * @returns {SameAgain | null} null: of a real run nobody expects it
 */
export function sameAgain(before, again) {
  const [was, is] = [before, again].map(digestOf)
  if (was === null || is === null) return null
  const versions = versionDifferences(before.run, again.run)
  const others = versions.map(
    ({ what, base, candidate }) => `${what} ${base ?? 'none'} → ${candidate ?? 'none'}`
  )
  if (before.status !== 'complete' || again.status !== 'complete')
    return { same: null, line: `cannot be compared with ${before.id}: not both are complete` }
  if (others.length > 0)
    return { same: null, line: `cannot be compared with ${before.id}: other versions, ${others.join('; ')}` }
  if (engineOf(was) !== engineOf(is))
    return {
      same: null,
      line: `cannot be compared with ${before.id}: simulated by other engines, ${engineOf(was)} → ${engineOf(is)}`
    }
  if (was === is) return { same: true, line: `the same as ${before.id}: digest ${is}` }
  return {
    same: false,
    line: `not the same as ${before.id}, digest ${was} → ${is}: ${whatDiffers(before, again)}`
  }
}
