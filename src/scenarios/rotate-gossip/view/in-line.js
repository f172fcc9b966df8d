import { figuresInLine } from '../../gossip/view/in-line.js'
import { livesInWords } from './words.js'

/**
 * rotationInLine says in a line what came of a network whose nodes rotated.
 *
 * @param {import('../../gossip/gossip-types.js').RotationResult} result
 */
export function rotationInLine(result) {
  const figures = figuresInLine(/** @type {any} */ (result))
  const { rotation } = result.outcome
  return rotation === null ? figures : `${figures}; ${livesInWords(rotation)}`
}
