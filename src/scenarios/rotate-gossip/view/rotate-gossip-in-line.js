import { figuresInLine } from '../../gossip/view/in-line.js'
import { livesInWords } from './rotate-gossip-words.js'

/**
 * rotateGossipInLine says in a line what came of a network whose nodes rotated.
 *
 * @param {import('../rotate-gossip-types.js').RotateGossipResult} result
 */
export function rotateGossipInLine(result) {
  const figures = figuresInLine(/** @type {any} */ (result))
  const { rotation } = result.outcome
  return rotation === null ? figures : `${figures}; ${livesInWords(rotation)}`
}
