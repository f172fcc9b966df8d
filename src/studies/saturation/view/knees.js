import { counted } from '../../../kit/numbers.js'
import { slopeChange } from '../../../measure/slope-change.js'

/**
 * @typedef {object} Loaded - what came of a load
 * @property {number} size - connections, or nodes
 * @property {number} load - per second
 * @property {number | null} ms
 */

/**
 * kneeSentences say from which load on times rise more steeply.
 *
 * @param {readonly Loaded[]} loads
 * @param {import('../../../scenarios/saturation.js').Face} face
 * @param {string} [figure]
 * @returns {string[]}
 */
export function kneeSentences(loads, face, figure = 'p50') {
  return [...new Set(loads.map(({ size }) => size))].flatMap(size => {
    const points = loads
      .filter(loaded => loaded.size === size && loaded.ms !== null)
      .map(({ load, ms }) => ({ x: load, y: ms ?? 0 }))
      .sort((a, b) => a.x - b.x)
    const bend = slopeChange(points)
    if (bend === null || bend.after <= bend.before) return []
    return [
      `With ${counted(size, face.one, face.many)} ${figure} rises more steeply from ${face.loadWords(bend.at)} on.`
    ]
  })
}
