import { figuresInLine } from '../../gossip/view/in-line.js'
import { mostInWords } from './words.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

/**
 * profileInLine says in a line what came of a profile.
 *
 * @param {ProfileResult} result
 */
export const profileInLine = result =>
  result.outcome.profile === null
    ? figuresInLine(/** @type {any} */ (result))
    : `CPU ${mostInWords(result.outcome.profile)}`
